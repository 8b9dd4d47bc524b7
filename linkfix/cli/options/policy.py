"""Options that commands share."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from linkfix.cli.options.decorators import with_options
from linkfix.cli.options.operands import PathOrURL, ask_about
from linkfix.cli.options.serving import index_option
from linkfix.cli.options.settings import Settings
from linkfix.cli.options.xml import xml_options, xml_settings
from linkfix.cli.output import complain, escape
from linkfix.files.access import is_folder
from linkfix.files.paths import absolute as absolute_path
from linkfix.files.paths import common
from linkfix.files.tree import folder_of, stands_for_many
from linkfix.server.addresses import SiteAddress

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.policy import Policy


class Label(click.ParamType[str]):
    """A charset label that is known; refused at once where it is not."""

    name = "label"

    def __init__(self, *also: str) -> None:
        self._also = also

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the label, or fail as a wrong option does."""
        from linkfix.charset import lookup
        from linkfix.errors import LinkfixError

        label = str(value)
        if label in self._also:
            return label
        try:
            lookup(label, xml=True)
        except LinkfixError as error:
            self.fail(str(error), param, ctx)
        return label


#: The key of the paths that ``--files-from`` has read, in the `meta` of the context.
_LISTED = "linkfix.files_from"


def paths_argument(function: Any) -> Any:
    """Add the documents: any number of paths, those in a file, none or ``-`` for standard input, and its name."""
    return with_options(
        [
            click.argument(
                "paths", metavar="[PATH]...", nargs=-1, type=PathOrURL(), callback=_with_listed
            ),
            click.option(
                "--files-from",
                metavar="FILE",
                is_eager=True,
                expose_value=False,
                callback=_listed,
                help="Read the paths in this file as well, one a line or with NULs between them; - for standard input.",
            ),
            click.option(
                "--stdin-filename",
                metavar="NAME",
                help="The name of the document that is read from standard input; no such file is opened.",
            ),
        ],
        function,
    )


def _listed(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
    """Read the paths in a file for `_with_listed`."""
    if value is None:
        return
    try:
        data = sys.stdin.buffer.read() if value == "-" else Path(value).read_bytes()
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror}", param=option) from None
    lines = data.split(b"\0") if b"\0" in data else data.replace(b"\r\n", b"\n").split(b"\n")
    ctx.meta[_LISTED] = (value, [os.fsdecode(line) for line in lines if line])


