"""Which charset a document is in, and why: HTML Standard, 13.2.3.2, and XML 1.0, 4.3.3 and appendix F.

HTML: byte order mark, transport label, meta element, XML declaration, byte pattern, detection, default.
CSS (CSS Syntax Level 3, 3.2): byte order mark, transport label, ``@charset``, that of the page, UTF-8.
Plain text, which scripts are (HTML Standard, 8.1.4.2): likewise, without ``@charset``.
XML: byte order mark, transport label, XML declaration, byte pattern, and UTF-8 by default. Without a transport label, a
declaration that the byte order mark or the byte pattern contradicts is an error.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from linkfix.deferred import pattern
from linkfix.errors import (
    LinkfixError,
    NotWellFormedError,
    UnknownCharsetError,
    UnsupportedCharsetError,
)

from .labels import known, lookup, named
from .model import Charset, is_utf8
from .prescan import DECLARATION, early_metas, family, metas, rule_label, xml_label

#: Bytes of a document at most that a charset is sniffed from.
PREFIX = 65536
#: Bytes that the HTML Standard's prescan reads; if a declaration is there, no more are waited for.
PRESCAN = 1024
#: How many bytes show whether a document begins with a byte order mark, outside of XML.
_MARK = 3
#: Line ends before a declaration.
_LINE_END = pattern(r"\r\n?|\n")
#: How many bytes show whether an XML document has an XML declaration: a mark and `<?xml` in UTF-32.
_XML_START = 24

Step = Literal[
    "bom",
    "label",
    "meta",
    "xml-declaration",
    "charset-rule",
    "environment",
    "pattern",
    "detected",
    "default",
]
#: The steps of sniffing that read a declaration: in the document, its transport or its page.
_DECLARING = ("bom", "label", "meta", "xml-declaration", "charset-rule", "environment")


class Declaration(NamedTuple):
    """A declaration of the charset.

    Attributes:
        step: its source.
        label: its label.
        charset: the charset of the label; None if the label is unknown or not supported.

    """

    step: Step
    label: str
    charset: Charset | None


class Sniffed(NamedTuple):
    """The charset of a document.

    Attributes:
        charset: the charset.
        step: the source that decided it.
        certain: false if a reader may decide otherwise. As in the HTML Standard, only a byte order
            mark and a label are certain in HTML; in XML all but EBCDIC without a declaration is, in JSON everything.
        bom: length of the byte order mark in bytes, 0 if there is none.
        disagreements: the declarations of another charset, in the order of the steps.
        guessed: whether an HTML document has no declaration, so that each browser guesses in its own way.

    """

    charset: Charset
    step: Step
    certain: bool
    bom: int = 0
    disagreements: tuple[Declaration, ...] = ()
    guessed: bool = False

    @property
    def declared(self) -> bool:
        """Whether the document, its transport, its page or its format says what the charset is.

        XML without a declaration is UTF-8 or UTF-16 (XML 1.0, 4.3.3), JSON is UTF-8 (RFC 8259, 8.1).
        """
        return self.certain or self.step in _DECLARING


def sniff(
    prefix: bytes,
    *,
    type: Literal["html", "xml", "css", "json", "text", "http"],
    label: str | None = None,
    environment: str | None = None,
    final: bool = False,
    default: str | None = None,
    at_once: bool = False,
) -> Sniffed | None:
    """Find the charset of a document from its first bytes.

    Args:
        prefix: the bytes so far, from the start of the document; only the first `PREFIX` count.
        type: the kind of document.
        label: the transport label, from the protocol or the user.
        environment: label of the charset of the page that uses a style sheet or a script.
        final: whether `prefix` is the whole document.
        default: label of the charset of HTML that declares none; None to guess it from the bytes, with windows-1252 if
            they show nothing.
        at_once: whether to decide as soon as a byte order mark or `label` does; `Sniffed.disagreements` then has
            none of the declarations in the document.

    Returns:
        The result, which does not depend on the chunks; None if more bytes are needed.

    Raises:
        UnknownCharsetError: `label`, `environment`, `default` or an XML declaration that counts names nothing.
        UnsupportedCharsetError: one of them names a refused charset, or the byte order is not supported.
        NotWellFormedError: an XML document is not in the charset that it declares.

    """
    # A document of just as many bytes has the same answer whether or not its end is known.
    whole = final and len(prefix) < PREFIX
    prefix = prefix[:PREFIX]
    complete = whole or len(prefix) == PREFIX
    if type == "xml":
        return _sniff_xml(prefix, label, complete=complete)
    mark = _byte_order_mark(prefix, ("UTF-8", "UTF-16BE", "UTF-16LE"))
    before = _before_all(mark, label, mark)
    if at_once and before and (whole or len(prefix) >= _MARK):
        certain = _first(before)
        if certain is not None:
            return certain
    if type != "html":
        if not final and len(prefix) < PRESCAN:
            return None
        rule = rule_label(prefix) if type == "css" else None
        return _sniff_dependent(before, rule, environment, certain=type == "json")
    return _sniff_html(prefix, before, default, complete=complete, whole=whole)


# --- HTML -----------------------------------------------------------------------------------------------


def _sniff_html(
    data: bytes, before: list[Declaration], default: str | None, *, complete: bool, whole: bool
) -> Sniffed | None:
    """Sniff a HTML document.

    `data` is as much as is ever looked at if `complete`, and the whole document if `whole`. `before` is believed before it.
    """
    if not complete and len(data) < PRESCAN:
        return None
    short = data[:PRESCAN]
    early = _first(_html_declarations(short, before, early_metas(short)))
    # A meta element that the parser finds later counts for more than an XML declaration.
    if early is not None and early.step != "xml-declaration":
        return early
    if not complete:
        return None
    declarations = _html_declarations(data, before, metas(data, prescan=PRESCAN))
    found = _first(declarations)
    if found is not None:
        return found
    step: Step
    _, wide = family(data)
    if wide in ("UTF-16LE", "UTF-16BE"):
        charset, step = named(wide), "pattern"
    elif default is None and (guess := detect(data, final=whole)):
        charset, step = guess, "detected"
    else:
        charset, step = lookup(default or "windows-1252"), "default"
    guessed = step == "pattern" or default is None
    return Sniffed(charset, step, certain=False, disagreements=tuple(declarations), guessed=guessed)


def declared_charset(prefix: bytes) -> Charset | None:
    """Return the charset that an HTML document declares itself, as a browser reads it.

    Args:
        prefix: the first bytes of the document; only the first `PREFIX` count.

    Returns:
        The charset; None if no declaration counts, or browsers show no document in the charset.

    """
    try:
        found = sniff(prefix, type="html", default="windows-1252", final=True)
    except UnsupportedCharsetError:
        return None
    return found.charset if found is not None and found.declared else None


def declaration_end(prefix: bytes) -> int | None:
    """Return where the first `meta` with a charset in the first `PRESCAN` bytes of HTML ends.

    As a byte offset; None if there is none, so that more of the document matters.
    """
    for label, end in early_metas(prefix[:PRESCAN]):
        try:
            if _meant(Declaration("meta", label, known(label))) is not None:
                return end
        except UnsupportedCharsetError:
            return None
    return None


def _first(declarations: list[Declaration]) -> Sniffed | None:
    """Decide for the first declaration that names a charset."""
    for declaration in declarations:
        charset = _meant(declaration)
        if charset is not None:
            return Sniffed(
                charset,
                declaration.step,
                certain=declaration.step in ("bom", "label"),
                bom=len(_MARKS[charset.name]) if declaration.step == "bom" else 0,
                disagreements=tuple(other for other in declarations if other.charset != charset),
            )
    return None


def _before_all(
    mark: Charset | None, label: str | None, looks: Charset | None, *, xml: bool = False
) -> list[Declaration]:
    """List what is believed before anything in the document: its mark, then the transport.

    Args:
        mark: the charset of the byte order mark; None without one.
        label: the transport label; None without one.
        looks: the charset that the first bytes show, for a label without a byte order.
        xml: whether it is the label of an XML document.

    """
    found = [] if mark is None else [Declaration("bom", mark.name, mark)]
    if label is not None:
        told = _ordered(lookup(label, xml=xml), label, looks)
        found.append(Declaration("label", label, told))
    return found


def _html_declarations(
    data: bytes, before: list[Declaration], metas: Iterable[tuple[str, int]]
) -> list[Declaration]:
    """List what declares the charset, the first to be believed first."""
    found = before + [Declaration("meta", meta, known(meta)) for meta, _ in metas]
    declared = xml_label(data)
    if declared is not None:
        found.append(Declaration("xml-declaration", declared, known(declared)))
    return found


def _meant(declaration: Declaration) -> Charset | None:
    """Return the result of a declaration; None if its label is unknown.

    Raises:
        UnsupportedCharsetError: browsers show no document in this charset.

    """
    charset = declaration.charset
    if charset is None:
        try:
            return lookup(declaration.label)
        except UnknownCharsetError:
            return None
    # What a document cannot truly say of itself in ASCII.
    if declaration.step in ("meta", "xml-declaration", "charset-rule") and charset.unit > 1:
        return named("UTF-8")
    if declaration.step == "meta" and charset.name == "x-user-defined":
        return named("windows-1252")
    return charset


# --- Detection ------------------------------------------------------------------------------------------

#: chardet's names of charsets that are no labels of the Encoding Standard.
_CHARDET_NAMES = {
    **dict.fromkeys(("big5hkscs", "cp950"), "big5"),
    **dict.fromkeys(("cp932", "shift_jis_2004", "shift_jisx0213"), "shift_jis"),
    **dict.fromkeys(("cp949", "johab", "uhc"), "euc-kr"),
    **dict.fromkeys((f"iso2022_jp_{each}" for each in ("1", "2", "2004", "3", "ext")), "iso-2022-jp"),
    "cp874": "windows-874", "euc_jis_2004": "euc-jp", "maccyrillic": "x-mac-cyrillic", "macroman": "macintosh",
    "gb18030": "gbk",  # the same decoder, and what browsers guess
}  # fmt: skip


def detect(data: bytes, *, final: bool) -> Charset | None:
    """Guess the charset of bytes, which are the whole document if `final`, else its beginning.

    None if there is nothing to go by: pure ASCII, or nothing that a browser could read.
    """
    if data.isascii() and b"\x1b$" not in data:
        return None
    if not data.isascii() and is_utf8(data, final=final):
        return named("UTF-8")
    if not final:
        # Neither byte is ever part of a longer sequence, so that no sequence is cut in two.
        data = data[: max(data.rfind(b"\n"), data.rfind(b">")) + 1] or data
    return next(iter(likely(data, most=True)), None)


def likely(data: bytes, *, most: bool = False) -> dict[Charset, float]:
    """Return how likely the legacy charsets of bytes are by the frequencies of characters, the likeliest first.

    Args:
        data: the bytes.
        most: whether only those that are likely enough to guess them are wanted.

    """
    import chardet

    found: dict[Charset, float] = {}
    for answer in chardet.detect_all(data, ignore_threshold=not most):
        label = (answer["encoding"] or "").lower()
        charset = known(_CHARDET_NAMES.get(label, label))
        # Whatever is not UTF-8 throughout and has no byte order mark is no Unicode encoding.
        if charset is not None and not charset.is_unicode:
            found.setdefault(charset, answer["confidence"])
    return found


# --- XML ------------------------------------------------------------------------------------------------


def _sniff_xml(data: bytes, label: str | None, *, complete: bool) -> Sniffed | None:
    """Sniff a XML document; `data` is as much as is ever looked at if `complete`."""
    if not complete and len(data) < _XML_START:
        return None
    mark = _byte_order_mark(data, tuple(_MARKS))
    bom = len(_MARKS[mark.name]) if mark else 0
    codec, default = family(data)
    if mark is None and default is None:
        raise UnsupportedCharsetError(
            "the document is in UCS-4 with an unusual byte order", hint="convert it to UTF-8 first"
        )
    looks = mark or named(default or "")
    text = data[bom:].decode(mark.name if mark else codec, "replace")
    if text.startswith("<?xml") and "?>" not in text and not complete:
        return None

    declarations = _before_all(mark, label, looks, xml=True)
    found = DECLARATION.match(text)
    if found is not None:
        try:
            known = _named_by_declaration(
                found["label"], looks, marked=bool(mark), told=label is not None
            )
        except LinkfixError as error:
            before = text[: found.start("label")]
            error.offset = bom + looks.unit * len(before)
            error.line = 1 + len(_LINE_END.findall(before))
            error.column = 1 + len(_LINE_END.split(before)[-1])
            raise
        declarations.append(Declaration("xml-declaration", found["label"], known))

    step: Step
    charset, step = looks, "default" if looks.name == "UTF-8" else "pattern"
    if declarations:
        first = declarations[0]
        if first.charset is not None:
            charset, step = first.charset, first.step
    return Sniffed(
        charset,
        step,
        #: Without a declaration, the bytes do not show the EBCDIC page.
        certain=step != "pattern" or looks.unit > 1,
        bom=bom,
        disagreements=tuple(found for found in declarations if found.charset != charset),
    )


def _named_by_declaration(
    label: str, looks: Charset, *, marked: bool, told: bool
) -> Charset | None:
    """Return the charset that an XML declaration names; None for an unknown one that does not count.

    Args:
        label: the declared label.
        looks: the charset that the first bytes show.
        marked: whether they are a byte order mark.
        told: whether the transport says the charset, so that the declaration does not count.

    Raises:
        UnknownCharsetError: the label counts, and names nothing.
        UnsupportedCharsetError: it counts, and names a refused charset.
        NotWellFormedError: it counts, and the document is in another charset (XML 1.0, 4.3.3).

    """
    charset = known(label, xml=True)
    if charset is None:
        if not (marked or told or looks.unit > 1):
            lookup(label, xml=True)  # raises the error that says why
        return None
    charset = _ordered(charset, label, looks)
    # What looks like one charset of single bytes can be in another.
    is_whole = marked or charset.unit > 1 or looks.unit > 1
    fits = charset == looks if is_whole else _is_ebcdic(charset) == _is_ebcdic(looks)
    if not told and not fits:
        what = f"its byte order mark is of {looks.name}" if marked else "its octets are not in it"
        raise NotWellFormedError(
            f"not well-formed XML: the document declares {label!r}, but {what}",
            hint="correct the declaration, or say the charset with --charset",
        )
    return charset


def _is_ebcdic(charset: Charset) -> bool:
    return charset.decode(b"\x4c") == "<"


# --- What pages ask for ---------------------------------------------------------------------------------


def _sniff_dependent(
    before: list[Declaration], rule: str | None, environment: str | None, *, certain: bool
) -> Sniffed:
    """Sniff a style sheet, whose ``@charset`` names `rule`, or a script; without a declaration UTF-8 may be `certain`."""
    found = [*before]
    if rule is not None:
        found.append(Declaration("charset-rule", rule, known(rule)))
    own = _first(found)
    if own is not None:
        return own
    if environment is not None:
        # The charset of the page does not contradict the declaration of the style sheet.
        return Sniffed(lookup(environment), "environment", certain=False)
    return Sniffed(named("UTF-8"), "default", certain=certain, disagreements=tuple(found))


# --- All ------------------------------------------------------------------------------------------------

#: The byte order mark of each charset that has one; those that begin like a shorter one are first.
_MARKS = {
    "UTF-32BE": b"\x00\x00\xfe\xff",
    "UTF-32LE": b"\xff\xfe\x00\x00",
    "UTF-8": b"\xef\xbb\xbf",
    "UTF-16BE": b"\xfe\xff",
    "UTF-16LE": b"\xff\xfe",
}
_FIRST_OF_MARKS = frozenset(mark[:1] for mark in _MARKS.values())


def _byte_order_mark(data: bytes, names: tuple[str, ...]) -> Charset | None:
    """Return the charset whose byte order mark the document begins with."""
    if data[:1] in _FIRST_OF_MARKS:
        for name, mark in _MARKS.items():
            if name in names and data.startswith(mark):
                return named(name)
    return None


def _ordered(charset: Charset, label: str, looks: Charset | None) -> Charset:
    """Add the byte order of the bytes to a label without one."""
    says = label.strip().lower().endswith(("le", "be", "unicodefffe"))
    return looks if looks and looks.unit == charset.unit > 1 and not says else charset
