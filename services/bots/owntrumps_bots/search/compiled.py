"""The one door to numba: how kernel functions are compiled and where the machine code is kept.

Numba stamps a cached function with its own source file only, so a change in a function that it calls would go unseen.
Here the cache folder is named after a digest of *all* kernel sources: changed code never meets old machine code.

The folder is `NUMBA_CACHE_DIR` if set, else the user's cache folder. An image can carry it filled; since numba uses
only folders that it can write to, a read-only one is copied to a temporary folder for as long as the process lives.
The code in it is for one kind of processor; another one, or a process that can write nowhere, compiles it again.
"""

import atexit
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import mkdtemp
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


def _source_digest() -> str:
    digest = sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "owntrumps-kernel" / _source_digest()


def writable(folder: Path) -> Path:
    """The folder or, where it can be read only, a copy of it that ends with the process."""
    if not folder.is_dir() or os.access(folder, os.W_OK):
        return folder
    try:
        copy = Path(mkdtemp(prefix="owntrumps-kernel-"))
    except OSError:
        return folder
    atexit.register(rmtree, copy, ignore_errors=True)
    return Path(copytree(folder, copy, dirs_exist_ok=True))


CACHE_FOLDER = writable(_cache_folder())
_config: Any = numba.config


def _njit(function: Function, **options: bool) -> Function:
    made: Any = numba.njit
    return made(nogil=True, forceinline=True, _nrt=False, **options)(function)  # type: ignore[no-any-return]


def compiled(function: Function) -> Function:
    """The function as machine code, compiled on its first call with given types and kept in the cache folder.

    Kernel functions are inlined into each other and allocate nothing: without numba's runtime (`_nrt=False`) no array
    is reference-counted at each call, which alone made playouts four times faster. Scratch space is the caller's.
    """
    usual = _config.CACHE_DIR
    _config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return _njit(function, cache=True)
    except RuntimeError:
        # Numba found no folder that it may write to.
        return _njit(function)
    finally:
        _config.CACHE_DIR = usual


def instruction(emitter: Callable[..., Any]) -> Callable[..., int]:
    """A function that stands for machine instructions; the emitter gives its types and its code."""
    made: Callable[..., int] = intrinsic(emitter)
    return made


@instruction
def popcount(_context: Any, _word: Any) -> Any:
    """Number of set bits of an int64."""

    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


@instruction
def lowest_bit(_context: Any, _word: Any) -> Any:
    """Index of the lowest set bit of an int64, which must not be 0."""

    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), emit


@instruction
def highest_bit(_context: Any, _word: Any) -> Any:
    """Index of the highest set bit of an int64, which must not be 0."""

    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), emit


@instruction
def signed(_context: Any, _word: Any) -> Any:
    """A uint64 below 2**63 as int64, so that it can be reckoned with (numba makes floats of mixed signs)."""

    def emit(_target: Any, _builder: Any, _signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.int64(types.uint64), emit


@compiled
def nth_bit_by_halves(word: int, n: int) -> int:
    """`nth_bit` for processors without PDEP, free of branches that cannot be foretold."""
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        below = popcount((word >> at) & ((1 << width) - 1))
        if n >= below:
            n -= below
            at += width
    return at


_HAS_PDEP = bool(llvm.get_host_cpu_features().get("bmi2"))


@instruction
def _deposit(_context: Any, _source: Any, _mask: Any) -> Any:
    """x86's PDEP: the low bits of the first word spread over the set bits of the second."""

    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
        return builder.call(pdep, arguments)

    return types.int64(types.int64, types.int64), emit


if _HAS_PDEP:

    @compiled
    def nth_bit(word: int, n: int) -> int:
        """Index of the n-th (from 0) set bit of a word of at most 53 bits that has more than n."""
        return lowest_bit(_deposit(1 << n, word))

else:

    @compiled
    def nth_bit(word: int, n: int) -> int:
        """Index of the n-th (from 0) set bit of a word of at most 53 bits that has more than n."""
        return nth_bit_by_halves(word, n)
