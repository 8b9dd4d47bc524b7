"""Style sheets in SVG inside HTML: no raw text there, but text with references, or a CDATA section."""

from __future__ import annotations

import pytest
from invariants import check

import linkfix
from linkfix.links import LinkStream


def values(text: str) -> list[str]:
    stream = LinkStream(type="html", charset="utf-8")
    links = stream.feed(text.encode()) + stream.close()
    assert all(link.kind == "css" and link.element == "style" for link in links)
    return [link.value for link in links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<svg><style>a{b:url("/é&amp;x?q=&eacute;");c:url(/d)}</style></svg>', ["/é&x?q=é", "/d"]),
        ("<svg><style>a{b:url('/a&quot;')} 1 < 2</style>", ['/a"']),
        ("<svg><style> <![CDATA[a{b:url(&amp;)} </style>]]>\n</style>", ["&amp;"]),
        ("<svg><STYLE TYPE='text/css'>a{b:url(é)}", ["é"]),
        ("<svg><style>a{b:url(é)}<!-- x --></style>", []),
        ("<svg><style>a{b:url(é)}<g/></style>", []),
        ("<svg><style/>url(é)</style><style type=x>url(é)</style>", []),
        ("<math><style>a{b:url(é)}</style></math>", []),
        ("<svg><foreignObject><style>url(a&amp;)</style>", ["a&amp;"]),
        ("<style>url(a)</style><svg><style>url(&#98;)</style></svg><style>url(c)</style>", ["a", "b", "c"]),
        ('<iframe srcdoc="<svg><style>url(/&amp;eacute;)</style>"></iframe>', ["/é"]),
    ],
)  # fmt: skip
def test_links(text: str, expected: list[str]) -> None:
    if "srcdoc" in text:
        assert [link.value for link in linkfix.extract(text.encode(), charset="utf-8")] == expected
    else:
        assert values(text) == expected


@pytest.mark.parametrize("charset", ["utf-8", "shift_jis", "iso-2022-jp", "utf-16le", "gb18030"])
@pytest.mark.parametrize(
    "content",
    [
        "a{{b:url('/表?|&quot;&amp;x'), url(/表&#12354;)}}",
        "<![CDATA[a{{b:url(/表&amp;|)}}</style>]]>",
        "url(/表|)<!-- -->",
        "url(/表|) 1 < 2 <b>",
    ],
)
def test_invariants(charset: str, content: str) -> None:
    source = f"<p>表<svg><style>{content}</style><image href='/表'/></svg>".encode(charset)
    for to in ("uri", "iri"):
        check(source, to, type="html", charset=charset, cuts=(list(range(1, len(source))),))
