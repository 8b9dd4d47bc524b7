"""Folders of templates: what engines make of them has the same links before and after a rewrite."""

from __future__ import annotations

import json
import shutil
import subprocess
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ATTRIBUTES = {"href", "src", "action", "srcset", "poster"}
#: What templates are filled in with.
FILL: dict[str, Any] = {
    "base": "http://site.example/x",
    "name": "a b",
    "pages": [{"url": "/p/1", "title": "1"}, {"url": "/p/2?q=r", "title": "2"}],
    "ok": True,
}
LITERAL = '<a href="/literal path|x">l</a><img src="a b.png">'


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ATTRIBUTES and value is not None:
                resolved = urljoin("http://page.example/d/", value.strip())
                self.found.append(f"{tag}@{name} " + quote(resolved, safe="%/:?#[]@!$&'()*+,;=~"))


def _links(page: str) -> list[str]:
    parser = _Links()
    parser.feed(page)
    parser.close()
    return parser.found


def _jinja(text: str, folder: Path) -> str:
    jinja2 = pytest.importorskip("jinja2", reason="Jinja (extra test) is not installed")
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder))
    environment.globals["url_for"] = lambda name, **kw: (
        f"/{name}/" + "/".join(map(str, kw.values()))
    )
    return str(environment.from_string(text).render(**FILL))


def _django(text: str, folder: Path) -> str:
    django = pytest.importorskip("django.template", reason="Django (extra test) is not installed")
    engine = django.Engine(dirs=[str(folder)])
    return str(engine.from_string(text).render(django.Context(FILL)))


def _liquid(text: str, _: Path) -> str:
    liquid = pytest.importorskip("liquid", reason="python-liquid (extra test) is not installed")
    return str(liquid.Environment().from_string(text).render(**FILL))


def _mustache(text: str, _: Path) -> str:
    pystache = pytest.importorskip("pystache", reason="pystache (extra test) is not installed")
    return str(pystache.render(text, FILL))


def _program(*command: str) -> Callable[[str, Path], str]:
    def render(text: str, _: Path) -> str:
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} is not installed")
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
        return done.stdout.decode()

    return render


