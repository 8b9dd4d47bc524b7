"""The functions of the library: extract, rewrite and audit one document."""

from __future__ import annotations

import contextlib
import os
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Literal

from linkfix.extracting import Extractor
from linkfix.rewriting import Rewriter
from linkfix.site.files import SMALL, chunks, content, creating, open_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from linkfix.auditing import Finding, Rule
    from linkfix.links import Link
    from linkfix.markup.detect import DocumentType
    from linkfix.policy import Policy
    from linkfix.rewriting import Outcome, Report
    from linkfix.transcoding import Transcoder, TranscodingReport
    from linkfix.verifying import Difference

__all__ = ["audit", "extract", "results", "rewrite", "transcode", "verify"]

Source = bytes | str | os.PathLike[str] | BinaryIO


def _name(source: Source) -> str:
    if isinstance(source, bytes):
        return ""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    name = getattr(source, "name", "")
    return name if isinstance(name, str) else ""


@contextlib.contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    if isinstance(source, bytes):
        yield BytesIO(source)
    elif isinstance(source, str | os.PathLike):
        with open_document(source) as file:
            yield file
    else:
        yield source


def extract(
    source: Source,
    *,
    type: DocumentType | None = None,
    charset: str | None = None,
    environment: str | None = None,
    base: str | None = None,
    policy: Policy | None = None,
) -> Iterator[Link]:
    """Give every link of a document, in order, while it is being read.

    Args:
        source: bytes, a path, or a binary file.
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: absolute URI of the document, None where it is not known.
        policy: how links are to be read.

    Raises:
        LinkfixError: the document cannot be read or processed.

    """
    stream = Extractor(
        policy, type=type, charset=charset, environment=environment, base=base, name=_name(source)
    )
    if isinstance(source, bytes) and len(source) <= SMALL:
        yield from stream.whole(source)
        return
    with _opened(source) as file:
        for data in chunks(file):
            yield from stream.feed(data)
    yield from stream.close()


def rewrite(
    source: Source,
    sink: BinaryIO | str | os.PathLike[str],
    *,
    to: Literal["uri", "iri"] = "uri",
    type: DocumentType | None = None,
    charset: str | None = None,
    environment: str | None = None,
    base: str | None = None,
    moved_to: str | None = None,
    policy: Policy | None = None,
    on_outcome: Callable[[Outcome], None] | None = None,
    on_change: Callable[[Outcome], None] | None = None,
) -> Report:
    """Rewrite the links of a document.

    Args:
        source: bytes, a path, or a binary file.
        sink: a binary file, or a path; a path is written whole or not at all.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs.
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: absolute URI of the document, None where it is not known.
        moved_to: absolute URI of the document afterwards; None for where the policy leads `base`.
        policy: every other setting; its `to` is used instead of the argument.
        on_outcome: called for each link that may be rewritten, in the order of the document.
        on_change: called for each link that is rewritten, or left as it is although it should not.

    Returns:
        What was done.

    Raises:
        LinkfixError: the document cannot be read or processed. A `sink` that is a file has by
            then the bytes that were done; one that is a path is as it was.

    """
    rewriter = Rewriter(
        to,
        policy=policy,
        type=type,
        charset=charset,
        environment=environment,
        base=base,
        moved_to=moved_to,
        name=_name(source),
        on_outcome=on_outcome,
        on_change=on_change,
    )
    _run(rewriter, source, sink)
    return rewriter.report


