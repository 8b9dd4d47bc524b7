"""A script has another hash than its page names, for the audit, exactly where Chromium does not run it."""

from __future__ import annotations

import hashlib
import json
import threading
from base64 import b64encode
from functools import partial
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING

from click.testing import CliRunner

from linkfix.cli.group import cli

from .test_messages import Quiet

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

BODY = b"(window.ran ??= []).push(document.currentScript.getAttribute('src'));"


def named(algorithm: str, body: bytes = BODY) -> str:
    """The hash of a body, as a page names it."""
    return f"{algorithm}-{b64encode(hashlib.new(algorithm, body).digest()).decode()}"


RIGHT, WRONG = (
    {each: named(each, body) for each in ("sha256", "sha384", "sha512")} for body in (BODY, b"x")
)
VALUES = [
    *RIGHT.values(), *WRONG.values(), f"{WRONG['sha256']} {RIGHT['sha256']}", f"{RIGHT['sha256']} {WRONG['sha512']}",
    f"{WRONG['sha256']}\n{RIGHT['sha384']}", *(each.replace("sha", "SHA") for each in WRONG.values()), WRONG["sha256"].replace("sha", "sha-"),
    "", "md5-abcd", "sha256", "sha256-", "sha256-!!!!", "sha256-abcd", RIGHT["sha256"].rstrip("="), WRONG["sha256"].rstrip("="),
    RIGHT["sha512"].replace("+", "-").replace("/", "_"), f"{WRONG['sha256']}?a=b", f"{RIGHT['sha256']}?a=b",
    f"sha512-!!! {WRONG['sha256']}", f"sha512-abcd {RIGHT['sha256']}", f"{WRONG['sha256']},{RIGHT['sha256']}", f"\xa0{WRONG['sha256']}",
    RIGHT["sha384"].replace("/", "&#47;").replace("=", "&#x3d;"), WRONG["sha384"].replace("-", "&#45;", 1),
    f"sha256-{hashlib.sha256(BODY).hexdigest()}",
]  # fmt: skip


def test_the_audit_reports_the_scripts_that_chromium_refuses(
    browser: Browser, tmp_path: Path
) -> None:
    sources = [f"a.js?{number}" for number in range(len(VALUES))]
    (tmp_path / "a.js").write_bytes(BODY)
    tags = map('<script src="{}" integrity="{}"></script>'.format, sources, VALUES)
    (tmp_path / "page.html").write_text("<!doctype html><meta charset=utf-8>" + "".join(tags))
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = f"http://127.0.0.1:{server.server_port}/page.html"
        ran = browser.run(page, "arguments[0](window.ran)")
        server.shutdown()
    done = CliRunner().invoke(
        cli, ["audit", "--select", "TGT015", "--format", "jsonl", "-q", str(tmp_path)]
    )
    refused = [json.loads(line)["value"] for line in done.stdout.splitlines()]
    assert refused == [each for each in sources if each not in ran]
    assert 10 < len(refused) < len(sources) - 10