ERB = "require 'erb'; puts ERB.new(STDIN.read).result_with_hash(base: 'http://site.example/x', pages: ['/p/1', '/p/2?q=r'])"
ENGINES: dict[str, tuple[Callable[[str, Path], str], str]] = {
    "jinja": (
        _jinja,
        """{% set to = "<a href='x y'>" %}<a href="{{ url_for("show", id=1) }}">a</a><img src="{{ base }}/a b.png">
        {% for page in pages %}<a href="{{ page.url }}" {% if ok %}class="x y"{% endif %}>{{ page.title }}</a>
        <a href="{{ base }}/{{ page.title }} x?q={{ name|urlencode }}">b</a>{% endfor %}
        <img srcset="{{ base }}/a.png 1x, {{ base }}/b.png 2x"><form action="{% if ok %}/go to{% else %}/no{% endif %}">
        {{ '<a href="in code|x">' if ok }}{{ to }}{# <a href="{{ x }}/y z"> #}""",
    ),
    "django": (
        _django,
        """<a href="{{ base }}/a b">a</a>{% for page in pages %}<a href="{{ page.url }}">{{ page.title }}</a>
        <a href="{% if page.title == "1" %}/one x{% else %}/two{% endif %}">b</a>{% endfor %}
        <a href="{{ base|default:"/x y" }}">c</a><a href='{% firstof base "/d e" %}/f'>d</a>""",
    ),
    "liquid": (
        _liquid,
        """<a href="{{ "/x y" | append: base }}">a</a>{% for page in pages %}<a href="{{ page.url | prepend: base }}">x</a>
        <a href="{{ base }}/{{ page.title }} z">b</a>{% endfor %}{% assign u = "<a href='c d'>" %}{{ u }}""",
    ),
    "mustache": (
        _mustache,
        """<a href="{{base}}/a b">a</a>{{#pages}}<a href="{{{url}}}">{{title}}</a><a href="{{& url}}&x= y">b</a>{{/pages}}
        <a href="{{#ok}}/yes sir{{/ok}}">c</a>""",
    ),
    "erb": (
        _program("ruby", "-e", ERB),
        """<a href="<%= base %>/a b">a</a><% pages.each do |page| %><a href="<%= page %>">b</a><% end %>
        <%= "<a href='x y'>" if pages.size > 1 %>""",
    ),
    "php": (
        _program("php"),
        """<?php $base = "http://site.example/x"; $pages = ["/p/1", "/p/2?q=r"]; $o = (object) ["u" => "/u v"]; ?>
        <a href="<?php echo $base ?>/a b">a</a><?php foreach ($pages as $page): ?><a href="<?= $page ?>">b</a>
        <?php endforeach ?><?php if ($o->u) { echo "<a href='x y'>" . "</a>"; } ?><a href="<?= $o->u ?>">c</a>""",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mode", ["leave", "convert"])
@pytest.mark.parametrize("engine", ENGINES)
def test_what_an_engine_makes_of_it_has_the_same_links(
    engine: str, mode: str, tmp_path: Path
) -> None:
    render, template = ENGINES[engine]
    text = f"<!doctype html><meta charset=utf-8>{LITERAL}\n{template}\n{LITERAL}"
    before = _links(render(text, tmp_path))
    (tmp_path / "page.html").write_text(text, "utf-8")
    done = CliRunner().invoke(cli, ["rewrite", "-i", "--templates", mode, str(tmp_path)])
    assert done.exit_code == 0, done.output
    new = (tmp_path / "page.html").read_text("utf-8")
    assert new.count("/literal%20path%7Cx") == 2
    assert _links(render(new, tmp_path)) == before
    assert len(before) > len(_links(LITERAL)) * 2
    if mode == "leave":
        assert new.replace("/literal%20path%7Cx", "/literal path|x").replace(
            "a%20b.png", "a b.png"
        ) == text.replace("a%20b.png", "a b.png")
    elif engine != "liquid":
        assert "/a%20b" in new.replace('>l</a><img src="a%20b.png', "")


def test_options(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    source = '<meta charset=utf-8><a href="~~ x ~~/a b">x</a><a href="{{ y }}/a b">x</a>'
    page.write_text(source)

    def rewrite(*options: str) -> str:
        done = CliRunner().invoke(cli, ["rewrite", *options, str(page)])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert rewrite("--template", "~~ ~~") == source
    assert rewrite("--template", "~~ ~~", "--templates", "convert") == source.replace(
        "a b", "a%20b"
    )
    wrong = CliRunner().invoke(cli, ["rewrite", "--template", "~~", str(page)])
    assert wrong.exit_code == 2
    assert "pair of marks" in wrong.output


def test_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.linkfix]\ntemplate = ["~~ ~~"]\ntemplates = "convert"\n'
    )
    (tmp_path / "page.html").write_text('<meta charset=utf-8><a href="~~ x y ~~/a b">x</a>')
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["rewrite", "page.html"])
    assert 'href="~~ x y ~~/a%20b"' in done.stdout


def test_an_audit_reports_a_template_once_and_mends_nothing(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    source = (
        '<!doctype html><meta charset=utf-8><a href="{{ url_for("x", id=1) }}">x</a><a href="#{{ id }} |x">y</a>'
        "<?php if ($a->b) echo \"<a href='x y'>\" ?><a href='/user/{name}'>z</a><a href='/user/|name'>z</a>"
    )
    page.write_text(source)
    done = CliRunner().invoke(cli, ["audit", "--format", "jsonl", str(page)])
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["rule"], each["suggestion"]) for each in found] == [
        ("SYN007", None), ("SYN007", None), ("SYN007", None), ("SYN007", None), ("SYN005", "/user/%7Cname"),
    ]  # fmt: skip
    CliRunner().invoke(cli, ["audit", "--fix", str(page)])
    assert page.read_text() == source.replace("|name", "%7Cname")