def _with_listed(ctx: click.Context, _: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths of the command line and those of ``--files-from``; end the run if there are none."""
    if _LISTED not in ctx.meta:
        ask_about(value)
        return value
    source, listed = ctx.meta[_LISTED]
    if "-" in value and source == "-":
        raise click.UsageError("standard input cannot be a document and the list of --files-from.")
    paths = (*value, *(f"./{path}" if path == "-" else path for path in listed))
    if not paths:
        complain(f"--files-from {source} names no document")
        ctx.exit(0)
    ask_about(paths)
    return paths


charset_option = click.option(
    "--charset",
    type=Label(),
    metavar="LABEL",
    help="The charset that the transport declares, as in an HTTP header.",
)


output_option = click.option(
    "-o",
    "--output",
    "output_path",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write to a file, which is replaced whole or not at all.",
)


default_charset_option = click.option(
    "--default-charset",
    type=Label(),
    metavar="LABEL",
    help="The charset of HTML that declares none, instead of a guess.",
)


to_option = click.option(
    "--to",
    type=click.Choice(["uri", "iri"]),
    default="uri",
    show_default=True,
    help="Canonical URIs (ASCII, RFC 3986) or readable IRIs.",
)


normalize_option = click.option(
    "--normalize",
    type=click.Choice(["none", "syntax", "scheme"]),
    default="none",
    show_default=True,
    help="How far new values are normalized besides.",
)


local_name_option = click.option(
    "--local-name",
    "local_names",
    multiple=True,
    metavar="NAME",
    help="A host without DNS, or with a dot in front the end of such names (.local): it stays in Unicode.",
)


def document_options(function: Any) -> Any:
    """Add the options for the type, the charset and the base URL of documents."""
    return with_options(
        [
            click.option(
                "--type",
                "type",
                type=click.Choice(["html", "xhtml", "xml", "css", "text", "warc", "auto"]),
                default="auto",
                show_default=True,
                help="What the documents are.",
            ),
            charset_option,
            click.option(
                "--environment",
                type=Label(),
                metavar="LABEL",
                help="The charset of the page that a style sheet belongs to, if it declares none.",
            ),
            default_charset_option,
            click.option(
                "--base",
                metavar="IRI",
                callback=absolute,
                help="The address of the document; of a folder where one, or several files, are named.",
            ),
            click.option(
                "--root",
                metavar="DIR",
                help="The root of the site, whose address --base is.  [default: the folder that is named]",
            ),
            index_option,
        ],
        function,
    )


def absolute(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Return the value of an option that is an absolute IRI, or fail as a wrong option does."""
    from linkfix.errors import LinkfixError
    from linkfix.policy.bases import hierarchical_base

    try:
        return None if value is None else hierarchical_base(value)
    except LinkfixError as error:
        raise click.BadParameter(str(error), param=option) from None


def settle_base(
    ctx: click.Context, paths: tuple[str, ...], options: dict[str, Any], *, alone: bool = False
) -> None:
    """Set ``root``, the folder that has the address ``base``, for `linkfix.cli.documents.base_of`.

    That is the option ``root``; else the folder argument, or the part of a pattern before its first wildcard;
    else the folder of the settings, if the base is from there; else the common folder of several paths.
    The base of a single file, or of standard input, is the file's own address.

    Args:
        ctx: of the command; it knows which options are from the settings.
        paths: the arguments of the command.
        options: those of `document_options`; ``root`` becomes an absolute path, or None where the
            base is the document's own.
        alone: whether ``root`` means something without ``base``: the root of the site, whose address is unknown.

    """
    base, root = options["base"], options["root"]
    found = ctx.find_object(Settings)
    folder = Path() if found is None else found.folder
    from_settings = {
        name: ctx.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
        for name in ("base", "root")
    }
    if base is None:
        if root is not None and not (alone or from_settings["root"]):
            raise click.UsageError("--root needs --base, the address of that folder.")
        root = options["root"] = root if alone else None
    elif root is None:
        root = _root_of(paths, folder if from_settings["base"] else None)
    if root is None:
        return
    ask_about([str(root)])
    if not is_folder(root):
        raise click.BadParameter(f"{escape(str(root))} is no folder", param_hint="--root")
    options["root"] = absolute_path(root)
    if base is None:
        return
    try:
        SiteAddress.at(base)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--base") from None


def _root_of(paths: tuple[str, ...], settings: Path | None) -> Path | str | None:
    """Return the folder that the paths of a command are in, None for a single document."""
    files = [path for path in paths if path != "-"]
    if len(files) == 1 and stands_for_many(files[0]):
        return folder_of(files[0]) or os.curdir
    if settings is not None or len(files) < 2:
        return settings
    root = common([folder_of(path) or os.curdir for path in files])
    if root is None:
        raise click.UsageError("The documents are in no folder of their own; name it with --root.")
    return root


def _parsed(name: str) -> Callable[[click.Context, click.Parameter, tuple[str, ...]], Any]:
    """Return a callback that parses every value of an option with a class of `linkfix.links`."""

    def callback(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Any:
        import linkfix.links

        try:
            return tuple(getattr(linkfix.links, name).parse(value) for value in values)
        except ValueError as error:
            raise click.BadParameter(str(error), param=option) from None

    return callback


def _template_marks(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Any:
    from linkfix.links.templates import Templates

    try:
        return Templates.parse(values)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from None


def _embedded(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Any:
    from linkfix.links.html.embedded import parse_kinds

    try:
        return parse_kinds(values)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from None


def policy_options(function: Any) -> Any:
    """Add the options that say how links are read."""
    function = xml_options(function)
    return with_options(
        [
            click.option(
                "--syntax",
                type=click.Choice(["auto", "web", "leiri", "iri"]),
                default="auto",
                show_default=True,
                help="How values are read; auto: Web Addresses in HTML, SVG and MathML, else LEIRIs.",
            ),
            click.option(
                "--query-charset",
                type=Label("document"),
                metavar="document|LABEL",
                help="The charset that queries are mapped to octets with; without it the document's, and links on whose "
                "charset readers disagree are left.",
            ),
            click.option(
                "--idna",
                type=click.Choice(["uts46", "2008", "2003"]),
                default="uts46",
                show_default=True,
                help="The profile for host names.",
            ),
            local_name_option,
            click.option(
                "--nfc/--no-nfc",
                default=None,
                help="Normalize values to NFC first; otherwise only LEIRIs of legacy charsets.",
            ),
            click.option(
                "--link",
                "add",
                multiple=True,
                callback=_parsed("Addition"),
                metavar="PATTERN[=KIND]",
                help="Read another attribute as a link, as x-card@data-url or img@data-srcset=srcset.",
            ),
            click.option(
                "--skip",
                multiple=True,
                callback=_parsed("Pattern"),
                metavar="PATTERN",
                help="Leave links out, as img@src or a[rel=nofollow].",
            ),
            click.option(
                "--only",
                "select_links",
                multiple=True,
                callback=_parsed("Pattern"),
                metavar="PATTERN",
                help="Read only these links, as a@href or link[rel=stylesheet]@href.",
            ),
            click.option(
                "--scripting/--no-scripting",
                default=True,
                show_default=True,
                help="Read noscript as a browser that runs scripts does: as text, in which a document is embedded.",
            ),
            click.option(
                "--data-blocks",
                is_flag=True,
                help="Read scripts with JSON-LD, import maps or speculation rules.",
            ),
            click.option(
                "--embedded",
                multiple=True,
                callback=_embedded,
                metavar="[KIND=]on|list|off",
                help="Follow the links of embedded documents, list and leave them, or do not read them, as "
                "noframes=list; on for every kind if not set.",
            ),
            click.option(
                "--template",
                "template_marks",
                multiple=True,
                callback=_template_marks,
                metavar="'OPEN CLOSE'",
                help="Read values with these marks as templates too, as '[% %]'.",
            ),
            click.option(
                "--templates",
                type=click.Choice(["leave", "convert"]),
                default="leave",
                show_default=True,
                help="What becomes of templates: all is left, or what is not an expression is rewritten.",
            ),
        ],
        function,
    )


def _wants_verification(_: click.Context, option: click.Parameter, value: bool | None) -> bool:
    """Return whether new documents are verified: by default where the readers are installed."""
    from linkfix.verifying import is_available

    if value and not is_available():
        raise click.BadParameter(
            "it needs two packages: pip install 'linkfix[verify]'", param=option
        )
    return is_available() if value is None else value


def verify_option(function: Any) -> Any:
    """Add the option for verifying new documents before the commit."""
    return click.option(
        "--verify/--no-verify",
        default=None,
        callback=_wants_verification,
        help="Compare each new document with the old one by independent parsers, and discard it where "
        "more than links differ.  [default: where the extra verify is installed]",
    )(function)


def policy_from(options: dict[str, Any], **settings: Any) -> Policy:
    """Make the policy that the shared options and the settings of a command ask for."""
    from linkfix.links import Scope
    from linkfix.policy import Policy

    names = ("syntax", "query_charset", "idna", "local_names", "nfc", "default_charset")
    scope = Scope(
        options["add"],
        options["skip"],
        options["select_links"],
        scripting=options["scripting"],
        data_blocks=options["data_blocks"],
        embedded=options["embedded"],
        templates=replace(options["template_marks"], convert=options["templates"] == "convert"),
    )
    xml = xml_settings(options)
    return Policy(**{name: options[name] for name in names}, scope=scope, xml=xml, **settings)
