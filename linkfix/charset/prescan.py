"""The charset that a HTML document declares in a meta element or an XML declaration, and a style sheet by ``@charset``.

HTML Standard, 13.2.3.2: "prescan a byte stream to determine its encoding", "get an attribute", "get an
XML encoding", and 4.2.5.5: "extracting a character encoding from a meta element"; CSS Syntax Level 3, 3.2. The patterns read each byte once,
so that the time is linear for any input.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from linkfix.deferred import pattern

#: What the prescan stops at. Comments and bogus comments are passed over, tags are read for attributes.
_MARKUP = re.compile(
    rb"""
    <
    (?:
        (?P<meta> [mM][eE][tT][aA] ) (?= [\t\n\f\r\ /] )
        | (?P<tag> /? [A-Za-z] [^\t\n\f\r\ >]*+ )
        | ! (?= -- ) .*? (?: --> | \Z )     # the hyphens of "<!--" count for "-->" too
        | [!/?] [^>]*+
    )
    """,
    re.DOTALL | re.VERBOSE,
)
#: Tags that do not end the head, and elements whose text is no markup.
_HEAD = frozenset(
    b"html head base link meta object /object title /title style /style script /script "
    b"noscript /noscript".split()
)
_TEXT = frozenset((b"title", b"style", b"script"))
#: One attribute; empty before the end of the tag; no match where the bytes run out.
_ATTRIBUTE = re.compile(
    rb"""
    [\t\n\f\r\ /]*+
    (?:
        (?= > )
        | (?P<name> [^\t\n\f\r\ />] [^\t\n\f\r\ />=]*+ ) [\t\n\f\r\ ]*+
          (?:
              (?= [^\t\n\f\r\ =] )
              | = [\t\n\f\r\ ]*+
                (?:
                    " (?P<double> [^"]*+ ) "
                    | ' (?P<single> [^']*+ ) '
                    | (?= > )
                    | (?P<bare> [^\t\n\f\r\ >"'] [^\t\n\f\r\ >]*+ ) (?= [\t\n\f\r\ >] )
                )
          )
    )
    """,
    re.VERBOSE,
)
_CHARSET = pattern(
    rb"""
    charset [\t\n\f\r\ ]* = [\t\n\f\r\ ]*
    (?: " (?P<double> [^"]* ) " | ' (?P<single> [^']* ) ' | (?P<bare> [^\t\n\f\r\ ;"'] [^\t\n\f\r\ ;]* ) | )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_XML_ENCODING = re.compile(
    rb"""
    <\?xml (?= [^>]* > ) (?: (?! encoding ) . )*+ encoding [\x00-\x20]* = [\x00-\x20]*
    (?P<quote> ["'] ) (?P<label> [^\x00-\x20]*? ) (?P=quote)
    """,
    re.DOTALL | re.VERBOSE,
)
#: Exactly these bytes at the very beginning; it is no at-rule, whatever it looks like.
CHARSET_RULE = pattern(rb'@charset "([^"]*)";')
#: How many bytes of a style sheet are looked at.
_SHEET_LIMIT = 1024


def metas(data: bytes, *, prescan: int | None = None) -> Iterator[tuple[str, int]]:
    """Yield the labels that meta elements declare, in their order, known or unknown.

    Each label has the byte offset at which the attributes of the element end. `data` is the beginning of the document;
    a tag that is incomplete there does not count. `prescan` is the number of bytes that the standard's prescan has
    read before. With it, find the labels that the parser finds later: the text of an element does not
    count, and beyond those bytes only the head does (this is what Chromium reads; the standard has no limit for a
    parser that starts again).
    """
    position = 0
    in_head = True
    last = data.lower().rfind(b"charset")  # without which nothing declares any
    while position <= last and (markup := _MARKUP.search(data, position)):
        position = markup.end()
        meta, other = markup.group("meta", "tag")
        if meta is None and other is None:
            continue
        attributes: dict[bytes, bytes] = {}
        while attribute := _ATTRIBUTE.match(data, position):
            position = attribute.end()
            name, double, single, bare = attribute.group("name", "double", "single", "bare")
            if name is None:
                break
            if meta is not None:
                attributes.setdefault(name.lower(), double or single or bare or b"")
        else:
            return
        tag = (other or b"meta").lower()
        if prescan is not None:
            in_head = in_head and tag in _HEAD
            if not in_head and position >= prescan:
                return
            if tag in _TEXT:
                end = re.compile(rb"</%b(?=[\t\n\f\r />])" % tag, re.IGNORECASE).search(
                    data, position
                )
                if end is None:
                    return
                position = end.start()
        if meta is not None:
            label = meta_label(attributes)
            if label is not None:
                yield label.decode("latin-1"), position


