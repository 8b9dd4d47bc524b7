"""The command line: options, formats and exit status, no logic of its own."""

import gc

__all__ = ["main"]


def main() -> None:
    """Run the command line with the arguments of this process, and end it with the exit status."""
    from linkfix.cli.ending import run

    try:
        run()
    finally:
        # Python looks for cycles among all objects, twice, before it ends: a tenth of a start.
        gc.freeze()
