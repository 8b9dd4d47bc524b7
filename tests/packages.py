"""Containers for tests: the same documents as a folder, as a ZIP file, as tar archives; books, office files, messages."""

from __future__ import annotations

import base64
import email
import gzip
import io
import json
import quopri
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from linkfix.cli.group import cli
from linkfix.jobs import pool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = [
    "BOOK",
    "DOCX",
    "EML",
    "MHT",
    "ODT",
    "SITE",
    "as_folder",
    "as_message",
    "as_tar",
    "as_tar_gz",
    "as_zip",
    "contents",
    "message_parts",
    "records",
    "run",
    "written",
]


def run(*arguments: object, status: int = 0, given: bytes | None = None) -> Result:
    """Run a command of linkfix in this process alone, with some octets as its standard input, and check its status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "can_fork", lambda: False)
        result = CliRunner().invoke(cli, [*map(str, arguments)], input=given)
    assert result.exit_code == status, result.output
    return result


def written(path: Path, data: bytes) -> Path:
    """Write octets to a file; return its path."""
    path.write_bytes(data)
    return path


_XHTML = '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{}</body></html>\n'
#: A site: pages that change and that do not, in several charsets; links that lead nowhere; an image.
SITE: dict[str, bytes] = {
    "index.html": '<!doctype html><meta charset=utf-8><a href="a/é.html">x</a><a href="b c.html">y</a><a href=gone.html>z</a>\n'.encode(),
    "b c.html": b'<!doctype html><meta charset=utf-8><title>b</title><p id=p><a href="index.html">x</a>\n',
    "a/é.html": '<!doctype html><meta charset=windows-1252><a href="../b c.html#p">x</a><a href="../b c.html#q">é</a>\n'.encode("cp1252"),
    "a/sj.html": '<!doctype html><meta charset=shift_jis><a href="/検索?q=空">x</a>\n'.encode("shift_jis"),
    "a/t.svgz": gzip.compress(b'<svg xmlns="http://www.w3.org/2000/svg"><a href="../b c.html"/></svg>', mtime=0),
    "style.css": b"a { b: url('x y.png') }\n",
    "same.html": b"<!doctype html><meta charset=utf-8><a href=index.html>x</a>\n",
    "x y.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
}  # fmt: skip
BOOK: dict[str, bytes] = {
    "mimetype": b"application/epub+zip",
    "META-INF/container.xml": b'<?xml version="1.0"?>\n<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    b'<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n',
    "OPS/book.opf": '<?xml version="1.0" encoding="utf-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">'
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">urn:uuid:1e0c7c6e-7c5b-4c6b-9b0e-2f9b7c7d8e9f</dc:identifier>'
    '<dc:title>x</dc:title><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata>'
    '<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="a" href="é.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="b" href="b%20c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>\n'.encode(),
    "OPS/nav.xhtml": '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head>'
    '<body><nav epub:type="toc"><ol><li><a href="é.xhtml">a</a></li><li><a href="b%20c.xhtml#p">b</a></li></ol></nav></body></html>\n'.encode(),
    "OPS/é.xhtml": _XHTML.format('<p><a href="b%20c.xhtml">x</a> <a href="http://h.example/é?q=a|b">y</a></p>').encode(),
    "OPS/b c.xhtml": _XHTML.format('<p id="p"><a href="nav.xhtml">x</a></p>').encode(),
}  # fmt: skip
_RELS = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
DOCX: dict[str, bytes] = {
    "[Content_Types].xml": b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="png" ContentType="image/png"/>'
    b'<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    "_rels/.rels": _RELS.format(f'<Relationship Id="rId1" Type="{_KIND}officeDocument" Target="word/document.xml"/>').encode(),
    "word/_rels/document.xml.rels": _RELS.format(
        f'<Relationship Id="rId1" Type="{_KIND}image" Target="media/i.png"/>'
        f'<Relationship Id="rId2" Type="{_KIND}hyperlink" Target="http://h.example/é?q=a|b" TargetMode="External"/>'
        f'<Relationship Id="rId3" Type="{_KIND}image" Target="media/gone.png"/>'
    ).encode(),
    "word/document.xml": b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    b' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body><w:p><w:hyperlink r:id="rId2"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p></w:body></w:document>',
    "word/media/i.png": b"\x89PNG\r\n\x1a\n",
}  # fmt: skip
ODT: dict[str, bytes] = {
    "mimetype": b"application/vnd.oasis.opendocument.text",
    "content.xml": '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' office:version="1.3"><office:body><office:text><text:p><text:a xlink:type="simple" xlink:href="http://h.example/é?q=a|b">x</text:a>'
    '<draw:frame><draw:image xlink:href="Pictures/i.png"/></draw:frame></text:p></office:text></office:body></office:document-content>'.encode(),
    "Pictures/i.png": b"\x89PNG\r\n\x1a\n",
    "Configurations2/accelerator/current.xml": b"",  # as LibreOffice writes it
    "META-INF/manifest.xml": b'<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">'
    b'<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
    b'<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
}  # fmt: skip


def as_folder(files: Mapping[str, bytes], path: Path) -> Path:
    """Write files into a folder."""
    for name, data in files.items():
        place = path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return path


def as_zip(files: Mapping[str, bytes], *, comment: bytes = b"") -> bytes:
    """Files in a ZIP file; ``mimetype`` is stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.comment = comment
        for name, data in files.items():
            info = zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            info.extra = b"" if name == "mimetype" else b"UT\x05\0\x01abcd"
            archive.writestr(info, data)
    return out.getvalue()


