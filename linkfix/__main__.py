"""Run the command line as ``python -m linkfix``."""

from linkfix.cli import main

if __name__ == "__main__":
    main()
