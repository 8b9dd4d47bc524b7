"""``linkfix iri``: single references, by the functions of `linkfix.iri`.

Input: arguments, or the lines of standard input. Each subcommand is a function from one value and its options
to an `Answer`. `_subcommand` makes the rest: it reads the values, writes lines or JSON, and decides the exit status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

import click

from linkfix import iri
from linkfix.cli.options.table import (
    argument,
    base_option,
    choice,
    command_of,
    flag,
    idna_option,
    label_option,
    local_names_option,
    option,
    settings,
)
from linkfix.cli.output import complain, escape, prints, write
from linkfix.deferred import pattern
from linkfix.sites.lines import json_line

if TYPE_CHECKING:
    from linkfix.iri import Violation


# --- the settings, which no file can set ----------------------------------------------------------


@settings
class Values:
    """The settings of every subcommand.

    Attributes:
        form: Lines to read, or a JSON object a line.

    """

    texts: tuple[str, ...] = argument(metavar="[TEXT]...", nargs=-1)
    form: Literal["text", "jsonl"] = choice("text", "--format")


@settings
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


@settings
class InspectOptions(Values):
    """The settings of ``inspect``.

    Attributes:
        base: What it would be resolved against.

    """

    base: str | None = base_option()
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@settings
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


@settings
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


@settings
class NormalizeOptions(Values):
    """The settings of ``normalize``.

    Attributes:
        level: The rung of the comparison ladder.
        to: The syntax of the normal form.

    """

    level: Literal["syntax", "scheme"] = choice("syntax")
    to: Literal["iri", "uri"] = choice("iri")
    idna: Literal["uts46", "2008", "2003"] = idna_option()


@settings
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


@settings
class DisplayOptions(Values):
    """The settings of ``display``.

    Attributes:
        around: What is put around text that is written from right to left.

    """

    around: Literal["plain", "embedding", "isolate", "components", "marks"] = choice(
        "plain", "--form"
    )


@settings
class TemplateOptions(Values):
    """The settings of ``template``.

    Attributes:
        variables: The value of a variable; a list if repeated.

    """

    variables: tuple[str, ...] = option("--variable", multiple=True, metavar="NAME=VALUE")


@settings
class PathOptions(Values):
    """The settings of ``path``.

    Attributes:
        flavour: The system whose paths they are.
        from_uri: The other way: from file URIs to paths.

    """

    flavour: Literal["posix", "windows"] = choice("posix")
    from_uri: bool = flag()


# --------------------------------------------------------------------------------------------------

T = TypeVar("T", bound=Values)


class Answer(NamedTuple):
    """What a subcommand says of one value.

    Attributes:
        record: for JSON, beside the value itself.
        lines: to read, on standard output.
        problems: to read, on standard error.
        is_finding: whether the exit status is 1.

    """

    record: dict[str, Any]
    lines: Sequence[str] = ()
    problems: Sequence[Violation] = ()
    is_finding: bool = False


def _plain(value: Any) -> Any:
    """Return what a function returned as dictionaries and lists."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        named = getattr(value, "_asdict", None)
        return (
            [*map(_plain, value)] if named is None else {k: _plain(v) for k, v in named().items()}
        )
    return value


@click.group("iri")
def command() -> None:
    """Inspect, convert, resolve and compare single references.

    TEXT is a reference as it stands in a document, character references resolved; without any,
    each line of standard input is one. Exit status: 0 nothing to report, 1 a reference that
    cannot be converted, departs from the grammar, looks like another, or is not equivalent; 2 wrong usage.
    """


