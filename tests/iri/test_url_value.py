"""`URL` as a value: other parts, parameters, registrable domains; ada-url's setters are the judge."""

from __future__ import annotations

from importlib import resources
from io import StringIO
from typing import TYPE_CHECKING

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st
from publicsuffix2 import PublicSuffixList

from linkfix.charset import lookup
from linkfix.iri import URL
from linkfix.iri import host as hosts
from linkfix.iri.host import PACKAGES, registrable

from .strategies import links

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = "http://u:p@h.example:81/a/?q=1#f"
TEXTS = st.text(st.sampled_from('aZ09.-_~%41é日 ?#/\\:@[]|^`"<>{}&=+;\t\x00א'), max_size=6)
#: A method, and the attribute of the URL Standard's API (6.1) with the same effect.
SETTERS: dict[str, tuple[Callable[[URL, str], URL], str]] = {
    "user": (lambda url, text: url.with_user(text, url.password), "username"),
    "password": (lambda url, text: url.with_user(url.username, text), "password"),
    "host": (lambda url, text: url.with_host(text), "hostname"),
    "path": (lambda url, text: url.with_path(text), "pathname"),
    "query": (lambda url, text: url.with_query(text), "search"),
    "fragment": (lambda url, text: url.with_fragment(text), "hash"),
}


def parsed(text: str) -> URL:
    url = URL.parse(text)
    assert url is not None
    return url


@given(st.sampled_from([PAGE, "https://h.example/", "ftp://h/x", "ws://h/x?y"]), st.sampled_from([*SETTERS]), TEXTS)  # fmt: skip
def test_other_parts_are_those_of_the_url_standard(text: str, name: str, part: str) -> None:
    part = part.strip("\x00\t ").replace(
        "\t", ""
    )  # the parser would strip it from the end of a URL
    if name == "user" and not part.strip("%"):
        return
    method, attribute = SETTERS[name]
    judge = ada_url.URL(text)
    mark = {"query": "?", "fragment": "#"}.get(name, "")
    try:
        found = method(parsed(text), part)
    except ValueError:
        assert name == "host"  # of which setters stop at a delimiter
        return
    setattr(judge, attribute, mark + part)
    assert found.href == judge.href


@given(links, links)
def test_urls_are_equal_where_they_are_serialized_alike(one: str, other: str) -> None:
    first, second = URL.parse(one), URL.parse(other)
    if first and second:
        assert (first == second) == (first.href == second.href)
        assert first == URL.parse(first.href)
        assert hash(first) == hash(URL.parse(first.href))


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (parsed(PAGE).with_scheme("https"), "https://u:p@h.example:81/a/?q=1#f"),
        (parsed("http://h:443/").with_scheme("HTTPS"), "https://h/"),
        (parsed(PAGE).with_port(None), "http://u:p@h.example/a/?q=1#f"),
        (parsed(PAGE).with_port(80), "http://u:p@h.example/a/?q=1#f"),
        (parsed(PAGE).with_host("[::0:1]"), "http://u:p@[::1]:81/a/?q=1#f"),
        (parsed(PAGE).with_user(""), "http://h.example:81/a/?q=1#f"),
        (parsed(PAGE).with_query(None).with_fragment(None), "http://u:p@h.example:81/a/"),
        (parsed(PAGE) / "b/100% ?" / "é", "http://u:p@h.example:81/a/b%2F100%25%20%3F/%C3%A9"),
        (parsed("foo://h") / "b", "foo://h/b"),
        (parsed("mailto:a").with_query("x#y"), "mailto:a?x%23y"),
    ],
)
def test_other_parts(made: URL, expected: str) -> None:
    assert made.href == expected
    assert URL.parse(expected) == made


