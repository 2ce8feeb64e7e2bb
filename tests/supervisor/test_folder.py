"""The data folder: private, owned by one process at a time, never silently shared."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from owntrumps.supervisor.folder import DataFolder, FolderError, FolderLock

HOLDER = """
import sys
from pathlib import Path
from owntrumps.supervisor.folder import DataFolder, FolderLock
lock = FolderLock(DataFolder.at(Path(sys.argv[1])))
print("held", flush=True)
sys.stdin.read()
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def holder(path: Path) -> "subprocess.Popen[str]":
    """A process that holds the folder's lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_new_folder_is_for_its_owner_alone(tmp_path):
    folder = DataFolder.at(tmp_path / "new" / "data")
    assert [mode(path) for path in (folder.path, folder.server("store"), folder.server("queue"))] == [0o700] * 3


def test_the_secret_is_made_once_at_random_and_only_its_owner_reads_it(tmp_path):
    one, other = DataFolder.at(tmp_path / "one"), DataFolder.at(tmp_path / "other")
    secret = one.secret_file().read_text()
    assert mode(one.secret_file()) == 0o600
    assert one.secret_file().read_text() == secret
    assert len(bytes.fromhex(secret)) == 32
    assert other.secret_file().read_text() != secret


def test_a_folder_in_use_is_refused_with_its_owner_named(tmp_path):
    folder = DataFolder.at(tmp_path)
    with holder(tmp_path) as process:
        with pytest.raises(FolderError, match=f"in use by process {process.pid}"):
            FolderLock(folder)
        process.communicate()


def test_the_lock_ends_with_its_process_and_tells_how_that_ended(tmp_path):
    folder = DataFolder.at(tmp_path)
    with holder(tmp_path) as process:
        process.kill()
    lock = FolderLock(folder)
    assert lock.left_behind
    lock.release()
    lock = FolderLock(folder)
    assert not lock.left_behind
    lock.release()


def test_sockets_lie_in_the_folder_or_where_the_path_is_too_long_in_a_private_one_that_follows_from_it(tmp_path):
    near = DataFolder(Path("/short"))
    assert near.socket("store") == Path("/short/store/store.sock")
    far = DataFolder.at(tmp_path / ("long" * 30))
    assert len(os.fsencode(far.socket("store"))) <= 100
    assert far.socket("store") == DataFolder(far.path).socket("store")
    assert far.socket("store") != far.socket("queue")
    assert mode(far.socket("store").parent) == 0o700
    far.socket("store").parent.rmdir()


def test_a_private_folder_that_somebody_else_could_use_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    far = DataFolder.at(tmp_path / ("long" * 30))
    far.socket("store").parent.chmod(0o777)
    with pytest.raises(FolderError, match="mine alone"):
        far.socket("store")


@pytest.mark.parametrize("name", ["with space", "with\ttab", 'with"quote', "with#hash"])
def test_a_path_that_the_server_cannot_take_is_refused(tmp_path, name):
    with pytest.raises(FolderError, match="white space"):
        DataFolder.at(tmp_path / name)


def test_a_path_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="cannot be made"):
        DataFolder.at(tmp_path / "file")
