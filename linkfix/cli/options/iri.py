"""The settings of ``linkfix iri``, which no file can set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from linkfix.cli.options.links import base_option, idna_option, local_names_option
from linkfix.cli.options.table import argument, choice, flag, label_option, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The settings of every subcommand."""

    texts: tuple[str, ...] = argument(metavar="[TEXT]...", nargs=-1)
    form: Literal["text", "jsonl"] = choice(
        "Lines to read, or a JSON object a line.", "text", "--format"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions(Values):
    """The settings of ``convert``."""

    to: Literal["uri", "iri"] = choice("", "uri")
    syntax: Literal["web", "leiri", "iri"] = choice("How TEXT is read.", "web")
    query_charset: str | None = label_option("The charset for queries, not UTF-8.")
    base: str | None = base_option("What it would be resolved against.")
    idna: Literal["uts46", "2008", "2003"] = idna_option()
    local_names: tuple[str, ...] = local_names_option()
    nfc: bool = option("Normalize TEXT to NFC first.", "--nfc/--no-nfc", default=False)
    normalize: Literal["none", "syntax", "scheme"] = choice(
        "Climb the comparison ladder up to this rung.", "none"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectOptions(Values):
    """The settings of ``inspect``."""

    base: str | None = base_option("What it would be resolved against.")
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveOptions(Values):
    """The settings of ``resolve``."""

    base: str = base_option("What to resolve against.", required=True)
    strict: bool = option(
        "Whether http:x is absolute for http.", "--strict/--no-strict", default=True
    )
    syntax: Literal["iri", "web"] = choice("Resolve as RFC 3986 does, or as browsers do.", "iri")
    relative: bool = flag("The other way: write TEXT relative to the base.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions(Values):
    """The settings of ``compare``."""

    level: Literal["simple", "syntax", "url", "scheme", "protocol"] = choice(
        "The highest rung of the comparison ladder to climb; url: what browsers serialize.",
        "scheme",
    )
    base: str | None = base_option("What both are resolved against.")
    redirects: tuple[tuple[str, str], ...] = option(
        "A redirect that was observed, for the protocol rung.",
        "--redirect",
        nargs=2,
        multiple=True,
        metavar="FROM TO",
    )
    reader: Literal["chromium", "firefox", "webkit", "rfc"] | None = choice(
        "Whose reading counts; rfc: RFC 3986 by the letter.  [default: all browsers must agree]",
        None,
    )
    fragments: bool = option("Whether fragments count.", "--fragments/--no-fragments", default=True)
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizeOptions(Values):
    """The settings of ``normalize``."""

    level: Literal["syntax", "scheme"] = choice("The rung of the comparison ladder.", "syntax")
    to: Literal["iri", "uri"] = choice("The syntax of the normal form.", "iri")
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedOptions(Values):
    """The settings of ``typed``."""

    nfc: bool = option("Normalize TEXT to NFC.", "--nfc/--no-nfc", default=True)
    widths: bool = option(
        "Write full-width forms of ASCII as ASCII.", "--widths/--no-widths", default=True
    )
    controls: bool = option(
        "Remove formatting characters.", "--controls/--no-controls", default=True
    )
    blanks: Literal["keep", "remove"] = choice("What becomes of white space inside.", "keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayOptions(Values):
    """The settings of ``display``."""

    around: Literal["plain", "embedding", "isolate", "components", "marks"] = choice(
        "What is put around text that is written from right to left.",
        "plain",
        "--form",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateOptions(Values):
    """The settings of ``template``."""

    variables: tuple[str, ...] = option(
        "The value of a variable; a list if repeated.",
        "--variable",
        multiple=True,
        metavar="NAME=VALUE",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PathOptions(Values):
    """The settings of ``path``."""

    flavour: Literal["posix", "windows"] = choice("The system whose paths they are.", "posix")
    from_uri: bool = flag("The other way: from file URIs to paths.")
