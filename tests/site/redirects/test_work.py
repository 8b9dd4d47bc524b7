"""What a search for a regular expression of a server may cost."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from effort import growth
from serverfiles import read_redirects

from linkfix.cli.group import cli
from linkfix.errors import UnreadableError
from linkfix.server.redirects.nginx import nginx_directives
from linkfix.server.redirects.rules import MOST_EXPRESSIONS, MOST_STEPS, UNKNOWN, compiled, work_of

if TYPE_CHECKING:
    from pathlib import Path

SITE = "http://h.example/"
ENDLESS = [
    r"^/(a+)+$", r"(a|a)*b", r"^/(?:a?)*x", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"^(a*)*b", r"(x+x+)+y", r"^((a|b)*c?){9}$",
    "^/" + "a?" * 40 + "a" * 40, "(?:" + "ac|" * 3 + "b)*", "(a|ab)*", r"(?<x>a+)+\k<x>",
    "^(?:[^A]*a)+$", "^(?:ab|AB)*$", r"^(?:\W*é)*$", r"^(?s:.*\n)*x", "^(?:ſ*s)*$", "(?i)(?-i:[^A]*a)*$", "^(?:sa|ſa)*$",
    "(" * 3000 + "a" + ")" * 3000, "a{99999999999}", "(?=(?!b){70000}){70000}", "(?:a?(?=c){4000}){4000}",
]  # fmt: skip
#: Patterns of real servers, each with the least length of a path that it has to be searched in.
REAL = {
    r"^/old/(.*)$": 10_000, r"(.*)\.asp$": 2000, r"^([0-9]+)/([a-z-]+)/([^/]+)/?$": 2000, r"^(?!index)(.+)\.php$": 10_000,
    r"^/~(\w+)/?(.*)$": 2000, r"(?:jpg|png|gif)$": 10_000, r"\.(html?|php[345]?)$": 10_000, r"^(\d{4})/(\d{2})/(.*)": 10_000,
    r"^(.*)/(.*)/(.*)$": 200, r"^/[^/]+/[^/]+/[^/]+/z$": 10_000, r"^/(?:[a-z]+/)*x": 2000, "(?i)^/Docs(/.*)?$": 10_000,
    r"^(.+)\1$": 2000, "": 10_000, r"[[:alpha:]]+/": 2000, "(?x)(a #)\n)": 10_000, "(?#()a": 10_000, "(?:" + "a|" * 3 + "b)*": 2000,
    r"^(a)(?(1)b|c+d)$": 10_000, "^(?>a+)b(?=c)": 10_000, "(?:)*a": 2000,
    r"^/manual(?:/(da|de|en|pt-br|zh-cn)){2,}(/.*)?$": 1000, "(" + "|".join(map(str, range(100, 999))) + ")": 10_000,
}  # fmt: skip


@pytest.mark.parametrize("pattern", ENDLESS)
def test_an_expression_without_a_bound_is_refused(pattern: str) -> None:
    with pytest.raises(re.error):
        compiled(pattern)


def test_flags_that_python_refuses_together_are_an_error_of_the_expression() -> None:
    with pytest.raises(re.error, match="flag"):
        compiled("(?u)a", re.IGNORECASE | re.ASCII)


@pytest.mark.parametrize("pattern", REAL)
def test_expressions_of_real_servers_are_searched(pattern: str) -> None:
    assert longest(compiled(pattern).pattern) >= REAL[pattern]


def longest(pattern: str) -> int:
    """Return the greatest length of a path in which one expression is searched."""
    return bisect_right(range(100_000), MOST_STEPS, key=work_of(pattern).steps) - 1


def test_a_pattern_that_may_begin_anywhere_is_searched_in_shorter_paths() -> None:
    anchored = longest("^a*[^/]!")
    for pattern in ("a*[^/]!", "^b|a*[^/]!"):
        assert longest(pattern) < anchored // 10


def test_longer_paths_are_not_known() -> None:
    rules, _ = nginx_directives(
        "server { location ~ ^/(.*)/(.*)/(.*)x$ { return 301 /y; } }", "nginx.conf"
    )
    short = rules("http://h.example/a/b/cx")
    long = rules(f"http://h.example/a/b/{'c' * 500}x")
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


def test_many_expressions_share_the_steps_of_a_path() -> None:
    """Each of them alone would be searched; after so many of them nothing is known."""
    text = "".join(f"RedirectMatch ^/(.*)/(.*)/(.*){number}$ /y\n" for number in range(100))
    rules = read_redirects(text.encode(), ".htaccess", SITE)
    short = rules("http://h.example/a/b/c0")
    assert short is not None
    assert short.target == "http://h.example/y"
    assert rules("http://h.example/a/b/c") is None
    unknown = rules(f"http://h.example/a/b/{'c' * 150}")
    assert unknown is not None
    assert (unknown.status, unknown.is_certain) == (UNKNOWN, False)
    first = rules(f"http://h.example/a/b/{'c' * 150}0")
    assert first is not None
    assert first.target == "http://h.example/y"


@pytest.mark.parametrize(
    ("name", "row", "around"),
    [
        (".htaccess", "RedirectMatch ^/{}(.*)$ /y\n", "{}"),
        (".htaccess", "RewriteRule ^{}(.*)$ /y [R]\n", "RewriteEngine on\n{}"),
        ("_redirects", "/{}/:x /y/:x\n", "{}"),
        ("nginx.conf", "~^/{}(.*)$ /y;\n", "{}"),
        ("nginx.conf", "rewrite ^/{}(.*)$ /y permanent;\n", "server {{\n{}}}\n"),
        ("nginx.conf", "location ~ ^/{}(.*)$ {{ return 301 /y; }}\n", "server {{\n{}}}\n"),
    ],
)
def test_a_file_with_too_many_expressions_is_not_read(name: str, row: str, around: str) -> None:
    def text(count: int) -> bytes:
        return around.format("".join(map(row.format, range(count)))).encode()

    assert read_redirects(text(3), name, SITE)("http://h.example/1/z") is not None
    with pytest.raises(UnreadableError, match="more than 5,000 regular expressions"):
        read_redirects(text(MOST_EXPRESSIONS + 1), name, SITE)


ROWS = [
    (".htaccess", "Redirect /p{} /n\n"),
    (".htaccess", "Redirect /p{0}{0}{0}/ /n/\n"),
    (".htaccess", "<Files a>\nRedirect /p{} /n\n"),
    (".htaccess", "<IfModule a>\nRedirect /p{} /n\n"),
    (".htaccess", "<VirtualHost *:80>\nRedirect /p{} /n\n"),
    ("_redirects", "/p{} /n\n"),
    ("map.csv", "http://h.example/p{},http://h.example/n\n"),
    ("nginx.conf", "/p{} /n;\n"),
    ("nginx.conf", "location = /p{} {{ return 301 /n; }}\n"),
    ("nginx.conf", "location /p{} {{ return 301 /n; }}\n"),
]


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_work_grows_as_rules_and_links(name: str, row: str) -> None:
    def look(count: int) -> None:
        text = "".join(map(row.format, range(count)))
        source = read_redirects(text.encode(), name, SITE)
        for number in range(count):
            source(f"http://h.example/p{number}/x")

    assert growth(look, 500) < 2.3


def test_redirects_of_folders_are_found_by_their_paths() -> None:
    text = "Redirect 301 /a/b /first\nRedirect 302 /a /second\nRedirect /c/ /d/\nRedirectMatch ^/a/x /third\n"
    rules = read_redirects(text.encode(), ".htaccess", SITE)
    expected = {
        "/a": "/second", "/a/b": "/first", "/a/b/c/d": "/first/c/d", "/a/bc": "/second/bc", "/ab": None, "/a/": "/second/",
        "/c/x": "/d/x", "/c": None, "/a/x": "/second/x",
    }  # fmt: skip
    for path, target in expected.items():
        found = rules(f"http://h.example{path}")
        assert (found and found.target) == (target and f"http://h.example{target}"), path
