"""IRIs as people read them: bidirectional ones (3987bis, 4), with as little percent-encoding as can be."""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.components import NOT_DECODED
from linkfix.iri.host import HostError, convert_domain
from linkfix.iri.layout import Span, read_generic
from linkfix.iri.model import Edit, Violation, apply, need, need_text
from linkfix.iri.octets import RUN, decode_run
from linkfix.iri.reference import parse
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.unicode.uts46 import IDNAError, bidi_class, last_class, to_ascii

#: 4.1 and the characters of the same kind that Unicode has got since: ALM and the isolates.
_FORMATTING: Final = pattern(f"[{chars.BIDI_FORMATTING}\u061c\u2066-\u2069]+")
_NOT_ASCII: Final = pattern("[^\x00-\x7f]")
_RTL: Final = frozenset({"R", "AL"})

_MARK: Final = "\u200e"  # LRM
_WRAPPED: Final = {
    "embedding": "\u202a{}\u202c",  # LRE … PDF
    "isolate": "\u2066{}\u2069",  # LRI … PDI
}
_IN_ITS_OWN: Final = "\u2068{}\u2069"  # FSI … PDI


def display(
    iri: str,
    form: Literal["embedding", "isolate", "components", "marks", "plain"] = "embedding",
    *,
    repertoire: Callable[[str], bool] | None = None,
) -> str:
    """Write an IRI for people: minimally escaped (UTS #58), its components in a readable order in running text.

    Args:
        iri: any text; its own formatting characters, which would break out of the wrapping, are
            percent-encoded.
        form: ``embedding`` for LRE and PDF as in 4.1; ``isolate`` for LRI and PDI, which also protect the text
            around it; ``components`` for an isolate around each component too, so that components are always shown
            from left to right; ``marks`` for the same order with an LRM on both sides of each delimiter, for readers
            without isolates (url-i18n-07, 3.2); ``plain`` for nothing around it.
        repertoire: returns whether the reader's charset or font has a character; missing ones are percent-encoded, in
            host names written as A-labels (3987bis, 8.6). None for all characters.

    Returns:
        Text for display only, in which `find` finds the IRI. Without characters written from right to left there is
        nothing around it.

    """
    need(("plain", "embedding", "isolate", "components", "marks"), form=form)
    need_text(iri=iri)
    iri = readable(_FORMATTING.sub(chars.quoted, iri))
    if repertoire is not None:
        iri = within(iri, repertoire)
    if form == "plain" or not any(
        bidi_class(found[0]) in _RTL | {"AN"} for found in _NOT_ASCII.finditer(iri)
    ):
        return iri
    if form in {"embedding", "isolate"}:
        return _WRAPPED[form].format(iri)
    wrapped, between = (_IN_ITS_OWN, "") if form == "components" else ("{}", _MARK)
    text = apply(iri, [
        Edit(start, end, f"{between}{wrapped.format(iri[start:end])}{between}")
        for _, (start, end) in _components(iri)
    ])  # fmt: skip
    return _WRAPPED["isolate"].format(text) if form == "components" else _MARK + text


def within(iri: str, repertoire: Callable[[str], bool]) -> str:
    """Return an IRI with only ASCII and the characters of a repertoire (3987bis, 8.6).

    Args:
        iri: any text.
        repertoire: returns whether the reader has a character beyond ASCII; missing ones are percent-encoded, in
            host names written as A-labels.

    """
    layout = read_generic(iri)

    def quoted(text: str) -> str:
        return _NOT_ASCII.sub(
            lambda found: found[0] if repertoire(found[0]) else chars.quote(found[0]), text
        )

    if layout.host is None:
        return quoted(iri)
    start, end = layout.host
    host = iri[start:end]
    if not all(char.isascii() or repertoire(char) for char in host):
        try:
            host = to_ascii(host)
        except IDNAError:
            host = quoted(host)
    return quoted(iri[:start]) + host + quoted(iri[end:])


def bidi_violations(iri: str) -> tuple[Violation, ...]:
    """Find formatting characters, and components that display cannot keep apart.

    Args:
        iri: any text, of which names and values in a query, labels of the host, and segments of
            the path and their extensions count as components (4.2).

    Returns:
        Findings with the rules ``bidi-formatting`` (4.1), ``bidi-mixed-direction`` (4.2, 1) and
        ``bidi-edge`` (4.2, 2), in the order of the text.

    """
    if iri.isascii():
        return ()
    found = [
        Violation("bidi-formatting", "reference", *run.span(), "3987bis, 4.1", _FORMATS)
        for run in _FORMATTING.finditer(iri)
    ]
    for component, span in _components(iri):
        classes = [bidi_class(character) for character in iri[slice(*span)]]
        if _RTL.isdisjoint(classes):
            continue
        if "L" in classes:
            found.append(
                Violation("bidi-mixed-direction", component, *span, "3987bis, 4.2", _MIXED)
            )
        if classes[0] not in _RTL or last_class(classes) not in _RTL:
            found.append(Violation("bidi-edge", component, *span, "3987bis, 4.2", _EDGE))
    return tuple(sorted(found, key=lambda violation: violation.start))


