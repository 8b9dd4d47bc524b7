"""WARC files on the command line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import processes
import pytest
from archives import PAGE, PAGE_AS_URI, SHIFT_JIS, Archive, read

URI = "https://a.example/dir/page"
RESOLVED = "https://a.example/%E6%A4%9C%E7%B4%A2?q=%8B%F3"


@dataclass(frozen=True)
class Result:
    exit_code: int
    stdout_bytes: bytes
    stderr: str

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode()


def run(*arguments: str, data: bytes = b"") -> Result:
    done = processes.run(*arguments, input=data)
    return Result(done.returncode, done.stdout, done.stderr.decode())


@pytest.fixture
def archive() -> Archive:
    made = Archive()
    made.info()
    made.add(URI, PAGE, SHIFT_JIS)
    made.add(f"{URI}.xml", b"<a href='/\xe3'>", "text/xml; charset=iso-8859-1")
    made.add(f"{URI}.png", b"\x89PNG <a href='b a'>", "image/png")
    made.add(f"{URI}2", PAGE, SHIFT_JIS, "resource")
    return made


@pytest.fixture
def path(archive: Archive, tmp_path: Path) -> str:
    file = tmp_path / "a.warc.gz"
    file.write_bytes(archive.data)
    return str(file)


def test_extract(path: str, archive: Archive) -> None:
    result = run("extract", "--format", "jsonl", path)
    assert result.exit_code == 3  # one document is not well-formed
    found = [json.loads(line) for line in result.stdout.splitlines()]
    names = [f"{path}@{archive.offsets[1]}#{URI}", f"{path}@{archive.offsets[4]}#{URI}2"]
    assert next(link["resolved"] for link in found if link["file"] == names[0]) == RESOLVED
    assert sorted({link["file"] for link in found if "xml" not in link["file"]}) == sorted(names)
    assert f"{path}@{archive.offsets[2]}#{URI}.xml:1:" in result.stderr


@pytest.mark.parametrize("options", [(), ("--type", "warc")])
def test_standard_input(archive: Archive, options: tuple[str, ...]) -> None:
    result = run("extract", *options, data=archive.data)
    assert f"<stdin>@{archive.offsets[1]}#{URI}:2:10: a@href" in result.stdout
    assert RESOLVED in result.stdout


def test_audit(path: str, archive: Archive) -> None:
    result = run("audit", "--format", "jsonl", path)
    files = {json.loads(line)["file"] for line in result.stdout.splitlines()}
    assert f"{path}@{archive.offsets[1]}#{URI}" in files
    assert result.exit_code == 3
    assert "2 documents, 4 links" in result.stderr
    assert "1 document could not be processed" in result.stderr


@pytest.mark.parametrize("option", ["--fix", "--diff"])
def test_an_archive_is_not_fixed(path: str, option: str, archive: Archive) -> None:
    result = run("audit", option, path)
    assert result.exit_code == 3
    assert "use linkfix rewrite" in result.stderr
    assert Path(path).read_bytes() == archive.data


def check_rewritten(data: bytes, archive: Archive) -> None:
    before, after = read(archive.data), read(data)
    assert [r.content for r in after] == [
        PAGE_AS_URI if r.content == PAGE else r.content for r in before
    ]


def test_rewrite_to_standard_output(path: str, archive: Archive) -> None:
    result = run("rewrite", path)
    assert result.exit_code == 3
    check_rewritten(result.stdout_bytes, archive)
    assert "5 records, 3 documents, 2 of them rewritten; 4 links, 2 rewritten" in result.stderr
    assert "; 1 record could not be processed, copied unchanged" in result.stderr


def test_rewrite_standard_input(archive: Archive) -> None:
    result = run("rewrite", data=archive.data)
    assert result.exit_code == 3
    check_rewritten(result.stdout_bytes, archive)


def test_rewrite_in_place(path: str, archive: Archive, tmp_path: Path) -> None:
    report = tmp_path / "report"
    assert run("rewrite", "-i", "--report", str(report), path).exit_code == 3
    data = Path(path).read_bytes()
    check_rewritten(data, archive)
    changes = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(c["file"], c["old"], c["start"]) for c in changes] == [
        (f"{path}@{archive.offsets[n]}#{uri}", "/検索?q=空", PAGE.index(b'href="') + 6)
        for n, uri in ((1, URI), (4, f"{URI}2"))
    ]
    assert run("rewrite", "-i", path).exit_code == 3
    assert Path(path).read_bytes() == data


def test_an_archive_with_nothing_wrong(tmp_path: Path) -> None:
    made = Archive()
    made.add(URI, PAGE, SHIFT_JIS)
    file = tmp_path / "a"  # detected by its first bytes
    file.write_bytes(made.data)
    assert run("extract", str(file)).exit_code == 0
    result = run("rewrite", str(file))
    assert result.exit_code == 0
    assert read(result.stdout_bytes)[0].content == PAGE_AS_URI


def test_map_leads_links_elsewhere_and_records_nowhere(tmp_path: Path) -> None:
    made = Archive()
    made.add("http://old.example/dir/", b'<a href="page">', "text/html; charset=utf-8")
    file, rules = tmp_path / "a.warc", tmp_path / "map.csv"
    file.write_bytes(made.data)
    rules.write_text("old,new,kind\nhttp://old.example/,https://new.example/,prefix\n")
    result = run("rewrite", "--map", str(rules), str(file))
    [record] = read(result.stdout_bytes)
    assert record.uri == "http://old.example/dir/"
    assert record.content == b'<a href="https://new.example/dir/page">'


def test_links_in_http_headers(tmp_path: Path) -> None:
    archive = Archive()
    archive.add(URI, b"", status="302 Found", http=(("Location", "/neu seite?q=a|b"),))
    made = tmp_path / "a.warc.gz"
    made.write_bytes(archive.data)
    name = f"{made}@0:header#{URI}"
    listed = run("extract", str(made)).stdout
    assert listed == (
        f"{name}:4:11: <Location>  /neu seite?q=a|b  ->  https://a.example/neu%20seite?q=a%7Cb\n"
    )
    audited = run("audit", str(made))
    assert audited.exit_code == 1
    assert name in audited.stdout
    done = run("rewrite", "-i", str(made))
    assert done.exit_code == 0
    assert "1 rewritten; 1 HTTP header has new links" in done.stderr
    assert read(made.read_bytes())[0].http["Location"] == "/neu%20seite?q=a%7Cb"
    assert run("audit", str(made)).exit_code == 0


def test_a_damaged_field_costs_its_record_alone(tmp_path: Path) -> None:
    archive = Archive(compressed=False)
    for number in range(9):
        archive.add(f"{URI}{number}", PAGE, SHIFT_JIS, http=(("Location", "/x y"),))
    old = archive.pieces()
    old[4] = old[4].replace(b"Payload-Digest: sha1:", b"Payload-Digest: sha1:\x96")
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(old))
    result = run("rewrite", str(path))
    assert result.exit_code == 3
    assert f"{path}@{len(b''.join(old[:4]))}#{URI}4: the digest" in result.stderr
    assert "1 record could not be processed, copied unchanged" in result.stderr
    assert old[4] in result.stdout_bytes
    assert result.stdout_bytes.count(b"Location: /x%20y") == 8
    assert run("rewrite", "-i", str(path)).exit_code == 3
    assert path.read_bytes() == result.stdout_bytes