def as_tar(files: Mapping[str, bytes], kind: int = tarfile.PAX_FORMAT) -> bytes:
    """Files in a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(f"./{name}")
            info.size, info.mtime, info.uname = len(data), 981173106, "somebody"
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def as_tar_gz(files: Mapping[str, bytes]) -> bytes:
    """Files in a compressed tar archive."""
    return gzip.compress(as_tar(files), mtime=0)


def as_message(files: Mapping[str, bytes]) -> bytes:
    """The contents of HTML files in a message."""
    parts = (b"--b\r\nContent-Type: text/html\r\n\r\n%b\r\n" % data for data in files.values())
    return b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n%b--b--\r\n' % b"".join(parts)


def contents(data: bytes) -> dict[str, bytes]:
    """The files in a container, as other programs read them."""
    if not tarfile.is_tarfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert archive.testzip() is None
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        found = [(info.name.removeprefix("./"), tar.extractfile(info)) for info in tar]
        return {name: file.read() for name, file in found if file is not None}


def records(data: bytes) -> dict[str, bytes]:
    """The octets of each member of a ZIP file, from its local header up to the next one."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos = sorted(archive.infolist(), key=lambda each: each.header_offset)
        ends = [*(info.header_offset for info in infos[1:]), archive.start_dir]
    return {
        info.filename: data[info.header_offset : end] for info, end in zip(infos, ends, strict=True)
    }


def _crlf(text: str) -> bytes:
    return text.encode().replace(b"\n", b"\r\n")