def transcode(
    source: Source,
    sink: BinaryIO | str | os.PathLike[str],
    *,
    to: Literal["uri", "iri"] | None = None,
    type: DocumentType | None = None,
    charset: str | None = None,
    environment: str | None = None,
    base: str | None = None,
    policy: Policy | None = None,
    unescape: bool = False,
    forms: Literal["pin", "leave"] = "pin",
    transcoded: Callable[[str], bool] | None = None,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> TranscodingReport:
    """Bring a document into UTF-8, its links leading where they led.

    Args:
        source: bytes, a path, or a binary file.
        sink: a binary file, or a path; a path is written whole or not at all.
        to: ``uri`` or ``iri`` to rewrite every link that is not valid; None for those alone that
            would lead elsewhere otherwise.
        type: of the document, or ``text`` for one without markup, such as a script; None to tell by
            its name and first bytes.
        charset: the label that the transport gave; None for none.
        environment: label of the charset of the page that asks for a style sheet or script, or None.
        base: absolute URI of the document, None where it is not known.
        policy: every other setting for links; its `to` is not used.
        unescape: whether character references become characters, but for those that had better not.
        forms: ``pin`` to have forms submitted in the old charset still, ``leave`` to let them be.
        transcoded: tells of the absolute URI of a file whether that is in UTF-8 afterwards too.
        on_outcome: called for each link that may be rewritten, in the order of the document.

    Returns:
        What was done.

    Raises:
        LinkfixError: the document cannot be read or processed; see `rewrite` for the `sink`.

    """
    from linkfix.transcoding import Transcoder

    transcoder = Transcoder(
        to,
        policy=policy,
        type=type,
        charset=charset,
        environment=environment,
        base=base,
        name=_name(source),
        unescape=unescape,
        forms=forms,
        transcoded=transcoded,
        on_outcome=on_outcome,
    )
    _run(transcoder, source, sink)
    return transcoder.report


def results(stream: Rewriter | Transcoder, source: BinaryIO) -> Iterator[bytes]:
    """Give what a document becomes, piece by piece; a small file at once.

    Raises:
        LinkfixError: the document cannot be read or processed.

    """
    if isinstance(stream, Rewriter) and (document := content(source)) is not None:
        yield stream.whole(document)
        return
    for data in chunks(source):
        yield stream.feed(data)
    yield stream.close()


def _run(
    stream: Rewriter | Transcoder, source: Source, sink: BinaryIO | str | os.PathLike[str]
) -> None:
    if isinstance(sink, str | os.PathLike):
        with creating(sink) as file:
            _run(stream, source, file)
    elif isinstance(source, bytes) and isinstance(stream, Rewriter):
        sink.write(stream.whole(source))
    else:
        with _opened(source) as file:
            for data in results(stream, file):
                sink.write(data)


def audit(
    source: Source,
    *,
    type: DocumentType | None = None,
    charset: str | None = None,
    environment: str | None = None,
    base: str | None = None,
    policy: Policy | None = None,
    rules: Sequence[Rule] | None = None,
) -> Iterator[Finding]:
    """Give what is wrong with the links of a document, in order, while it is being read.

    Args:
        source: bytes, a path, or a binary file.
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: absolute URI of the document, None where it is not known.
        policy: how links are to be read, and what is suggested for them.
        rules: the rules in force, as `linkfix.auditing.select` gives them; None for all.

    Raises:
        LinkfixError: the document cannot be read or processed.

    """
    from linkfix.auditing import Auditor

    auditor = Auditor(
        policy,
        rules=rules,
        type=type,
        charset=charset,
        environment=environment,
        base=base,
        name=_name(source),
    )
    with _opened(source) as file:
        for data in chunks(file):
            yield from auditor.feed(data)
    yield from auditor.end()
    yield from auditor.late_findings()


def verify(
    old: Source,
    new: Source,
    *,
    type: DocumentType | None = None,
    charset: str | None = None,
    environment: str | None = None,
    base: str | None = None,
    moved_to: str | None = None,
    policy: Policy | None = None,
    transcoded: bool = False,
) -> Difference | None:
    """Compare a document before and after a change of its links, by independent parsers.

    Args:
        old: bytes, a path, or a binary file: the document before.
        new: bytes, a path, or a binary file: the document after.
        type: as for `rewrite`.
        charset: as for `rewrite`.
        environment: as for `rewrite`.
        base: as for `rewrite`.
        moved_to: as for `rewrite`.
        policy: how links are read, and where its `target` leads them.
        transcoded: whether the new document is in UTF-8.

    Returns:
        The first difference that is more than another spelling of a link, or None.

    Raises:
        LinkfixError: one of the documents cannot be read.
        ModuleNotFoundError: the extra ``verify`` is not installed.

    """
    from linkfix.policy import Policy
    from linkfix.verifying import verify as compare

    data: list[bytes] = []
    for source in (old, new):
        with _opened(source) as file:
            data.append(b"".join(chunks(file)))
    return compare(
        *data,
        policy=policy or Policy(),
        type=type,
        charset=charset,
        environment=environment,
        base=base,
        moved_to=moved_to,
        name=_name(old),
        transcoded=transcoded,
    )
