"""The base images of the composition: public ones, or stand-ins from Debian's packages where no registry is reached."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.containers.engine import run
from tests.house.repository import ROOT

PUBLIC_IMAGES = re.compile(r"\$\{OWNTRUMPS_(?:BASE|STORE|DB)_IMAGE:-([^}]+)\}")


def public_images() -> set[str]:
    """The images that docker-compose.yml names where no variable says otherwise."""
    return set(PUBLIC_IMAGES.findall((ROOT / "docker-compose.yml").read_text()))


def image_variables() -> dict[str, str]:
    """Variables that make the composition use images which can be had here; none where the public ones can."""
    if "OWNTRUMPS_BASE_IMAGE" in os.environ or all(can_be_had(image) for image in sorted(public_images())):
        return {}
    exports = run("deploy/images/stand-ins")
    return dict(re.findall(r"^export (\w+)=(\S+)$", exports, re.MULTILINE))


def can_be_had(image: str) -> bool:
    """True if the engine has the image or can pull it."""
    for command in (["docker", "image", "inspect", image], ["docker", "pull", "--quiet", image]):
        if subprocess.run(command, check=False, capture_output=True).returncode == 0:
            return True
    return False


@contextmanager
def certificates_of_this_machine() -> Iterator[None]:
    """Lend the build stages the certificates that this machine's pip trusts, if it was told to trust its own."""
    bundle = os.environ.get("PIP_CERT") or os.environ.get("SSL_CERT_FILE")
    lent = ROOT / "deploy" / "images" / "ca" / "lent-by-the-tests.crt"
    if bundle is not None and Path(bundle).is_file():
        shutil.copyfile(bundle, lent)
    try:
        yield
    finally:
        lent.unlink(missing_ok=True)