_FORMATS: Final = "a formatting character reorders what is shown and cannot be seen itself"
_MIXED: Final = "the component has characters of both directions"
_EDGE: Final = "the component does not begin and end with characters written right to left"


#: What separates the parts of a component that are shown by themselves.
_SEPARATORS: Final = {"userinfo": ":", "host": ".", "path": "/.", "query": "&=;"}


def _components(iri: str) -> Iterator[tuple[str, Span]]:
    for name, whole in read_generic(iri).spans():
        separators = _SEPARATORS.get(name)
        pattern = f"[^{separators}]+" if separators else "(?s:.)+"
        for part in re.compile(pattern).finditer(iri, *whole):
            yield name, part.span()


# --- Minimal escaping -------------------------------------------------------------------------------
# References as people read them (UTS #58, Unicode Link Detection and Formatting, 17.0). Input: a reference. Output:
# text in which `find` finds it again as a whole. Percent-encoding is decoded as 3987bis, 3.7, allows, and so is
# ``%22``, which every browser encodes again. Reserved characters are never decoded: UTS #58 takes its input in parts,
# and here it is a reference.

#: The end of a text that ASCII could continue to a percent-encoding.
_STRAY: Final = pattern("%[0-9A-Fa-f]?\\Z")
_DIGIT: Final = pattern("[0-9]")
#: Where a part of a component begins, whose brackets are pairs of their own.
_INTERIOR: Final = {"path": "/", "query": "=&", "fragment": ""}


def readable(text: str, *, final: bool = True) -> str:
    """Return a reference with as little percent-encoding as UTS #58 allows, and with U-labels.

    Args:
        text: a reference.
        final: whether a character at the end is encoded that would not be part of a link in text.

    Returns:
        Text for people, which browsers take to the same place; ``text`` itself for ``data:``, ``tel:``, ``urn:`` and
        ``javascript:``.

    """
    reference = parse(text)
    scheme = (reference.scheme or "").lower()
    if scheme in NOT_DECODED:
        return text
    host = reference.host
    if host and (not scheme or scheme in HIERARCHICAL):
        try:
            host = convert_domain(host, to_iri=True, ulabels=True, profile="uts46")
        except HostError:
            host = reference.host
    parts = {
        name: None if value is None else _minimal(value, name)
        for name in _INTERIOR
        for value in [getattr(reference, name)]
    }
    if final:
        for name in reversed(_INTERIOR):
            value = parts[name]
            if value:
                parts[name] = _closed(value)
                break
    return str(
        reference._replace(
            host=host, path=parts["path"] or "", query=parts["query"], fragment=parts["fragment"]
        )
    )


def _minimal(value: str, component: str) -> str:
    from linkfix.iri.text.detection import CLOSING, OPENING, SOFT_END, TOKEN

    edits: list[Edit] = []
    for run in RUN.finditer(value):
        new = decode_run(value, *run.span(), component)
        if _STRAY.search(value, max(0, run.start() - 2), run.start()):
            new = [edit for edit in new if not edit.text[0].isascii()]
        edits += new
    decoded = apply(value, edits)
    if any(bidi_class(char) in {"R", "AL"} for char in decoded if char > "\u0590"):
        # What was encoded for the order in which it is shown stays (3987bis, 4.4, example 9).
        edits = [edit._replace(text=_DIGIT.sub(chars.quoted, edit.text)) for edit in edits]
        decoded = apply(value, edits)
    value = decoded.replace("%22", '"')
    opened: list[str] = []
    encoded: list[Edit] = []
    for found in TOKEN.finditer(value):
        char, at = found[0], found.start()
        if char in _INTERIOR[component] or value.startswith(":~:", at):
            opened.clear()
        elif char in OPENING:
            opened.append(char)
        elif (
            (opened.pop() if opened else "") != CLOSING[char]
            if char in CLOSING
            else not (char in "/?#=&|" or SOFT_END.match(char))
        ):
            encoded.append(Edit(at, at + 1, chars.quote(char)))
    return apply(value, encoded)


def _closed(value: str) -> str:
    """Encode a character at the end that would not be part of a link in text."""
    from linkfix.iri.text.detection import OPENING, SOFT_END

    last = value[-1]
    if SOFT_END.match(last) or last in OPENING:
        return value[:-1] + chars.quote(last)
    return value
