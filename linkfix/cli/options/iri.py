"""The settings of ``linkfix iri``, which no file can set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from linkfix.cli.options.links import base_option, idna_option, local_names_option
from linkfix.cli.options.table import argument, choice, flag, label_option, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The settings of every subcommand.

    Attributes:
        form: Lines to read, or a JSON object a line.

    """

    texts: tuple[str, ...] = argument(metavar="[TEXT]...", nargs=-1)
    form: Literal["text", "jsonl"] = choice("text", "--format")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions(Values):
    """The settings of ``convert``.

    Attributes:
        to:
        syntax: How TEXT is read.
        query_charset: The charset for queries, not UTF-8.
        base: What it would be resolved against.
        nfc: Normalize TEXT to NFC first.
        normalize: Climb the comparison ladder up to this rung.

    """

    to: Literal["uri", "iri"] = choice("uri")
    syntax: Literal["web", "leiri", "iri"] = choice("web")
    query_charset: str | None = label_option()
    base: str | None = base_option()
    idna: Literal["uts46", "2008", "2003"] = idna_option()
    local_names: tuple[str, ...] = local_names_option()
    nfc: bool = option("--nfc/--no-nfc", default=False)
    normalize: Literal["none", "syntax", "scheme"] = choice("none")


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions(Values):
    """The settings of ``inspect``.

    Attributes:
        base: What it would be resolved against.

    """

    base: str | None = base_option()
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveOptions(Values):
    """The settings of ``resolve``.

    Attributes:
        base: What to resolve against.
        strict: Whether http:x is absolute for http.
        syntax: Resolve as RFC 3986 does, or as browsers do.
        relative: The other way: write TEXT relative to the base.

    """

    base: str = base_option(required=True)
    strict: bool = option("--strict/--no-strict", default=True)
    syntax: Literal["iri", "web"] = choice("iri")
    relative: bool = flag()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions(Values):
    """The settings of ``compare``.

    Attributes:
        level: The highest rung of the comparison ladder to climb; url: what browsers serialize.
        base: What both are resolved against.
        redirects: A redirect that was observed, for the protocol rung.
        reader: Whose reading counts; rfc: RFC 3986 by the letter.  [default: all browsers must agree]
        fragments: Whether fragments count.

    """

    level: Literal["simple", "syntax", "url", "scheme", "protocol"] = choice("scheme")
    base: str | None = base_option()
    redirects: tuple[tuple[str, str], ...] = option(
        "--redirect", nargs=2, multiple=True, metavar="FROM TO"
    )
    reader: Literal["chromium", "firefox", "webkit", "rfc"] | None = choice(None)
    fragments: bool = option("--fragments/--no-fragments", default=True)
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizeOptions(Values):
    """The settings of ``normalize``.

    Attributes:
        level: The rung of the comparison ladder.
        to: The syntax of the normal form.

    """

    level: Literal["syntax", "scheme"] = choice("syntax")
    to: Literal["iri", "uri"] = choice("iri")
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedOptions(Values):
    """The settings of ``typed``.

    Attributes:
        nfc: Normalize TEXT to NFC.
        widths: Write full-width forms of ASCII as ASCII.
        controls: Remove formatting characters.
        blanks: What becomes of white space inside.

    """

    nfc: bool = option("--nfc/--no-nfc", default=True)
    widths: bool = option("--widths/--no-widths", default=True)
    controls: bool = option("--controls/--no-controls", default=True)
    blanks: Literal["keep", "remove"] = choice("keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayOptions(Values):
    """The settings of ``display``.

    Attributes:
        around: What is put around text that is written from right to left.

    """

    around: Literal["plain", "embedding", "isolate", "components", "marks"] = choice(
        "plain", "--form"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOptions(Values):
    """The settings of ``template``.

    Attributes:
        variables: The value of a variable; a list if repeated.

    """

    variables: tuple[str, ...] = option("--variable", multiple=True, metavar="NAME=VALUE")


@dataclass(frozen=True, slots=True, kw_only=True)
class PathOptions(Values):
    """The settings of ``path``.

    Attributes:
        flavour: The system whose paths they are.
        from_uri: The other way: from file URIs to paths.

    """

    flavour: Literal["posix", "windows"] = choice("posix")
    from_uri: bool = flag()
