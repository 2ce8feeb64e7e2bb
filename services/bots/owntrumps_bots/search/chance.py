"""Chance inside the kernel: xorshift64* on one word of state, so a seed gives the same numbers on every machine."""

import numpy as np

from owntrumps_bots.search.compiled import compiled, signed
from owntrumps_bots.search.layout import Words

_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)
_A, _B, _C, _HIGH = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(32)


def seeded(seed: int) -> Words:
    """Fresh state from any whole number (mixed by splitmix64, so that neighbouring seeds give unrelated numbers)."""
    mask = (1 << 64) - 1
    z = (seed + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
    return np.array([(z ^ z >> 31) or 1], dtype=np.uint64)


@compiled
def below(random: Words, n: int) -> int:
    """A whole number in 0..n-1, n below 2**31 (bias below n / 2**32)."""
    x = random[0]
    x ^= x >> _A
    x ^= x << _B
    x ^= x >> _C
    random[0] = x
    return (signed((x * _MULTIPLIER) >> _HIGH) * n) >> 32
