"""Disputed references: readers resolve them to different targets.

Input: a Web Address and its base URL. Output: the disputes, each with the target of every reader. Chromium, Firefox,
WebKitGTK and the URL Standard were compared on thousands of references; what they disagreed on falls into the classes
of `CLASSES`. A conversion leaves a reference if such a part would have to change, since the result would have another
target in one of them. The characters of hosts with different mappings are generated data (`disputed_data`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from linkfix.iri.decode import percent_decode
from linkfix.iri.host import mapped_differently
from linkfix.iri.layout import DRIVE, Base, Layout, LayoutError, Span, read_web
from linkfix.iri.model import Violation
from linkfix.iri.url import URL, cleaned, known_base, parse_url

if TYPE_CHECKING:
    from collections.abc import Iterator


#: Each class with who goes where, as measured in Chromium 156, Firefox 153 and WebKitGTK 2.50.
CLASSES: Final = {
    "scheme-disputed": (
        "Chromium and Firefox read this scheme with parsers of their own, WebKit and the URL Standard as any other"
    ),
    "dots-disputed": (
        "Firefox keeps dot segments behind about:, blob:, data: and javascript:, Chromium behind steam:, WebKit and"
        " the URL Standard nowhere"
    ),
    "drive-letter-disputed": (
        "Chromium keeps the bar of a drive letter, Firefox, WebKit and the URL Standard make it a colon"
    ),
    "drive-host-disputed": (
        "Chromium follows no drive letter in the place of a host, Firefox, WebKit and the URL Standard do"
    ),
    "drive-base-disputed": (
        "Chromium does not keep the drive letter of the base, WebKit and the URL Standard do, Firefox now and then"
    ),
    "file-host-disputed": (
        "Firefox goes to the file on this machine, Chromium, WebKit and the URL Standard to the host"
    ),
    "file-slashes-disputed": (
        "Chromium drops the slashes beyond three, Firefox, WebKit and the URL Standard keep them"
    ),
    "backslash-disputed": (
        "Chromium takes this backslash for a slash, Firefox and WebKit do so in front, the URL Standard nowhere"
    ),
    "userinfo-disputed": "every browser keeps this percent sign, which no URI may hold",
    "host-mapping-disputed": (
        "readers with tables of Unicode {} and {} go to different hosts, WebKit among the former"
    ),
    "host-composed-disputed": (
        "Chromium refuses this host, Firefox, WebKit and the URL Standard compose a character with U+0338"
    ),
    "host-character-disputed": (
        "Chromium escapes this character, Firefox refuses the host, WebKit and the URL Standard keep both"
    ),
    "host-number-disputed": (
        "Firefox refuses 0x without digits, Chromium, WebKit and the URL Standard take it for 0"
    ),
    "quote-disputed": (
        "Chromium escapes an apostrophe in the query of this scheme, Firefox, WebKit and the URL Standard keep it"
    ),
    "opaque-host-disputed": (
        "browsers do not agree which octets and characters the host of an unknown scheme may have"
    ),
    "fragment-controls-disputed": (
        "Firefox keeps control characters at the end of a fragment, Chromium, WebKit and the URL Standard drop them"
    ),
}
#: The browsers that depart from the URL Standard, by class.
DEPARTING: Final = {
    "scheme-disputed": frozenset({"chromium", "firefox"}),
    "dots-disputed": frozenset({"chromium", "firefox"}),
    "drive-letter-disputed": frozenset({"chromium"}),
    "drive-host-disputed": frozenset({"chromium"}),
    "drive-base-disputed": frozenset({"chromium", "firefox"}),
    "file-host-disputed": frozenset({"chromium", "firefox"}),
    "file-slashes-disputed": frozenset({"chromium"}),
    "backslash-disputed": frozenset({"chromium", "firefox", "webkit"}),
    "userinfo-disputed": frozenset({"chromium", "firefox", "webkit"}),
    "host-mapping-disputed": frozenset({"webkit"}),
    "host-composed-disputed": frozenset({"chromium"}),
    "host-character-disputed": frozenset({"chromium", "firefox"}),
    "host-number-disputed": frozenset({"firefox"}),
    "quote-disputed": frozenset({"chromium"}),
    "opaque-host-disputed": frozenset({"chromium", "firefox", "webkit"}),
    "fragment-controls-disputed": frozenset({"firefox"}),
}
_SECTION: Final = "URL Standard, 4.4"

_OWN_PARSERS: Final = frozenset(
    {
        *("about", "blob", "chrome", "chrome-distiller", "chrome-extension", "chrome-native"),
        *("chrome-search", "isolated-app", "jar", "moz-extension", "resource", "view-source"),
    }
)
_KEEP_DOTS: Final = frozenset({"about", "blob", "data", "javascript", "steam"})
_DOTS: Final = re.compile(r"/(?:\.|%2[Ee]){1,2}(?=/|\Z)")
_BAR: Final = re.compile(r"(?:(?<=[/\\])|\A)[A-Za-z]\|")
_QUOTE: Final = re.compile("'")
_STRAY: Final = re.compile("%(?![0-9A-Fa-f]{2})")
#: ASCII that DNS does not have; percent-encoding is looked at decoded.
_ODD: Final = re.compile(r"[\x21-\x24\x26-\x2c/:;=?@\[-^`{-~]")
_SLASHES: Final = re.compile(r"[/\\]{2}")
_BARE_HEX: Final = re.compile(r"(?:(?<=\.)|\A)0[xX](?=\.|\Z)")
_DRIVE: Final = re.compile("/[A-Za-z]:(?:/|\\Z)")
_UP: Final = re.compile(r"[/\\]|(?:.*[/\\])?(?:\.|%2[Ee]){2}(?:[/\\]|\Z)")
_CONTROLS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_ENDS: Final = "".join(map(chr, range(0x21)))


def disputes(text: str, *, base: str | None = None) -> tuple[Violation, ...]:
    """Return the disputes about a Web Address.

    Args:
        text: any string.
        base: its base URL; None for any of ``http`` or ``https``.

    Returns:
        A finding for each class of `CLASSES`; its message names the targets of the readers. Its offsets are in
        ``text`` if nothing was stripped from it; otherwise they span the whole text.

    """
    read = cleaned(text)
    try:
        layout = read_web(read, Base("http") if base is None else known_base(base))
    except LayoutError:
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
    if layout.absolute and scheme in _OWN_PARSERS:
        yield _dispute("scheme-disputed", "scheme", (0, layout.scheme_end))
    if scheme in _KEEP_DOTS and not layout.opaque:
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
        yield from _each(_STRAY, "userinfo-disputed", "userinfo", read, layout.userinfo)
    if layout.host and layout.host[0] < layout.host[1]:
        yield from _of_host(read[slice(*layout.host)], layout.host, special=layout.special)
    if layout.fragment is not None:
        stripped = text[len(text.rstrip(_ENDS)) :]
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
        if _STRAY.search(host) or not host.isascii() or ("%" in host):
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
