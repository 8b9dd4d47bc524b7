"""What documents, catalogs and schemas name is found: it ends, and opens only regular files in its folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.links import LinkStream
from linkfix.links.link import Kind
from linkfix.links.schemas import Catalog, load
from linkfix.links.settings import XMLSettings

if TYPE_CHECKING:
    import linkfix

XS = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t' xmlns:t='urn:t' elementFormDefault='qualified'>"
ROOT = "<xs:element name='root'><xs:complexType><xs:attribute name='href' type='xs:anyURI'/></xs:complexType></xs:element></xs:schema>"
GOOD = XS + ROOT


def links(source: str, **settings: Any) -> tuple[list[linkfix.Link], list[str]]:
    said: list[str] = []
    xml = XMLSettings(on_schema=lambda error: said.append(str(error)), **settings)
    stream = LinkStream(type="xml", name="doc.xml", xml=xml)
    return stream.feed(source.encode()) + stream.close(), said


def values(source: str, **settings: Any) -> list[str]:
    return [link.value for link in links(source, **settings)[0]]


def document(location: str) -> str:
    return (
        "<?xml version='1.0'?>\n<t:root xmlns:t='urn:t' href='a' "
        "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
        f"xsi:schemaLocation='urn:t {location}'/>"
    )


def catalog(folder: Path, entries: str, name: str = "catalog.xml") -> Path:
    path = folder / name
    path.write_text(
        f"<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>{entries}</catalog>"
    )
    return path


@pytest.fixture
def known(tmp_path: Path) -> Catalog:
    (tmp_path / "schemas" / "sub").mkdir(parents=True)
    for place in ("secret.xsd", "schemas/good.xsd", "schemas/sub/good.xsd"):
        (tmp_path / place).write_text(GOOD)
    (tmp_path / "schemas" / "out").symlink_to(tmp_path)
    (tmp_path / "schemas" / "link.xsd").symlink_to(tmp_path / "secret.xsd")
    os.mkfifo(tmp_path / "schemas" / "pipe.xsd")
    (tmp_path / "schemas" / "zero.xsd").symlink_to("/dev/zero")
    (tmp_path / "schemas" / "bad.xsd").write_text(XS + "<xs:element/></xs:schema>")
    entry = "<rewriteURI uriStartString='http://s.example/' rewritePrefix='schemas/'/>"
    return Catalog(str(catalog(tmp_path, entry)))


@pytest.mark.parametrize("location", ["good.xsd", "sub/good.xsd", "sub%2Fgood.xsd", "g%6Fod.xsd"])
def test_a_schema_in_the_folder_of_the_catalog_is_used(known: Catalog, location: str) -> None:
    found, said = links(document(f"http://s.example/{location}"), catalog=known)
    assert "a" in [link.value for link in found]
    assert said == []


@pytest.mark.parametrize(
    ("location", "why"),
    [
        ("missing.xsd", "cannot read it: No such file"),
        ("pipe.xsd", "this is no regular file"),
        ("sub", "this is no regular file"),
        ("bad.xsd", "this is no valid schema"),
        ("zero.xsd", "leads out of the folder"),
        ("link.xsd", "leads out of the folder"),
        ("out/secret.xsd", "leads out of the folder"),
        ("../secret.xsd", "leads out of the folder"),
        ("../../../../../../../etc/passwd", "leads out of the folder"),
        ("..%2Fsecret.xsd", "leads out of the folder"),
        ("%2e%2e/secret.xsd", "leads out of the folder"),
        ("sub/../../secret.xsd", "leads out of the folder"),
        ("sub/../good.xsd", "leads out of the folder"),
        ("..\\secret.xsd", "leads out of the folder"),
        ("..%5Csecret.xsd", "leads out of the folder"),
        ("/etc/passwd", "leads out of the folder"),
        ("//etc/passwd", "leads out of the folder"),
        ("%2Fetc%2Fpasswd", "leads out of the folder"),
    ],
)
def test_a_schema_that_cannot_be_used_is_said_and_the_run_goes_on(
    known: Catalog, location: str, why: str
) -> None:
    for _ in range(2):  # the second document says it as well
        found, said = links(document(f"http://s.example/{location}"), catalog=known)
        assert "a" not in [link.value for link in found]
        assert len(said) == 1
        assert said[0].startswith("doc.xml:2:1: the schema")
        assert why in said[0]


@given(st.text(st.sampled_from("./\\%2eFf5Cc~a:?#"), max_size=20))
def test_no_address_leads_out_of_the_folder(rest: str) -> None:
    folder = Path(__file__).parent / "data"
    known = Catalog.__new__(Catalog)
    known._exact, known._prefixes = {}, [("u:", f"{folder.as_uri()}/")]
    try:
        path = known.resolve(f"u:{rest}")
    except UnreadableError:
        return
    assert path is None or Path(os.path.realpath(path)).is_relative_to(folder)


def test_a_catalog_goes_on_without_what_it_cannot_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.xsd").write_text(GOOD)
    os.mkfifo(tmp_path / "pipe.xml")
    (tmp_path / "bad.xml").write_text("<x")
    names = ("none.xml", "pipe.xml", "bad.xml", "last.xml", "catalog.xml", "http://[", "http://e.example/c")  # fmt: skip
    nexts = "".join(f"\n<nextCatalog catalog='{name}'/>" for name in names)
    catalog(tmp_path, nexts)
    catalog(tmp_path, "<rewriteURI uriStartString='u:' rewritePrefix='./'/>", "last.xml")
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    known = Catalog("catalog.xml", lambda error: said.append(str(error)))
    assert known.resolve("u:a.xsd") == str(tmp_path / "a.xsd")
    assert [line.partition(" that it names cannot be used: ")[0] for line in said] == [
        f"{tmp_path}/catalog.xml:2: the catalog {tmp_path}/none.xml",
        f"{tmp_path}/catalog.xml:3: the catalog {tmp_path}/pipe.xml",
        f"{tmp_path}/catalog.xml:4: the catalog {tmp_path}/bad.xml",
        f"{tmp_path}/catalog.xml:7: the catalog",
        f"{tmp_path}/catalog.xml:8: the catalog http://e.example/c",
    ]
    assert all(line.endswith("; it is ignored") for line in said)


def test_a_schema_that_the_catalog_does_not_have_is_said(known: Catalog) -> None:
    found, said = links(document("http://other.example/a.xsd"), catalog=known)
    assert "a" not in [link.value for link in found]
    (only,) = said
    assert only.replace("schema=", "--schema") == (
        "doc.xml:2:1: the schema http://other.example/a.xsd that it names cannot be used: the catalog has no file for "
        "it (byte offset 22); add it to the catalog, or name its file with --schema"
    )
    assert links("<root href='a'/>", catalog=known) == ([], [])


def test_what_is_given_is_a_regular_file_too(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for read in (load, Catalog):
        with pytest.raises(UnreadableError, match="no regular file"):
            read(str(tmp_path / "pipe"))


@pytest.mark.parametrize(
    "text",
    [
        XS + "<xs:include schemaLocation='missing.x'/></xs:schema>",
        XS + "<xs:redefine schemaLocation='missing.x'/></xs:schema>",
        XS + "<xs:override schemaLocation='missing.x'/></xs:schema>",
        "<grammar xmlns='http://relaxng.org/ns/structure/1.0'><include href='missing.x'/></grammar>",
    ],
)
def test_a_missing_part_is_said_by_linkfix_alone(
    tmp_path: Path, text: str, recwarn: pytest.WarningsRecorder
) -> None:
    (tmp_path / "s").write_text(text)
    with pytest.raises(UnreadableError, match=r"missing\.x: cannot read it: No such file"):
        load(str(tmp_path / "s"))
    assert not recwarn.list


@pytest.mark.parametrize(
    "text",
    [
        "<grammar xmlns='http://relaxng.org/ns/structure/1.0'><include href='pipe'/></grammar>",
        "<externalRef xmlns='http://relaxng.org/ns/structure/1.0' href='pipe'/>",
        XS + "<xs:include schemaLocation='pipe'/><xs:element name='a' type='t:b'/></xs:schema>",
    ],
)
def test_a_schema_does_not_wait_for_a_pipe(tmp_path: Path, text: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "s").write_text(text)
    with pytest.raises(UnreadableError):
        load(str(tmp_path / "s"))


@pytest.mark.parametrize("text", ["[" * 9, "<a>" * 100_000, "<x xmlns='urn:x'/>", XS + "<xs:simpleType name='a'>" * 3000])  # fmt: skip
def test_what_is_no_schema_is_an_error_of_linkfix(tmp_path: Path, text: str) -> None:
    (tmp_path / "s").write_text(text)
    with pytest.raises(LinkfixError):
        load(str(tmp_path / "s"))


EVIL = "((a+)+)+b"
UNION = (
    "<xs:simpleType name='first'><xs:restriction base='xs:{base}'><xs:pattern value='{pattern}'/>{more}</xs:restriction></xs:simpleType>"
    "<xs:simpleType name='both'><xs:union memberTypes='t:first xs:anyURI'/></xs:simpleType>"
    "<xs:element name='root'><xs:complexType><xs:attribute name='href' type='t:both'/></xs:complexType></xs:element></xs:schema>"
)


def kinds(path: Path, value: str) -> list[Kind]:
    found, _ = links(f"<t:root xmlns:t='urn:t' href='{value}'/>", schema=load(str(path)))
    return [link.kind for link in found if link.attribute == "href"]


def test_a_pattern_is_not_evaluated(tmp_path: Path) -> None:
    """A value of either member is listed; it is not known which, so it is no link to rewrite."""
    path = tmp_path / "s.xsd"
    path.write_text(XS + UNION.format(base="string", pattern=EVIL, more=""))
    assert kinds(path, "a" * 60) == [Kind.IDENTITY]
    assert kinds(path, "http://e.example/ a") == [Kind.IDENTITY]


def test_what_decides_without_the_pattern_is_decided(tmp_path: Path) -> None:
    path = tmp_path / "s.xsd"
    path.write_text(XS + UNION.format(base="integer", pattern="[0-9]{1,3}", more=""))
    assert kinds(path, "http://e.example/ a") == [Kind.SINGLE]
    assert kinds(path, "12") == [Kind.IDENTITY]
    path.write_text(XS + UNION.format(base="string", pattern=".*", more="<xs:maxLength value='3'/>"))  # fmt: skip
    assert kinds(path, "http://e.example/ a") == [Kind.SINGLE]


def test_a_pattern_of_another_schema_is_not_evaluated_either(tmp_path: Path) -> None:
    (tmp_path / "types.xsd").write_text(
        XS + "<xs:simpleType name='first'><xs:restriction base='xs:string'>"
        f"<xs:pattern value='{EVIL}'/></xs:restriction></xs:simpleType></xs:schema>"
    )
    path = tmp_path / "s.xsd"
    path.write_text(
        XS + "<xs:include schemaLocation='types.xsd'/>"
        "<xs:simpleType name='few'><xs:restriction base='t:first'>"
        f"<xs:enumeration value='{'a' * 60}'/></xs:restriction></xs:simpleType>"
        "<xs:simpleType name='both'><xs:union memberTypes='t:few xs:anyURI'/></xs:simpleType>"
        f"<xs:element name='root'><xs:complexType><xs:attribute name='href' type='t:both'/>"
        f"<xs:attribute name='d' type='t:first' default='{'a' * 60}'/></xs:complexType></xs:element></xs:schema>"
    )
    assert kinds(path, "a" * 60) == [Kind.IDENTITY]
    assert kinds(path, "b") == [Kind.SINGLE]


def test_an_assertion_is_not_evaluated(tmp_path: Path) -> None:
    path = tmp_path / "s.xsd"
    assertion = "<xs:assertion test='matches($value, \"((a+)+)+b\")'/>"
    path.write_text(XS + UNION.format(base="string", pattern=".*", more=assertion))
    assert kinds(path, "a" * 60) == [Kind.IDENTITY]
