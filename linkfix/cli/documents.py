"""The documents of a command, one after the other; a failure of one does not stop the others."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from linkfix.cli.archives import holds_archive
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.files.access import chunks, content, open_document
from linkfix.files.paths import relative
from linkfix.jobs.failures import contained
from linkfix.server.addresses import SiteAddress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from linkfix.jobs.wire import Event
    from linkfix.markup.detect import DocumentType

#: The name of standard input in messages and data.
STANDARD_INPUT = "<stdin>"


@dataclass(frozen=True, slots=True)
class Document:
    """A file to read, a record of an archive, or the HTTP header in one.

    Attributes:
        name: in messages and data.
        type: its type; None to detect it by the name and the first bytes.
        charset: the label from the transport; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: its base URL; None if unknown.
        chunks: yields its bytes; called once.

    """

    name: str
    type: DocumentType | None
    charset: str | None
    environment: str | None
    base: str | None
    chunks: Callable[[], Iterator[bytes]]

    @property
    def reading(self) -> dict[str, Any]:
        """The arguments for `Extractor`, `Auditor`, `Rewriter` and `verify`."""
        names = ("type", "charset", "environment", "base", "name")
        return {name: getattr(self, name) for name in names}


def name_of(path: str, options: dict[str, Any]) -> str:
    """Return the name of a document in messages and data.

    Args:
        path: of the file, or ``-`` for standard input.
        options: ``stdin_filename``.

    """
    return path if path != "-" else options.get("stdin_filename") or STANDARD_INPUT


def document_in(source: BinaryIO, name: str, options: dict[str, Any]) -> Document:
    """Return the document in a file.

    Args:
        source: the file, which is no archive.
        name: of the document.
        options: of the command line.

    """
    kind = None if options["type"] == "auto" else options["type"]
    base = base_of(name, options)
    environment = options["environment"]
    return Document(name, kind, options["charset"], environment, base, partial(_chunks, source))


def base_of(name: str, options: dict[str, Any]) -> str | None:
    """Return the base of a document: the address of its site plus its path there.

    Args:
        name: path of the document, or `STANDARD_INPUT`.
        options: ``base``; ``root``, the folder that has this address, or None if the document has it
            (`linkfix.cli.options.settle_base`); ``index``.

    Returns:
        None without an option ``base``.

    Raises:
        LinkfixError: the document is not below the folder.

    """
    base, root = options["base"], options["root"]
    if base is None or root is None or name == STANDARD_INPUT:
        return cast("str | None", base)
    path = relative(name, root)
    if path is None:
        raise LinkfixError(
            f"it is not below {root}, the folder whose address is {base}",
            hint="name that folder with --root",
            file=name,
        )
    return SiteAddress.at(base).document(path, options["index"])


def _chunks(source: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a file; a small one in one piece, which is the fastest to process."""
    whole = content(source)
    if whole is None:
        yield from chunks(source)
    elif whole:
        yield whole


def documents(path: str, options: dict[str, Any]) -> Iterator[Document]:
    """Yield the document of a path, or the documents of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        options: what the command line says about the documents.

    Raises:
        LinkfixError: the file cannot be read.

    """
    name = name_of(path, options)
    with opened(path) as source:
        if not holds_archive(source, name, options["type"]):
            yield document_in(source, name, options)
            return
        from linkfix.warc import documents as documents_in

        for each in documents_in(source, name):
            charset = each.charset or options["charset"]
            base = each.base or options["base"]
            environment = options["environment"]
            yield Document(each.name, each.type, charset, environment, base, each.chunks)


def each_document(
    path: str, options: dict[str, Any], work: Callable[[Document], Iterator[Event]]
) -> Generator[Event, None, int]:
    """Do the work for the document of a path, or for the documents of an archive; yield the events.

    An exception of one document, of any type, does not stop the others of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        options: of the command line.
        work: processes a document; yields events.

    Returns:
        The exit status: 0, or 3 if a document failed.

    Raises:
        LinkfixError: the file cannot be read.

    """
    status = 0
    for document in documents(path, options):
        try:
            with contained():
                yield from work(document)
        except LinkfixError as error:
            error.file = error.file or document.name
            complain(error)
            status = 3
    return status


def each(paths: Sequence[str], work: Callable[[str], int | None]) -> int:
    """Do the work for every path; return the exit status: 0, or 3 if one failed.

    Args:
        paths: of the documents; ``-``, or no path, is standard input.
        work: processes a path or ``-``; may return a status.

    """
    status = 0
    for path in paths or ("-",):
        try:
            with contained(OSError):
                status = max(status, work(path) or 0)
        except LinkfixError as error:
            error.file = error.file or (STANDARD_INPUT if path == "-" else path)
            complain(error)
            status = 3
    return status


@contextlib.contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a document, or standard input for ``-``.

    Raises:
        UnreadableError: it cannot be read.

    """
    if path == "-":
        yield sys.stdin.buffer
    else:
        with open_document(path) as file:
            yield file
