"""WARC files with the links of their documents rewritten.

A record whose document changes gets a new block: the old HTTP header with new links and a new Content-Length, and the
new document in the codings of the old one. If only links of the header change, the body keeps its octets. The
record's Content-Length and its digests are corrected. It keeps its type, its identifier and its date, since it
replaces the old record, to which other records refer; ``WARC-Refers-To`` is not meant for this (WARC 1.1, 5.13).
Every other record is copied byte for byte. A ``revisit`` record of a rewritten payload gets its new digest.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO, Literal

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import whole
from linkfix.files.store import StoredTexts
from linkfix.jobs.failures import contained
from linkfix.policy import Policy, gate
from linkfix.rewriting import Report, Rewriter
from linkfix.warc.codings import Body, seen
from linkfix.warc.frames import PIECE, SPOOL, deflated
from linkfix.warc.records import Head, Record, all_records, source_of


@dataclass(slots=True)
class ArchiveReport:
    """The result of one archive.

    Attributes:
        records: the number of records.
        documents: how many of them contain HTML or XML.
        rewritten: how many of these were changed.
        headers: how many records have an HTTP header with changed links.
        failed: how many records could not be read or rewritten; they are unchanged.
        revisits: how many revisit records got the new digest of their payload.
        stale: how many revisit records have an old digest, since they precede their payload.
        links: how many links may be rewritten.
        changed: how many of them were rewritten.
        kept: how many links were left although they are not valid.

    """

    records: int = 0
    documents: int = 0
    rewritten: int = 0
    headers: int = 0
    failed: int = 0
    revisits: int = 0
    stale: int = 0
    links: int = 0
    changed: int = 0
    kept: int = 0

    def add(self, report: Report) -> None:
        """Count the links of a document or a header."""
        if report.type == "http":
            self.headers += bool(report.changed)
        else:
            self.rewritten += bool(report.changed)
        self.links += report.links
        self.changed += report.changed
        self.kept += report.kept


def rewrite_warc(
    source: BinaryIO,
    sink: IO[bytes],
    *,
    to: Literal["uri", "iri"] | None = None,
    policy: Policy | None = None,
    name: str = "",
    rewriter: Callable[[Record | Head], Rewriter] | None = None,
    on_report: Callable[[Report], None] | None = None,
    on_error: Callable[[LinkfixError], None] | None = None,
) -> ArchiveReport:
    """Rewrite the links of the documents in a WARC file, and of the HTTP headers.

    Args:
        source: a binary file, at its beginning; it need not be one that can be sought in.
        sink: a binary file; each record is written when it is done.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs; None for what the policy says, or ``uri``.
        policy: every other setting.
        name: of the file, for the names of the records.
        rewriter: makes the rewriter of a document or a header instead.
        on_report: called for each document and each header with links that was processed, in order.
        on_error: called for each record that could not be; the record is written as it was.

    Returns:
        What was done.

    Raises:
        UnreadableError: the file cannot be read or written as a whole, or the package warcio is
            missing.

    """
    gate.check(to=to, policy=policy)
    gate.binary("sink", sink, "wb")

    def plain(record: Record | Head) -> Rewriter:
        return Rewriter(to, policy=policy, source=source_of(record))

    writer = _Writer(sink, rewriter or plain)
    try:
        for record in all_records(source, name, keep=True):
            writer.report.records += bool(record.kind)
            try:
                with contained(OSError):
                    reports = writer.write(record)
            except LinkfixError as error:
                if writer.begun:
                    raise
                error.file = error.file or record.name
                writer.report.failed += 1
                _write(sink, record.frame.copy())
                if on_error is not None:
                    on_error(error)
                continue
            for report in reports:
                if on_report is not None:
                    on_report(report)
    finally:
        writer.report.stale = writer.twins.late
    return writer.report


class _Writer:
    """Write the records of one archive.

    Attributes:
        begun: whether bytes of the current record may have been written.

    """

    def __init__(self, sink: IO[bytes], rewriter: Callable[[Record | Head], Rewriter]) -> None:
        self.report = ArchiveReport()
        self.twins = Twins()
        self.begun = False
        self._sink = sink
        self._rewriter = rewriter

    def write(self, record: Record) -> list[Report]:
        """Write a record, rewritten if need be; return the reports of the header and of the document in it."""
        self.begun = False
        reports, http = [], record.http_head
        if (head := record.head) is not None:
            rewriter = self._rewriter(head)
            http = rewriter.whole(http)
            reports.append(rewriter.report)
        if record.type is not None:
            self.report.documents += 1
            reports.append(self._document(record, http))
        else:
            self._other(record, http)
        for report in reports:
            self.report.add(report)
        return reports

    def _document(self, record: Record, http: bytes) -> Report:
        """Write a record with a document in it; `http` is its new HTTP header."""
        rewriter = self._rewriter(record)
        body = record.body()
        old = _PayloadDigest(record)
        with SpooledTemporaryFile(SPOOL) as new, SpooledTemporaryFile(SPOOL) as raw:
            with contained(OSError):  # nothing of the record is written yet
                block = seen(record.frame.block(), old.body.update)
                if http != record.http_head:
                    block = seen(block, raw.write)
                _write(new, map(rewriter.feed, body.decode(block, old.entity.update)))
                new.write(rewriter.close())
                record.check()
            if rewriter.report.changed:
                self._changed(record, http, body, _pieces(new), old)
            else:
                self._same_body(record, http, raw)
        return rewriter.report

    def _other(self, record: Record, http: bytes) -> None:
        """Write a record without a document; `http` is its new HTTP header."""
        twin = self._twin(record)
        with SpooledTemporaryFile(SPOOL) as raw:
            with contained(OSError):
                if not twin and http != record.http_head:
                    _write(raw, record.frame.block())
                record.check()
            if not twin:
                self._same_body(record, http, raw)
            else:
                length, _, digest = twin.partition(" ")
                self._put(record, _with_field(http, "Content-Length", length), digest=digest)
                self.report.revisits += 1

    def _changed(
        self, record: Record, http: bytes, body: Body, content: Iterator[bytes], old: _PayloadDigest
    ) -> None:
        """Write a record with other content."""
        new = _PayloadDigest(record)
        with SpooledTemporaryFile(SPOOL) as coded:
            _write(coded, seen(body.encode(content, new.entity.update), new.body.update))
            length = coded.tell()
            digest = str(new.body if str(old.entity) != old.label else new.entity)
            http = _with_field(http, "Content-Length", str(length))
            self._put(record, http, coded, digest=digest)
        if digest:
            self.twins.add(old.label, record.uri, f"{length} {digest}")

    def _same_body(self, record: Record, http: bytes, raw: IO[bytes]) -> None:
        """Write a record as it was, but for its HTTP header; `raw` is the body if that is another one."""
        if http == record.http_head:
            self._emit(record.frame.copy())
        else:
            self._put(record, http, raw)

    def _twin(self, record: Record) -> str:
        """Return the result of the payload that a revisit record repeats (WARC 1.1, 6.7); "" for none."""
        digest = record.field("WARC-Payload-Digest")
        if record.kind != "revisit" or not digest or record.frame.peek(1):
            return ""
        return self.twins.find(digest, record.field("WARC-Refers-To-Target-URI") or record.uri)

    def _put(
        self, record: Record, http: bytes, body: IO[bytes] | None = None, *, digest: str = ""
    ) -> None:
        """Write a record with the header that belongs to it.

        Args:
            record: what it was.
            http: the HTTP header.
            body: of the message, or None where the record has none.
            digest: of the payload; "" for the one that it had, or none.

        """
        size = len(http) + (0 if body is None else body.seek(0, os.SEEK_END))
        head = _with_field(record.frame.head, "Content-Length", str(size))
        if digest:
            head = _with_field(head, "WARC-Payload-Digest", digest)
        if label := record.field("WARC-Block-Digest"):
            block = Digest(label)
            for piece in chain((http,), _pieces(body)):
                block.update(piece)
            head = _with_field(head, "WARC-Block-Digest", str(block))
        whole = chain((head, http), _pieces(body), (b"\r\n\r\n",))
        self._emit(deflated(whole) if record.frame.compressed else whole)

    def _emit(self, pieces: Iterator[bytes]) -> None:
        """Write the bytes of a record."""
        self.begun = True
        _write(self._sink, pieces)


class _PayloadDigest:
    """The digest of a payload, computed in the two ways in use.

    By the standard it is the digest of the body without transfer codings (WARC 1.1, 5.9); most tools use the
    body as it was sent.

    Attributes:
        label: the value of the record's field.
        body: of the body as it was sent.
        entity: of the body without transfer codings.

    """

    def __init__(self, record: Record) -> None:
        self.label = record.field("WARC-Payload-Digest")
        self.body, self.entity = Digest(self.label), Digest(self.label)


def _write(sink: IO[bytes], pieces: Iterable[bytes]) -> None:
    # writelines of a spooled file would collect all bytes in memory.
    with whole(sink) as file:
        for piece in pieces:
            file.write(piece)


def _pieces(file: IO[bytes] | None) -> Iterator[bytes]:
    if file is not None:
        file.seek(0)
        yield from iter(partial(file.read, PIECE), b"")


def _with_field(head: bytes, name: str, value: str) -> bytes:
    """Return a header with another value in the fields of a name; their number stays."""
    field = rb"(?im)^(%b[ \t]*:[ \t]*)[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*" % name.encode("ascii")
    return re.sub(field, lambda found: found[1] + value.encode("ascii"), head)


# --- Labelled digests: ``sha1:`` and a value in base 32, mostly (WARC 1.1, 5.8) ----------------------

_HEX = re.compile(r"[0-9A-Fa-f]*")


class Digest:
    """A digest to be computed as another was: by the same algorithm, written in the same way.

    Args:
        label: the other, as the field of a record has it; "" for none, as a text too.

    Raises:
        UnreadableError: an algorithm that is not known, or no digest.

    """

    def __init__(self, label: str) -> None:
        self._algorithm, _, value = label.partition(":")
        self._hash: Any = None
        if not label:
            return
        if not (label.isascii() and label.isprintable()):
            raise UnreadableError(f"the digest {label!r} is damaged")
        try:
            self._hash = hashlib.new(
                self._algorithm.lower().replace("-", ""), usedforsecurity=False
            )
            self._hash.digest()  # an algorithm with results of any length needs one (TypeError)
        except (TypeError, ValueError) as error:
            raise UnreadableError(
                f"the digest {label!r} has an algorithm that linkfix does not know"
            ) from error
        self._write = _encoder(value, self._hash.digest_size)

    def update(self, data: bytes) -> None:
        """Add the next bytes."""
        if self._hash is not None:
            self._hash.update(data)

    def __str__(self) -> str:
        if self._hash is None:
            return ""
        return f"{self._algorithm}:{self._write(self._hash.digest())}"


def _encoder(value: str, size: int) -> Callable[[bytes], str]:
    """Return the encoder of digests that fits one of `size` bytes: base 16, 32 or 64."""
    if len(value) == 2 * size and _HEX.fullmatch(value):
        lower = value == value.lower()
        return lambda digest: digest.hex() if lower else digest.hex().upper()
    if len(value.rstrip("=")) == -(-size * 4 // 3):
        safe = "-" in value or "_" in value
        write: Callable[[bytes], bytes] = base64.urlsafe_b64encode if safe else base64.b64encode
    else:
        write = base64.b32encode

    def encode(digest: bytes) -> str:
        text = write(digest).decode("ascii")
        text = text if value.endswith("=") else text.rstrip("=")
        return text.lower() if write is base64.b32encode and value.islower() else text

    return encode


# --- The results of rewritten payloads, for the records that repeat them --------------------------


class Twins:
    """The digests of rewritten payloads, and of payloads that were looked up in vain, in a database on disk.

    Attributes:
        late: how many lookups came before their answer.

    """

    def __init__(self) -> None:
        self.late: int = 0
        #: By digest and URI, and by digest, the result; by digest and a blank, the number of lookups without an answer.
        self._texts = StoredTexts()

    def add(self, digest: str, uri: str, text: str) -> None:
        """Add the result of a payload.

        Args:
            digest: its old ``WARC-Payload-Digest``.
            uri: its URI.
            text: the number of bytes of its new body, a blank, and its new digest.

        """
        asked = f"{digest} "
        known = self._texts.find([digest, asked])
        if digest not in known:
            self.late += int(known.get(asked, 0))
            self._texts.add({digest: text})
        self._texts.add({f"{digest}\n{uri}": text})

    def find(self, digest: str, uri: str) -> str:
        """Return the result of a payload with a digest, "" for none; the one from a URI precedes others."""
        exact, asked = f"{digest}\n{uri}", f"{digest} "
        known = self._texts.find([exact, digest, asked])
        if digest not in known:
            self._texts.add({asked: str(int(known.get(asked, 0)) + 1)})
            return ""
        return known.get(exact, known[digest])
