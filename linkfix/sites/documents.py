"""The documents of a command: what is known about each, and its bytes; a WARC file has many."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, cast, get_args

from linkfix.errors import LinkfixError
from linkfix.files.access import chunks, content, open_document
from linkfix.files.local import decoded, failing
from linkfix.files.paths import MARK, relative, split_packed
from linkfix.markup.detect import DocumentType
from linkfix.policy import Source, gate

if TYPE_CHECKING:
    from linkfix.files.tree import Found
    from linkfix.server.includes import Part
    from linkfix.warc import Head, Record

#: The name of standard input in messages and data.
STANDARD_INPUT = "<stdin>"
#: What is checked of what is known before a document is read.
_KINDS: dict[str, gate.Kind] = {
    "type": (*get_args(DocumentType), "warc", "auto"),
    "charset": gate.LABEL,
    "base": gate.Instance(str, "IRI, such as 'https://example.org/'"),
    "root": gate.PATH,
    "index": gate.PATTERNS,
}
#: How many bytes of a file show whether it is an archive.
_PREFIX = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What is known about the documents of a run before they are read.

    Attributes:
        type: of all documents; ``auto`` to detect it for each.
        charset: the label from the transport; None for none.
        environment: label of the charset of the page that uses a style sheet; None if unknown.
        base: absolute IRI of the folder `root`, or without it of each document; None if unknown.
        root: absolute path of the folder whose address is `base`; None for none.
        index: the names of the files that the server shows for folders.
        stdin_filename: the name of the document that is read from standard input; None for none.
        manifests: the paths of documents that are web app manifests since pages name them so.
        parts: what pages include, by its path: it is read in the place and in the charset of the first page.
        including: the paths of pages that include parts.
        sheets: the charsets of style sheets that declare none, by their paths: those of the pages that use them.

    """

    type: Literal["html", "xhtml", "xml", "css", "json", "text", "warc", "auto"] = "auto"
    charset: str | None = None
    environment: str | None = None
    base: str | None = None
    root: str | None = None
    index: tuple[str, ...] = ()
    stdin_filename: str | None = None
    manifests: frozenset[str] = frozenset()
    parts: Mapping[str, Part] = field(default_factory=dict)
    including: frozenset[str] = frozenset()
    sheets: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        gate.check(_KINDS, self)
        if self.root is not None:
            object.__setattr__(self, "root", os.fspath(self.root))

    @property
    def kind(self) -> DocumentType | None:
        """The type of all documents but archives; None to detect it."""
        return None if self.type == "auto" else cast("DocumentType", self.type)

    @property
    def site(self) -> str | None:
        """The address that relative rules of a link map are resolved against; None if unknown."""
        if self.base is None or self.root is None:
            return self.base
        from linkfix.server.addresses import SiteAddress

        return SiteAddress.at(self.base).root

    def place(self, found: Found) -> tuple[str, str]:
        """Return the root of a document's site, "" for none, and its path there."""
        if self.root and split_packed(found.root) is None:
            path = relative(found.path, self.root)
            if path is not None:
                return self.root, path
        return found.root, found.relative

    def located(self, name: str, path: str | None) -> str | None:
        """Return the path of the page against whose address a document's links are resolved: its own, or that which includes it."""
        part = self.parts.get(name)
        return path if part is None else part.pages[0]

    def name(self, path: str) -> str:
        """Return the name of a document in messages and data; its path is ``-`` for standard input."""
        return path if path != "-" else self.stdin_filename or STANDARD_INPUT

    def source(self, name: str) -> Source:
        """Return what is known about a document that is in no archive.

        Args:
            name: of the document.

        Raises:
            LinkfixError: the document is not below the folder whose address is known, or its container is damaged.

        """
        kind, part = self.kind, self.parts.get(name)
        if part is not None or name in self.manifests:
            kind = kind or ("html" if part else "json")
        source = Source(
            type=kind,
            charset=(part and part.charset) or self.charset,
            environment=self.sheets.get(name, self.environment),
            base=self._base(name),
            name=name,
        )
        if MARK not in name:
            return source
        from linkfix.library import in_container

        return in_container(source)

    def _base(self, name: str) -> str | None:
        """Return the base of a document: the address of its site plus its path there."""
        base, root = self.base, self.root
        if base is None or root is None or name == STANDARD_INPUT:
            return base
        path = self.located(name, relative(name, root))
        if path is None:
            raise LinkfixError(
                f"it is not below {root}, the folder whose address is {base}",
                hint="name that folder with --root",
                file=name,
            )
        from linkfix.server.addresses import SiteAddress

        return SiteAddress.at(base).document(path, self.index)

    def source_in(self, document: Record | Head) -> Source:
        """Return what is known about a document in an archive, or else about all documents."""
        from linkfix.warc import source_of

        return source_of(
            document, charset=self.charset, environment=self.environment, base=self.base
        )


class Document(NamedTuple):
    """A file to read, a record of an archive, or the HTTP header in one.

    Attributes:
        source: what is known about it.
        chunks: yields its bytes; called once.
        content: returns all bytes of a small document, of which `chunks` yields none then; None for others.

    """

    source: Source
    chunks: Callable[[], Iterator[bytes]]
    content: Callable[[], bytes | None] = lambda: None

    @property
    def name(self) -> str:
        """The name in messages and data."""
        return self.source.name


def document_in(file: BinaryIO, name: str, sources: Sources) -> Document:
    """Return the document in a file, which is no archive."""
    return Document(sources.source(name), partial(_chunks, file), partial(content, file))


def _chunks(source: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a file; a small one in one piece, which is the fastest to process."""
    whole = content(source)
    if whole is None:
        yield from chunks(source)
    elif whole:
        yield whole


def holds_archive(source: BinaryIO, name: str, type: str) -> bool:
    """Return whether a file is read as a WARC file.

    Args:
        source: the file, at its beginning; its position stays there.
        name: of the file.
        type: of all documents (`Sources.type`).

    Raises:
        UnreadableError: it cannot be read.

    """
    if type != "auto":
        return type == "warc"
    peek = getattr(source, "peek", None)
    with failing(name):
        prefix: bytes = b"" if peek is None else peek(_PREFIX)
    if not prefix.startswith((b"WARC/", b"\x1f\x8b")) and "warc" not in name.lower():
        return False
    from linkfix.warc import is_archive

    return is_archive(prefix[:_PREFIX], name)


def documents(path: str, sources: Sources) -> Iterator[Document]:
    """Yield the document of a path, or the documents of an archive.

    Args:
        path: of a file, or ``-`` for standard input.
        sources: what is known about documents.

    Raises:
        LinkfixError: the file cannot be read.

    """
    name = sources.name(path)
    with opened(path) as source:
        if not holds_archive(source, name, sources.type):
            yield document_in(source, name, sources)
            return
        from linkfix.warc import documents as documents_in

        for each in documents_in(source, name):
            yield Document(sources.source_in(each), each.chunks)


def opened(path: str) -> contextlib.AbstractContextManager[BinaryIO]:
    """Open a document, or standard input for ``-``, which stays open.

    Raises:
        UnreadableError: it cannot be read.

    """
    if path != "-":
        return open_document(path)
    with failing(STANDARD_INPUT):
        return contextlib.nullcontext(decoded(sys.stdin.buffer))
