"""`python -m owntrumps`."""

from owntrumps.cli.main import main

if __name__ == "__main__":
    main()