def _each(texts: tuple[str, ...]) -> Iterator[str]:
    """Yield the arguments, or the lines of standard input."""
    if texts and texts != ("-",):
        yield from texts
        return
    with click.open_file("-", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            yield line.rstrip("\n")


def _pairs(texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the arguments two by two, or the lines of standard input at their tabs."""
    if len(texts) > 1:
        if len(texts) % 2:
            raise click.UsageError(f"{texts[-1]!r} has nothing to be compared with")
        yield from zip(texts[::2], texts[1::2], strict=True)
        return
    for line in _each(texts):
        one, tab, other = line.partition("\t")
        if not tab:
            raise click.UsageError(
                f"{line!r} has nothing to be compared with; write two references, or a line with a tab between them"
            )
        yield one, other


def _check_utf_8(text: str) -> None:
    """Refuse a text whose octets are not UTF-8: what stands in their place is a lone surrogate.

    Raises:
        ValueError: it has such an octet.

    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        octet = ord(text[error.start]) & 0xFF  # surrogateescape: U+DC80 is the octet 80
        raise ValueError(
            f"its octet {octet:02X} is not UTF-8; convert the text into UTF-8, or percent-encode the octet"
        ) from error


def _subcommand(
    table: type[T], *, pairs: bool = False, octets: bool = False
) -> Callable[[Callable[[Any, T], Answer]], None]:
    """Make a subcommand of a function of one value and the settings, whose docstring is the help.

    Args:
        table: the settings.
        pairs: whether the values are pairs.
        octets: whether a value may have octets that are not UTF-8.

    """

    def add(work: Callable[[Any, T], Answer]) -> None:
        def run(_: click.Context, options: T) -> int:
            is_finding = False
            names = ("one", "other") if pairs else ("input",)
            given: Iterator[tuple[str, ...]] = (
                _pairs(options.texts) if pairs else zip(_each(options.texts), strict=True)
            )
            for values in given:
                named = dict(zip(names, values, strict=True))
                try:
                    if not octets:
                        _check_utf_8("".join(values))
                    answer = work(values if pairs else values[0], options)
                except ValueError as error:  # the library refuses the value, and says why
                    complain(f"{', '.join(values)}: {error}")
                    answer = Answer({"error": str(error)}, is_finding=True)
                is_finding = is_finding or answer.is_finding
                if options.form == "jsonl":
                    write(json_line(named | answer.record))
                    continue
                for line in answer.lines:
                    write(line)
                for found in answer.problems:
                    complain(f"{', '.join(values)}: {_place(found)}")
            return int(is_finding)

        run.__doc__ = work.__doc__
        command.add_command(command_of(work.__name__[1:], table, run))

    return add


def _own(options: Values, *but: str) -> dict[str, Any]:
    """Return the settings of a subcommand that are arguments of its function in the library, by name."""
    names = {each.name for each in fields(options)} - {"texts", "form", *but}
    return {name: getattr(options, name) for name in names}


def _reference(text: str) -> Answer:
    # 3987bis, 8.6: missing characters are percent-encoded, so that a link stays valid.
    return Answer({"text": text}, (escape(iri.steps.within(text, prints)),))


def _place(found: Violation) -> str:
    return f"{found.rule} ({found.component} {found.start}-{found.end}): {escape(found.message)} [{found.section}]"


@_subcommand(ConvertOptions)
def _convert(text: str, options: ConvertOptions) -> Answer:
    """Convert references to canonical URIs or readable IRIs.

    A reference that cannot be converted is written as it is, with the reason on standard error.
    """
    encoder = None
    if options.query_charset is not None:
        from linkfix.charset import lookup

        charset = lookup(options.query_charset, xml=True)
        encoder = None if charset.is_unicode else charset.encode
    found = iri.convert(text, query_encoder=encoder, **_own(options, "query_charset"))
    shown = escape(iri.steps.within(found.text, prints) if found.ok else found.text)
    return Answer(_plain(found), (shown,), found.problems, not found.ok)


@_subcommand(InspectOptions)
def _inspect(text: str, options: InspectOptions) -> Answer:
    """Show the components of references, what they become, and what is wrong with them."""
    uri = iri.convert(text, to="uri", **_own(options))
    readable = iri.convert(text, to="iri", **_own(options))
    parts = iri.parse(text)._asdict()
    made = {"uri": uri.text if uri.ok else None, "iri": readable.text if readable.ok else None}
    steps = list(iri.steps.uri_to_iri_steps(uri.text, idna=options.idna)) if uri.ok else []
    found = {
        "violations": iri.violations(text),
        "problems": uri.problems,
        "advice": (*iri.bidi_violations(readable.text), *iri.lookalikes(readable.text)),
    }
    lines = [
        text,
        *(f"  {name:<12}{value}" for name, value in parts.items() if value is not None),
        *(f"  {name.upper():<12}{value or '(none)'}" for name, value in made.items()),
        *(f"  step {number:<7}{step}" for number, step in enumerate(steps, 1)),
        *(f"  {_place(each)}" for kind in found.values() for each in kind),
    ]
    listed = {kind: [_plain(each) for each in each_kind] for kind, each_kind in found.items()}
    record = {"components": parts, **made, "steps": steps, **listed}
    return Answer(record, [*map(escape, lines)], is_finding=bool(found["violations"]))


@_subcommand(ResolveOptions)
def _resolve(text: str, options: ResolveOptions) -> Answer:
    """Resolve references against a base as RFC 3986 or a browser does."""
    if options.relative:
        return _reference(iri.relativize(options.base, text))
    return _reference(iri.resolve(reference=text, **_own(options, "relative")))


@_subcommand(CompareOptions, pairs=True)
def _compare(pair: tuple[str, str], options: CompareOptions) -> Answer:
    """Compare pairs of IRIs; show whether they are equivalent, and on which rung of the ladder.

    TEXTs are taken two by two; of standard input each line is a pair with a tab between.
    """
    found = iri.equivalent(*pair, redirects=dict(options.redirects), **_own(options, "redirects"))
    lines = [f"{found.outcome} ({found.rung}): {escape(found.reason)}"]
    if found.outcome != found.resource:
        lines.append(f"  without fragments: {found.resource}")
    return Answer(_plain(found), lines, is_finding=found.outcome != "equivalent")


@_subcommand(NormalizeOptions)
def _normalize(text: str, options: NormalizeOptions) -> Answer:
    """Write references in their normal form.

    What browsers refuse, or do not agree on, is its own normal form.
    """
    return _reference(iri.normalize(text, **_own(options)))


@_subcommand(Values)
def _find(text: str, _: Values) -> Answer:
    """Find the links in plain text (UTS #58), each with its kind and how certain it is."""
    links = [{"text": text[each.start : each.end], **each._asdict()} for each in iri.find(text)]
    lines = [f"{escape(str(each['text']))}\t{each['kind']}\t{each['certainty']}" for each in links]
    return Answer({"links": links}, lines)


@_subcommand(TypedOptions)
def _typed(text: str, options: TypedOptions) -> Answer:
    """Turn text that people typed or pasted into references."""
    return _reference(iri.typed(text, **_own(options)))


#: What `display` puts around components, and leaves in none.
_AROUND: Final = pattern("([\u2066-\u2069\u202a\u202c\u200e])")


@_subcommand(DisplayOptions)
def _display(text: str, options: DisplayOptions) -> Answer:
    """Write references for people: minimally escaped, in a readable order."""
    shown = iri.display(text, options.around, repertoire=prints)
    pieces = _AROUND.split(shown)
    pieces[::2] = map(escape, pieces[::2])
    return Answer({"text": shown}, ("".join(pieces),))


@_subcommand(Values)
def _lookalikes(text: str, _: Values) -> Answer:
    """Find what looks like something else in references (UTS #39)."""
    found = iri.lookalikes(text)
    lines = [f"{escape(text)}: {_place(each)}" for each in found]
    return Answer(
        {"advice": [_plain(each) for each in found], "skeleton": iri.skeleton(text, "whole")},
        lines,
        is_finding=bool(found),
    )


@_subcommand(TemplateOptions)
def _template(text: str, options: TemplateOptions) -> Answer:
    """Expand URI Templates (RFC 6570)."""
    values: dict[str, str | list[str]] = {}
    for variable in options.variables:
        name, equals, value = variable.partition("=")
        if not equals:
            raise click.BadParameter(f"{variable!r} is no NAME=VALUE", param_hint="--variable")
        known = values.get(name)
        rest = known if isinstance(known, list) else [known]
        values[name] = value if known is None else [*map(str, rest), value]
    template = iri.Template.parse(text)
    expanded = template.expand(values)
    return Answer({"names": template.names, "text": expanded}, (escape(expanded),))


@_subcommand(PathOptions, octets=True)
def _path(text: str, options: PathOptions) -> Answer:
    """Convert absolute paths to file URIs, or back (RFC 8089)."""
    made = (iri.uri_to_path if options.from_uri else iri.path_to_uri)(text, options.flavour)
    return Answer({"text": made}, (escape(made),))
