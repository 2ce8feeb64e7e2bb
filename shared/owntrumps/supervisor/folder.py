"""The data folder of one machine: who owns it, and what lies where in it."""

import fcntl
import os
import secrets
import stat
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, Self

ServerName = Literal["store", "queue"]

SOCKET_PATH_BYTES: Final = 100
"""Unix sockets have short names (107 bytes on Linux, 103 on macOS)."""
SECRET_BYTES: Final = 32


class FolderError(Exception):
    """A data folder that cannot be used; the message says why and quotes it."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Paths in a data folder. ``path`` is absolute."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> Self:
        """The folder, made (for its owner alone) where there is none; FolderError if it cannot be one."""
        resolved = path.expanduser().resolve()
        if any(character.isspace() or character in "\"'#" for character in str(resolved)):
            raise FolderError(f"Valkey cannot take white space, quotes or # in the data folder's path: {resolved}")
        folder = cls(resolved)
        try:
            for each in (resolved, folder.server("store"), folder.server("queue"), folder.path / "logs"):
                each.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"the data folder {resolved} cannot be made: {error.strerror}") from None
        return folder

    def server(self, name: ServerName) -> Path:
        """Where a server keeps its data."""
        return self.path / name

    def socket(self, name: str) -> Path:
        """Where a server listens: in the folder or, where that name would be too long, in a private one with a short
        name that follows from it."""
        inside = self.path / name / f"{name}.sock"
        if len(os.fsencode(inside)) <= SOCKET_PATH_BYTES:
            return inside
        digest = sha256(os.fsencode(self.path)).hexdigest()[:16]
        return _private(Path(tempfile.gettempdir()) / f"owntrumps-{os.getuid()}-{digest}") / f"{name}.sock"

    def log(self, name: str) -> Path:
        """A process's log file."""
        return self.path / "logs" / f"{name}.log"

    @property
    def database(self) -> Path:
        return self.path / "history.sqlite3"

    def secret_file(self) -> Path:
        """The file with the secret of this machine's tokens, made at the first call; only its owner can read it."""
        file = self.path / "secret"
        try:
            descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return file
        with os.fdopen(descriptor, "w") as opened:
            opened.write(secrets.token_hex(SECRET_BYTES) + "\n")
        return file


class FolderLock:
    """The right to use a data folder, held by one process at a time; it ends with the process, however that ends."""

    def __init__(self, folder: DataFolder) -> None:
        self._file = (folder.path / "lock").open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            owner = self._file.read().strip() or "another process"
            self._file.close()
            raise FolderError(f"the data folder {folder.path} is in use by process {owner}") from None
        self._file.seek(0)
        self.left_behind = bool(self._file.read())
        """Whether the last owner ended without letting go."""
        self._write(str(os.getpid()))

    def release(self) -> None:
        """Let go in order."""
        self._write("")
        self._file.close()

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()


def _private(path: Path) -> Path:
    """A folder in a place where everybody may write, made and checked to be ours alone."""
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) != 0o700:
        raise FolderError(f"{path} should be a folder of mine alone, but is not")
    return path
