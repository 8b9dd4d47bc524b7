"""What a search for a regular expression of a server may cost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli
from linkfix.server.redirects.nginx import nginx_redirects
from linkfix.server.redirects.rules import UNKNOWN, compiled
from linkfix.server.redirects.work import longest_path

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = [
    r"^/(a+)+$", r"(a|a)*b", r"^/(?:a?)*x", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"^(a*)*b", r"(x+x+)+y", r"^((a|b)*c?){9}$",
    "^/" + "a?" * 40 + "a" * 40, "(?:" + "a|" * 3 + "b)*", "(a|ab)*", "(?x)(a #)\n)", "(?#()a", r"(?<x>a+)+\k<x>",
]  # fmt: skip
#: Patterns of real servers, each with the least length of a path that it has to be searched in.
REAL = {
    r"^/old/(.*)$": 10_000, r"(.*)\.asp$": 2000, r"^([0-9]+)/([a-z-]+)/([^/]+)/?$": 2000, r"^(?!index)(.+)\.php$": 10_000,
    r"^/~(\w+)/?(.*)$": 2000, r"(?:jpg|png|gif)$": 10_000, r"\.(html?|php[345]?)$": 10_000, r"^(\d{4})/(\d{2})/(.*)": 10_000,
    r"^(.*)/(.*)/(.*)$": 200, r"^/[^/]+/[^/]+/[^/]+/z$": 10_000, r"^/(?:[a-z]+/)*x": 2000, "(?i)^/Docs(/.*)?$": 10_000,
    r"^(.+)\1$": 2000, "": 10_000, r"[[:alpha:]]+/": 2000,
    r"^/manual(?:/(da|de|en|pt-br|zh-cn)){2,}(/.*)?$": 1000, "(" + "|".join(map(str, range(100, 999))) + ")": 10_000,
}  # fmt: skip


@pytest.mark.parametrize("pattern", ENDLESS)
def test_an_expression_without_a_bound_is_refused(pattern: str) -> None:
    with pytest.raises(re.error):
        compiled(pattern)


@pytest.mark.parametrize("pattern", REAL)
def test_expressions_of_real_servers_are_searched(pattern: str) -> None:
    assert longest_path(compiled(pattern).pattern) >= REAL[pattern]


def test_a_pattern_that_may_begin_anywhere_is_searched_in_shorter_paths() -> None:
    anchored = longest_path("^a*[^/]!")
    for pattern in ("a*[^/]!", "^b|a*[^/]!"):
        assert longest_path(pattern) < anchored // 10


def test_longer_paths_are_not_known() -> None:
    rules = nginx_redirects("server { location ~ ^/(.*)/(.*)/(.*)x$ { return 301 /y; } }")
    short = rules.find("http://h.example/a/b/cx")
    long = rules.find(f"http://h.example/a/b/{'c' * 500}x")
    assert short is not None
    assert short.target == "http://h.example/y"
    assert long is not None
    assert (long.status, long.is_certain) == (UNKNOWN, False)


def test_a_found_file_does_not_stop_the_audit(tmp_path: Path) -> None:
    (tmp_path / ".htaccess").write_text("RedirectMatch 301 ^/(a+)+$ /x\n")
    (tmp_path / "p.html").write_text(f'<meta charset=utf-8><a href="/{"a" * 60}!">')
    done = CliRunner().invoke(cli, ["audit", str(tmp_path)])
    assert "a repetition of choices may cost any time" in done.stderr
    assert "TGT001" in done.stdout
