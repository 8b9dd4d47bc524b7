"""What all containers have: members by their names, limits, and what is refused."""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from tempfile import SpooledTemporaryFile, TemporaryFile
from threading import Lock
from typing import IO, BinaryIO, NamedTuple, cast

from linkfix.errors import LimitExceededError, SignedDocumentError, UnreadableError

#: The most octets of one member, and of all of them, and the most members: a small file may be made into any number.
MOST_OF_MEMBER = 256 * 1024 * 1024
_MOST_OF_ALL = 4 * 1024 * 1024 * 1024
_MOST_MEMBERS = 200_000
#: The most folders that a member may be in.
_MOST_STEPS = 64
#: The largest member in octets that is kept in memory; others are in a temporary file.
_IN_MEMORY = 8 * 1024 * 1024
PIECE = 256 * 1024

#: Members that sign a container (OCF 3.3, 4.2.6.3.6; ODF 1.3 Part 2, 5.3; ISO/IEC 29500-2, 13; JAR File Specification), or have
#: digests of what is in it (RFC 8493, 2.1.3 and 2.2.1; Python packages, PEP 427).
_SIGNATURE = re.compile(
    r"META-INF/(?:(?:document|macro)?signatures\.xml|[^/]+\.(?:SF|RSA|DSA|EC))|_xmlsignatures/.+"
    r"|(?:[^/]+/)?manifest-(?:md5|sha\d+)\.txt|[^/]+\.dist-info/RECORD",
    re.ASCII | re.IGNORECASE,
)
#: The digests of the members of a WACZ file (WACZ 1.1.1, "datapackage.json"), beside indexes with offsets in them.
_DIGESTS = "datapackage.json"
_ENCRYPTION = "META-INF/encryption.xml"
#: The algorithms that make fonts useless elsewhere, and encrypt nothing else (OCF 3.3, 4.4).
_OF_FONTS = {b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC"}
_ALGORITHM = re.compile(rb"""EncryptionMethod\s[^>]*?Algorithm\s*=\s*["']([^"']*)""")


class About(NamedTuple):
    """What a container says about a member besides its name.

    Attributes:
        content_type: its media type, with the charset if that is declared; "" if it is not known.
        base: absolute URI that its references are relative to; None if unknown.
        is_ascii: whether it has to stay in ASCII.

    """

    content_type: str = ""
    base: str | None = None
    is_ascii: bool = False


class Container:
    """A container that is open.

    Attributes:
        sizes: of its members in octets, by their names, in the order of the container. A name is a path with slashes;
            octets of it that are not UTF-8 are lone surrogates (PEP 383).
        strange: how many members are no files with a path in the container.
        about: what is said about members, by their names; there may be nothing.
        uris: the URIs that members have for links in other members, each with the name of its member; None where
            members have none but their paths.
        signature: what signs the container; "" for nothing, or for a member that says so by its name.

    """

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}
        self.strange: int = 0
        self.about: dict[str, About] = {}
        self.uris: tuple[tuple[str, str], ...] | None = None
        self.signature: str = ""
        self._total = 0

    def open(self, name: str) -> BinaryIO:
        """Return the content of a member, at its beginning; it can be read again.

        Raises:
            LinkfixError: it is damaged or encrypted, or too large.

        """
        raise NotImplementedError

    def copy(self, new: "Changes") -> Iterator[bytes]:
        """Yield the octets of the container with new content and new names of some members.

        Args:
            new: the content by the names of members, and their new names.

        Raises:
            LinkfixError: it is damaged, or a member cannot be changed.

        """
        raise NotImplementedError

    def check_changeable(self, *, signed: bool) -> None:
        """Refuse to change what is signed or encrypted.

        Args:
            signed: whether signatures may become invalid.

        Raises:
            SignedDocumentError: it is signed.
            UnreadableError: it is encrypted, or has an index of its octets.

        """
        if _DIGESTS in self.sizes and any(name.startswith("archive/") for name in self.sizes):
            raise UnreadableError(
                f"{_DIGESTS} and its indexes say digests and offsets of what is in it, and would be wrong",
                hint="rewrite its WARC files, and pack them anew with the tool that made it",
            )
        found = self.signature or next(filter(_SIGNATURE.fullmatch, self.sizes), None)
        if found and not signed:
            raise SignedDocumentError(
                f"it is signed, or has digests of what is in it ({found}): a rewrite would make them invalid",
                hint="rewrite it with --signed and sign it again",
            )
        if _ENCRYPTION in self.sizes:
            with self.open(_ENCRYPTION) as file:
                algorithms = {*_ALGORITHM.findall(file.read())}
            if not algorithms or algorithms - _OF_FONTS:
                raise UnreadableError(f"it is encrypted ({_ENCRYPTION})", hint="decrypt it first")

    def with_folders(self, names: Mapping[str, str], folders: Iterable[str]) -> dict[str, str]:
        """Return new names with those of the entries of folders in which every member has a new name, and all in one folder.

        Args:
            names: new names by the names of members.
            folders: the names of entries of folders, with the slash at their end.

        """
        entries, places = {*folders}, dict[str, set[str]]()
        for name in self.sizes if names else ():
            new, at = names.get(name, name), len(name)
            while (at := name.rfind("/", 0, at)) >= 0:
                if (folder := name[: at + 1]) in entries:
                    into = places.setdefault(folder, set())
                    if new.endswith(name[at:]):
                        into.add(new[: len(new) - len(name) + at + 1])
        found = {**names}
        for folder in sorted(entries) if names else ():
            parent, _, last = folder[:-1].rpartition("/")
            into = places.get(folder, set())
            if len(into) == 1 and folder not in into:
                found[folder] = into.pop()
            elif folder not in places and f"{parent}/" in found:  # an empty one
                found[folder] = f"{found[f'{parent}/']}{last}/"
        return found

    def add(self, name: str, size: int) -> bool:
        """Add a member; return whether its name is a path in the container.

        Raises:
            UnreadableError: there is one of this name already.
            LimitExceededError: there are too many, or too large ones.

        """
        steps = name.split("/")
        is_odd = not {"", ".", ".."}.isdisjoint(steps) or re.search(r"[\0\\]", name) is not None
        if is_odd or len(steps) > _MOST_STEPS:
            self.strange += 1
            return False
        if name in self.sizes:
            raise UnreadableError(
                f"two of its members are called {name}", hint="programs read either; remove one"
            )
        self.sizes[name] = size
        self._total += size
        self.check_number(len(self.sizes))
        return True

    def check_number(self, members: int) -> None:
        """Refuse a container with so many members, or those that it has.

        Raises:
            LimitExceededError: there are too many, or too large ones.

        """
        if members > _MOST_MEMBERS or self._total > _MOST_OF_ALL:
            raise LimitExceededError(
                f"it has more than {_MOST_MEMBERS:,} members, or than {_MOST_OF_ALL >> 30} GiB in them",
                hint="unpack it, if it is one that you trust",
            )