@lru_cache(maxsize=8)
def early_metas(data: bytes) -> tuple[tuple[str, int], ...]:
    """Return the result of `metas` for the first bytes of a document; it is remembered for several callers."""
    return tuple(metas(data))


def meta_label(attributes: dict[bytes, bytes]) -> bytes | None:
    """Return the label that a meta element with these attributes declares."""
    if b"charset" in attributes:
        return attributes[b"charset"]
    if attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CHARSET.search(attributes.get(b"content", b""))
        return found and (found["double"] or found["single"] or found["bare"])
    return None


def xml_label(data: bytes) -> str | None:
    """Return the label in an XML declaration, as an HTML parser reads one ("get an XML encoding")."""
    found = _XML_ENCODING.match(data)
    return found["label"].decode("latin-1") if found else None


def rule_label(data: bytes) -> str | None:
    """Return the label in the ``@charset`` at the beginning of a style sheet; None without one."""
    found = CHARSET_RULE.match(data, 0, _SHEET_LIMIT)
    return found and found[1].decode("latin-1")


# --- The charset of an XML document by its first bytes and its XML declaration (XML 1.0, 4.3.3 and F.1) ---


#: Appendix F.1, "without a byte order mark", the longer patterns first. A document without an XML declaration begins
#: with another "<" or a blank, which shows the width too.
_FAMILIES = (
    (pattern(rb"\0\0\0[<\t\n\r ]"), "utf-32-be", "UTF-32BE"),
    (pattern(rb"[<\t\n\r ]\0\0\0"), "utf-32-le", "UTF-32LE"),
    (pattern(rb"\0\0<\0|\0<\0\0"), "", None),
    (pattern(rb"\0[<\t\n\r ]"), "utf-16-be", "UTF-16BE"),
    (pattern(rb"[<\t\n\r ]\0"), "utf-16-le", "UTF-16LE"),
    (pattern(rb"\x4C\x6F\xA7\x94"), "cp037", "IBM037"),
    (pattern(rb""), "latin-1", "UTF-8"),
)

#: The XML declaration at the start of a document (XML 1.0, 4.3.3 [80]). White space as XML has it, and NEL: the line end of
#: EBCDIC documents.
DECLARATION = pattern(
    r"""
    <\?xml [\t\n\r\x85\ ]+
    (?: version [\t\n\r\x85\ ]* = [\t\n\r\x85\ ]* (?: "[^"<>]*" | '[^'<>]*' ) [\t\n\r\x85\ ]+ )?
    encoding [\t\n\r\x85\ ]* = [\t\n\r\x85\ ]* (?P<quote> ["'] ) (?P<label> (?: (?! (?P=quote) ) [^<>] )+ ) (?P=quote)
    """,
    re.VERBOSE,
)


def family(data: bytes) -> tuple[str, str | None]:
    """Return the family of charsets for the first four bytes of a document without byte order mark.

    Returns:
        The codec of Python in which an XML declaration can be read; and the name of the charset without a declaration, None
        where there is no support.

    """
    return next((codec, name) for pattern, codec, name in _FAMILIES if pattern.match(data))
