"""The lines of Apache's files, and charsets in headers: those of the command line (`Labels`), and those in ``.htaccess`` files.

Whoever reads or writes a file of Apache reads its lines here, each with its words, their byte offsets, and its section.

Apache adds the charset of a directive to the Content-Type header, which precedes a ``meta`` element for browsers.
This module reads these directives line by line:

===========================  =====================================================================
directive                    files
===========================  =====================================================================
``AddDefaultCharset L``      HTML and plain text of the folder and the folders in it
``AddCharset L ext …``       files with one of the extensions, anywhere in the name
``AddType T;charset=L ext``  likewise
``DefaultType``/``ForceType``  every file of the folder and the folders in it
===========================  =====================================================================

A directive in a section (``<Files …>``, ``<If …>``), a directive that sets a header, and a module that converts
charsets (mod_charset_lite) are not read: they are decisions for the user.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import BinaryIO, Literal, NamedTuple

from linkfix.charset import known, lookup
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import begin_of, chunks, read_by
from linkfix.files.globs import Patterns
from linkfix.files.paths import join
from linkfix.markup.detect import DocumentType
from linkfix.policy import Policy
from linkfix.server.addresses import is_program

#: Name of the files in folders; Apache's default (AccessFileName).
NAME = ".htaccess"
#: No file of directives is longer.
MOST_BYTES = 1024 * 1024
_LINE = re.compile(rb"[^\r\n\\]*(?:\\(?:\r?\n)?[^\r\n\\]*)*")
_WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"|(\S+)')
_SECTION = re.compile(rb'\s*<(/?)(\w+)\s*"?([^">]*)', re.ASCII)
#: Sections that change nothing but whether a module or a server has to be there.
_HARMLESS = frozenset({"ifmodule", "ifdefine", "ifversion"})
_HOSTS = re.compile(rb"^\s*<virtualhost\b", re.IGNORECASE | re.MULTILINE)

#: How many lines that are not read are named.
MOST_NAMED = 5


class Word(NamedTuple):
    """A word of a line: byte offsets in the file, its quotes included, and its text without them."""

    start: int
    end: int
    text: str


class Line(NamedTuple):
    """A line of directives.

    Attributes:
        number: from 1.
        at: byte offset in the file.
        text: without its end; where a backslash joins it with the next one, both become spaces.
        section: the name of the innermost section that it is in, those aside that are harmless; "" for none.
        argument: of this section.

    """

    number: int
    at: int
    text: bytes
    section: str
    argument: str = ""

    @property
    def places(self) -> list[Word]:
        """The directive and its arguments; nothing for a comment."""
        if self.text.lstrip().startswith(b"#"):
            return []
        return [
            Word(self.at + m.start(), self.at + m.end(), m[m.lastindex or 0].decode("utf-8", "surrogateescape"))
            for m in _WORD.finditer(self.text)
        ]  # fmt: skip


def lines(data: bytes) -> Iterator[Line]:
    """Yield the lines of a file; one that begins or ends a section is in the section around it."""
    #: The sections that are open, each as `Line.section` and `Line.argument` have it.
    sections = [("", "")]
    harmless = _HARMLESS if len(_HOSTS.findall(data)) > 1 else _HARMLESS | {"virtualhost"}
    number = 1
    at = 0
    while at <= len(data):
        match = _LINE.match(data, at)
        line = b"" if match is None else match[0]
        section = _SECTION.match(line)
        if section is not None and section[1]:
            del sections[max(1, len(sections) - 1) :]
        text = line.replace(b"\\\r\n", b"   ").replace(b"\\\n", b"  ")
        yield Line(number, at, text, *sections[-1])
        if section is not None and not section[1]:
            name = section[2].decode("ascii").lower()
            argument = section[3].strip().decode("utf-8", "surrogateescape")
            sections.append(sections[-1] if name in harmless else (name, argument))
        number += line.count(b"\n") + 1
        at += len(line) + (2 if data.startswith(b"\r\n", at + len(line)) else 1)


def content_of(path: str) -> bytes:
    """Return the bytes of a file of a server.

    Raises:
        UnreadableError: it cannot be read, or is too large to be one.

    """
    data = begin_of(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        hint = "leave it out: --exclude"
        raise UnreadableError("it is too large for a file of a server", hint=hint, file=path)
    return data


def unread_lines(unread: Mapping[int, str], file: str) -> list[LinkfixError]:
    """Return what to say of the directives that decide where addresses lead and are not read; nothing for none.

    Args:
        unread: what is not read, by the number of its line.
        file: the path of the file.

    """
    if not unread:
        return []
    some = ", ".join(
        f"{line} ({what})" for line, what in islice(sorted(unread.items()), MOST_NAMED)
    )
    more = f" and {len(unread) - MOST_NAMED} more" if len(unread) > MOST_NAMED else ""
    why = f"linkfix does not read line{'s' * (len(unread) > 1)} {some}{more}"
    hint = "no link that they may answer is called broken; name what they redirect in a file for --server-config"
    return [LinkfixError(why, hint=hint, file=file, line=min(unread))]


# --- Charsets in headers ---------------------------------------------------------------------------

_PARAMETER = re.compile(rb"""charset\s*=\s*["']?([^\s"';]+)""", re.IGNORECASE)
#: Extensions of what Apache serves as HTML or plain text.
_TEXT = ("html", "htm", "shtml", "shtm", "txt", "text")

Scope = Literal["default", "extensions", "all"]
#: The directives that may name a charset, in lower case.
_SCOPES: dict[str, Scope] = {
    **dict.fromkeys(("addcharset", "addtype"), "extensions"),
    **dict.fromkeys(("charsetdefault", "charsetsourceenc", "defaulttype", "forcetype", "header"), "all"),
    "adddefaultcharset": "default",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive that names a charset.

    Attributes:
        file: path of the ``.htaccess`` file from the root of the tree, or of a file of the server.
        line: its line, from 1.
        name: of the directive.
        label: of the charset.
        start: byte offset of the label in the file.
        end: byte offset after it.
        scope: ``default`` for HTML and plain text without another charset, ``extensions`` for
            files with an extension, ``all`` for all files.
        extensions: of the files, without dots, in lower case.
        problem: why linkfix cannot say to which files it applies, or "".
        folder: that it is for; "" for the root. The path from the root of the tree, in a file of the server that on the server.

    """

    file: str
    line: int
    name: str
    label: str
    start: int
    end: int
    scope: Scope
    extensions: tuple[str, ...] = ()
    problem: str = ""
    folder: str = ""

    @property
    def depth(self) -> tuple[int, bool]:
        """What directives are sorted by: those of outer folders first, and for a folder those of the server."""
        return self.folder.count("/") + bool(self.folder), self.file.endswith(NAME)

    @property
    def renames(self) -> bool:
        """Whether the directive names a charset that is not UTF-8, and is written anew."""
        return bool(self.label) and not self.problem and lookup(self.label).name != "UTF-8"

    def applies(self, path: str) -> bool:
        """Return whether the directive may name the charset of a file, by its path in the tree."""
        if self.folder and not path.startswith(f"{self.folder}/"):
            return False
        extensions = path.rpartition("/")[2].lower().split(".")[1:]
        if self.scope == "all":
            return True
        wanted = _TEXT if self.scope == "default" else self.extensions
        return not set(wanted).isdisjoint(extensions)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name} {self.label}"


def row(value: str) -> tuple[str, str]:
    """Read a row of `Labels`.

    Raises:
        UnknownCharsetError: the label names nothing.
        UnsupportedCharsetError: it names a charset that is refused.
        ValueError: the pattern is none.

    """
    pattern, _, label = value.rpartition("=")
    lookup(label)
    _patterns(pattern)
    return pattern, label


@dataclass(frozen=True, slots=True)
class Labels:
    """Charsets by the paths of files, as the command line says them: ``LABEL`` or ``PATTERN=LABEL``.

    Attributes:
        rows: pattern, as in a ``.gitignore``, and label; "" for a pattern that every file has. The
            last one that matches counts.

    """

    rows: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, values: Iterable[str]) -> Labels:
        """Read the values of an option; the errors are those of `row`."""
        return cls((*map(row, values),))

    def label(self, path: str, *, general: bool = True) -> str | None:
        """Return the label for a file; None for none.

        Args:
            path: of the file, from the root of the tree.
            general: whether the rows without a pattern count.

        """
        for pattern, label in reversed(self.rows):
            if _patterns(pattern).matches(path) if pattern else general:
                return label
        return None


@lru_cache(maxsize=1024)
def _patterns(pattern: str) -> Patterns:
    return Patterns([pattern])


@dataclass(frozen=True, slots=True)
class Headers:
    """The charsets that a server names in its headers.

    Attributes:
        labels: those that the user named.
        directives: those of the files of the server, the ones of the root first.
        undeclared: the charsets of pages that nothing declares, by the user's decision.

    """

    labels: Labels
    directives: tuple[Directive, ...] = ()
    undeclared: Labels | None = None

    def policy(self, policy: Policy, path: str) -> Policy:
        """Return how a document is read: with the charset that the user decided for it, if it declares none."""
        label = None if self.undeclared is None else self.undeclared.label(path)
        return policy if label is None else replace(policy, default_charset=label)

    def header(self, path: str, type: DocumentType | None) -> str | None:
        """Return the label that the server sends with a file; None for none.

        Args:
            path: of the file, from the root of the tree.
            type: of the document, ``text`` for a script; None if it depends on the content.

        """
        # A label without a pattern is for HTML only: a server's AddDefaultCharset does not apply to XML and style sheets.
        label = self.labels.label(path, general=type in {None, "html"})
        if label is not None:
            return label
        found = self._directive(path)
        return None if found is None else found.label or None

    def _directive(self, path: str) -> Directive | None:
        """Return the directive that decides on the charset of a file."""
        for scope in ("extensions", "all", "default"):
            for each in reversed(self.directives):
                if each.scope == scope and not each.problem and each.applies(path):
                    return each
        return None

    def spoiled(self, root: str, path: str) -> Directive | None:
        """Return the directive that gives a copied file a wrong charset.

        Args:
            root: folder of the tree.
            path: of the file, from there.

        """
        stem, _, extension = path.rpartition(".")
        found = self._directive(f"{stem}.html" if is_program(path) else path)
        if found is None or not found.renames:
            return None
        is_text = extension.lower() in {*_TEXT, *found.extensions}
        is_spoiled = is_program(path) or (is_text and not is_in(join(root, path), "ascii"))
        return found if is_spoiled else None


def is_in(path: str, encoding: Literal["ascii", "utf-8"]) -> bool:
    """Return whether a file is well-formed in an encoding; not so for one that cannot be read."""

    def decodes(file: BinaryIO) -> list[bool]:
        decoder = getincrementaldecoder(encoding)()
        try:
            for data in chunks(file):
                decoder.decode(data)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return [False]
        return [True]

    try:
        return bool(read_by(path, decodes)[0])
    except UnreadableError:
        return False


def charset_of(line: Line, file: str) -> Directive | None:
    """Return what a line of a file of Apache says about a charset; None for nothing."""
    text = line.text
    scope = _SCOPES.get(text.split(None, 1)[0].decode("latin-1").lower()) if text.strip() else None
    words = line.places if scope is not None else []
    if len(words) < 2 or scope is None:
        return None
    name, label = words[0].text, words[1].text
    rest = tuple(word.text.lstrip(".").lower() for word in words[2:])
    kind, problem = name.lower(), ""
    quoted = text.startswith(b'"', words[1].start - line.at)
    start, end = words[1].start + quoted, words[1].end - quoted
    if kind == "adddefaultcharset":
        label = {"off": "", "on": "iso-8859-1"}.get(label.lower(), label)
    elif kind.startswith("charset"):
        problem = "mod_charset_lite converts what it serves"
    elif kind != "addcharset":
        parameter = _PARAMETER.search(text)
        if parameter is None:
            return None
        label = parameter[1].decode("latin-1")
        start, end = (line.at + at for at in parameter.span(1))
        problem = "it sets a header" if kind == "header" else ""
    if not problem and label and known(label) is None:
        problem = f"no browser knows {label!r}"
    if scope != "extensions":
        rest = ()
    return Directive(file, line.number, name, label, start, end, scope, rest, problem)