class Changes(Mapping[str, IO[bytes]]):
    """New content of members, by their names, in one temporary file.

    Args:
        signed: whether signatures may become invalid.

    Attributes:
        signed: that argument.
        names: new names of members by their old ones.

    """

    def __init__(self, *, signed: bool = False) -> None:
        self.signed = signed
        self._file = SpooledTemporaryFile[bytes](_IN_MEMORY)
        self._lock = Lock()  # a group commits several files at a time
        self._spans: dict[str, tuple[int, int]] = {}
        self.names: dict[str, str] = {}

    def __getitem__(self, name: str) -> IO[bytes]:
        return copied(pieces(self._file, *self._spans[name]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)

    def __bool__(self) -> bool:
        return bool(self._spans or self.names)

    def clear(self) -> None:
        """Take all changes back."""
        self._spans.clear()
        self.names.clear()

    def add(self, name: str, content: IO[bytes]) -> None:
        """Set the content of a member: that of a file from its beginning; an empty one is none."""
        with self._lock:
            start = self._file.seek(0, os.SEEK_END)
            content.seek(0)
            shutil.copyfileobj(content, self._file)
            if self._file.tell() > start:
                self._spans[name] = start, self._file.tell()

    def close(self) -> None:
        """Forget the content."""
        self._file.close()


def copied(pieces: Iterable[bytes]) -> BinaryIO:
    """Return a file with some octets, at its beginning.

    Raises:
        LimitExceededError: there are more than `MOST_OF_MEMBER`.

    """
    file: IO[bytes] = BytesIO()
    for piece in pieces:
        size = file.tell() + len(piece)
        if size > MOST_OF_MEMBER:
            file.close()
            raise LimitExceededError(
                f"it has more than {MOST_OF_MEMBER >> 20} MiB",
                hint="unpack it, if it is one that you trust",
            )
        if size > _IN_MEMORY and isinstance(file, BytesIO):
            little, file = file, TemporaryFile()  # noqa: SIM115 - its reader closes it
            file.write(little.getvalue())
        file.write(piece)
    file.seek(0)
    return cast("BinaryIO", file)


def pieces(source: IO[bytes], start: int, end: int) -> Iterator[bytes]:
    """Yield the octets of a file between two offsets.

    Raises:
        UnreadableError: it ends before.

    """
    source.seek(start)
    while start < end:
        data = source.read(min(PIECE, end - start))
        if not data:
            raise damaged("it is cut off")
        yield data
        start += len(data)


def damaged(why: object, offset: int | None = None) -> UnreadableError:
    """Return the error of a container that cannot be read."""
    return UnreadableError(f"the container is damaged: {why}", offset=offset)
