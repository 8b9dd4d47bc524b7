"""Which charset a document is in, and why: HTML Standard, 13.2.3.2, and XML 1.0, 4.3.3 and appendix F.

HTML: byte order mark, transport label, meta element, XML declaration, byte pattern, detection, default.
XML: byte order mark, transport label, byte pattern and XML declaration together, and UTF-8 by default.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from linkfix.errors import LinkfixError, UnknownCharsetError, UnsupportedCharsetError

from .detect import detect
from .labels import lookup, named
from .prescan import meta_labels, xml_label
from .xmldecl import declared_encoding, family

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .model import Charset

__all__ = ["PREFIX", "Declaration", "Sniffed", "Step", "sniff"]

#: Bytes of a document at most that a charset is sniffed from.
PREFIX = 65536
#: Bytes in which a declaration is looked for first (the HTML Standard's 1024); if one is there, or the
#: charset is certain without, the rest is not waited for.
_SHORT_PREFIX = 1024

Step = Literal["bom", "label", "meta", "xml-declaration", "pattern", "detected", "default"]


class Declaration(NamedTuple):
    """A place that says what the charset is.

    Attributes:
        step: the place.
        label: what it says.
        charset: what that means; None for a label that names nothing that is supported.

    """

    step: Step
    label: str
    charset: Charset | None


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The charset of a document.

    Attributes:
        charset: the charset.
        step: what decided it.
        certain: false where a reader may decide otherwise. As in the HTML Standard, only a byte order
            mark and a label are certain in HTML; in XML all but EBCDIC without a declaration is.
        bom: length of the byte order mark in bytes, 0 if there is none.
        disagreements: the declarations that say something else, in the order of the steps.

    """

    charset: Charset
    step: Step
    certain: bool
    bom: int = 0
    disagreements: tuple[Declaration, ...] = ()

    @property
    def declared(self) -> bool:
        """Whether the document or its transport says what the charset is."""
        return self.step in ("bom", "label", "meta", "xml-declaration")


def sniff(
    prefix: bytes,
    *,
    type: Literal["html", "xml"],
    label: str | None = None,
    final: bool = False,
    default: str = "windows-1252",
) -> Sniffed | None:
    """Find the charset of a document from its first bytes.

    Args:
        prefix: the bytes so far, from the start of the document; more than `PREFIX` are not looked at.
        type: the kind of document.
        label: the transport label: what the protocol or the user says the charset is.
        final: whether `prefix` is the whole document.
        default: label for a HTML document that nothing tells anything about.

    Returns:
        The answer, which does not depend on how the document was cut; or None for more bytes, please.

    Raises:
        UnknownCharsetError: `label`, `default` or an XML declaration that counts names nothing.
        UnsupportedCharsetError: one of them names a charset that is refused, or the byte order is one
            that nobody uses.

    """
    if len(prefix) < _SHORT_PREFIX and not final:
        return None
    short = prefix[:_SHORT_PREFIX]
    if type == "xml":
        return _sniff_xml(short, label)
    found = _sniff_declared(short, label, meta_labels(short))
    if found is not None:
        return found
    if len(prefix) < PREFIX and not final:
        return None
    final = final and len(prefix) <= PREFIX
    prefix = prefix[:PREFIX]
    metas = meta_labels(prefix, prescan=_SHORT_PREFIX)
    return _sniff_declared(prefix, label, metas) or _sniff_undeclared(prefix, final, default)


# --- HTML -----------------------------------------------------------------------------------------------


def _sniff_declared(data: bytes, label: str | None, metas: Iterable[str]) -> Sniffed | None:
    """Follow the steps at which something is declared."""
    declarations = [*_html_declarations(data, label, metas)]
    for index, declaration in enumerate(declarations):
        step = declaration.step
        charset = _meant(declaration)
        if charset is None:
            continue
        others = [
            other
            for place, other in enumerate(declarations)
            if place != index and other.charset != charset
        ]
        if declarations[index].charset != charset:
            others.insert(0, declarations[index])
        mark = _bom(data, "html") if step == "bom" else None
        return Sniffed(
            charset, step, step in ("bom", "label"), len(mark[0]) if mark else 0, tuple(others)
        )
    return None


def _html_declarations(
    data: bytes, label: str | None, metas: Iterable[str]
) -> Iterator[Declaration]:
    mark = _bom(data, "html")
    if mark:
        yield Declaration("bom", mark[1], named(mark[1]))
    if label is not None:
        yield Declaration("label", label, lookup(label))
    for found in metas:
        yield Declaration("meta", found, _known(found))
    found_xml = xml_label(data)
    if found_xml is not None:
        yield Declaration("xml-declaration", found_xml, _known(found_xml))


