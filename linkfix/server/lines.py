"""The lines of Apache's files: directives, and the sections that they are in.

Input: the bytes of a file. Output: each line with its words and their byte offsets. Whoever reads or writes such a file reads these lines.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import begin_of

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

    @property
    def words(self) -> list[str]:
        """The texts of `places`."""
        return [word.text for word in self.places]


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
