"""Each SQLite database is closed with what uses it: Python 3.13 and later warn of one that is not."""

from __future__ import annotations

import gc
import sqlite3
from io import BytesIO
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from archives import PAGE, Archive

from linkfix.auditing import site
from linkfix.auditing.site import Table
from linkfix.errors import LinkfixError
from linkfix.files.cache import Cache
from linkfix.files.store import StoredTexts
from linkfix.sites.audit_job import AuditSettings
from linkfix.sites.auditing import audit_site
from linkfix.sites.batch import Workers
from linkfix.sites.events import Done
from linkfix.warc import rewrite_warc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Connections = list[sqlite3.Connection]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connections]:
    """The connections that a test opens. At its end they are closed."""
    connections: Connections = []
    connect = sqlite3.connect

    def record(*arguments: Any, **settings: Any) -> sqlite3.Connection:
        connections.append(connect(*arguments, **settings))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", record)
    yield connections
    assert connections
    gc.collect()
    for each in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            each.execute("SELECT 1")


def test_a_table_that_has_moved_to_a_disk(opened: Connections) -> None:
    with patch.object(site, "MOST", 0):
        table = Table(StoredTexts)
        table.add({"a": "b"})
        assert table.find(["a"]) == {"a": "b"}
        assert len(opened) == 1
        del table


@pytest.mark.parametrize("content", [b"not a database", "CREATE TABLE other (a)"])
@pytest.mark.usefixtures("opened")
def test_a_file_that_is_no_cache(tmp_path: Path, content: bytes | str) -> None:
    path = tmp_path / "cache"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        database = sqlite3.connect(path)
        database.execute(content)
        database.close()
    with pytest.raises(LinkfixError, match="no cache"):
        Cache(str(path))


@pytest.mark.system
@pytest.mark.parametrize("whole", [True, False], ids=["to its end", "given up"])
@pytest.mark.usefixtures("opened")
def test_an_audit_with_a_cache(tmp_path: Path, whole: bool) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("a.html", "b.html"):
        (site / name).write_text("<a href='c%zz'>")
    for _ in range(2):
        settings = AuditSettings(cache=Cache(str(tmp_path / "cache")), workers=Workers(jobs=1))
        events = audit_site([site], settings)
        done = (event for event in events if isinstance(event, Done))
        assert next(done, None) is not None
        if whole:
            assert [*done]
        events.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "cut off"])
@pytest.mark.usefixtures("opened")
def test_an_archive(whole: bool) -> None:
    archive = Archive(compressed=False)
    archive.add("http://a.example/", PAGE, "text/html")
    data = archive.data if whole else archive.data[:-9]
    rewrite_warc(BytesIO(data), BytesIO(), on_error=lambda _: None)
