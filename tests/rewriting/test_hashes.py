"""Links in text that a Content-Security-Policy may have hashes of are left (CSP 3, 6.7.3.3)."""

from __future__ import annotations

import lxml.html
import pytest

import linkfix
import linkfix.trees
from linkfix.links import Scope
from linkfix.links.html.hashes import HASHED, hashed

HASH = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
META = '<meta http-equiv="Content-Security-Policy" content="{}">'
STYLE = "<style>p { background: url('x y') }</style>"
MAP = '<script type=importmap>{"imports": {"name": "./x y"}}</script>'
CHARSET = "<!doctype html><meta charset=utf-8>"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (f"style-src {HASH}", {"style"}),
        (f"Style-Src-Elem 'self'\t{HASH.upper()}", {"style"}),
        (f"style-src-attr {HASH}", {"style"}),
        (f"default-src 'none' {HASH}", {"style", "script"}),
        (f"img-src *; script-src {HASH}", {"script"}),
        (f"script-src-elem {HASH};style-src {HASH}", {"style", "script"}),
        ("style-src 'self' 'unsafe-inline'", set()),
        (f"style-src 'self'; img-src {HASH}", set()),
        (f"style-source {HASH}", set()),
        ("style-src 'nonce-abc'", set()),
        ("", set()),
    ],
)
def test_directives_with_hashes_are_known(policy: str, expected: set[str]) -> None:
    for name, found in (
        ("CONTENT-security-Policy", expected),
        ("Content-Security-Policy-Report-Only", set()),
    ):
        assert hashed({"http-equiv": name, "content": policy}.get) == found
    assert hashed({"content": policy}.get) == set()


def rewritten(page: str, type: str = "html", **settings: object) -> tuple[str, list[str]]:
    kept: list[str] = []
    new = linkfix.rewrite(
        page.encode(), type=type, on_outcome=lambda each: kept.append(each.kept), **settings
    )  # type: ignore[call-overload]
    return new.decode(), [each for each in kept if each]


def test_styles_and_scripts_are_left_from_the_policy_on() -> None:
    both = META.format(f"default-src {HASH}")
    new, kept = rewritten(
        CHARSET + STYLE + both + STYLE + MAP + "<p style=\"a: url('x y')\"><a href='x y'>"
    )
    first, second = STYLE.replace("x y", "x%20y"), STYLE + MAP + "<p style=\"a: url('x y')\">"
    assert new == CHARSET + first + both + second + "<a href='x%20y'>"
    assert kept == [HASHED] * 3


def test_data_and_presentation_attributes_have_no_hash() -> None:
    head = CHARSET + META.format(f"default-src {HASH}")
    rest = '<script type="application/ld+json">{"url": "http://a.example/x y"}</script><svg><rect fill="url(\'x y#a\')"/></svg>'
    policy = linkfix.Policy(scope=Scope(embedded=(("json-ld", "on"),)))
    new, kept = rewritten(head + rest, policy=policy)
    assert new == head + rest.replace("x y", "x%20y")
    assert not kept


def test_a_policy_counts_in_its_own_document_and_in_those_inside() -> None:
    policy = META.format(f"style-src {HASH}").replace('"', "&quot;")
    inside = f'<iframe srcdoc="{policy}{STYLE}"></iframe>'
    new, kept = rewritten(CHARSET + inside + STYLE)
    assert new == CHARSET + inside + STYLE.replace("x y", "x%20y")
    assert kept == [HASHED]
    page = CHARSET + META.format(f"style-src {HASH}") + f'<iframe srcdoc="{STYLE}"></iframe>'
    assert rewritten(page) == (page, [HASHED])


def test_xhtml_is_read_alike() -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head>{}<meta content="style-src {}" http-equiv="Content-Security-Policy"/>{}</head>{}</html>'
    rest = "<body style=\"a: url('x y')\"><a href='x y'/></body>"
    new, kept = rewritten(page.format(STYLE, HASH, STYLE, rest), "xhtml")
    first, last = STYLE.replace("x y", "x%20y"), rest.replace("<a href='x y'", "<a href='x%20y'")
    assert new == page.format(first, HASH, STYLE, last)
    assert kept == [HASHED] * 2


def test_a_new_target_is_no_reason() -> None:
    page = CHARSET + META.format(f"style-src {HASH}") + STYLE
    moved = {"base": "http://a.example/p.html", "moved_to": "http://a.example/sub/p.html"}
    assert rewritten(page, **moved) == (page, [HASHED])


def test_trees_and_suggestions_leave_them_too() -> None:
    page = CHARSET + META.format(f"style-src {HASH}") + STYLE + "<a href='x y'>x</a>"
    tree = lxml.html.document_fromstring(page)
    assert linkfix.trees.rewrite_links(tree) == 1
    assert tree.findtext(".//style") == "p { background: url('x y') }"
    found = {
        each.link and each.link.element: each.suggestion for each in linkfix.audit(page.encode())
    }
    assert found == {"style": None, "a": "x%20y"}
