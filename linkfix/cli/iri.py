"""``linkfix iri``: single references, inspected, converted, resolved and compared."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

import click

from linkfix.cli.options.policy import Label, absolute, local_name_option
from linkfix.cli.output import complain, escape, json_line, prints, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.iri import Conversion, QueryEncoder, Violation

_texts = click.argument("texts", metavar="[TEXT]...", nargs=-1)
_idna = click.option(
    "--idna",
    type=click.Choice(["uts46", "2008", "2003"]),
    default="uts46",
    show_default=True,
    help="The profile for host names.",
)
_format = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="Lines to read, or a JSON object a line.",
)


@click.group("iri")
def command() -> None:
    """Inspect, convert, resolve and compare single references.

    TEXT is a reference as it stands in a document, character references resolved; without any,
    each line of standard input is one. Exit status: 0 nothing to report, 1 a reference that
    cannot be converted, departs from the grammar, or is not equivalent; 2 wrong usage.
    """


def _each(texts: tuple[str, ...]) -> Iterator[str]:
    """Return the arguments, or the lines of standard input."""
    if texts and texts != ("-",):
        yield from texts
        return
    with click.open_file("-", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            yield line.rstrip("\n")


def _encoder(label: str | None) -> QueryEncoder | None:
    """Return the encoder of a charset; None for queries in UTF-8."""
    if label is None:
        return None
    from linkfix.charset import lookup

    charset = lookup(label, xml=True)
    return None if charset.is_unicode else charset.encode


def _report(text: str, problems: tuple[Violation, ...]) -> None:
    for problem in problems:
        place = f"{problem.component} {problem.start}-{problem.end}"
        complain(f"{text}: {problem.rule} ({place}): {problem.message} [{problem.section}]")


@command.command("convert")
@_texts
@click.option("--to", type=click.Choice(["uri", "iri"]), default="uri", show_default=True)
@click.option(
    "--syntax",
    type=click.Choice(["web", "leiri", "iri"]),
    default="web",
    show_default=True,
    help="How TEXT is read.",
)
@click.option(
    "--query-charset", type=Label(), metavar="LABEL", help="The charset for queries, not UTF-8."
)
@click.option("--base", metavar="IRI", callback=absolute, help="What it would be resolved against.")
@_idna
@local_name_option
@click.option("--nfc/--no-nfc", default=False, help="Normalize TEXT to NFC first.")
@click.option(
    "--normalize",
    type=click.Choice(["none", "syntax", "scheme"]),
    default="none",
    show_default=True,
    help="Climb the comparison ladder up to this rung.",
)
@_format
def convert(texts: tuple[str, ...], query_charset: str | None, form: str, **options: Any) -> None:
    """Convert references to canonical URIs or readable IRIs.

    A reference that cannot be converted is written as it is, with the reason on standard error.
    """
    from linkfix import iri

    encoder = _encoder(query_charset)
    failed = False
    for text in _each(texts):
        found: Conversion = iri.convert(text, query_encoder=encoder, **options)
        failed = failed or not found.ok
        if form == "jsonl":
            write(json_line({"input": text, **asdict(found)}))
        else:
            # 3987bis, 8.6: missing characters are percent-encoded, so that a link stays valid.
            write(escape(iri.within(found.text, prints) if found.ok else found.text))
            _report(text, found.problems)
    if failed:
        raise click.exceptions.Exit(1)


@command.command("inspect")
@_texts
@click.option("--base", metavar="IRI", callback=absolute, help="What it would be resolved against.")
@_idna
@_format
def inspect(texts: tuple[str, ...], base: str | None, idna: Any, form: str) -> None:
    """Show the components of references, what they become, and what is wrong with them."""
    found_any = False
    for text in _each(texts):
        record = _inspect(text, base, idna)
        found_any = found_any or bool(record["violations"])
        if form == "jsonl":
            write(json_line(record))
        else:
            _show(record)
    if found_any:
        raise click.exceptions.Exit(1)


def _inspect(text: str, base: str | None, idna: Any) -> dict[str, Any]:
    from linkfix import iri

    uri = iri.convert(text, to="uri", base=base, idna=idna)
    readable = iri.convert(text, to="iri", base=base, idna=idna)
    advice = (*iri.bidi_violations(readable.text), *iri.lookalikes(readable.text))
    return {
        "input": text,
        "components": iri.parse(text)._asdict(),
        "uri": uri.text if uri.ok else None,
        "iri": readable.text if readable.ok else None,
        "steps": list(iri.uri_to_iri_steps(uri.text, idna=idna)) if uri.ok else [],
        "violations": [asdict(found) for found in iri.violations(text)],
        "problems": [asdict(found) for found in uri.problems],
        "advice": [asdict(found) for found in advice],
    }


def _show(record: dict[str, Any]) -> None:
    write(escape(record["input"]))
    for name, value in record["components"].items():
        if value is not None:
            write(f"  {name:<12}{escape(value)}")
    for name in ("uri", "iri"):
        write(f"  {name.upper():<12}{escape(record[name] or '(none)')}")
    for number, step in enumerate(record["steps"], 1):
        write(f"  step {number:<7}{escape(step)}")
    for kind in ("violations", "problems", "advice"):
        for found in record[kind]:
            place = f"{found['component']} {found['start']}-{found['end']}"
            write(f"  {found['rule']} ({place}): {escape(found['message'])} [{found['section']}]")


@command.command("resolve")
@_texts
@click.option(
    "--base", metavar="IRI", callback=absolute, required=True, help="What to resolve against."
)
@click.option("--strict/--no-strict", default=True, help="Whether http:x is absolute for http.")
@click.option(
    "--syntax",
    type=click.Choice(["iri", "web"]),
    default="iri",
    show_default=True,
    help="Resolve as RFC 3986 does, or as browsers do.",
)
@click.option("--relative", is_flag=True, help="The other way: write TEXT relative to the base.")
def resolve(
    texts: tuple[str, ...],
    base: str,
    strict: bool,
    syntax: Literal["iri", "web"],
    relative: bool,
) -> None:
    """Resolve references against a base as RFC 3986 or a browser does."""
    from linkfix import iri

    for text in _each(texts):
        try:
            target = (
                iri.relativize(base, text)
                if relative
                else iri.resolve(base, text, strict=strict, syntax=syntax)
            )
        except ValueError as error:
            hint = "TEXT" if syntax == "web" and not relative else "--base"
            raise click.BadParameter(str(error), param_hint=hint) from None
        write(escape(iri.within(target, prints)))


@command.command("compare")
@click.argument("one")
@click.argument("other")
@click.option(
    "--level",
    type=click.Choice(["simple", "syntax", "url", "scheme", "protocol"]),
    default="scheme",
    show_default=True,
    help="The highest rung of the comparison ladder to climb; url: what browsers serialize.",
)
@click.option("--base", metavar="IRI", callback=absolute, help="What both are resolved against.")
@click.option(
    "--redirect",
    "redirects",
    nargs=2,
    multiple=True,
    metavar="FROM TO",
    help="A redirect that was observed, for the protocol rung.",
)
@click.option(
    "--reader",
    type=click.Choice(["chromium", "firefox", "webkit", "rfc"]),
    help="Whose reading counts; rfc: RFC 3986 by the letter.  [default: all browsers must agree]",
)
@click.option("--fragments/--no-fragments", default=True, help="Whether fragments count.")
@_idna
def compare(one: str, other: str, redirects: tuple[tuple[str, str], ...], **options: Any) -> None:
    """Compare two IRIs; show whether they are equivalent, and on which rung of the ladder."""
    from linkfix import iri

    found = iri.equivalent(one, other, redirects=dict(redirects), **options)
    write(f"{found.outcome} ({found.rung}): {escape(found.reason)}")
    if found.outcome != found.resource:
        write(f"  without fragments: {found.resource}")
    if found.outcome != "equivalent":
        raise click.exceptions.Exit(1)
