"""Links in the HTTP headers of WARC records: extracted, audited, and rewritten in sound archives."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest
from archives import PAGE, PAGE_AS_URI, SHIFT_JIS, Archive, chunked, read, sound

from linkfix.warc import documents, rewrite_warc

URI = "https://a.example/dir/page"
LINK = '</a b>; rel="x, <no>"; title="\\"", <http://b.example/%zz>;rel=next , <c>'
FIELDS = (
    ("Location", "/neu seite?q=a|b"),
    ("Content-Location", "same"),
    ("Link", LINK),
    ("Refresh", "5; URL='/x y'"),
    ("X-Other", "/a b"),
)
NEW = {
    "Location": "/neu%20seite?q=a%7Cb",
    "Content-Location": "same",
    "Link": LINK.replace("/a b", "/a%20b").replace("%zz", "%25zz"),
    "Refresh": "5; URL='/x%20y'",
    "X-Other": "/a b",
}


def archive(*, compressed: bool = True) -> Archive:
    made = Archive(compressed=compressed)
    made.add(URI, b"", "text/html", status="302 Found", http=FIELDS)
    made.add(f"{URI}.png", b"\x89PNG\r\n\x1a\n\0\xff" * 50, "image/png", http=FIELDS)
    made.add(f"{URI}/sjis", PAGE, SHIFT_JIS, http=FIELDS)
    made.add(f"{URI}/same", b"<a href=/same>", http=FIELDS)
    made.add(f"{URI}/none", PAGE, SHIFT_JIS)
    made.add(f"{URI}/ok", b"x", "image/png", http=(("Location", "/ok"),))
    return made


def rewritten(data: bytes, **settings: str) -> bytes:
    sink = BytesIO()
    rewrite_warc(BytesIO(data), sink, **settings)  # type: ignore[arg-type]
    return sink.getvalue()


@pytest.mark.parametrize("compressed", [True, False])
def test_fields_are_rewritten_and_archives_are_sound(*, compressed: bool) -> None:
    before = archive(compressed=compressed)
    sink = BytesIO()
    report = rewrite_warc(BytesIO(before.data), sink)
    assert (report.records, report.documents, report.rewritten, report.headers) == (6, 4, 2, 4)
    assert (report.links, report.changed, report.failed) == (30, 18, 0)
    after = sound(sink.getvalue())
    for old, now in zip(sound(before.data)[:4], after, strict=False):
        assert {name: now.http[name] for name in NEW} == NEW
        expected = PAGE_AS_URI if old.uri == f"{URI}/sjis" else old.content
        assert now.content == expected
    assert before.pieces()[5] in sink.getvalue()
    assert rewritten(sink.getvalue()) == sink.getvalue()


def test_a_body_whose_links_stay_keeps_its_octets() -> None:
    made = Archive()
    body = chunked(b"<a href=/same>" * 30)
    made.add(URI, body, http=(("Transfer-Encoding", "chunked"), ("Location", "/a b")))
    new = rewritten(made.data)
    [old], [now] = read(made.data), read(new)
    assert b"\r\n\r\n" + body in gzip.decompress(new)
    assert now.fields["WARC-Payload-Digest"] == old.fields["WARC-Payload-Digest"]


def test_headers_contain_uris_with_every_option() -> None:
    made = Archive()
    made.add(
        URI, b"<a href=/%C3%A9>", "text/html; charset=utf-8", http=(("Location", "/%C3%A9 b"),)
    )
    [record] = read(rewritten(made.data, to="iri"))
    assert record.http["Location"] == "/%C3%A9%20b"
    assert "/é".encode() in record.content


@pytest.mark.parametrize(
    ("field", "new"),
    [
        ("Location: /é", "Location: /%C3%A9"),
        ("Location: http://bücher.example/", "Location: http://xn--bcher-kva.example/"),
        ("lOCATION :\t/a b \t", "lOCATION :\t/a%20b \t"),
        ("Link: </é>", "Link: </é>"),
        ("Refresh: 0;url=/é b", "Refresh: 0;url=/é b"),
        ("Link: </a\r\n b>,\r\n </c d>", "Link: </a\r\n b>,\r\n </c%20d>"),
        ("Link: rel=x, </a b>", "Link: rel=x, </a b>"),
        ("Location: /a b\nLocation: /c d", "Location: /a%20b\nLocation: /c%20d"),
    ],
)
def test_octets_of_fields(field: str, new: str) -> None:
    head = f"HTTP/1.1 302 Found\r\nContent-Type: x/y\r\n{field}\r\n\r\n".encode()
    record = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
    expected = head.replace(field.encode(), new.encode())
    assert rewritten(record % (len(head), head)) == record % (len(expected), expected)


def test_octets_that_are_not_utf_8_stay() -> None:
    head = b"HTTP/1.1 302 Found\r\nLocation: /\xe9 b\r\n\r\n"
    record = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
    assert rewritten(record % (len(head), head)) == record % (len(head), head)


def test_headers_are_documents() -> None:
    found = [(part.name, part.type, part.base) for part in documents(BytesIO(archive().data), "a")]
    assert found[0] == (f"a@0:header#{URI}", "http", URI)
    assert [type for _, type, _ in found].count("http") == 5
