"""``linkfix iri`` as its users call it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from linkfix.cli.group import cli
from linkfix.cli.iri import command

pytestmark = pytest.mark.system


def invoke(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, ["iri", *arguments], input=stdin)


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "output"),
    [
        (("convert", "http://é/a b"), "", 0, "http://xn--9ca/a%20b\n"),
        (("convert", "--to", "iri", "/%C3%A9"), "", 0, "/é\n"),
        (("convert", "--query-charset", "shift_jis", "?表"), "", 0, "?%95%5C\n"),
        (("convert", "--query-charset", "utf-16", "?é"), "", 0, "?%C3%A9\n"),
        (("convert", "--syntax", "leiri", "a\\b"), "", 0, "a%5Cb\n"),
        (("convert", "--normalize", "scheme", "HTTP://h:80"), "", 0, "http://h/\n"),
        (("convert", "-"), "é\nb c\n", 0, "%C3%A9\nb%20c\n"),
        (("convert",), " é \n", 0, "%C3%A9\n"),
        (("convert", "http://[x/"), "", 1, "http://[x/\n"),
        (("resolve", "--base", "http://h/a/b", "../é"), "", 0, "http://h/é\n"),
        (("resolve", "--base", "http://h/a/b", "--relative", "http://h/a/c"), "", 0, "c\n"),
        (("compare", "http://h", "http://h:80/"), "", 0, "equivalent (scheme): "),
        (("compare", "http://h", "http://h/", "--level", "simple"), "", 1, "different (simple): "),
        (
            ("compare", "a:b", "a:c", "--level", "protocol", "--redirect", "a:b", "a:c"),
            "",
            0,
            "equivalent (protocol): ",
        ),
        (
            ("convert", "--local-name", ".local", "http://é.local/é"),
            "",
            0,
            "http://é.local/%C3%A9\n",
        ),
        (("resolve", "--base", "a", "b"), "", 2, ""),
        (
            ("resolve", "--syntax", "web", "--base", "http://h/a", "///e.example/"),
            *("", 0, "http://e.example/\n"),
        ),
        (("resolve", "--syntax", "web", "--base", "http://h/a", "http://[x/"), "", 1, ""),
        (("convert", "--query-charset", "nonsense", "a"), "", 2, ""),
        (("compare",), "http://h\tHTTP://H\na:b\ta:c\n", 1, "equivalent (syntax): "),
        (("compare", "a:b", "a:b", "a:c"), "", 2, ""),
        (("compare",), "a:b a:b\n", 2, ""),
        (("normalize", "HTTP://H/%7e", "/a/../b"), "", 0, "http://h/~\n/b\n"),
        (
            ("normalize", "--to", "uri", "--level", "scheme"),
            "http://é:80\n",
            0,
            "http://xn--9ca/\n",
        ),
        (
            ("find", "see http://h.example/é, or a@b.com."),
            "",
            0,
            "http://h.example/é\tiri\tcertain\na@b.com\tmail\tlikely\n",
        ),
        (("find",), "nothing\nhttp://h.example/a\n", 0, "http://h.example/a\tiri\tcertain\n"),
        (("typed", "\u3000ｈｔｔｐ：／／h/e\u0301 "), "", 0, "http://h/é\n"),
        (("typed", "--no-nfc", "--blanks", "remove", "e\u0301 x"), "", 0, "e\u0301x\n"),
        (("display", "http://xn--9ca/%D7%90"), "", 0, "http://é/א\n"),
        (("display", "--form", "isolate", "http://h/%D7%90"), "", 0, "\u2066http://h/א\u2069\n"),
        (("display", "http://h/\u202e\x1b"), "", 0, "http://h/%E2%80%AE"),
        (
            ("lookalikes", "http://h/", "http://\u0430pple.example/"),
            "",
            1,
            "http://\u0430pple.example/: mixed-script-label (host 7-12): ",
        ),
        (("lookalikes", "http://h/"), "", 0, ""),
        (
            (
                "template",
                "/{a}{?b*}",
                "--variable",
                "a=é",
                "--variable",
                "b=1",
                "--variable",
                "b=2",
            ),
            "",
            0,
            "/%C3%A9?b=1&b=2\n",
        ),
        (("template", "{"), "", 1, ""),
        (("template", "/{a}", "--variable", "a"), "", 2, ""),
        (("path", "/a b", "b", "/é"), "", 1, "file:///a%20b\nfile:///%C3%A9\n"),
        (("path", "--flavour", "windows", "--from-uri"), "file:///C:/a%20b\n", 0, "C:\\a b\n"),
    ],
)
def test_commands(arguments: tuple[str, ...], stdin: str, status: int, output: str) -> None:
    found = invoke(*arguments, stdin=stdin)
    assert (found.exit_code, found.stdout[: len(output)]) == (status, output)


@pytest.mark.parametrize(
    "name",
    ["inspect", "convert", "normalize", "find", "typed", "display", "lookalikes", "template"],
)
def test_what_is_not_utf_8_is_named_and_not_written(name: str) -> None:
    found = CliRunner().invoke(cli, ["iri", name], input=b"http://h/\xe9\nhttp://h/a\n")
    assert (found.exit_code, found.stdout.count("http")) == (
        1,
        invoke(name, "http://h/a").stdout.count("http"),
    )
    assert "its octet E9 is not UTF-8; " in found.stderr


def test_paths_may_have_octets_that_are_not_utf_8_and_pairs_may_not() -> None:
    assert invoke("path", "/\udce9").stdout == "file:///%E9\n"
    refused = invoke("compare", "http://h/\udce9", "http://h/")
    assert refused.exit_code == 1
    assert "http://h/\\xe9, http://h/: its octet E9 is not UTF-8; " in refused.stderr


def test_what_cannot_be_converted_is_explained_on_standard_error() -> None:
    found = invoke("convert", "http://h:x/")
    assert found.stderr == (
        "linkfix: http://h:x/: port-invalid (port 9-10): "
        "a port is written in decimal digits [URL Standard, 4.4]\n"
    )


def test_inspect_shows_everything() -> None:
    found = invoke("inspect", "http://u@xn--99zt52a:8/%C3%A9?#a b")
    assert found.exit_code == 1
    lines = [line.split(maxsplit=1) for line in found.stdout.splitlines()[1:9]]
    assert lines == [
        ["scheme", "http"],
        ["userinfo", "u"],
        ["host", "xn--99zt52a"],
        ["port", "8"],
        ["path", "/%C3%A9"],
        ["query"],
        ["fragment", "a b"],
        ["URI", "http://u@xn--99zt52a:8/%C3%A9?#a%20b"],
    ]
    assert "  step 6      http://u@納豆:8/é?#a%20b\n" in found.stdout
    assert "  space (fragment 32-33): " in found.stdout


def test_every_subcommand_gives_json_lines() -> None:
    values = {"path": "/a", "template": "/{a}", "compare": "a:b\ta:b"}
    required = {"resolve": ["--base", "http://h/"]}
    for name in command.commands:
        arguments = [name, "--format", "jsonl", *required.get(name, [])]
        lines = f"{values.get(name, 'http://h.example/')}\n" * 2
        found = invoke(*arguments, stdin=lines)
        first, second = map(json.loads, found.stdout.splitlines())
        assert (found.exit_code, first) == (0, second)
        assert len(first) > 1
    found = invoke("path", "--format", "jsonl", "a")
    assert json.loads(found.stdout) == {"input": "a", "error": "'a' is not absolute"}
    assert (found.exit_code, found.stderr) == (1, "linkfix: a: 'a' is not absolute\n")


def test_inspect_gives_json_lines() -> None:
    found = invoke("inspect", "--format", "jsonl", "/\u05d0b", "http://[/")
    first, second = map(json.loads, found.stdout.splitlines())
    assert first["components"]["path"] == "/\u05d0b"
    assert {advice["rule"] for advice in first["advice"]} == {
        "bidi-mixed-direction",
        "bidi-edge",
        "mixed-script-word",
    }
    assert (second["uri"], second["problems"][0]["rule"]) == (None, "ip-literal-invalid")


def test_what_standard_output_lacks_is_percent_encoded() -> None:
    """3987bis, 8.6: a link stays a link on a terminal without its characters."""
    runner = CliRunner(charset="latin-1")
    found = runner.invoke(
        command, ["convert", "--to", "iri", "http://xn--99zt52a/%C3%A9/%E7%B4%8D"]
    )
    assert found.stdout == "http://xn--99zt52a/é/%E7%B4%8D\n"
    found = runner.invoke(command, ["resolve", "--base", "http://h/", "納"])
    assert found.stdout == "http://h/%E7%B4%8D\n"
