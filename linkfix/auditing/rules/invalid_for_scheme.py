"""A link that does not follow the syntax of its scheme.

What it does
    Reports links with the schemes mailto, tel, urn, geo, sip and sips that the document of the scheme does not
    allow: no mail address, a local telephone number without its context, a URN without a namespace. Of data it reports a `#` that
    is followed by markup, since such data end there, and once what lacks percent-encoding, such as spaces and `<`, or white space in
    base64.

Why it is bad
    What follows the scheme is for another program than the browser, which refuses it or guesses. Browsers show no image
    whose data are cut off. Spaces and brackets in data make no valid URI, but readers agree on them: where a rewrite encodes them, and in
    base64, the rules about them in other links are not asked.

Example
    <a href="mailto:Jane &lt;jane@example.org&gt;">, <a href="tel:030 1234567">, url("data:image/svg+xml,<svg …><path fill='#f00'/></svg>")

Instead
    <a href="mailto:jane@example.org">, <a href="tel:+49-30-1234567">, fill='%23f00'
"""

import re
from typing import Final

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri import parse
from linkfix.iri.octets import percent_decode
from linkfix.policy.bases import C0_OR_SPACE

_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+"
_ADDRESS: Final = (
    rf'(?:{_ATOM}(?:\.{_ATOM})*|"(?:[^"\\]|\\.)*")@'
    r"(?:[A-Za-z0-9\x80-\U0010ffff](?:[A-Za-z0-9.\x80-\U0010ffff-]*[A-Za-z0-9\x80-\U0010ffff])?|\[[^\]\\]+\])"
)
_NUMBER: Final = r"-?[0-9]+(?:\.[0-9]+)?"
_PARAMETERS: Final = r"(?:;[A-Za-z0-9-]+(?:=[^;]+)?)*"
#: What follows the scheme up to the query, percent-encoding decoded, and what it is called.
_SYNTAX: dict[str, tuple[re.Pattern[str], str]] = {
    "mailto": (re.compile(_ADDRESS), "mail address"),
    "tel": (
        re.compile(
            rf"\+[0-9.()-]*[0-9][0-9.()-]*{_PARAMETERS}"
            rf"|[0-9A-Fa-f*#.()-]*[0-9A-Fa-f*#][0-9A-Fa-f*#.()-]*{_PARAMETERS};phone-context=[^;]+{_PARAMETERS}"
        ),
        "telephone number with + or a phone-context",
    ),
    "urn": (
        re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:[^/][\s\S]*"),
        "namespace and name",
    ),
    "geo": (
        re.compile(rf"{_NUMBER},{_NUMBER}(?:,{_NUMBER})?{_PARAMETERS}"),
        "two or three coordinates",
    ),
    "sip": (
        re.compile(
            r"(?:[^@]+@)?(?:[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?(?:;.*)?"
        ),
        "address of SIP",
    ),
}
_SYNTAX["sips"] = _SYNTAX["sip"]
#: Data with a # before markup.
_CUT: Final = re.compile(r"[^#]*(#)(?:[^<>%]|%(?!3[CEce]))*(?:[<>]|%3[CEce])")
#: What is percent-encoded in data (RFC 2397, 3).
_RAW: Final = re.compile(r"[ \"<>[\\\]^`{|}]")
_FIELD: Final = re.compile(r"[^=]+=[\s\S]*")


def check(subject: Subject) -> Hits:
    """Report what follows the scheme, as a rewrite leaves it."""
    reference = parse(subject.conversion.text.strip(" \t\r\n"))
    scheme = (reference.scheme or "").lower()
    if scheme == "data" and (cut := _CUT.match(subject.value)):
        yield Hit(*cut.span(1), "the data end at the #, which is written %23 in them")
    elif scheme == "data" and subject.is_read_alike:
        raw = _RAW.search(subject.value.rstrip(C0_OR_SPACE), subject.layout.scheme_end)
        if raw is not None and subject.conversion.ok:
            yield Hit(
                *raw.span(), f"characters such as U+{ord(raw[0]):04X} are percent-encoded in data"
            )
        elif raw is not None:
            yield Hit(*raw.span(), "base64 has no white space; readers skip it")
    if scheme not in _SYNTAX:
        return
    pattern, name = _SYNTAX[scheme]
    parts = [reference.path]
    if scheme == "mailto":
        parts = reference.path.split(",") if reference.path else []
    start, end = subject.layout.scheme_end + 1, len(subject.value)
    if reference.host is not None or not all(pattern.fullmatch(_decoded(part)) for part in parts):
        yield Hit(start, end, f"no {name}, which {scheme}: asks for")
    elif scheme == "mailto" and not all(
        map(_FIELD.fullmatch, (reference.query or "a=").split("&"))
    ):
        yield Hit(start, end, "what follows ? is no list of names and values")


def _decoded(text: str) -> str:
    return percent_decode(text).decode("utf-8", "replace")
