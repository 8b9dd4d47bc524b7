"""Messages: their parts are documents, every other octet stays, and a link that names a part names it afterwards."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING

import packages
import pytest
from hypothesis import given
from hypothesis import strategies as st
from packages import run, written

import linkfix
from linkfix.containers import opened
from linkfix.containers.messages import decoded, encoded
from linkfix.errors import LimitExceededError, LinkfixError

if TYPE_CHECKING:
    from pathlib import Path

MESSAGES = {"p.mht": packages.MHT, "m.eml": packages.EML}


def message(
    *parts: tuple[str, bytes], header: str = "", kind: str = "related", end: bytes = b"\r\n"
) -> bytes:
    """A message of parts with their headers, whose fields are between semicolons."""
    head = f'{header}Content-Type: multipart/{kind}; boundary="b"'
    pieces = [each.replace("; ", "\n").encode() + b"\n\n" + body for each, body in parts]
    whole = b"\n--b\n".join([head.encode() + b"\n", *pieces]) + b"\n--b--\n"
    return whole.replace(b"\n", end)


def members(data: bytes) -> dict[str, bytes]:
    container = opened(io.BytesIO(data), "m.eml")
    return {name: container.open(name).read() for name in container.sizes}


def rewritten(data: bytes, tmp_path: Path, *options: str, status: int = 0) -> bytes:
    path = written(tmp_path / "m.eml", data)
    run("rewrite", "-q", "-i", *options, path, status=status)
    return path.read_bytes()


def test_parts_have_numbers_types_charsets_and_bases() -> None:
    mail = opened(io.BytesIO(packages.EML), "m.eml")
    assert [*mail.sizes] == [
        "1.1.txt", "1.2.1.html", "1.2.2.bin", "2.1.html", "3.1.1.html", "3.2.1.txt", "4.xml",
    ]  # fmt: skip
    assert mail.about["1.2.1.html"].content_type == 'text/html; charset="iso-8859-1"'
    assert mail.about["2.1.html"].is_ascii
    assert not mail.about["3.1.1.html"].is_ascii
    page = opened(io.BytesIO(packages.MHT), "p.mht")
    assert {name: page.about[name].base for name in page.sizes} == {
        "1.html": "http://h.example/d/p.html",
        "2.css": "http://h.example/s.css",
        "3.bin": "http://h.example/%C3%A9.png",
    }
    assert ("cid:i@h.example", "3.bin") in (page.uris or ())
    assert ("mid:m1@h.example/i@h.example", "1.2.2.bin") in (mail.uris or ())
    html = ("Content-Type: text/html", b"x")
    for header, part, base in [
        ("", "Content-Base: http://b.example/", "http://b.example/"),
        ("", "Content-Base: http://b.example/; Content-Location: http://c.example/x", "http://c.example/x"),
        ("Content-Location: http://d.example/y\n", "Content-Location: z.html", "http://d.example/y"),
        ("Content-Base: http://d.example/y\n", "X: y", "http://d.example/y"),
        ("", "Content-Location: cid:x@y", None),
        ("", "Content-Location: http://d.example/;  long/;  path", "http://d.example/long/path"),
        ("", "Content-Location: =?utf-8?q?http=3A//d.example/=C3=A9?=", "http://d.example/é"),
    ]:  # fmt: skip
        made = message((f"{html[0]}; {part}", b"x"), header=header)
        assert opened(io.BytesIO(made), "m.eml").about["1.html"].base == base


@pytest.mark.system
@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_rewrite_changes_links_only(name: str, to: str, end: bytes, tmp_path: Path) -> None:
    old = MESSAGES[name].replace(b"\r\n", b"\n").replace(b"\n", end)
    path = written(tmp_path / name, old)
    was, before = members(old), packages.message_parts(old)
    plain = {each: run("rewrite", "-q", "--to", to, f"{path}!/{each}").stdout_bytes
             for each in was if not each.endswith(("txt", "bin"))}  # fmt: skip
    assert {f"{path}!/{each}" for each in plain} == {
        json.loads(line)["file"]
        for line in run("extract", "--format", "jsonl", path).stdout.splitlines()
    }
    whole = run("rewrite", "-q", "--to", to, path).stdout_bytes
    run("rewrite", "-q", "-i", "--to", to, path)
    new = path.read_bytes()
    assert new == whole
    assert new != old
    assert members(new) == was | plain
    after = packages.message_parts(new)
    assert [fields for fields, _ in after] == [fields for fields, _ in before]
    assert sum(one != other for (_, one), (_, other) in zip(before, after, strict=True)) == sum(
        plain[each] != was[each] for each in plain
    )
    assert max(map(len, new.split(end))) <= (76 if name == "p.mht" else 78)  # of plain text
    assert (b"\r\n" in new) == (b"\r\n" in old)
    assert not re.search(rb"(?<!\r)\n", new) or end == b"\n"
    run("rewrite", "-q", "-i", "--to", to, path)
    assert path.read_bytes() == new
    assert "0 with a difference" in run("verify", written(tmp_path / f"old-{name}", old), path).stderr  # fmt: skip


def test_only_the_lines_of_a_link_are_spelled_anew(tmp_path: Path) -> None:
    lines = [
        b"<p>soft =",
        b"break  ",
        b"=C3=a9 odd=",
        b" spelling",
        b"<a href=3D'a b'>x</a>",
        b"<p>",
        b"end =",
    ]
    old = message(("Content-Type: text/html;charset=utf-8; Content-Transfer-Encoding: quoted-printable", b"\n".join(lines)))  # fmt: skip
    new = rewritten(old, tmp_path)
    assert new == old.replace(b"'a b'", b"'a%20b'")


@pytest.mark.parametrize("width", [20, 60, 76])
def test_base64_keeps_the_length_of_its_lines(width: int, tmp_path: Path) -> None:
    import base64

    def spelled(data: bytes) -> bytes:
        text = base64.b64encode(data)
        return b"\n".join(text[at : at + width] for at in range(0, len(text), width))

    page = b"<!doctype html><meta charset=utf-8><a href='a b'>x</a>" * 4
    head = "Content-Type: text/html; Content-Transfer-Encoding: BASE64"
    new = rewritten(message((head, spelled(page) + b"\n")), tmp_path)
    assert new == message((head, spelled(page.replace(b"a b", b"a%20b")) + b"\n"))


@given(
    st.lists(st.sampled_from([b"<a href='a b'>", b"x" * 70, b" ", b"\t", b"\r\n", b"\n", b"\r", b"=", b"\xe9", b".", b"--b"])),
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), st.sampled_from([b"", b"%20", b"<\n", b" \r\n", b"long" * 40]))),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from(["quoted-printable", "base64"]),
)  # fmt: skip
def test_what_is_encoded_is_decoded_again(
    pieces: list[bytes], changes: list[tuple[int, int, bytes]], end: bytes, encoding: str
) -> None:
    old = b"".join(pieces)
    raw = encoded(b"" if encoding == "base64" else b"x" + end, old, encoding, end)
    assert decoded(raw, encoding) == old
    new = old
    for start, length, text in changes:
        new = new[:start] + text + new[start + length :]
    made = encoded(raw, new, encoding, end)
    assert decoded(made, encoding) == new
    assert max(map(len, made.split(end)), default=0) <= 76
    assert encoded(raw, old, encoding, end) == raw


#: The Content-Location of an image, the link to it, the new link.
NAMES = [
    ("http://h.example/d/é.png", "é.png", "é.png"),
    ("http://h.example/d/%C3%A9.png", "é.png", "%C3%A9.png"),
    ("http://h.example/d/a|b.png", "http://h.example/d/a|b.png", "http://h.example/d/a|b.png"),
    ("http://h.example/d/a|b.png", "HTTP://h.example/d/a|b.png", "HTTP://h.example/d/a|b.png"),
    ("http://h.example/d/a%7Cb.png", "a|b.png", "a%7Cb.png"),
    ("a|b.png", "a|b.png", "a%7Cb.png"),
    ("http://h.example/é/a.png", "../é/a.png#a b", "../é/a.png#a b"),
    ("http://h.example/d/x.png", "x.png#a b", "x.png#a%20b"),
    ("http://h.example/d/y.png", "a|b.png", "a%7Cb.png"),
    ("http://h.example/d/x.png", "cid:a|b", "cid:a|b"),
]


@pytest.mark.parametrize(("location", "old", "new"), NAMES)
@pytest.mark.parametrize("place", ["<img src='{}'>", "<iframe srcdoc='<img src=&quot;{}&quot;>'></iframe>", "<p style='background: url(&quot;{}&quot;)'>", "<img srcset='{} 2x'>"])  # fmt: skip
def test_a_link_names_the_same_part_for_all_readers(
    location: str, old: str, new: str, place: str, tmp_path: Path
) -> None:
    if " " in old and "srcset" in place:
        return
    page = "<!doctype html><meta charset=utf-8>" + place

    def made(link: str) -> bytes:
        return message(
            ("Content-Type: text/html; Content-Transfer-Encoding: 8bit; Content-Location: http://h.example/d/p.html", page.format(link).encode()),
            (f"Content-Type: image/png; Content-Location: {location}", b"x"),
        )  # fmt: skip

    assert rewritten(made(old), tmp_path).decode() == made(new).decode()


def test_a_relative_name_counts_where_no_base_is_known(tmp_path: Path) -> None:
    page = "<!doctype html><meta charset=utf-8><img src='a|b.png'><img src='c|d.png'>"
    image = ("Content-Type: image/png; Content-Location: a|b.png", b"x")
    old = message(("Content-Type: text/html", page.encode()), image)
    assert rewritten(old, tmp_path) == old.replace(b"c|d", b"c%7Cd")


def test_a_base_that_links_to_parts_have_stays(tmp_path: Path) -> None:
    page = "<!doctype html><meta charset=utf-8><base href='http://h.example/é/'><img src='a.png'><img src='b c.png'>"
    head = "Content-Type: text/html; Content-Transfer-Encoding: 8bit"
    image = ("Content-Type: image/png; Content-Location: http://h.example/é/a.png", b"x")
    old = message((head, page.encode()), image)
    assert rewritten(old, tmp_path).decode() == old.decode().replace("b c.png", "b%20c.png")


def test_a_part_that_has_to_stay_in_ascii_does(tmp_path: Path) -> None:
    page = b"<!doctype html><meta charset=utf-8><a href=http://o.example/%C3%A9>x</a><a href='a b'>y</a>"
    head = "Content-Type: text/html; Content-Transfer-Encoding: "
    for encoding, new in [("7bit", b"%C3%A9"), ("8bit", "é".encode())]:
        old = message((head + encoding, page))
        assert rewritten(old, tmp_path, "--to", "iri") == old.replace(b"%C3%A9", new).replace(
            b"a b", b"a%20b"
        )


SIGNED = [
    ("DKIM-Signature: v=1; bh=x\n", "mixed", "X: y"),
    ("ARC-Seal: i=1\n", "mixed", "X: y"),
    ("", "signed", "X: y"),
    ("", "encrypted", "X: y"),
    ("", "mixed", "Content-MD5: x"),
]


@pytest.mark.parametrize(("header", "kind", "part"), SIGNED)
def test_a_signed_message_is_audited_and_not_rewritten(
    header: str, kind: str, part: str, tmp_path: Path
) -> None:
    old = message((f"Content-Type: text/html; {part}", b"<a href='a b'>x</a>"), header=header, kind=kind)  # fmt: skip
    path = written(tmp_path / "m.eml", old)
    assert "DEL002" in run("audit", path, status=1).stdout
    for command in ("rewrite -i", "rewrite --dry-run", "audit --fix"):
        done = run(*command.split(), path, status=3)
        assert "it is signed" in done.stderr
        assert "to be rewritten" not in done.output
    assert path.read_bytes() == old
    assert rewritten(old, tmp_path, "--signed") == old.replace(b"a b", b"a%20b")


PAGE = ("Content-Type: text/html", b"<a href='a b'>x</a>")


def test_a_message_is_shown_fixed_and_not_moved_in(tmp_path: Path) -> None:
    old = message(PAGE)
    path = written(tmp_path / "m.eml", old)
    assert "1 link" in run("rewrite", "--dry-run", path).output
    assert "no link is" in run("mv", "--root", path, "1.html", "2.html", status=2).stderr
    assert path.read_bytes() == old
    run("audit", "--fix", "--exit-zero", path)
    assert path.read_bytes() == old.replace(b"a b", b"a%20b")


#: The line before a message in a mailbox.
SENDER = b"From a@b  Tue Nov 24 20:00:00 2026\n"


@pytest.mark.parametrize("name", MESSAGES)
def test_the_only_message_of_a_mailbox_is_read(name: str, tmp_path: Path) -> None:
    old = MESSAGES[name]
    assert rewritten(SENDER + old, tmp_path) == SENDER + rewritten(old, tmp_path)
    assert members(SENDER + old + b"\n\nFrom here Monday is far\n") == members(old)


#: What is wrong, and the line of the message that the error names.
DAMAGED = {
    "html": (b"<!doctype html><a href='a b'>x</a>", 1),
    "mailbox": (2 * (SENDER + b"Subject: x\n\ntext\n\n"), 1),
    "no field": (message(PAGE).replace(b"\r\n\r\n--b", b"\r\nno field\r\n\r\n--b", 1), 2),
    "lone carriage return": (message(("X: a\rY: b", b"x")), 4),
    "no end": (message(PAGE).replace(b"--b--", b"--c--"), 8),
    "no boundary": (message(PAGE).replace(b'; boundary="b"', b""), 3),
    "more than a boundary": (message(PAGE).replace(b"--b--", b"--bc"), 7),
    "two types": (message(("Content-Type: text/html; Content-Type: text/plain", b"x")), 4),
    "no base64": (message((f"{PAGE[0]}; Content-Transfer-Encoding: base64", b"\n!")), 7),
    "no quoted-printable": (message((f"{PAGE[0]}; Content-Transfer-Encoding: quoted-printable", b"x\n=Z")), 8),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_message_is_refused_with_its_line(what: str, tmp_path: Path) -> None:
    data, line = DAMAGED[what]
    path = written(tmp_path / "m.eml", data)
    for command in (["rewrite", "-i"], ["audit"], ["extract"], ["rewrite", "-o", tmp_path / "out"]):
        done = run(*command, path, status=3)
        assert re.search(rf"m\.eml(?:!/1\.html)?:{line}: .*\(byte offset \d+\)", done.stderr)
    assert path.read_bytes() == data


def test_other_encodings_and_containers_are_left(tmp_path: Path) -> None:
    old = message(PAGE, ("Content-Type: text/html; Content-Transfer-Encoding: x-uuencode", b"x"))
    path = written(tmp_path / "m.eml", old)
    done = run("rewrite", "-i", path, status=3)
    assert "m.eml!/2.html: its transfer encoding 'x-uuencode' is not known" in done.stderr
    assert path.read_bytes() == old.replace(b"a b", b"a%20b")


def test_limits() -> None:
    deep = b"text"
    for number in range(80):
        deep = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d.\n%b\n--b%d.--\n'.replace(b"%d", b"%d" % number) % deep  # fmt: skip
        deep = deep.replace(b'"b%d"' % number, b'"b%d."' % number)
    with pytest.raises(LimitExceededError, match="63 others"):
        opened(io.BytesIO(deep), "m.eml")
    with pytest.raises(LimitExceededError):
        opened(io.BytesIO(bytes(257 << 20)), "m.eml")


def test_a_line_that_would_be_too_long_or_end_the_part_is_refused(tmp_path: Path) -> None:
    old = message(("Content-Type: text/html", b"<a href='%b'>x</a>" % (b"a b" * 300)))
    path = written(tmp_path / "m.eml", old)
    assert "998" in run("rewrite", "-i", path, status=3).stderr
    assert path.read_bytes() == old
    rules = written(tmp_path / "m.csv", b"http://h.example/x,http://h.example/--b\n")  # fmt: skip
    old = message(("Content-Type: text/html; Content-Location: http://h.example/y", b"<a href=\nx>x</a>"))  # fmt: skip
    path.write_bytes(old)
    assert "end of the part" in run("rewrite", "-i", "--map", rules, path, status=3).stderr
    assert path.read_bytes() == old


@pytest.mark.system
def test_links_are_looked_up_among_the_parts(tmp_path: Path) -> None:
    path = written(tmp_path / "m.eml", packages.EML)
    audited = run("audit", "--format", "jsonl", "--select", "TGT", "--exit-zero", path).stdout
    assert [json.loads(line)["value"] for line in audited.splitlines()] == ["cid:gone@h.example"]
    page = b"<img src='a b.png'><img src=gone.png><img src=http://h.example/gone.png>"
    image = ("Content-Type: image/png; Content-Location: a%20b.png", b"x")
    path.write_bytes(message(("Content-Type: text/html", page), image))
    for options in ((), ("--base", "http://h.example/b/")):
        audited = run("audit", "--format", "jsonl", "--select", "TGT", "--exit-zero", *options, path).stdout  # fmt: skip
        assert [json.loads(line)["value"] for line in audited.splitlines()] == ["gone.png"]
    rows = map(
        json.loads, run("graph", written(tmp_path / "p.mht", packages.MHT)).stdout.splitlines()
    )
    paths = {row["value"]: row["path"] for row in rows if row["record"] == "link"}
    assert paths["http://h.example/s.css"] == "2.css"
    assert {value for value, to in paths.items() if to == "3.bin"} == {
        "cid:i@h.example", "http://h.example/%C3%A9.png", "é.png",
    }  # fmt: skip


@pytest.mark.system
def test_a_folder_reads_messages(tmp_path: Path) -> None:
    for name, data in MESSAGES.items():
        written(tmp_path / name, data)
    lines = run(
        "extract", "--format", "jsonl", "--exclude", "p.mht!/2.css", tmp_path
    ).stdout.splitlines()
    found = {json.loads(line)["file"].removeprefix(f"{tmp_path}/") for line in lines}
    assert found == {"p.mht!/1.html", *(f"m.eml!/{n}" for n in ("1.2.1.html", "2.1.html", "3.1.1.html", "4.xml"))}  # fmt: skip


def test_the_library_knows_what_a_message_says_of_its_parts(tmp_path: Path) -> None:
    mail = written(tmp_path / "m.eml", packages.EML)
    page = written(tmp_path / "p.mht", packages.MHT)
    assert next(linkfix.extract(f"{mail}!/1.2.1.html")).value == "http://o.example/é|"
    assert [*linkfix.extract(f"{page}!/1.html")][-1].resolved == "http://h.example/x%20y"
    assert b"cid:i@h.example" in linkfix.rewrite(f"{page}!/1.html")
    with pytest.raises(LinkfixError, match="no such file"):
        [*linkfix.extract(f"{page}!/9.html")]


#: Merge tags of mail tools: Mailchimp, Mustache and Jinja, Campaign Monitor, Salesforce, Outlook add-ins, ERB and ASP.
TAGS = ["*|UNSUB|*", "{{unsubscribe}}", "{{{ url }}}", "{% unsubscribe %}", "[unsubscribe]", "[[url]]", "%%unsub_center_url%%", "<%= link %>", "${url}"]  # fmt: skip


@pytest.mark.parametrize("tag", TAGS)
def test_merge_tags_of_mail_tools_stay(tag: str, tmp_path: Path) -> None:
    page = f'<!doctype html><meta charset=utf-8><a href="{tag}">x</a><a href="a b">y</a>'
    old = message(("Content-Type: text/html; Content-Transfer-Encoding: 8bit", page.encode()))
    for to in ("uri", "iri"):
        assert rewritten(old, tmp_path, "--to", to) == old.replace(b'"a b"', b'"a%20b"')
