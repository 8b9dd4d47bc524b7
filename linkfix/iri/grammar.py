"""Where a text departs from the grammar (RFC 3986, Appendix A; 3987bis, 2.2 and 4.1)."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.host import is_ip_literal
from linkfix.iri.layout import Layout, Span, read_generic
from linkfix.iri.model import Violation, need, need_text
from linkfix.iri.octets import RUN

#: Rule, the characters it is about, section, message.  The first that fits a character counts.
_CHARACTERS: Final = (
    ("space", " ", "3987bis, 7.3", "a space is percent-encoded as %20"),
    ("control-character", "\x00-\x1f\x7f-\x9f", "3987bis, 7.3", "a control character"),
    (
        "delimiter",
        '<>"',
        "3987bis, 7.3",
        "it delimits references in text; a link has it percent-encoded",
    ),
    ("unwise-character", r"\\^`{|}", "3987bis, 7.3", "a character that no URI or IRI holds"),
    ("bracket", r"\[\]", "RFC 3986, 3.2.2", "brackets enclose IP addresses in the host only"),
    ("second-fragment", "#", "RFC 3986, 3.5", "a fragment cannot hold another #"),
    ("misplaced-character", "\x21-\x7e", "RFC 3986, 3", "a character that has no place here"),
    ("surrogate", "\ud800-\udfff", "3987bis, 7.3", "a lone surrogate is no character"),
    ("bidi-formatting", chars.BIDI_FORMATTING, "3987bis, 4.1", "it changes the order on display"),
    ("private-use", chars.PRIVATE_USE, "3987bis, 2.2", "private use, for the query at most"),
    ("tag", chars.TAGS, "3987bis, 7.3", "a tag, for the query at most"),
    ("special", "\ufff0-\ufffd", "3987bis, 7.3", "one of the specials of Unicode"),
    ("non-ascii", chars.one_of(chars.UCSCHAR)[1:-1], "RFC 3986, 2", "a URI is written in ASCII"),
    ("non-character", "^\0-\x7f", "3987bis, 7.3", "a code point that is no character"),
)


_KINDS: Final = pattern("|".join(f"(?P<k{i}>[{row[1]}]+)" for i, row in enumerate(_CHARACTERS)))


@cache
def _foreign(component: str, syntax: str) -> re.Pattern[str]:
    allowed = chars.COMPONENT[component]
    if syntax != "uri" and component != "port":
        private = chars.IPRIVATE if syntax == "iri" else chars.PRIVATE_USE
        allowed += chars.UCSCHAR + (private if component == "query" else "")
    return re.compile(chars.none_of("%" + allowed) + "+")


def violations(
    text: str, *, syntax: Literal["uri", "iri", "rfc3987"] = "iri"
) -> tuple[Violation, ...]:
    """List every departure of a reference from the grammar.

    A fragment is checked by RFC 3986 and RFC 3987, without the ``#`` that 3987bis, 2.2 allows.

    Args:
        text: any string; nothing is raised for any.
        syntax: ``uri`` for the URI-reference of RFC 3986, ``iri`` for the IRI-reference of
            3987bis, ``rfc3987`` for that of RFC 3987, whose hosts may be percent-encoded and which has no tags.

    Returns:
        The departures in the order of the text; none for a valid reference.

    """
    need(("uri", "iri", "rfc3987"), syntax=syntax)
    need_text(text=text)
    layout = read_generic(text)
    found: list[Violation] = []
    for component, span in layout.spans():
        if component == "host":
            found += _host(text, span, syntax)
        else:
            found += _characters(text, component, span, syntax)
    if layout.port and text[slice(*layout.port)].strip("0123456789"):
        message = "a port is written in decimal digits"
        found.append(Violation("port-invalid", "port", *layout.port, "RFC 3986, 3.2.3", message))
    found += _colon(text, layout)
    return tuple(sorted(found, key=lambda violation: violation.start))


def _characters(text: str, component: str, span: Span, syntax: str) -> list[Violation]:
    found = [
        Violation(
            "stray-percent", component, *stray.span(), "RFC 3986, 2.1", "two digits must follow"
        )
        for stray in chars.STRAY.finditer(text, *span)
    ]
    for run in _foreign(component, syntax).finditer(text, *span):
        for kind in _KINDS.finditer(text, *run.span()):
            rule, _, section, message = _CHARACTERS[int((kind.lastgroup or "k0")[1:])]
            found.append(Violation(rule, component, *kind.span(), section, message))
    return found


def _host(text: str, span: Span, syntax: str) -> Iterator[Violation]:
    host = text[slice(*span)]
    if is_ip_literal(host):
        return
    if host.startswith("["):
        message = "no IPv6 address and no later kind of IP address"
        yield Violation("ip-literal-invalid", "host", *span, "RFC 3986, 3.2.2", message)
        return
    yield from _characters(text, "host", span, syntax)
    for run in RUN.finditer(text, *span) if syntax == "iri" else ():
        message = "the host of an IRI holds no percent-encoding"
        yield Violation("host-percent-encoded", "host", *run.span(), "3987bis, 2.2", message)


def _colon(text: str, layout: Layout) -> list[Violation]:
    """Find a colon in the first segment of a relative path (RFC 3986, 4.2)."""
    if layout.absolute or layout.host is not None:
        return []
    start, end = layout.path
    slash = text.find("/", start, end)
    colon = text.find(":", start, end if slash < 0 else slash)
    if colon < 0:
        return []
    message = "a colon in the first segment would end a scheme; write ./ in front"
    return [Violation("colon-in-first-segment", "path", colon, colon + 1, "RFC 3986, 4.2", message)]
