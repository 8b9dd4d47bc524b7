"""The documents of a command, one after the other; a failure of one does not stop the others."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING

from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.jobs.failures import contained
from linkfix.sites.documents import Document, Sources, documents

if TYPE_CHECKING:
    from linkfix.jobs.wire import Event


def each_document(
    path: str, options: Sources, work: Callable[[Document], Iterator[Event]]
) -> Generator[Event, None, int]:
    """Do the work for the document of a path, or for the documents of an archive; yield the events.

    An exception of one document, of any type, does not stop the others of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        options: what is known about documents.
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
