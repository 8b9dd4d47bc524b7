"""An independent crawler finds the same missing files and fragments as the audit (``tools/differential/crawl.py``)."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import target_generator


def _tool() -> Any:
    path = Path(__file__).parents[2] / "tools" / "differential" / "crawl.py"
    spec = importlib.util.spec_from_file_location("crawl", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["crawl"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


crawl = _tool()


def test_a_crawler_finds_the_same_faults(tmp_path: Path) -> None:
    site = target_generator.generate(60)
    site.write(tmp_path / "site", tmp_path / "elsewhere")
    result = crawl.compare(tmp_path / "site")
    assert (result.crawler, result.audit) == (set(), set())
    assert result.pages > 60
    assert len(result.both) > 200
    kinds = {kind for _, _, kind in result.both}
    assert kinds == {crawl.MISSING, crawl.FRAGMENT}


def test_the_crawler_shows_what_an_audit_lacks(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<meta charset=utf-8><a href=no.html>x</a><!-- linkfix: ignore --><a href=nope.html>x</a>"
    )
    result = crawl.compare(tmp_path)
    assert result.both == {("a.html", "no.html", crawl.MISSING)}
    assert result.crawler == {("a.html", "nope.html", crawl.MISSING)}
    (tmp_path / "nope.html").symlink_to("nothing")
    result = crawl.compare(tmp_path)
    assert (result.crawler, result.behind) == (set(), {("a.html", "nope.html", crawl.MISSING)})
