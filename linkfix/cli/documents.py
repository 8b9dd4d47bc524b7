"""The documents of a command, one after the other; a failure of one does not stop the others."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from linkfix.cli.archives import holds_archive, source_in
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.files.access import chunks, content, open_document
from linkfix.files.codecs import decoded
from linkfix.files.local import unreadable
from linkfix.files.paths import relative
from linkfix.jobs.failures import contained
from linkfix.policy import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from linkfix.cli.options.documents import DocumentOptions
    from linkfix.jobs.wire import Event

#: The name of standard input in messages and data.
STANDARD_INPUT = "<stdin>"


@dataclass(frozen=True, slots=True)
class Document:
    """A file to read, a record of an archive, or the HTTP header in one.

    Attributes:
        source: what is known about it.
        chunks: yields its bytes; called once.

    """

    source: Source
    chunks: Callable[[], Iterator[bytes]]

    @property
    def name(self) -> str:
        """The name in messages and data."""
        return self.source.name


def name_of(path: str, options: DocumentOptions) -> str:
    """Return the name of a document in messages and data.

    Args:
        path: of the file, or ``-`` for standard input.
        options: how it is read.

    """
    return path if path != "-" else options.stdin_filename or STANDARD_INPUT


def source_of(name: str, options: DocumentOptions) -> Source:
    """Return what the command line says about a document that is in no archive.

    Args:
        name: of the document.
        options: how it is read.

    Raises:
        LinkfixError: the document is not below the folder whose address is known.

    """
    return Source(
        type=options.kind,
        charset=options.charset,
        environment=options.environment,
        base=base_of(name, options),
        name=name,
    )


def document_in(file: BinaryIO, name: str, options: DocumentOptions) -> Document:
    """Return the document in a file, which is no archive; the other arguments are those of `source_of`."""
    return Document(source_of(name, options), partial(_chunks, file))


def base_of(name: str, options: DocumentOptions) -> str | None:
    """Return the base of a document: the address of its site plus its path there.

    Args:
        name: path of the document, or `STANDARD_INPUT`.
        options: how it is read (`DocumentOptions.settled`).

    Returns:
        None without an option ``base``.

    Raises:
        LinkfixError: the document is not below the folder.

    """
    base, root = options.base, options.root
    if base is None or root is None or name == STANDARD_INPUT:
        return base
    path = relative(name, root)
    if path is None:
        raise LinkfixError(
            f"it is not below {root}, the folder whose address is {base}",
            hint="name that folder with --root",
            file=name,
        )
    from linkfix.server.addresses import SiteAddress

    return SiteAddress.at(base).document(path, options.index)


def _chunks(source: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a file; a small one in one piece, which is the fastest to process."""
    whole = content(source)
    if whole is None:
        yield from chunks(source)
    elif whole:
        yield whole


def documents(path: str, options: DocumentOptions) -> Iterator[Document]:
    """Yield the document of a path, or the documents of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        options: how documents are read.

    Raises:
        LinkfixError: the file cannot be read.

    """
    name = name_of(path, options)
    with opened(path) as source:
        if not holds_archive(source, name, options.type):
            yield document_in(source, name, options)
            return
        from linkfix.warc import documents as documents_in

        for each in documents_in(source, name):
            yield Document(source_in(each, options), each.chunks)


def each_document(
    path: str, options: DocumentOptions, work: Callable[[Document], Iterator[Event]]
) -> Generator[Event, None, int]:
    """Do the work for the document of a path, or for the documents of an archive; yield the events.

    An exception of one document, of any type, does not stop the others of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        options: how documents are read.
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
        try:
            file = decoded(sys.stdin.buffer)
        except OSError as error:
            raise unreadable(STANDARD_INPUT, "cannot read it", error) from error
        yield file
    else:
        with open_document(path) as file:
            yield file