_MHT_PAGE = (
    '<!doctype html><html><head><meta charset="utf-8"><link rel="stylesheet" href="http://h.example/s.css"></head><body>'
    + "word " * 30
    + 'é<p>\n<img src="cid:i@h.example"><img src="http://h.example/%C3%A9.png"><img src="i%7C.png">'
    '<a href="http://o.example/é?q=a|b">x</a> <a href="../x y">y</a> '
    + "word " * 30
    + "</body></html>\n"
)
#: A page as Chromium saves it: quoted-printable and base64, Content-Location and Content-ID.
MHT: bytes = b"".join(
    [
        _crlf('From: <Saved by Blink>\nSnapshot-Content-Location: http://h.example/d/p.html\nSubject: =?utf-8?Q?=C3=A9?=\nMIME-Version: 1.0\n'
        'Content-Type: multipart/related;\n\ttype="text/html";\n\tboundary="----MultipartBoundary--x----"\n\n\n'),
        _crlf("------MultipartBoundary--x----\nContent-Type: text/html\nContent-ID: <frame-1@mhtml.blink>\nContent-Transfer-Encoding: quoted-printable\nContent-Location: http://h.example/d/p.html\n\n"),
        quopri.encodestring(_MHT_PAGE.encode()).replace(b"\n", b"\r\n"),
        _crlf("\n------MultipartBoundary--x----\nContent-Type: text/css\nContent-Transfer-Encoding: base64\nContent-Location: http://h.example/s.css\n\n"),
        base64.encodebytes(b'@charset "utf-8";\n' + "a { b: url('x y.png') } c { d: url('é.png') }\n".encode() * 4).replace(b"\n", b"\r\n"),
        _crlf("\n------MultipartBoundary--x----\nContent-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Location: http://h.example/%C3%A9.png\nContent-ID: <i@h.example>\n\n"),
        base64.encodebytes(b"\x89PNG\r\n\x1a\n" * 20).replace(b"\n", b"\r\n"),
        _crlf("\n------MultipartBoundary--x------\n"),
    ]
)  # fmt: skip
#: A mail with parts in parts: alternatives, a picture, a message, a digest; LF, several charsets.
EML: bytes = b"".join(
    [
        b'From: a@h.example\nTo: b@h.example\nMessage-ID: <m1@h.example>\nDate: Tue, 24 Nov 2026 20:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="out"\n\nPreamble, no part\n--out\n',
        b'Content-Type: multipart/alternative; boundary=alt\n\n--alt\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nhttp://o.example/\xc3\xa9\n\n--alt\n',
        b'Content-Type: multipart/related; boundary=rel\n\n--rel\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<html><body>=E9<a href=3D"http://o.example/=E9|">x</a> =\n=20\n<img src=3D"cid:i@h.example"><img src=3D"cid:gone@h.example">\n</body></html>\n',
        b'--rel\nContent-Type: image/png\nContent-ID: <i@h.example>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n\n--rel--\n--alt--\n--out\n',
        b'Content-Type: message/rfc822\n\nFrom: c@h.example\nSubject: x\nContent-Type: text/html; charset=utf-8\n\n<a href="http://o.example/a b">x</a> <a href="http://o.example/%C3%A9">y</a>\n\n--out\n',
        b'Content-Type: multipart/digest; boundary=dig\n\n--dig\n\nFrom: d@h.example\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n<a href="http://o.example/a b">\xc3\xa9</a>\n--dig\n\nFrom: e@h.example\n\ntext\n--dig--\n--out\n',
        b'Content-Type: image/svg+xml\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="x.svg"\n\n',
        base64.encodebytes(b'<svg xmlns="http://www.w3.org/2000/svg"><a href="http://o.example/a b"/></svg>'),
        b"\n--out--\nEpilogue\n",
    ]
)  # fmt: skip


def message_parts(data: bytes) -> list[tuple[list[tuple[str, str]], bytes]]:
    """The parts of a message as Python's ``email`` reads them: fields, and content of those without parts."""
    parts = []
    for part in email.message_from_bytes(data).walk():
        content = part.get_payload(decode=True)
        parts.append(([*part.raw_items()], content if isinstance(content, bytes) else b""))
    return parts


def missing(path: Path, *options: str) -> set[tuple[str, str]]:
    """Return the members of a container whose links have no target, each with the link."""
    done = run("audit", "--format", "jsonl", "--select", "TGT", "--exit-zero", "-q", *options, path)
    found = map(json.loads, done.stdout.splitlines())
    return {(each["file"].partition("!/")[2], each["value"]) for each in found}


#: How a tree becomes a container, by its name.
FORMS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "site.zip": as_zip,
    "site.tar": as_tar,
    "site.tar.gz": as_tar_gz,
}
