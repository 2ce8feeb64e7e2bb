"""What the tests of the house read: the repository's own files."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def tracked_files(*patterns: str) -> list[Path]:
    """Files that are, or with the next commit would be, in the repository, sorted; `patterns` as git reads them."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (ROOT / name for name in listing.split("\0") if name)
    return sorted({path for path in paths if path.is_file()})
