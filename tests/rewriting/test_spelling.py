"""New values that stand for themselves are written as the way over the layers would write them."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.policy import Policy, Source
from linkfix.rewriting.spelling import _spell, spell

CHARSETS = ("utf-8", "utf-16le", "shift_jis", "gb18030", "windows-1252", "iso-2022-jp", "euc-kr")
PAGES = (
    '<meta charset="{charset}"><a href="{value}">',
    "<a href='{value}'>",
    "<a href={value}>",
    "<img srcset='{value} 2x'>",
    "<meta http-equiv=refresh content='0;url={value}'>",
    '<p style="background: url({value})">',
    "<p style=\"background: url('{value}')\">",
    "<iframe srcdoc=\"&lt;a href='{value}'>\"></iframe>",
    '<script type="application/ld+json">{{"@context": "https://schema.org", "url": "{value}"}}</script>',
)
VALUES = st.lists(
    st.sampled_from(["a", "/", "%C3%A9", "%e3%81%82", "é", "あ", "|", "[", "?", "#", "&amp;", "&", "%26", "\\", ":", ".", " ", "^", "\ufffd"])
).map("".join)  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@example("//%26", PAGES[0], "utf-8", "uri")
@given(VALUES, st.sampled_from(PAGES), st.sampled_from(CHARSETS), st.sampled_from(["uri", "iri"]))
def test_the_quick_way_writes_what_the_long_way_does(
    value: str, page: str, charset: str, to: str
) -> None:
    policy = Policy("uri" if to == "uri" else "iri", disputed="chromium")
    stream = policy.stream(Source(type="html", charset=charset))
    source = page.format(charset=charset, value=value).encode(charset, "replace")
    for link in stream.feed(source) + stream.close():
        conversion = policy.convert(link)
        if conversion.ok and conversion.edits and not link.fixed:
            new = spell(link, conversion)
            try:
                assert new is None or new == _spell(link, conversion)
            except UnicodeEncodeError:
                assert new is None