def _meant(declaration: Declaration) -> Charset | None:
    """Tell what a declaration comes to; None if it names nothing.

    Raises:
        UnsupportedCharsetError: it names a charset for which a browser shows no document.

    """
    charset = declaration.charset
    if charset is None:
        try:
            return lookup(declaration.label)
        except UnknownCharsetError:
            return None
    # What a document cannot truly say of itself in ASCII.
    if declaration.step in ("meta", "xml-declaration") and charset.unit > 1:
        return named("UTF-8")
    if declaration.step == "meta" and charset.name == "x-user-defined":
        return named("windows-1252")
    return charset


def _sniff_undeclared(data: bytes, final: bool, default: str) -> Sniffed:
    wide = family(data).default
    if wide in ("UTF-16LE", "UTF-16BE"):
        return Sniffed(named(wide), "pattern", certain=False)
    charset = detect(data, final=final)
    if charset is not None:
        return Sniffed(charset, "detected", certain=False)
    return Sniffed(lookup(default), "default", certain=False)


# --- XML ------------------------------------------------------------------------------------------------


def _sniff_xml(data: bytes, label: str | None) -> Sniffed:
    mark = _bom(data, "xml")
    bom = len(mark[0]) if mark else 0
    pattern = family(data)
    name = mark[1] if mark else pattern.default
    if name is None:
        raise UnsupportedCharsetError(
            "the document is in UCS-4 with an unusual byte order", hint="convert it to UTF-8 first"
        )
    by_pattern = named(name)
    declared = declared_encoding(
        data[bom:].decode(mark[1] if mark else pattern.codec, "replace").replace("\x85", "\n")
    )
    transport = told = None
    if label is not None:
        transport = Declaration(
            "label", label, _ordered(lookup(label, xml=True), label, by_pattern)
        )
    inner = None
    if declared is not None:
        known = _known(declared, xml=True)
        inner = Declaration(
            "xml-declaration", declared, known and _ordered(known, declared, by_pattern)
        )

    certain = True
    charset: Charset
    step: Step
    if mark:
        charset, step = by_pattern, "bom"
    elif told is not None:
        charset, step = told, "label"
    elif inner is not None and (inner.charset is None or _fits(inner.charset, by_pattern)):
        charset, step = inner.charset or lookup(inner.label, xml=True), "xml-declaration"
    elif by_pattern.name == "UTF-8":
        charset, step = by_pattern, "default"
    else:
        charset, step = by_pattern, "pattern"
        certain = by_pattern.unit > 1
    disagreements = tuple(
        found for found in (transport, inner) if found is not None and found.charset != charset
    )
    return Sniffed(charset, step, certain, bom, disagreements)


def _fits(charset: Charset, by_pattern: Charset) -> bool:
    """Whether a document whose bytes begin so can be in a charset that its declaration names."""
    if charset.is_unicode and charset.unit > 1:
        return charset == by_pattern
    return charset.unit == by_pattern.unit and _is_ebcdic(charset) == _is_ebcdic(by_pattern)


def _is_ebcdic(charset: Charset) -> bool:
    return charset.unit == 1 and charset.decode(b"\x4c") == "<"


def _ordered(charset: Charset, label: str, by_pattern: Charset) -> Charset:
    """Give a label that says nothing of the byte order the order that the bytes have."""
    if by_pattern.unit == charset.unit > 1 and not label.strip().lower().endswith(("le", "be")):
        return by_pattern
    return charset


# --- Both -----------------------------------------------------------------------------------------------

_BOMS = (
    (b"\x00\x00\xfe\xff", "UTF-32BE", True),
    (b"\xff\xfe\x00\x00", "UTF-32LE", True),
    (b"\xef\xbb\xbf", "UTF-8", False),
    (b"\xfe\xff", "UTF-16BE", False),
    (b"\xff\xfe", "UTF-16LE", False),
)


def _bom(data: bytes, type: Literal["html", "xml"]) -> tuple[bytes, str] | None:
    """Find the byte order mark and the charset that it is the mark of."""
    for mark, name, only_xml in _BOMS:
        if data.startswith(mark) and (type == "xml" or not only_xml):
            return mark, name
    return None


def _known(label: str, *, xml: bool = False) -> Charset | None:
    try:
        return lookup(label, xml=xml)
    except LinkfixError:
        return None
