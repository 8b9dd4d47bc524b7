"""The grammar of HTML tags, as regular expressions over the ASCII view (HTML standard, 13.2.5)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from linkfix.deferred import pattern

# 13.2.5.33 "Attribute name state": a leading "=" is part of the name.
_NAME = rb"(?:=[^\t\n\f\r />=]*+|[^\t\n\f\r />=]++)"
# 13.2.5.35 "Before attribute value state": quoted, missing (the tag ends), unquoted.
_VALUE = rb"""(?:"[^"]*+"|'[^']*+'|(?=>)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)"""
#: The separator between the name of an attribute and its value.
EQUALS = rb"[\t\n\f\r ]*+=[\t\n\f\r ]*+"
#: The lookahead after the name of a tag.
NAME_END = rb"(?=[\t\n\f\r />])"
#: An attribute, without the space before it.
ATTRIBUTE = _NAME + rb"(?:" + EQUALS + _VALUE + rb"|(?!" + EQUALS + rb"))"
#: A whole tag: slash, name, attributes, the space before its ``>``.
TAG = re.compile(
    rb"<(/?)([A-Za-z][^\t\n\f\r />]*+)((?:[\t\n\f\r /]*+" + ATTRIBUTE + rb")*+)([\t\n\f\r /]*+)>"
)
#: The beginning of a tag without an end; its group is the quote of an unfinished value.
UNFINISHED_TAG = pattern(
    rb"</?[A-Za-z][^\t\n\f\r />]*+(?:[\t\n\f\r /]*+"
    + ATTRIBUTE
    + rb")*+(?:[\t\n\f\r /]*+"
    + _NAME
    + EQUALS
    + rb"""(["']))?"""
)
#: An attribute of a whole tag: its name, and its value as the group of its kind of quotes; or the space after the
#: last one, matched at once so that it is not scanned again from each of its characters.
ATTRIBUTE_PARTS = re.compile(
    rb"[\t\n\f\r /]*+("
    + _NAME
    + rb")(?:"
    + EQUALS
    + rb"""(?:"([^"]*+)"|'([^']*+)'|(?=>)|([^\t\n\f\r >"'][^\t\n\f\r >]*+)|$))?+|[\t\n\f\r /]++"""
)


def any_case(name: str) -> bytes:
    """Return a pattern for a name in any ASCII case."""
    return "".join(
        f"[{c.lower()}{c.upper()}]" if c.isalpha() else re.escape(c) for c in name
    ).encode()


def one_of(names: Iterable[str]) -> bytes:
    """Return a pattern for one of several names in any ASCII case."""
    return b"(?i:" + b"|".join(re.escape(name).encode() for name in sorted(names)) + b")"
