"""Documents in record batches have the same results as documents in files; a failure is a row."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import linkfix
from linkfix.auditing import select
from linkfix.errors import LinkfixError, NoDocumentError

pa = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
import linkfix.arrow as arrow  # noqa: E402 - needs pyarrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAMPLES = sorted(
    path for path in (Path(__file__).parents[2] / "samples").rglob("*") if path.is_file()
)
HTML = "text/html; charset=shift_jis"
#: A row for each way in which a document can be given, or cannot be processed.
ROWS: list[dict[str, Any]] = [
    {
        "content": "<a href='/検索?q=空'>".encode("cp932"),
        "url": "http://a.example/b/",
        "type": HTML,
    },
    {
        "content": "<a href='é'>".encode(),
        "url": "http://a.example/",
        "charset": "utf-8",
        "type": HTML,
    },
    {"content": b"<a href='x y'>"},
    {
        "content": b"<r xmlns:l='http://www.w3.org/1999/xlink'><a l:href='a b'/></x>",
        "type": "text/xml",
    },
    {"content": b"\x89PNG\r\n\x1a\n", "type": "image/png"},
    {"content": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"},
    {"content": b""},
    {"content": None, "url": "http://a.example/none"},
    {"content": b"<a href=x>", "charset": "iso-2022-kr", "url": "http://a.example/"},
    {"content": b"a { background: url(a\\ b.png) }", "type": "text/css"},
    {"content": b"<meta charset=utf-8><a href='&#xd800;'>", "type": "text/html"},
]


def batch(rows: list[dict[str, Any]], kind: Any = None) -> Any:
    names = ("content", "url", "type", "charset", "key")
    columns = {name: [row.get(name) for row in rows] for name in names}
    columns["key"] = [*range(100, 100 + len(rows))]
    types = {"content": kind or pa.binary(), "key": pa.int32()}
    return pa.record_batch(
        [pa.array(columns[name], types.get(name, pa.string())) for name in names], names=names
    )


def samples() -> list[dict[str, Any]]:
    return [
        {"content": path.read_bytes(), "url": f"http://a.example/{path.name}"} for path in SAMPLES
    ]


def rows_of(batches: Iterator[Any]) -> list[dict[str, Any]]:
    return [row for each in batches for row in each.to_pylist()]


def test_links_are_those_of_the_library() -> None:
    rows = samples()
    found = rows_of(arrow.extract([batch(rows[:3]), batch(rows[3:])]))
    for number, row in enumerate(rows):
        expected: list[Any] = []
        try:
            for link in linkfix.extract(row["content"], base=row["url"]):
                value = link.value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
                expected.append(
                    (
                        row["url"],
                        link.line,
                        link.column,
                        link.start,
                        link.end,
                        value,
                        link.resolved,
                        None,
                    )
                )
        except NoDocumentError:
            pass
        except LinkfixError as error:
            expected.append((row["url"], *[None] * 6, str(error)))
        names = ("url", "line", "column", "start", "end", "value", "resolved", "error")
        assert [tuple(x[name] for name in names) for x in found if x["document"] == number] == expected  # fmt: skip
    assert len({row["document"] for row in found}) > 10


def test_findings_are_those_of_the_library() -> None:
    rules = [rule for rule in select() if rule.compare is None]
    rows = samples()
    found = rows_of(arrow.audit([batch(rows)]))
    for number, row in enumerate(rows):
        expected: list[Any] = []
        try:
            expected += [
                (each.code, each.line, each.start, str(each.severity), each.suggestion)
                for each in linkfix.audit(row["content"], base=row["url"], rules=rules)
            ]
        except NoDocumentError:
            pass
        except LinkfixError:
            expected.append((None, None, None, None, None))
        names = ("rule", "line", "start", "severity", "suggestion")
        assert [tuple(x[name] for name in names) for x in found if x["document"] == number] == expected  # fmt: skip


@pytest.mark.parametrize("name", ["rewrite", "transcode"])
def test_new_documents_are_those_of_the_library(name: str) -> None:
    rows = samples()
    found = rows_of(getattr(arrow, name)([batch(rows)], to="uri", keep=["key"]))
    assert [row["key"] for row in found] == [*range(100, 100 + len(rows))]
    changed = 0
    for row, new in zip(rows, found, strict=True):
        sink = io.BytesIO()
        try:
            report = getattr(linkfix, name)(row["content"], sink, to="uri", base=row["url"])
        except NoDocumentError:
            expected: tuple[Any, ...] = (row["content"], 0, 0, None)
        except LinkfixError as error:
            expected = (row["content"], 0, 0, str(error))
        else:
            expected = (sink.getvalue(), report.links, report.changed, None)
        values = (new["content"], new["links"] or 0, new["changed"] or 0, new["error"])
        assert values == expected
        changed += values[2]
    assert changed > 10


KINDS = ["binary", "large_binary", "binary_view"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_way_to_give_a_document(kind: str) -> None:
    source = batch(ROWS, getattr(pa, kind)())
    new = rows_of(arrow.rewrite([source], keep=["key"]))
    assert [row["document"] for row in new] == [*range(len(ROWS))]
    assert new[0]["content"] == b"<a href='/%E6%A4%9C%E7%B4%A2?q=%8B%F3'>"
    assert new[1]["content"] == b"<a href='%C3%A9'>"
    assert new[2]["content"] == b"<a href='x%20y'>"
    for number in (3, 8):
        assert new[number]["content"] == ROWS[number]["content"]
        assert new[number]["error"]
    for number in (4, 5, 6):
        assert (new[number]["content"], new[number]["error"]) == (ROWS[number]["content"], None)
    assert new[7]["content"] is None
    assert new[9]["content"] == b"a { background: url(a%20b.png) }"
    links = rows_of(arrow.extract([source], keep=["key"]))
    assert [(row["key"], row["resolved"]) for row in links if row["document"] == 0] == [
        (100, "http://a.example/%E6%A4%9C%E7%B4%A2?q=%8B%F3")
    ]
    assert [row["error"] is None for row in links if row["document"] == 3] == [True, True, False]
    assert [row["value"] for row in links if row["document"] == 10] == ["\ufffd"]
    assert {row["document"] for row in links if row["error"]} == {3, 8}


def test_batches_are_of_a_bounded_size_and_lose_nothing() -> None:
    many = [{"content": f"<a href='{number} x'>".encode() * 50} for number in range(600)]
    batches = [*arrow.extract([batch(many[:1]), batch(many[1:])])]
    assert [len(each) for each in batches] == [8192, 8192, 8192, 600 * 50 - 3 * 8192]
    assert [row["document"] for row in rows_of(iter(batches))] == [n for n in range(600) for _ in range(50)]  # fmt: skip
    large = [{"content": b"<p>" + b"x" * 7_000_000 + b"<a href='a b'>"} for _ in range(5)]
    batches = [*arrow.rewrite([batch(large)])]
    assert [len(each) for each in batches] == [3, 2]
    assert all(row["content"].endswith(b"<a href='a%20b'>") for row in rows_of(iter(batches)))
    for each in batches:
        each.validate(full=True)


def test_an_exception_that_nobody_expects_costs_one_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = linkfix.Rewriter.whole

    def failing(self: linkfix.Rewriter, document: bytes) -> bytes:
        if b"bad" in document:
            raise ZeroDivisionError("a fault")
        return whole(self, document)

    monkeypatch.setattr(linkfix.Rewriter, "whole", failing)
    rows = [
        {"content": b"<a href='x y'>"},
        {"content": b"<a href='bad one'>"},
        {"content": b"<a href='z z'>"},
    ]
    new = rows_of(arrow.rewrite([batch(rows)]))
    assert [row["content"] for row in new] == [b"<a href='x%20y'>", b"<a href='bad one'>", b"<a href='z%20z'>"]  # fmt: skip
    assert "failing failed: ZeroDivisionError: a fault" in new[1]["error"]


class _Lazy:
    """A frame as the LazyFrame of polars: it has items, and is not iterable."""

    def __getitem__(self, item: object) -> object:
        raise TypeError("not subscriptable")


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: arrow.extract([batch(ROWS)], columns=arrow.Columns(content="body")), linkfix.ArgumentError, "no column 'body'"),
        (lambda: arrow.extract([batch(ROWS)], columns=arrow.Columns(content="url")), linkfix.ArgumentError, "of type string"),
        (lambda: arrow.audit([batch(ROWS)], keep=["nothing"]), linkfix.ArgumentError, "no column 'nothing'"),
        (lambda: arrow.rewrite([batch(ROWS)], keep=["content"]), linkfix.ArgumentError, "a column 'content' of its own"),
        (lambda: arrow.extract(pa.Table.from_batches([batch(ROWS)])), linkfix.ArgumentError, "no iterable of record batches \\(pyarrow.Table\\); write table.to_batches"),
        (lambda: arrow.audit(batch(ROWS)), linkfix.ArgumentError, "no iterable of record batches"),
        (lambda: arrow.extract(ROWS), linkfix.ArgumentError, "no iterable of record batches"),
        (lambda: arrow.extract([batch(ROWS)], policy="uri"), linkfix.ArgumentError, "policy='uri' is no Policy"),  # type: ignore[arg-type]
        (lambda: arrow.audit([batch(ROWS)], rules=["DEL"]), linkfix.ArgumentError, "rules has 'DEL', which is no Rule"),  # type: ignore[list-item]
        (lambda: arrow.rewrite([batch(ROWS)], to="url"), linkfix.ArgumentError, "to='url' is none of"),  # type: ignore[arg-type]
        (lambda: arrow.extract([batch(ROWS)], keep="url"), linkfix.ArgumentError, "is no list of names"),
        (lambda: arrow.extract([batch(ROWS)], columns="content"), linkfix.ArgumentError, "is no Columns"),  # type: ignore[arg-type]
        (lambda: arrow.audit([pa.record_batch({"content": [b""], "url": [b"http://e.example/"]})]), linkfix.ArgumentError, "'url' is of type binary, and no text"),
        (lambda: arrow.audit([pa.record_batch({"content": [b""], "type": [3]})]), linkfix.ArgumentError, "'type' is of type int64, and no text"),
        (lambda: arrow.extract(None), linkfix.ArgumentError, "no iterable of record batches \\(builtins.NoneType\\)"),  # type: ignore[arg-type]
        (lambda: arrow.extract([batch(ROWS), 5]), linkfix.ArgumentError, "no iterable of record batches \\(builtins.int\\)"),
        (lambda: arrow.extract(_Lazy()), linkfix.ArgumentError, "no iterable of record batches"),  # type: ignore[arg-type]
        (lambda: arrow.extract([], keep=None), linkfix.ArgumentError, "keep=None is no list"),  # type: ignore[arg-type]
        (lambda: arrow.audit([], columns=None), linkfix.ArgumentError, "columns=None is no Columns"),  # type: ignore[arg-type]
        (lambda: arrow.extract([batch(ROWS)], counts=5), linkfix.ArgumentError, "counts=5 is no Counter"),  # type: ignore[arg-type]
        (lambda: arrow.transcode([], accept_losses="no"), linkfix.ArgumentError, "accept_losses='no' is no bool"),  # type: ignore[arg-type]
        (lambda: arrow.read_warc("a.warc"), linkfix.ArgumentError, "source='a.warc' is no binary file"),  # type: ignore[arg-type]
        (lambda: arrow.transcode([batch(ROWS)], to="url"), linkfix.ArgumentError, "to='url' is none of"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_wrong_arguments_are_an_error(
    call: Callable[[], Iterator[Any]], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        [*call()]


def test_each_link_has_the_content_of_its_document_where_it_is_kept() -> None:
    page = b"<a href='x'><a href='y'>"
    for function in (arrow.extract, arrow.audit):
        rows = rows_of(function([batch([{"content": page}])], keep=(name for name in ["content"])))  # type: ignore[arg-type]
        assert {row["content"] for row in rows} <= {page}
    assert [row["content"] for row in rows_of(arrow.extract([batch([{"content": page}])], keep=["content"]))] == [page] * 2  # fmt: skip


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())])  # fmt: skip
def test_columns_of_text_are_of_any_kind(kind: Any) -> None:
    columns = {"content": [b"<a href='x'>"], "url": pa.array(["http://e.example/"], kind), "type": pa.nulls(1)}  # fmt: skip
    (row,) = rows_of(arrow.extract([pa.record_batch(columns)]))
    assert row["resolved"] == "http://e.example/x"


def test_no_batches_have_no_results() -> None:
    for function in (arrow.extract, arrow.audit, arrow.rewrite, arrow.transcode):
        assert [*function([])] == []
        empty = [*function([batch([])])]
        assert empty == []


def test_duckdb() -> None:
    """The example of docs/arrow.md."""
    duckdb = pytest.importorskip("duckdb")
    pages = pa.Table.from_batches([batch(ROWS)])
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT content, url, type FROM pages WHERE content IS NOT NULL")
        reader = relation.to_arrow_reader(1000)
        links = pa.Table.from_batches(arrow.extract(reader), arrow.LINKS)
        hosts = connection.sql(
            "SELECT count(*) FROM links WHERE resolved LIKE 'http://a.example/%'"
        )
        assert hosts.fetchall() == [(3,)]
    assert len(pages) == len(ROWS)
    assert links.schema == arrow.LINKS


def test_polars() -> None:
    """The example of docs/arrow.md."""
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"id": [7, 8], "content": [b"<a href='x y'>", b"<a href='z'>"]})
    batches = frame.to_arrow().to_batches()
    new = polars.from_arrow(pa.Table.from_batches(arrow.rewrite(batches, keep=["id"])))
    assert new.select("id", "content", "changed").rows() == [(7, b"<a href='x%20y'>", 1), (8, b"<a href='z'>", 0)]  # fmt: skip


def test_a_document_that_ends_early_is_read_as_far_as_it_goes() -> None:
    page = b"<meta charset=utf-8><a href='x y'>" + b" " * 2000 + b"<a href=z"
    source = pa.record_batch(
        {"content": [page, b""], "error": ["it ends early", "nothing is left"]}
    )
    counts: Counter[str] = Counter()
    rows = rows_of(arrow.extract([source], counts=counts))
    assert [(row["value"], row["error"]) for row in rows] == [
        ("x y", None),
        (None, "it ends early"),
        (None, "nothing is left"),
    ]
    assert counts == {"links": 1, "failed": 2}
    rows = rows_of(arrow.audit([source]))
    assert [row["error"] for row in rows if row["error"]] == ["it ends early", "nothing is left"]
    rows = rows_of(arrow.rewrite([source]))
    assert [(row["content"], row["error"]) for row in rows] == [(page, "it ends early"), (b"", "nothing is left")]  # fmt: skip


def test_documents_of_a_warc_file() -> None:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=big5\r\nLocation: /a\r\n\r\n"
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"  # fmt: skip
    body = b"<a href='x y'>" * 10
    whole = head % (len(http) + len(body)) + http + body + b"\r\n\r\n"
    found = rows_of(arrow.read_warc(io.BytesIO(whole * 2 + whole[:-40]), "a.warc", largest=200))
    assert [row["file"] for row in found[:2]] == ["a.warc@0:header#http://a.example/", "a.warc@0#http://a.example/"]  # fmt: skip
    assert [row["type"] for row in found[:2]] == ["message/http", "text/html; charset=big5"]
    assert [row["offset"] for row in found[::2]] == [0, len(whole), 2 * len(whole)]
    assert found[3] == found[1] | {"file": found[3]["file"], "offset": len(whole)}
    assert found[5]["error"].startswith("the record ends 36 bytes early")
    assert found[5]["content"] == body[:-36]
    small = rows_of(arrow.read_warc(io.BytesIO(whole), "a.warc", largest=100))
    assert (small[1]["content"], small[1]["error"]) == (
        b"",
        "the document has more than 100 bytes; raise `largest`, as far as memory goes",
    )
    assert [r["error"] for r in rows_of(arrow.extract([pa.RecordBatch.from_pylist(small, schema=arrow.DOCUMENTS)]))] == [None, small[1]["error"]]  # fmt: skip
