"""Types of arguments and options: paths of this machine or URLs of remote files (docs/remote.md), patterns, charsets."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import click

from linkfix.errors import LinkfixError
from linkfix.files.globs import Patterns
from linkfix.files.paths import is_remote, split_packed


class Parsed(click.ParamType[Any]):
    """A text that a function parses; it is called for no default that is None.

    Args:
        parse: returns the value; its ValueError or LinkfixError is a wrong option.

    """

    name = "text"

    def __init__(self, parse: Callable[[str], Any]) -> None:
        self.parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value of a text, or fail as a wrong option does."""
        try:
            return self.parse(value)
        except (LinkfixError, ValueError) as error:
            self.fail(str(error), param, ctx)


def pattern(value: str) -> str:
    """Return a pattern as in ``.gitignore``; refuse another text."""
    Patterns([value])
    return value


def label(*also: str) -> Parsed:
    """Return the type of labels of charsets that are known, and of some other words."""

    def parse(value: str) -> str:
        from linkfix.charset import lookup

        if value not in also:
            lookup(value, xml=True)
        return value

    return Parsed(parse)


class PathOrURL(click.Path):
    """The type of an argument that names a file or a folder, on this machine or a remote one.

    Args:
        writes: whether something is written there.
        arguments: of `click.Path`.

    """

    def __init__(self, *, writes: bool = False, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._writes = writes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or fail as a wrong option does."""
        if value == "":  # as of a variable that a shell does not know
            self.fail("the path is empty; the current folder is '.'.", param, ctx)
        if not isinstance(value, str) or not is_remote(value):
            from linkfix.files.tree import as_folder

            if self.exists and not self.file_okay and isinstance(value, str):
                value = as_folder(value) or value
                if split_packed(value) is not None:
                    self._check_folder(value, param, ctx)
                    return value
            return super().convert(value, param, ctx)
        from linkfix.files.access import is_folder
        from linkfix.files.remote.systems import check, check_writable

        try:
            check(value)
            if self._writes:
                check_writable(value)
            if self.exists and not self.file_okay:
                ask_about([value])
                if not is_folder(value):
                    self.fail(f"{value} is no folder.", param, ctx)
        except LinkfixError as error:
            self.fail(str(error), param, ctx)
        return value

    def _check_folder(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> None:
        """Refuse a member of a container that is no folder; a container that cannot be read is an error of the job."""
        from linkfix.files.access import exists, is_folder

        with suppress(LinkfixError):
            if exists(value) and not is_folder(value):
                self.fail(f"{value} is no folder.", param, ctx)


def ask_about(paths: Iterable[str]) -> None:
    """Ask the servers of remote paths what is there, once for the whole run of a command."""
    if remote := [*filter(is_remote, paths)]:
        from linkfix.files.remote.listings import learn
        from linkfix.files.tree import folder_of, stands_for_many

        learn(remote)
        learn([folder_of(path) for path in remote if stands_for_many(path)])


def refuse_remote(what: str, paths: Iterable[str | None], hint: str = "") -> None:
    """Refuse remote paths for something that needs files of this machine.

    Args:
        what: the option or command.
        paths: its paths.
        hint: the way out.

    """
    for path in paths:
        if path is not None and is_remote(path):
            raise click.UsageError(f"{what} needs files of this machine, not {path}{hint}.")


def check(wrong: Mapping[str, object]) -> None:
    """Refuse a command line.

    Args:
        wrong: for each message whether it applies; the first that does is the error.

    """
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise click.UsageError(message)
