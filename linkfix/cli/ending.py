"""How the command line ends: the exit status and the message for every fault (docs/exit-status.md)."""

from __future__ import annotations

import sys

import click

from linkfix.cli.output import complain
from linkfix.cli.streams import OutputError, install
from linkfix.errors import LinkfixError

#: The exit status if something could not be read, processed or written.
FAILED = 3
#: The exit status if the reader closed the pipe: the same as of a program ended by SIGPIPE.
UNWANTED = 141


def run() -> None:
    """Run the command line in this process, and end the process."""
    install()
    try:
        status = _status()
        sys.stdout.flush()
    except OutputError as error:
        status = UNWANTED
        if not error.is_unwanted:
            complain(f"cannot write standard output: {error.reason}")
            status = FAILED
    sys.exit(status)


def _status() -> int:
    """Run the command line and return its exit status; report an exception that ended it."""
    from linkfix.cli.group import cli

    try:
        status = cli.main(prog_name="linkfix", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        from linkfix.cli.batch import STOPPED

        complain("stopped")
        return STOPPED
    except LinkfixError as error:
        complain(error)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        complain(f"{place}{error.strerror or error}")
    except MemoryError:
        complain("there is not enough memory")
    except Exception:  # noqa: BLE001 - the last handler
        import traceback

        traceback.print_exc()
        complain("this is a fault of linkfix; please report it with the lines above")
    return FAILED
