"""Which charset a document is in, and why."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from conformance_data import conformance
from hypothesis import given
from hypothesis import strategies as st

from linkfix.charset import PREFIX, Declaration, Sniffed, lookup, named, sniff
from linkfix.errors import NotWellFormedError, UnknownCharsetError, UnsupportedCharsetError

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.system

LINK = b"<p>\xe0 \xe9</p><a href='?\xe9'>x</a>"
LATE = b"<!--" + b"x" * 2000 + b"-->"


def html(data: bytes, label: str | None = None) -> Sniffed:
    found = sniff(data, type="html", label=label, final=True)
    assert found is not None
    return found


def xml(data: bytes, label: str | None = None) -> Sniffed:
    found = sniff(data, type="xml", label=label, final=True)
    assert found is not None
    return found


def answer(found: Sniffed) -> tuple[str, str, bool, int]:
    return found.charset.name, found.step, found.certain, found.bom


def disagreements(found: Sniffed) -> list[tuple[str, str]]:
    return [(other.step, other.label) for other in found.disagreements]


# --- HTML -----------------------------------------------------------------------------------------------


@pytest.mark.conformance
@pytest.mark.parametrize("file", ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"])
def test_html5lib_encoding_tests(file: str) -> None:
    text = conformance("html", "encoding", file).read_bytes()
    cases = re.split(rb"(?:\A|\n)#data\n", text)[1:]
    wrong = []
    for case in cases:
        data, _, expected = case.partition(b"\n#encoding\n")
        found = html(data)
        if found.charset is not lookup(expected.split(b"\n")[0].decode()):
            wrong.append((data, found))
    assert wrong == []
    print(f"{file}: {len(cases)} of {len(cases)} right")


#: Document, transport label, the charset in Chromium 156, and the step that decides.
MEASURED = {
    "XML declaration alone": (b'<?xml version="1.0" encoding="windows-1251"?>' + LINK, None, "windows-1251", "xml-declaration"),
    "XML declaration and meta": (b'<?xml version="1.0" encoding="windows-1251"?><meta charset=koi8-r>' + LINK, None, "KOI8-R", "meta"),
    "XML declaration and late meta": (b"<?xml version='1.0' encoding='windows-1251'?>" + LATE + b"<meta charset=koi8-r>", None, "KOI8-R", "meta"),
    "XML declaration that is unknown, and meta": (b'<?xml version="1.0" encoding="nonsense"?><meta charset=koi8-r>', None, "KOI8-R", "meta"),
    "XML declaration of UTF-16": (b'<?xml version="1.0" encoding="utf-16"?>', None, "UTF-8", "xml-declaration"),
    "XML declaration of x-user-defined": (b'<?xml version="1.0" encoding="x-user-defined"?>', None, "x-user-defined", "xml-declaration"),
    "XML declaration after a space": (b' <?xml version="1.0" encoding="windows-1251"?>' + b"x", None, "windows-1252", "default"),
    "XML declaration without quotes": (b'<?xml version="1.0" encoding=windows-1251?>', None, "windows-1252", "default"),
    "long XML declaration": (b'<?xml version="1.0" ' + b" " * 2000 + b'encoding="windows-1251"?>', None, "windows-1251", "xml-declaration"),
    "label over XML declaration": (b'<?xml version="1.0" encoding="windows-1251"?>', "koi8-r", "KOI8-R", "label"),
    "label over meta": (b"<meta charset=koi8-r>", ' windows-1251 ', "windows-1251", "label"),
    "label x-user-defined": (b"x", "x-user-defined", "x-user-defined", "label"),
    "mark over label": (b"\xef\xbb\xbfx", "koi8-r", "UTF-8", "bom"),
    "mark of UTF-32 is that of UTF-16": (b"\xff\xfe\0\0<\0\0\0", None, "UTF-16LE", "bom"),
    "UTF-16LE with XML declaration": ("<?xml version='1.0'?>é".encode("utf-16-le"), None, "UTF-16LE", "pattern"),
    "UTF-16BE with XML declaration": ("<?xml version='1.0'?>é".encode("utf-16-be"), None, "UTF-16BE", "pattern"),
    "meta in the body": (b"<title>t</title><body><p>x<meta charset=koi8-r>", None, "KOI8-R", "meta"),
    "late meta in the head": (LATE + b"<meta charset=koi8-r>", None, "KOI8-R", "meta"),
    "late meta after text": (b"text" + LATE + b"<meta charset=koi8-r>", None, "KOI8-R", "meta"),
    "late meta in noscript": (LATE + b"<noscript><meta charset=koi8-r></noscript>", None, "KOI8-R", "meta"),
    "late meta after the head": (LATE + b"</head><meta charset=koi8-r>", None, "windows-1252", "default"),
    "late meta in the body": (b"<p>" + LATE + b"<meta charset=koi8-r>", None, "windows-1252", "default"),
    "late meta after a template": (LATE + b"<template></template><meta charset=koi8-r>", None, "windows-1252", "default"),
    "late meta in a title": (LATE + b"<title><meta charset=koi8-r></title>", None, "windows-1252", "default"),
    "late meta in a script": (LATE + b"<script>'<meta charset=koi8-r>'</script>", None, "windows-1252", "default"),
    "late meta after a script": (LATE + b"<script>'<meta>'</script ><meta charset=koi8-r>", None, "KOI8-R", "meta"),
    "meta across the prescan's end": (b" " * 1010 + b"<meta charset=koi8-r>", None, "KOI8-R", "meta"),
    "meta in a comment": (b"<!-- <meta charset=koi8-r> -->", None, "windows-1252", "default"),
    "meta in an open comment": (b"<!-- <meta charset=koi8-r>", None, "windows-1252", "default"),
    "two metas": (b"<meta charset=koi8-r><meta charset=windows-1251>", None, "KOI8-R", "meta"),
    "unknown meta, then another": (b"<meta charset=nonsense><meta charset=windows-1251>", None, "windows-1251", "meta"),
    "meta of UTF-16": (b"<meta charset=utf-16>", None, "UTF-8", "meta"),
    "meta of x-user-defined": (b"<meta charset=x-user-defined>", None, "windows-1252", "meta"),
    "nothing": (b"<a href='?x'>x</a>", None, "windows-1252", "default"),
}  # fmt: skip


@pytest.mark.parametrize("case", MEASURED)
def test_html_is_sniffed_as_chromium_does(case: str) -> None:
    data, label, charset, step = MEASURED[case]
    found = html(data, label)
    assert (found.charset.name, found.step) == (charset, step)
    assert found.declared == (step in ("bom", "label", "meta", "xml-declaration"))
    assert found.certain == (step in ("bom", "label"))


@pytest.mark.parametrize(
    ("markup", "charset"),
    [
        (b"<!--><meta charset=koi8-r>", "KOI8-R"),
        (b"<!---><meta charset=koi8-r>", "KOI8-R"),
        (b"<! <meta charset=koi8-r>", None),
        (b"<!x><meta charset=koi8-r>", "KOI8-R"),
        (b"<?x><meta charset=koi8-r>", "KOI8-R"),
        (b"</ x><meta charset=koi8-r>", "KOI8-R"),
        (b"<a b='<meta charset=koi8-r>'>", None),
        (b"<a b='>'><meta charset=koi8-r>", "KOI8-R"),
        (b"</a b='<meta charset=koi8-r>'>", None),
        (b"<1 b='<meta charset=koi8-r>'>", "KOI8-R"),
        (b"<META/CHARSET=KOI8-R>", "KOI8-R"),
        (b"<metas charset=koi8-r>", None),
        (b"<meta a=b charset = 'koi8-r' >", "KOI8-R"),
        (b"<meta charset=koi8-r/>", None),
        (b"<meta charset=koi8-r />", "KOI8-R"),
        (b"<meta =charset=koi8-r charset=koi8-r>", "KOI8-R"),
        (b"<meta charset=nonsense charset=koi8-r>", None),
        (b"<meta charset=koi8-r", None),
        (b"<meta charset=koi8-r ", None),
        (b"<meta charset='koi8-r' a='", None),
        (b"<meta http-equiv=content-type content='text/html;charset=koi8-r'>", "KOI8-R"),
        (b"<meta content='text/html; CHARSET = \"koi8-r\"' http-equiv=Content-Type>", "KOI8-R"),
        (b"<meta http-equiv=content-type content=\"charset='koi8-r\">", None),
        (b"<meta http-equiv=content-type content='charset charset=koi8-r'>", "KOI8-R"),
        (b"<meta http-equiv=content-type content='charset=koi8-r;x'>", "KOI8-R"),
        (b"<meta http-equiv=content-type content='charset=;koi8-r'>", None),
        (b"<meta http-equiv=refresh content='charset=koi8-r'>", None),
        (b"<meta content='charset=koi8-r'>", None),
        (b"<meta http-equiv=content-type charset=windows-1251 content='charset=koi8-r'>", "windows-1251"),
        (b"<meta http-equiv=content-type content='charset=koi8-r' charset=windows-1251>", "windows-1251"),
    ],
)  # fmt: skip
def test_the_prescan_reads_markup_as_the_standard_says(markup: bytes, charset: str | None) -> None:
    found = html(markup)
    assert (found.charset.name if found.step == "meta" else None) == charset


def test_disagreements_are_reported() -> None:
    data = b"\xef\xbb\xbf<meta charset=koi8-r><meta charset=utf8><meta charset=nonsense>"
    found = html(data, "windows-1251")
    assert answer(found) == ("UTF-8", "bom", True, 3)
    assert found.disagreements == (
        Declaration("label", "windows-1251", named("windows-1251")),
        Declaration("meta", "koi8-r", named("KOI8-R")),
        Declaration("meta", "nonsense", None),
    )
    assert disagreements(html(b"<meta charset=utf-16>")) == [("meta", "utf-16")]
    assert disagreements(html(b"<meta charset=nonsense>")) == [("meta", "nonsense")]
    assert disagreements(html(b"\xfe\xff\0<", "utf-16")) == []
    assert disagreements(html(b"\xfe\xff\0<", "utf-16le")) == [("label", "utf-16le")]
    assert disagreements(html(b"<meta charset=latin1><meta charset=windows-1252>")) == []


def test_undeclared_text_is_guessed() -> None:
    text = "これは日本語の文章です。リンクの文字コードを調べます。" * 5
    for name in ("UTF-8", "Shift_JIS", "EUC-JP", "ISO-2022-JP"):
        found = html(b"<p>" + named(name).encode(text))
        assert answer(found) == (name, "detected", False, 0)
        assert not found.declared
    found = html(b"<p>" + named("gb18030").encode("这是一个中文网页，用来测试编码。" * 5))
    assert (found.charset.name, found.step) == ("GBK", "detected")


def test_utf_8_is_recognized_though_the_prefix_ends_within_a_character() -> None:
    data = b"<p>" + "é".encode() * PREFIX
    assert data[:PREFIX][-1:] == "é".encode()[:1]
    found = sniff(data, type="html")
    assert found is not None
    assert (found.charset.name, found.step) == ("UTF-8", "detected")
    assert sniff(data[:PREFIX], type="html", final=True) == found
    # At the end of a document, it is malformed.
    assert html(b"<p>\xc3").charset.name != "UTF-8"


@pytest.mark.parametrize("name", ["Shift_JIS", "EUC-JP", "GBK", "Big5", "EUC-KR"])
def test_a_guess_does_not_depend_on_where_the_prefix_ends(name: str) -> None:
    text = {"GBK": "这是一个中文网页，用来测试编码。", "Big5": "這是一個中文網頁，用來測試編碼。", "EUC-KR": "한국어 문서의 문자 코드를 알아봅니다. "}.get(name, "これは日本語の文章です。")  # fmt: skip
    line = named(name).encode(f"<p>{text * 3}</p>\n")
    for shift in range(2):
        found = sniff(b"x" * shift + line * 3000, type="html")
        assert found is not None
        assert (found.charset.name, found.step) == (name, "detected")


def test_the_default_can_be_set() -> None:
    found = sniff(b"<p>", type="html", final=True, default="windows-1251")
    assert found == Sniffed(named("windows-1251"), "default", certain=False)
    with pytest.raises(UnknownCharsetError):
        sniff(b"<p>", type="html", final=True, default="nonsense")


@pytest.mark.parametrize("type", ["html", "xml"])
def test_a_label_that_names_nothing_is_an_error(type: str) -> None:
    kind = "html" if type == "html" else "xml"
    with pytest.raises(UnknownCharsetError):
        sniff(b"<p>", type=kind, label="nonsense", final=True)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedCharsetError, match="iconv"):
        sniff(b"<p>", type=kind, label="hz-gb-2312", final=True)  # type: ignore[arg-type]


def test_a_charset_that_no_browser_shows_is_refused() -> None:
    with pytest.raises(UnsupportedCharsetError, match="iso-2022-kr"):
        html(b"<meta charset=iso-2022-kr><meta charset=koi8-r>")
    assert html(b"<meta charset=koi8-r><meta charset=iso-2022-kr>").charset.name == "KOI8-R"
    with pytest.raises(UnsupportedCharsetError, match="HZ-GB-2312"):
        xml(b"<?xml version='1.0' encoding='HZ-GB-2312'?><a/>")


@pytest.mark.conformance
def test_big5_without_extensions_is_recognized() -> None:
    found = html(conformance("html", "encoding", "chardet", "test_big5.txt").read_bytes())
    assert (found.charset.name, found.step) == ("Big5", "detected")


#: Documents of the public test data that are not read as the text they are, and why.
UNREADABLE = {
    "UTF-32BE/plane1-utf-32be.html": "HTML cannot be in UTF-32",
    "UTF-32LE/plane1-utf-32le.html": "HTML cannot be in UTF-32",
}


@pytest.mark.conformance
def test_documents_are_read_as_the_text_they_are() -> None:
    rows = csv.DictReader(
        conformance("documents.tsv").read_text("utf-8").splitlines(), delimiter="\t"
    )
    unreadable = set()
    count = 0
    for row in rows:
        data = conformance("documents", *row["path"].split("/")).read_bytes()
        true = lookup(row["whatwg_encoding"] or row["folder_charset"], xml=True)
        found = (
            html(data) if b"<html" in data[:2000] or row["path"].endswith(".html") else xml(data)
        )
        if found.charset.decode(data) != true.decode(data):
            unreadable.add(row["path"])
        count += 1
    assert unreadable == set(UNREADABLE)
    print(f"{count - len(unreadable)} of {count} documents are read as the text they are")


# --- XML ------------------------------------------------------------------------------------------------

DECLARED = "<?xml version='1.0' encoding='{}' standalone='yes'?><a/>"


@pytest.mark.parametrize(
    ("codec", "declared", "expected"),
    [
        ("ascii", None, ("UTF-8", "default", True, 0)),
        ("ascii", "utf-8", ("UTF-8", "xml-declaration", True, 0)),
        ("ascii", "Shift_JIS", ("Shift_JIS", "xml-declaration", True, 0)),
        ("ascii", "ISO-8859-1", ("windows-1252", "xml-declaration", True, 0)),
        ("ascii", "IBM855", ("IBM855", "xml-declaration", True, 0)),
        ("ascii", "x-user-defined", ("x-user-defined", "xml-declaration", True, 0)),
        ("utf-8-sig", "utf-8", ("UTF-8", "bom", True, 3)),
        ("utf-16-le", None, ("UTF-16LE", "pattern", True, 0)),
        ("utf-16-be", None, ("UTF-16BE", "pattern", True, 0)),
        ("utf-16-le", "utf-16", ("UTF-16LE", "xml-declaration", True, 0)),
        ("utf-16-be", "utf-16", ("UTF-16BE", "xml-declaration", True, 0)),
        ("utf-16-be", "nonsense", ("UTF-16BE", "pattern", True, 0)),
        ("utf-32-le", "utf-32", ("UTF-32LE", "xml-declaration", True, 0)),
        ("utf-32-be", "ISO-10646-UCS-4", ("UTF-32BE", "xml-declaration", True, 0)),
        ("utf-32-be", None, ("UTF-32BE", "pattern", True, 0)),
        ("cp037", None, ("IBM037", "pattern", False, 0)),
        ("cp037", "cp037", ("IBM037", "xml-declaration", True, 0)),
        ("cp500", "ebcdic-cp-be", ("IBM500", "xml-declaration", True, 0)),
        ("cp273", "IBM273", ("IBM273", "xml-declaration", True, 0)),
        ("cp037", "IBM-1047", ("IBM1047", "xml-declaration", True, 0)),
    ],
)
def test_xml_is_sniffed_by_pattern_and_declaration(
    codec: str, declared: str | None, expected: tuple[str, str, bool, int]
) -> None:
    text = DECLARED.format(declared) if declared else "<?xml version='1.0'?><a/>"
    found = xml(text.encode(codec))
    assert answer(found) == expected
    believed = (
        {"xml-declaration", "default"} if declared in (None, "utf-8") else {"xml-declaration"}
    )
    if declared is None or found.step in believed or (declared, found.step) == ("utf-8", "bom"):
        assert disagreements(found) == []
    else:
        assert disagreements(found) == [("xml-declaration", declared)]


CONTRADICTED = [
    ("ascii", "utf-16"),
    ("ascii", "utf-32"),
    ("ascii", "IBM037"),
    ("utf-8-sig", "koi8-r"),
    ("utf-8-sig", "ISO-8859-1"),
    ("utf-8-sig", "utf-16"),
    ("utf-16", "utf-8"),
    ("utf-16-be", "UTF-16LE"),
    ("utf-16-be", "utf-8"),
    ("cp037", "windows-1252"),
]


@pytest.mark.parametrize(("codec", "declared"), CONTRADICTED)
def test_xml_in_another_charset_than_it_declares_is_refused(codec: str, declared: str) -> None:
    data = DECLARED.format(declared).encode(codec)
    with pytest.raises(NotWellFormedError, match=declared) as caught:
        xml(data)
    error = caught.value
    mark = {"utf-8-sig": 3, "utf-16": 2}.get(codec, 0)
    unit = 2 if "16" in codec else 1
    assert (error.offset, error.line, error.column) == (mark + 30 * unit, 1, 31)
    assert "--charset" in error.hint
    # What the transport says goes before the declaration.
    label = {"ascii": "utf-8", "utf-8-sig": "utf-8", "cp037": "cp037"}.get(codec, "utf-16")
    assert disagreements(xml(data, label)) == [("xml-declaration", declared)]


def test_the_place_of_a_declared_charset_is_counted_in_lines() -> None:
    with pytest.raises(UnknownCharsetError) as caught:
        xml(b"<?xml version='1.0'\r\n\rencoding='x-nonsense'?><a/>")
    assert (caught.value.offset, caught.value.line, caught.value.column) == (32, 3, 11)


@pytest.mark.parametrize("name", ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
def test_xml_with_a_byte_order_mark(name: str) -> None:
    mark = named(name).encode("\ufeff")
    for text in ("<a/>", "<?xml version='1.0'?><a/>", DECLARED.format(name)):
        data = mark + named(name).encode(text)
        assert answer(xml(data)) == (name, "bom", True, len(mark))
        assert disagreements(xml(data)) == []
    generic = name[:6] if "16" in name or "32" in name else name
    assert disagreements(xml(mark, generic)) == []
    assert disagreements(xml(mark, "koi8-r")) == [("label", "koi8-r")]


def test_xml_without_declaration() -> None:
    assert answer(xml(b"")) == ("UTF-8", "default", True, 0)
    assert answer(xml(b"<a>\xe9</a>")) == ("UTF-8", "default", True, 0)
    assert answer(xml("<a>日</a>".encode("utf-16-le"))) == ("UTF-16LE", "pattern", True, 0)
    assert answer(xml("\n<a/>".encode("utf-16-be"))) == ("UTF-16BE", "pattern", True, 0)
    assert xml(b"<a/>").declared
    assert not xml("<?xml version='1.0'?><a/>".encode("cp037")).declared


def said(sniffs: Callable[[], Sniffed | None]) -> Sniffed | str | None:
    """What sniffing returns, or its error."""
    try:
        return sniffs()
    except NotWellFormedError as error:
        return str(error)


def test_xml_label_counts_more_than_the_declaration() -> None:
    data = DECLARED.format("koi8-r").encode()
    found = xml(data, "windows-1251")
    assert answer(found) == ("windows-1251", "label", True, 0)
    assert disagreements(found) == [("xml-declaration", "koi8-r")]
    assert xml(DECLARED.format("utf-16").encode("utf-16-be"), "utf-16").charset.name == "UTF-16BE"
    assert xml(b"<a/>", "IBM855").charset.name == "IBM855"
    with pytest.raises(UnknownCharsetError, match="only an XML document"):
        html(b"<a>", "IBM855")


def test_xml_in_an_unknown_charset_is_an_error() -> None:
    with pytest.raises(UnknownCharsetError, match="x-nonsense"):
        xml(DECLARED.format("x-nonsense").encode())
    assert disagreements(xml(DECLARED.format("x-nonsense").encode(), "utf-8")) == [
        ("xml-declaration", "x-nonsense")
    ]


@pytest.mark.parametrize("start", [b"\0\0<\0", b"\0<\0\0"])
def test_unusual_byte_orders_are_refused(start: bytes) -> None:
    with pytest.raises(UnsupportedCharsetError, match="byte order"):
        xml(start + b"\0\0?\0")


@pytest.mark.conformance
def test_the_xml_conformance_suite_is_in_what_it_says() -> None:
    rows = csv.DictReader(
        conformance("encodings.tsv").read_text("utf-8").splitlines(), delimiter="\t"
    )
    count = 0
    for row in rows:
        # What is not well-formed may lie, and an entity begins with a text declaration of its own.
        if row["catalog_type"] not in ("valid", "invalid"):
            continue
        data = conformance("xml", "xmlconf", *row["path"].split("/")).read_bytes()
        found = xml(data)
        assert found.step not in ("default", "pattern"), row
        assert found.disagreements == (), row
        expected = lookup(row["declared"] or row["bom"], xml=True)
        assert found.charset.name[:6] == expected.name[:6], row
        assert (found.bom > 0) == bool(row["bom"]), row
        assert "\ufffd" not in found.charset.decode(data), row
        count += 1
    print(f"{count} documents are in the charset that they declare")


# --- Streams --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", MEASURED)
def test_a_stream_has_the_same_answer_wherever_it_is_cut(case: str) -> None:
    data, label, _, _ = MEASURED[case]
    data += b"x" * PREFIX
    expected = html(data, label)
    answers = [sniff(data[:size], type="html", label=label) for size in range(0, 4096, 7)]
    answers += [sniff(data[:size], type="html", label=label) for size in (PREFIX - 1, PREFIX)]
    assert {found for found in answers if found is not None} == {expected}
    assert answers[-1] is not None
    # Once it is known, it stays known.
    assert [found is None for found in answers] == sorted((found is None for found in answers), reverse=True)  # fmt: skip


@given(
    codec=st.sampled_from(["ascii", "utf-8-sig", "utf-16", "utf-16-be", "utf-32-le", "cp037"]),
    text=st.sampled_from(["<a/>", "<?xml version='1.0'?><a/>", "<?xml version='1.0' encoding='utf-8'?>", DECLARED.format("utf-16"), DECLARED.format("IBM500"), "<?xml"]),
)  # fmt: skip
def test_an_xml_stream_has_the_same_answer_wherever_it_is_cut(codec: str, text: str) -> None:
    data = (text + " " * 100).encode(codec)
    answers = [
        said(lambda size=size: sniff(data[:size], type="xml"))  # type: ignore[misc]
        for size in range(len(data) + 1)
    ]
    answers.append(said(lambda: sniff(data, type="xml", final=True)))
    assert {found for found in answers if found is not None} == {said(lambda: xml(data))}
    assert [found is None for found in answers] == sorted((found is None for found in answers), reverse=True)  # fmt: skip


@pytest.mark.parametrize(
    "piece", [b"<!", b"<", b"</", b"<?", b"<a ", b"<a b='", b"<meta ", b"<meta charset", b"<!--", b"charset="]
)  # fmt: skip
def test_hostile_prefixes_are_fast(piece: bytes) -> None:
    # A pattern that started over at each piece would not end here.
    assert html(piece * (PREFIX // len(piece))).step in ("default", "detected")
    content = b"<meta http-equiv=content-type content='" + piece.replace(b"'", b"") * 8000 + b"'>"
    assert html(content).charset.name == "windows-1252"


def test_chardet_is_loaded_only_when_it_is_asked() -> None:
    script = (
        "import sys, linkfix.charset as c;"
        "c.sniff(b'<meta charset=shift_jis>', type='html', final=True);"
        "c.sniff(b'<p>', type='html', final=True);"
        "c.sniff(b'<a/>', type='xml', final=True);"
        "print([m for m in ('chardet', 'json', 'difflib', 'linkfix.charset.tables.multi_byte',"
        " 'linkfix.charset.tables.single_byte') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
