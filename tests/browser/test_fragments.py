"""A fragment is missing for the audit exactly where it has no target in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nginx
import pytest

from linkfix.charset import lookup
from linkfix.policy import Policy
from linkfix.site.addresses import SiteAddress
from linkfix.site.listing import survey
from linkfix.site.server import Server
from linkfix.site.targets import TargetFiles

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

PAGE = (
    '<!doctype html><meta charset="utf-8"><p id="there"><a name="name">x</a><p id="caf\u00e9"><p id="a b"><p id="%41"><p name="p">'
    '<svg><g id="in-svg"/></svg><template><p id="inert"></template><!-- <p id="comment"> --><p id=UPPER><p id="1&amp;2">'
)
FRAGMENTS = (
    "there", "name", "caf%C3%A9", "caf\u00e9", "a%20b", "%41", "%2541", "A", "p", "in-svg", "comment", "UPPER", "upper", "1&2", "1%262",
    "nope", "There", "there%20",
)  # fmt: skip
SCRIPT = "arguments[arguments.length - 1](document.querySelector(':target') !== null)"
#: The top of the document, which is no element.
TOP = ("", "top", "TOP", ":~:text=x")


@pytest.mark.skipif(bool(nginx.missing()), reason=nginx.missing() or "nginx is there")
def test_a_fragment_is_there_where_chromium_has_a_target(browser: Browser, tmp_path: Path) -> None:
    root = tmp_path / "site"
    root.mkdir()
    (root / "p.html").write_text(PAGE, encoding="utf-8")
    site = SiteAddress("http://h.example/")
    files = TargetFiles(Server(survey(str(root)), site), Policy())
    with nginx.serving(root, tmp_path / "state") as origin:
        for fragment in FRAGMENTS:
            is_missing = files.problem(f"http://h.example/p.html#{fragment}", lookup("utf-8"))
            target = browser.run(f"{origin}/p.html#{fragment}", SCRIPT)
            assert target == (is_missing is None), fragment
    for fragment in TOP:
        assert files.problem(f"http://h.example/p.html#{fragment}", lookup("utf-8")) is None
