"""`python -m owntrumps_api`: configuration from the environment, see `owntrumps_api.config`."""

import os
import sys

from owntrumps.process.settings import ConfigError
from owntrumps_api.config import config_from
from owntrumps_api.server import Server


def main() -> int:
    """Serve until a signal ends it; 2 for a setting that cannot be."""
    try:
        config = config_from(os.environ)
    except ConfigError as error:
        sys.stderr.write(f"owntrumps_api: {error}\n")
        return 2
    Server(config).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
