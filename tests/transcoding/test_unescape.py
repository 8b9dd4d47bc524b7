"""Character references that become characters."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transcodings import transcoded

from linkfix.iri.unicode import ucd
from linkfix.transcoding.references import may_stand


def html(source: str) -> str:
    page = f'<meta charset="utf-8">{source}'
    done = transcoded(page.encode(), type="html", unescape=True)[0].decode()
    return done.removeprefix('<meta charset="utf-8">')


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("&eacute;&#233;&#xE9;&#233;&eacute", "ééééé"),
        ("<title>&eacute;</title><textarea>&#31354;</textarea>", "<title>é</title><textarea>空</textarea>"),
        ("<p title='&#31354;' class=&eacute;>", "<p title='空' class=é>"),
        # What HTML makes of the C1 controls in old pages, and of an unfinished reference in a value.
        ("&#128;&#x99;", "€™"),
        ("<p title='&eacute;=&eacutex&eacute'>&eacutex", "<p title='é=&eacutexé'>éx"),
        # What markup needs, ASCII, white space, what has no shape, private use, no character.
        ("&amp;&lt;&gt;&quot;&#39;&#65;", "&amp;&lt;&gt;&quot;&#39;&#65;"),
        ("&nbsp;&emsp;&#12288;&shy;&zwj;&#8238;&#xFEFF;&#xE000;&#xFFFE;&#0;&#xD800;&#xFFFD;",) * 2,
        # What is not stable under NFC, what would combine, two characters at once.
        ("&#x212B;&#x340;&#x301;&NotEqualTilde;", "&#x212B;&#x340;&#x301;&NotEqualTilde;"),
        ("&eacute;\u0301&eacute;&#x301;e&#x301;&#x1100;&#x1161;", "&eacute;\u0301&eacute;&#x301;e&#x301;&#x1100;&#x1161;"),
        # What follows is known wherever the text is cut.
        ("<title>&eacute;\u0301&eacute;&eacute;&eacute;", "<title>&eacute;\u0301ééé"),
        # What is no text, or no reference.
        ("<!--&eacute;--><style>&eacute;</style><script>'&eacute;'</script>",) * 2,
        ("<svg><![CDATA[&eacute;]]></svg>&eacut; & &#; &x;",) * 2,
    ],
)  # fmt: skip
def test_html(source: str, expected: str) -> None:
    assert html(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<r a='&#233;'>&#xE9;&#233;</r>", "<r a='é'>éé</r>"),
        ("<r>&amp;&lt;&#38;&#x3C;&#10;&#160;</r>",) * 2,
        ("<r><!--> &#233; --><![CDATA[&#233;]]><?p &#233;?></r>",) * 2,
        ("<!DOCTYPE r [<!ENTITY e '&#233;'><!-- ] > &#233; ' -->]><r>&e;&#233;</r>",
         "<!DOCTYPE r [<!ENTITY e '&#233;'><!-- ] > &#233; ' -->]><r>&e;é</r>"),
        ("<r a=\"'>&#233;\" b='\"&#233;'/>", "<r a=\"'>é\" b='\"é'/>"),
    ],
)  # fmt: skip
def test_xml(source: str, expected: str) -> None:
    for cuts in (range(0), range(1, len(source.encode()))):
        assert transcoded(source.encode(), cuts, type="xml", unescape=True)[0].decode() == expected


REFERENCES = st.one_of(
    st.sampled_from(["&eacute;", "&eacute", "&amp;", "&lt", "&nbsp;", "&notit;", "&#128;", "&", "&#", "&copy="]),
    st.characters(codec="utf-8").map(lambda c: f"&#{ord(c)};"),
    st.characters(codec="utf-8").map(lambda c: f"&#x{ord(c):x};"),
)  # fmt: skip
TEXTS = st.lists(
    REFERENCES | st.sampled_from(["é", "\u0301", "x", ";", "#", " ", "空", "<p title='", "'>", "<title>", "</title>"]),
    max_size=12,
).map("".join)  # fmt: skip


XML_PIECES = [
    *(
        "&#233;",
        "&#xE9;",
        "&#x301;",
        "&#769;",
        "&#x1100;",
        "&#x1161;",
        "&amp;",
        "é",
        "\u0301",
        "x",
        ";",
    ),
    *("<b a='&#233;'>\u0301</b>", "<![CDATA[&#233;]]>", "<?p?>", "<!---->", "\U0001d11e"),
]


@given(st.lists(st.sampled_from(XML_PIECES), max_size=12).map("".join), st.integers(1, 60))
def test_xml_means_the_same(source: str, size: int) -> None:
    document = f"<r>{source}</r>".encode()
    done, _ = transcoded(document, type="xml", unescape=True)
    cuts = range(size, len(document), size)
    assert transcoded(document, cuts, type="xml", unescape=True)[0] == done
    assert transcoded(done, type="xml", unescape=True)[0] == done
    assert ET.tostring(ET.fromstring(done)) == ET.tostring(ET.fromstring(document))


@given(TEXTS)
def test_html_means_the_same(source: str) -> None:
    page = f"<meta charset=utf-8>{source}".encode()
    done, _ = transcoded(page, type="html", unescape=True)
    assert transcoded(page, range(1, len(page)), type="html", unescape=True)[0] == done
    assert transcoded(done, type="html", unescape=True)[0] == done
    before, after = (html5lib.parse(data.decode(), "etree") for data in (page, done))
    assert ET.tostring(before) == ET.tostring(after)


@given(st.characters(codec="utf-8"))
def test_characters_without_references_are_visible_and_stable(char: str) -> None:
    if may_stand(char):
        assert char.isprintable()
        assert ucd.normalize("NFC", char) == char
        assert not ucd.combining(char)
