"""Options that say which documents a command reads, and as what."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from linkfix.cli.options.operands import Parsed, PathOrURL, ask_about
from linkfix.cli.options.settings import Settings
from linkfix.cli.options.table import (
    Where,
    argument,
    base_option,
    bounded,
    choice,
    file_option,
    flag,
    group,
    label_option,
    option,
    patterns_option,
    settings,
)
from linkfix.cli.output import complain, escape
from linkfix.files.access import is_folder
from linkfix.files.paths import absolute as absolute_path
from linkfix.files.paths import common
from linkfix.files.tree import Selection, as_folder, folder_of, stands_for_many
from linkfix.jobs.worker import Limits
from linkfix.policy.bases import hierarchical_base
from linkfix.sites.batch import Workers
from linkfix.sites.documents import Sources


def _listed(file: str) -> tuple[str, list[str]]:
    """Return the name of a file, and the paths in it."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
    lines = data.split(b"\0") if b"\0" in data else data.replace(b"\r\n", b"\n").split(b"\n")
    return file, [os.fsdecode(line) for line in lines if line]


def _with_listed(ctx: click.Context, _: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths of the command line and those of ``--files-from``; end the run if there are none."""
    if ctx.params.get("files_from") is None:
        ask_about(value)
        return value
    source, listed = ctx.params["files_from"]
    if "-" in value and source == "-":
        raise click.UsageError("standard input cannot be a document and the list of --files-from.")
    paths = (*value, *(f"./{path}" if path == "-" else path for path in listed))
    if not paths:
        complain(f"--files-from {source} names no document")
        ctx.exit(0)
    ask_about(paths)
    return paths


@settings
class PathOptions:
    """The documents that are named.

    Attributes:
        paths: those of the command line, and those in the file of ``--files-from``.
        files_from: Read the paths in this file as well, one a line or with NULs between them; - for standard input.
        stdin_filename: The name of the document that is read from standard input; no such file is opened.

    """

    paths: tuple[str, ...] = argument(
        metavar="[PATH]...", nargs=-1, type=PathOrURL(), callback=_with_listed
    )
    files_from: tuple[str, list[str]] | None = option(
        where=Where.LINE, metavar="FILE", is_eager=True, type=Parsed(_listed)
    )
    stdin_filename: str | None = option(where=Where.LINE, metavar="NAME")


@settings
class JobOptions:
    """Worker processes: how many there are, and what one document may cost them.

    Attributes:
        jobs: How many processes work at a time.  [default: all cores for a large site]
        timeout: Processor time for one of many documents, for each MiB it begins; 0 for no limit.
        memory: Memory that a process may need for one of many documents; 0 for no limit.

    """

    jobs: int | None = option(
        *("-j", "--jobs"), type=click.IntRange(min=1), where=Where.LIMIT, metavar="N"
    )
    timeout: float = bounded("SECONDS", 60, 0, type=click.FloatRange)
    memory: int = bounded("MIB", 1024, 0)

    def workers(self) -> Workers:
        """Return the processes that the options ask for."""
        if (self.jobs or 1) > 1 and not hasattr(os, "fork"):
            complain(
                "this system cannot fork: one process does the work, without --timeout and --memory"
            )
        return Workers(self.jobs, Limits(self.timeout or None, self.memory * 1024 * 1024 or None))


@settings
class TreeOptions:
    """The documents of folders, and the processes that read them.

    Attributes:
        exclude: Leave out files and folders, as in .gitignore: /drafts/, *.old.html.
        include: Read only these files of folders, as in .gitignore: *.php, docs/**/*.html.
        hidden: Read hidden files and folders too: their names begin with a dot.

    """

    exclude: tuple[str, ...] = patterns_option()
    include: tuple[str, ...] = patterns_option()
    hidden: bool = flag()
    work: JobOptions = group(JobOptions)

    def selection(self, *, archives: bool) -> Selection:
        """Return what is read of folders; the argument is that of `Selection`."""
        return Selection(self.include, self.exclude, self.hidden, archives)


def charset_option() -> Any:
    """Declare the charset that the transport declares."""
    return label_option(text="The charset that the transport declares, as in an HTTP header.")


def folder_address(value: str) -> str:
    """Return the address of a folder, an absolute IRI; refuse another."""
    from linkfix.server.addresses import SiteAddress

    SiteAddress.at(hierarchical_base(value))
    return value


def index_option() -> Any:
    """Declare the names of the files that the server shows for folders."""
    return option(
        text="The server shows files of this name for the folder they are in, and their address is that of the folder.",
        where=Where.SITE,
        multiple=True,
        metavar="NAME",
    )


@settings
class DocumentOptions(Sources):
    """The type, the charset and the base URL of documents.

    Attributes:
        stdin_filename: the name of the document that is read from standard input (`PathOptions`).
        type: What the documents are.
        environment: The charset of the page that a style sheet belongs to, if it declares none.
        base: The address of the document; of a folder where one, or several files, are named.
        root: The root of the site, whose address --base is.  [default: the folder that is named]

    """

    type: Literal["html", "xhtml", "xml", "css", "json", "text", "warc", "auto"] = choice("auto")
    charset: str | None = charset_option()
    environment: str | None = label_option()
    base: str | None = base_option()
    root: str | None = option(where=Where.SITE, metavar="DIR")
    index: tuple[str, ...] = index_option()

    def settled(
        self, ctx: click.Context, paths: tuple[str, ...], *, alone: bool = False
    ) -> DocumentOptions:
        """Return the options with ``root``, the folder that has the address ``base``.

        That is the option ``root``; else the folder argument, or the part of a pattern before its first wildcard;
        else the folder of the settings, if the base is from there; else the common folder of several paths.
        The base of a single file, or of standard input, is the file's own address; then ``root`` is None.

        Args:
            ctx: of the command; it knows which options are from the settings.
            paths: the arguments of the command.
            alone: whether ``root`` means something without ``base``: the root of the site, whose address is unknown.

        """
        root: str | Path | None = self.root
        if self.base is None:
            from_settings = ctx.get_parameter_source("root") is ParameterSource.DEFAULT_MAP
            if root is not None and not (alone or from_settings):
                raise click.UsageError("--root needs --base, the address of that folder.")
            root = root if alone else None
        elif root is None:
            settings = ctx.find_object(Settings) or Settings()
            from_settings = ctx.get_parameter_source("base") is ParameterSource.DEFAULT_MAP
            root = _root_of(paths, settings.folder if from_settings else None)
        if root is None:
            return replace(self, root=None)
        ask_about([str(root)])
        if not is_folder(root):
            raise click.BadParameter(f"{escape(str(root))} is no folder", param_hint="--root")
        if self.base is not None:
            try:
                folder_address(self.base)
            except ValueError as error:
                raise click.BadParameter(str(error), param_hint="--base") from None
        return replace(self, root=absolute_path(root))


def _root_of(paths: tuple[str, ...], settings: Path | None) -> Path | str | None:
    """Return the folder that the paths of a command are in, None for a single document."""
    files = [path for path in paths if path != "-"]
    if len(files) == 1 and (stands_for_many(files[0]) or as_folder(files[0])):
        return as_folder(files[0]) or folder_of(files[0]) or os.curdir
    if settings is not None or len(files) < 2:
        return settings
    root = common([folder_of(path) or os.curdir for path in files])
    if root is None:
        raise click.UsageError("The documents are in no folder of their own; name it with --root.")
    return root


def output_option() -> Any:
    """Declare the file that is written."""
    text = "Write to a file, which is replaced whole or not at all."
    return file_option("-o", "--output", text=text, dir_okay=False)


def quiet_option() -> bool:
    """Declare that some messages are left out."""
    return flag("-q", "--quiet")


def _can_verify() -> bool:
    from linkfix.verifying import is_available

    return is_available()


def _verified(_: click.Context, option: click.Parameter, value: bool) -> bool:
    """Refuse to verify new documents where the readers are not installed."""
    if value and not _can_verify():
        raise click.BadParameter(
            "it needs two packages: pip install 'linkfix[verify]'", param=option
        )
    return value


def verify_option() -> Any:
    """Declare whether new documents are verified before the commit."""
    return option(
        "--verify/--no-verify",
        text="Compare each new document with the old one by independent parsers, and discard it where "
        "more than links differ.  [default: where the extra verify is installed]",
        where=Where.LINE,
        default=_can_verify,
        callback=_verified,
    )
