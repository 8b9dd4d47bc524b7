"""Disputed references: readers resolve them to different targets.

Input: a Web Address and its base URL. Output: the disputes, each with the target of every reader. Chromium, Firefox,
WebKitGTK and the URL Standard were compared on thousands of references; what they disagreed on falls into the classes
of `classes_data`. A conversion leaves a reference if such a part would have to change, since the result would have another
target in one of them. The characters of hosts with different mappings are generated data (`disputed_data`).
"""

import re
from collections.abc import Iterator
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.compare.classes_data import CLASSES, KEEP_DOTS, OWN_PARSERS
from linkfix.iri.host import mapped_differently
from linkfix.iri.layout import DRIVE, Base, ConversionError, Layout, Span, read_web
from linkfix.iri.model import Violation
from linkfix.iri.octets import percent_decode
from linkfix.iri.url import ENDS, URL, cleaned, known_base, parse_url

_SECTION: Final = "URL Standard, 4.4"

_DOTS: Final = pattern(r"/(?:\.|%2[Ee]){1,2}(?=/|\Z)")
_BAR: Final = pattern(r"(?:(?<=[/\\])|\A)[A-Za-z]\|")
_QUOTE: Final = pattern("'")
#: ASCII that DNS does not have; percent-encoding is looked at decoded.
_ODD: Final = pattern(r"[\x21-\x24\x26-\x2c/:;=?@\[-^`{-~]")
_SLASHES: Final = pattern(r"[/\\]{2}")
_BARE_HEX: Final = pattern(r"(?:(?<=\.)|\A)0[xX](?=\.|\Z)")
_DRIVE: Final = pattern("/[A-Za-z]:(?:/|\\Z)")
_UP: Final = pattern(r"[/\\]|(?:.*[/\\])?(?:\.|%2[Ee]){2}(?:[/\\]|\Z)")
#: A page of the browser itself, as `about:blank`, on which all agree.
_PAGE: Final = pattern(r"about:[a-z]+\Z", re.IGNORECASE | re.ASCII)
_CONTROLS: Final = pattern("[\x00-\x08\x0b\x0c\x0e-\x1f]")
#: A reference of which nothing is disputed if its base is one of http or https: it has no scheme and no host.
_ACCEPTED: Final = pattern(r"(?! *[/\\]{2})[^:\x00-\x1f]*+")


def disputes(text: str, *, base: str | None = None) -> tuple[Violation, ...]:
    """Return the disputes about a Web Address.

    Args:
        text: any string.
        base: its base URL; None for any of ``http`` or ``https``.

    Returns:
        A finding for each class of `CLASSES`; its message names the targets of the readers. Its offsets are in
        ``text`` if nothing was stripped from it; otherwise they span the whole text.

    """
    is_web = base is None or base.startswith(("http:", "https:"))
    if is_web and _ACCEPTED.fullmatch(text):
        return ()
    read = cleaned(text)
    try:
        layout = read_web(read, Base("http") if base is None else known_base(base))
    except ConversionError:
        return ()
    url = None if base is None else parse_url(base)
    found = [*disputes_of(text, read, layout)]
    if url is not None and layout.scheme == url.scheme == "file":
        found += _below_file(read, layout, url)
    if read == text:
        return tuple(found)
    whole = (0, len(text))
    return tuple(
        Violation(one.rule, one.component, *whole, one.section, one.message) for one in found
    )


def disputes_of(text: str, read: str, layout: Layout) -> Iterator[Violation]:
    """Yield the disputes, with offsets in the stripped text.

    Args:
        text: as written.
        read: the text without what the URL parser strips.
        layout: the components of `read`.

    """
    scheme = layout.scheme
    if layout.absolute and scheme in OWN_PARSERS and not _PAGE.match(read):
        yield _dispute("scheme-disputed", "scheme", (0, layout.scheme_end))
    if scheme in KEEP_DOTS and not layout.opaque:
        yield from _each(_DOTS, "dots-disputed", "path", read, layout.path)
    if scheme == "file":
        yield from _of_file(read, layout)
    elif not layout.special and not layout.opaque:
        end = layout.path[1]
        at = read.find("\\", 0, end)
        if at >= 0:
            yield _dispute("backslash-disputed", "path", (at, at + 1))
    if layout.query and not layout.special and not layout.opaque:
        yield from _each(_QUOTE, "quote-disputed", "query", read, layout.query)
    if layout.userinfo:
        yield from _each(chars.STRAY, "userinfo-disputed", "userinfo", read, layout.userinfo)
    if layout.host and layout.host[0] < layout.host[1]:
        yield from _of_host(read[slice(*layout.host)], layout.host, special=layout.special)
    if layout.fragment is not None:
        stripped = text[len(text.rstrip(ENDS)) :]
        if _CONTROLS.search(stripped):
            span = (layout.fragment[1], layout.fragment[1])
            yield _dispute("fragment-controls-disputed", "fragment", span)


def _of_file(read: str, layout: Layout) -> Iterator[Violation]:
    yield from _each(_BAR, "drive-letter-disputed", "path", read, layout.path)
    if layout.host is None and layout.lead[0] < layout.lead[1]:
        if DRIVE.match(read, *layout.path):
            start = layout.path[0]
            yield _dispute("drive-host-disputed", "path", (start, start + 2))
    elif layout.host and layout.host[0] < layout.host[1]:
        yield _dispute("file-host-disputed", "host", layout.host)
    elif layout.host and _SLASHES.search(read, *layout.path):
        start = layout.path[0]
        url = parse_url(read)  # without dot segments
        if url is None or url.pathname.startswith("//"):
            yield _dispute("file-slashes-disputed", "path", (start, start + 2))


def _below_file(read: str, layout: Layout, base: URL) -> Iterator[Violation]:
    """Yield what depends on the base of a relative reference of the ``file`` scheme."""
    if layout.host is not None or layout.lead[0] < layout.lead[1]:
        return
    start, end = layout.path
    if base.hostname:
        yield _dispute("file-host-disputed", "host", (0, 0))
    if DRIVE.match(read, start, end) or (
        _DRIVE.match(base.pathname) and _UP.match(read, start, end)
    ):
        yield _dispute("drive-base-disputed", "path", (start, end))


def _of_host(host: str, span: Span, *, special: bool) -> Iterator[Violation]:
    if not special:
        if not host.isascii() or "%" in host:
            yield _dispute("opaque-host-disputed", "host", span)
        return
    decoded = percent_decode(host).decode("utf-8", "replace") if "%" in host else host
    if decoded.isascii():
        if "*" in decoded:
            yield _dispute("host-character-disputed", "host", span)
        if _BARE_HEX.search(decoded):
            yield _dispute("host-number-disputed", "host", span)
        return
    if mapped_differently().search(decoded):
        from linkfix.iri.compare.disputed_data import VERSIONS

        yield _dispute("host-mapping-disputed", "host", span, *VERSIONS)
    if "\u0338" in decoded and not {"<", ">", "="}.isdisjoint(decoded):
        yield _dispute("host-composed-disputed", "host", span)
    elif _ODD.search(decoded):
        yield _dispute("host-character-disputed", "host", span)


def _each(
    pattern: re.Pattern[str], rule: str, component: str, read: str, span: Span
) -> Iterator[Violation]:
    for found in pattern.finditer(read[slice(*span)]):
        yield _dispute(rule, component, (span[0] + found.start(), span[0] + found.end()))


def _dispute(rule: str, component: str, span: Span, *names: str) -> Violation:
    return Violation(rule, component, *span, _SECTION, CLASSES[rule].format(*names))
