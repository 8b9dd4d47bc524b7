"""A mixed site behind Apache and nginx, migrated by linkfix: nothing that Chromium reads, follows or sends is another thing."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import apache
import nginx
import pytest

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = [pytest.mark.nightly, pytest.mark.browser]

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def test_a_mixed_site_is_the_same_site(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why := apache.missing() or nginx.missing():
        pytest.skip(why)
    monkeypatch.syspath_prepend(BENCHMARKS)
    import mixed_site

    asked = argparse.Namespace(generated=True, pages=0, tools="linkfix,renamed", broken=True)
    asked.linkinator = asked.linkchecker = None
    result = mixed_site.run(tmp_path, browser, asked)
    assert result.faults == []
    for counts in result.counts.values():
        assert (counts.pages, counts.gone, counts.texts) == (138, 0, 0)
        assert counts.links > 2000
        assert (counts.moved, counts.lost) == (0, 0)
        assert counts.forms > 300
        assert counts.octets == 0
    assert {name: asked > 400 for name, (asked, _) in result.addresses.items()} == {
        "Apache": True,
        "nginx": True,
    }
