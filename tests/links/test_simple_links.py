"""Links that are taken in passing are those that are found in their tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import PRESCAN

from linkfix.charset import lookup
from linkfix.links import Addition, Link, LinkStream, Scope

#: With additions of the user's own every tag is looked at.
IN_TAGS = Scope(add=(Addition.parse("x-card@data-url"),))
TAGS = [
    *("<a href=%s>", '<a href="%s">', "<p>\n<a class=c href='%s' title='&copy;'>", "<!-- <a href='%s'> -->"),
    *("<img alt='' src=\"%s\">", "<script src='%s'></script>", "<link href=%s rel=x>", "\r\n<form action='%s'>"),
]  # fmt: skip
VALUES = [
    *("", "a", "a b", "é", "日本", "?a=1&b=2", "?a=1&amp;b=é", "&", "&&", "&#", "&a", "&lt", "&ltx", "&lt=", "?a&copy"),
    *("&eacute;", "&eacute", "&#233;", "&#xE9", "&#0;", "&#10;", "&Tab;", "&notit;", "&notin;", "&amp;lt;", "&NotEqualTilde;"),
    *("a&media_id=1", "a&copy_b=1", "日&sect;", "\ufffd"),
]  # fmt: skip
CHARSETS = ["utf-8", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "utf-16be"]


def links(source: bytes, charset: str, scope: Scope, size: int) -> list[Link]:
    stream = LinkStream(type="html", charset=charset, scope=scope)
    chunks = (source[at : at + size] for at in range(0, len(source), size))
    return [link for chunk in chunks for link in stream.feed(chunk)] + stream.close()


def told(link: Link) -> tuple[object, ...]:
    """All of a link, its spelling code point by code point."""
    codes = range(len(link.value))
    return *link[:-1], [link.spelled.spelling(at, at + 1) for at in codes], link.spelled.source


@pytest.mark.parametrize("charset", CHARSETS)
@given(
    parts=st.lists(
        st.builds(str.__mod__, st.sampled_from(TAGS), st.sampled_from(VALUES)), max_size=9
    ),
    broken=st.none() | st.integers(0, 400),
    size=st.integers(1, 300),
)
def test_in_passing_and_in_tags(
    charset: str, parts: list[str], broken: int | None, size: int
) -> None:
    known = lookup(charset)
    text = "<!DOCTYPE html>" + " " * PRESCAN + "".join(parts)
    source = known.encode("".join(char for char in text if known.encodable(char)))
    if broken is not None:
        broken += PRESCAN
        source = source[:broken] + b"\xe5" + source[broken + 1 :]
    expected = [told(link) for link in links(source, charset, IN_TAGS, 1 << 16)]
    assert [told(link) for link in links(source, charset, Scope(), 1 << 16)] == expected
    assert [told(link) for link in links(source, charset, Scope(), size)] == expected
