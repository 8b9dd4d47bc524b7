"""The invariants on the kinds that only XML has, in documents made up by the machine."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invariants import check
from tiers import examples

from linkfix.charset import lookup

TO: list[Literal["uri", "iri"]] = ["uri", "iri"]

WORDS = st.lists(
    st.sampled_from(
        ["a", "é", "я", "表", "ゾ", "中", " ", "\t", "\n", "/", "?", "#", "&amp;", "&#x4E2D;", "&quot;", "%", "%41", "%e4%bd%a0",
         "{", "}", "$", "(", ")", "[", "]", "\\", "|", "^", "http:", "//", "b.example", "'url(", ")'"]
    ),
    max_size=8,
).map(lambda words: "".join(words).replace("'", "&apos;"))  # fmt: skip

DOCUMENTS = [
    "<a xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='{0} {1} {0}'/>",
    "<X3D><Inline url='&quot;{0}&quot; &quot;{1}&quot;'/><Inline url='{1}'/></X3D>",
    "<f:a xmlns:f='http://www.w3.org/1999/XSL/Format'><f:basic-link external-destination='url({0})'/><f:basic-link external-destination='{1}'/></f:a>",
    "<o:a xmlns:o='http://a9.com/-/spec/opensearch/1.1/'><o:Url template='{0}'/></o:a>",
    "<x:stylesheet xmlns:x='http://www.w3.org/1999/XSL/Transform' xmlns:h='http://www.w3.org/1999/xhtml'><x:include href='{0}'/><h:a href='{1}'/></x:stylesheet>",
    "<?xml-stylesheet type='text/css' href='{0}'?><a/>",
    "<rss xmlns:c='http://purl.org/rss/1.0/modules/content/'><description>&lt;a href=\"{0}\"&gt;</description><c:encoded><![CDATA[<a href='{1}'>]]></c:encoded></rss>",
    "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='{0}'><entry xml:base='{1}'><link href='{0}'/><content type='html'>&lt;a href=\"{0}\"><![CDATA[<img src=\"{1}\">]]></content><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml' xml:base='q/'><a href='{1}'/></div></content></entry></feed>",
    "<rss><link>{0}<!-- --></link><link>{0}<b/>{1}</link><description><![CDATA[<a href=\"{0}\">]]]]><![CDATA[>]]>&lt;a href=\"{1}\"&gt;</description></rss>",
    "<a xmlns:x='http://www.w3.org/1999/xlink' x:href='data:image/png;base64,{0}'><svg xmlns='http://www.w3.org/2000/svg' x:href='data:{1};base64,{0}'/></a>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"x\"><h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:a href='{0}&eacute;{1}'/></h:html>",
]  # fmt: skip


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(WORDS, WORDS, st.data())
@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "shift_jis", "gb18030", "windows-1251"])
def test_kinds_of_xml(charset: str, first: str, second: str, data: st.DataObject) -> None:
    template = data.draw(st.sampled_from(DOCUMENTS))
    text = f"<?xml version='1.0' encoding='{charset}'?>" + template.format(first, second)
    if charset == "utf-16":
        source = text.encode("utf-16")
    else:
        encoding = lookup(charset)
        source = b"".join(encoding.encode(c if encoding.encodable(c) else "x") for c in text)
    cut = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=3)))
    for to in TO:
        check(source, to, type="xml", cuts=(cut, list(range(1, len(source)))))
