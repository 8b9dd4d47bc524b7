"""The options for XML as users meet them: real processes, exit status, messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import processes
import pytest

if TYPE_CHECKING:
    import subprocess

pytestmark = pytest.mark.system

SCHEMAS = Path(__file__).resolve().parents[1] / "links" / "data" / "schemas"


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return processes.run(*arguments, input=stdin)


@pytest.mark.parametrize(("schema", "document"), [("types.xsd", "types.xml"), ("types.rng", "grammar.xml")])  # fmt: skip
def test_schema(schema: str, document: str) -> None:
    done = run("extract", "--schema", SCHEMAS / schema, SCHEMAS / document)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 10
    without = run("extract", SCHEMAS / document).stdout.splitlines()
    assert [line for line in without if b"@xmlns" not in line] == []


def test_a_file_that_is_no_schema_is_wrong_usage() -> None:
    done = run("extract", "--schema", SCHEMAS / "types.xml", SCHEMAS / "types.xml")
    assert done.returncode == 2
    assert b"no valid schema" in done.stderr.splitlines()[-1]  # no document follows it


BROKEN = "<rss><link>http://a.example/ü?a&b</link></rss>".encode()


def test_recover_says_that_it_did() -> None:
    refused = run("rewrite", "--type", "xml", stdin=BROKEN)
    assert (refused.returncode, refused.stdout) == (3, BROKEN)
    assert b"--recover" in refused.stderr
    done = run("rewrite", "--type", "xml", "--recover", stdin=BROKEN)
    assert done.returncode == 0
    assert done.stdout == BROKEN.replace("ü".encode(), b"%C3%BC")
    assert b"read leniently" in done.stderr
    assert b"byte offset" in done.stderr


SIGNED = "<r xmlns:x='http://www.w3.org/1999/xlink' x:href='/ü'><s:Signature xmlns:s='http://www.w3.org/2000/09/xmldsig#'/></r>".encode()


def test_signed_documents(tmp_path: Path) -> None:
    path = tmp_path / "signed.xml"
    path.write_bytes(SIGNED)
    refused = run("rewrite", "-i", path)
    assert refused.returncode == 3
    assert b"--signed" in refused.stderr
    assert path.read_bytes() == SIGNED
    assert run("rewrite", "-i", "--signed", path).returncode == 0
    assert path.read_bytes() == SIGNED.replace("ü".encode(), b"%C3%BC")
    path.write_bytes(SIGNED)
    assert run("extract", path).returncode == 0


@pytest.mark.parametrize(
    "inside", ["<s:Signature/>", "<s:KeyInfo>z</s:KeyInfo>", "<a><s:Signature></s:Signature></a>"]
)
@pytest.mark.parametrize("before", ["", "<b>x</b>" * 2000])
def test_a_signature_needs_no_attributes(inside: str, before: str) -> None:
    head = "<r xmlns:x='http://www.w3.org/1999/xlink' x:href='a b' xmlns:s='http://www.w3.org/2000/09/xmldsig#'>"
    document = f"{head}{before}{inside}</r>".encode()
    refused = run("rewrite", "--type", "xml", stdin=document)
    assert refused.returncode == 3
    assert b"XML Signature" in refused.stderr
    done = run("rewrite", "--type", "xml", "--signed", stdin=document)
    assert done.stdout == document.replace(b"a b", b"a%20b")


@pytest.mark.parametrize(
    ("limit", "document"),
    [
        ("depth", b"<a>" * 20 + b"</a>" * 20),
        ("attributes", b"<a " + b" ".join(b"a%d=''" % n for n in range(20)) + b"/>"),
        ("name", b"<" + b"a" * 20 + b"/>"),
    ],
)
def test_limits(limit: str, document: bytes) -> None:
    refused = run("extract", "--type", "xml", f"--max-{limit}", "10", stdin=document)
    assert refused.returncode == 3
    assert f"--max-{limit}".encode() in refused.stderr
    allowed = run("extract", "--type", "xml", f"--max-{limit}", "20", stdin=document)
    assert allowed.returncode == 0


def test_doctype() -> None:
    document = b"<!DOCTYPE a SYSTEM 'b.dtd'><a/>"
    assert run("extract", "--type", "xml", stdin=document).stdout == b""
    assert b"b.dtd" in run("extract", "--type", "xml", "--dtd", stdin=document).stdout