@pytest.mark.parametrize(
    "make",
    [
        lambda: parsed(PAGE).with_host("h:80"),
        lambda: parsed(PAGE).with_host("a/b"),
        lambda: parsed(PAGE).with_host(""),
        lambda: parsed(PAGE).with_port(65536),
        lambda: parsed("file:///a").with_port(1),
        lambda: parsed("mailto:a").with_host("h"),
        lambda: parsed("foo:/a").with_scheme("http"),
        lambda: parsed("foo://h").with_scheme("http"),
        lambda: parsed(PAGE).with_scheme("1"),
        lambda: parsed(PAGE) / "..",
        lambda: parsed("mailto:a") / "b",
    ],
)
def test_what_no_url_has_is_refused(make: Callable[[], URL]) -> None:
    with pytest.raises(ValueError, match=r"cannot|no host"):
        make()


def test_parameters_in_a_charset() -> None:
    latin = lookup("windows-1252")
    url = parsed(PAGE).with_parameters([("ü b", "я&="), ("c", "+")], latin.encode)
    assert url.query == "%FC+b=%26%231103%3B%26%3D&c=%2B"
    assert url.parameters(lambda octets: octets.decode("cp1252")) == [("ü b", "&#1103;&="), ("c", "+")]  # fmt: skip
    assert parsed("http://h/?&a&b=%FF&c==").parameters() == [("a", ""), ("b", "\ufffd"), ("c", "=")]
    assert parsed("http://h/").parameters() == []


@given(st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_parameters_come_back(pairs: list[tuple[str, str]]) -> None:
    pairs = [(name.encode(errors="replace").decode(), value.encode(errors="replace").decode()) for name, value in pairs]  # fmt: skip
    url = parsed("foo://h").with_parameters(pairs)
    assert url.parameters() == pairs
    judge = ada_url.URLSearchParams("")
    for name, value in pairs:
        judge.append(name, value)
    assert url.query == str(judge)


LIST = "// a list\n\ncom\nuk\nco.uk  text\n*.ck\n!www.ck\n公司.cn\ncn\n".splitlines()


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        # the examples of publicsuffix.org/list, with the rules of `LIST`
        *(("com", None), ("example.com", "example.com"), ("b.example.com", "example.com")),
        *(("co.uk", None), ("a.b.co.uk", "b.co.uk"), ("uk", None), ("b.uk", "b.uk")),
        *(("ck", None), ("test.ck", None), ("b.test.ck", "b.test.ck"), ("www.ck", "www.ck")),
        *(("a.www.ck", "www.ck"), ("unlisted", None), ("a.unlisted", "a.unlisted")),
        *(("食狮.公司.cn", "xn--85x722f.xn--55qx5d.cn"), ("公司.cn", None), ("EXAMPLE.com.", "example.com")),
        *(("127.0.0.1", None), ("[::1]", None)),
    ],
)  # fmt: skip
def test_registrable_domains(host: str, domain: str | None) -> None:
    assert parsed(f"http://{host}/").registrable_domain(LIST) == domain


@pytest.mark.parametrize("package", PACKAGES)
def test_the_list_of_each_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held against publicsuffix2, for which `*.b` has the suffix `b` too; by publicsuffix.org/list it has none but `a.b`."""
    monkeypatch.setattr(hosts, "PACKAGES", {package: PACKAGES[package]})
    hosts._installed.cache_clear()
    text = resources.files(package).joinpath(PACKAGES[package]).read_text("utf-8")
    judge = PublicSuffixList(StringIO(text), idna=True)
    rules = [line.split()[0] for line in text.splitlines() if line.strip() and line[:2] != "//"]
    for rule in rules[::17]:
        name = rule.lstrip("!*.")
        for host in (name, f"a.{name}", f"b.a.{name}", f"c.b.a.{name}"):
            url = parsed(f"http://{host}/")
            found = url.registrable_domain()
            if f"*.{url.hostname}" in rules or f"*.{found}" in rules:
                continue
            # The judge returns a public suffix for itself.
            assert (found or url.hostname) == judge.get_sld(url.hostname, strict=False)
    hosts._installed.cache_clear()


def test_without_a_package_a_list_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsed("mailto:a@example.com").registrable_domain() is None
    monkeypatch.setattr(hosts, "PACKAGES", {})
    hosts._installed.cache_clear()
    with pytest.raises(ModuleNotFoundError, match="give its lines"):
        registrable("example.com", None)
