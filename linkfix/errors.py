"""The errors of linkfix: each has the position of the fault, and a way out.

::

    LinkfixError
     ├─ ArgumentError              an argument of the library that is wrong; it is a ValueError too
     ├─ UnknownCharsetError        a label that the Encoding Standard does not have
     ├─ UnsupportedCharsetError    a charset that is known and refused (HZ, ISO-2022-KR …)
     ├─ NoDocumentError            a file of another kind: an archive, a message, a program …
     ├─ NotWellFormedError         an XML document that an XML processor must reject
     ├─ LossError                  octets that are malformed in the charset, which UTF-8 would lose
     ├─ SignedDocumentError        an XML document whose signature a rewrite would break
     ├─ LimitExceededError         a document that needs more than an option allows
     ├─ LinkMapError               rules of a link map that are wrong
     ├─ UnreadableError            a file that cannot be read or written
     ├─ VerificationError          a new document that differs in more than links
     ├─ WorkerError                a process that died at its work
     ├─ UnexpectedError            an exception that nobody raised on purpose: a fault of linkfix, or of the user's function
     ├─ JournalError               a run that cannot begin or go on where it stopped
     ├─ MigrationError             a site that cannot be migrated as asked without losing files
     └─ MoveError                  a file or folder that cannot move as asked
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from linkfix.deferred import pattern

#: An option of linkfix in a hint, perhaps with a value; not one of a command that is shown whole.
_OPTION = pattern(
    r"(?<!linkfix |install )--(?:no-)?([a-z]+(?:-[a-z]+)*)(?:(?:=|(?<=--type) )(\w+))?"
)
#: The arguments for options that are no argument of the same name with a value.
_ARGUMENTS = {
    **{
        name: f"{name}=True"
        for name in ("accept", "after", "dtd", "hidden", "recover", "resume", "signed")
    },
    **{f"max-{name}": f"limits.{name}" for name in ("attributes", "depth", "name", "token")},
    "dry-run": "mode='dry-run'",
    "in-place": "mode='in-place'",
    "server-config": "configuration=",
    "verify": "verify=False",
    "write-baseline": "Baseline.text()",
}


def _argument(option: re.Match[str]) -> str:
    """Return the argument of the library for an option."""
    if option[2]:
        return f"{option[1]}={option[2]!r}"
    return _ARGUMENTS.get(option[1], option[1].replace("-", "_") + "=")


def place_of(file: str, line: int | None, column: int | None = None) -> str:
    """Return a place in a document for people; without the name of the document, in words."""
    numbers = [("line", line), ("column", column)][: 0 if line is None else 2]
    known = [(word, number) for word, number in numbers if number is not None]
    if file:
        return ":".join([file, *(str(number) for _, number in known)])
    return ", ".join(f"{word} {number}" for word, number in known)


class LinkfixError(Exception):
    """The base of every error that linkfix raises on purpose.

    Attributes:
        message: what is wrong, without the place.
        hint: the way out, or the empty string; it names options of the command line.
        file: name of the document, if the caller passed one.
        offset: byte offset from the start of the document, from 0.
        line: line number, from 1.
        column: column in code points, from 1.
        names_options: whether the text of every error names options of the command line, as hints do, and not the arguments
            of functions; the command line sets it.

    """

    names_options: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        file: str | None = None,
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.file = file
        self.offset = offset
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return (
            self.text
            if LinkfixError.names_options
            else self._text(_OPTION.sub(_argument, self.hint))
        )

    @property
    def text(self) -> str:
        """The text as the command line has it, which is that of the rows of `linkfix.arrow` and `linkfix.spark`."""
        return self._text(self.hint)

    def _text(self, hint: str) -> str:
        place = place_of(self.file or "", self.line, self.column)
        text = f"{place}: {self.message}" if place else self.message
        if self.offset is not None:
            text += f" (byte offset {self.offset})"
        return f"{text}; {hint}" if hint else text


class ArgumentError(LinkfixError, ValueError):
    """An argument that is wrong: the message has its name, and what is allowed."""


class UnknownCharsetError(LinkfixError):
    """A charset label that names no encoding."""


class UnsupportedCharsetError(LinkfixError):
    """A charset that linkfix knows and will not process."""


class NoDocumentError(LinkfixError):
    """A file that is no document: an archive, a message, a program, an image, something compressed."""


class NotWellFormedError(LinkfixError):
    """An XML document that is not well-formed (XML 1.0, 2.1)."""


class LossError(LinkfixError):
    """A document with octets that are malformed in its charset: written in another one, they would be lost.

    Attributes:
        declared: whether the document or its transport declares the charset.

    """

    declared: bool = True


class SignedDocumentError(LinkfixError):
    """An XML document with an XML Signature, which a rewrite would make invalid."""


class LimitExceededError(LinkfixError):
    """A document that goes over a limit, such as the longest tag allowed."""


class LinkMapError(LinkfixError):
    """A rule of a link map that is wrong.

    Attributes:
        others: the errors of the other wrong rules of the same map, in the order of its lines.

    """

    others: tuple[LinkMapError, ...] = ()


class UnreadableError(LinkfixError):
    """A file that is missing, is no file, may not be read or written, or changed meanwhile."""


class VerificationError(LinkfixError):
    """A new document that differs from the old one in more than the spelling of links."""


class WorkerError(LinkfixError):
    """A process that died while it worked on a document."""


class UnexpectedError(LinkfixError):
    """An exception that linkfix did not raise on purpose: a fault of linkfix, or of a function that was passed to it.

    Attributes:
        trace: the traceback, as Python prints it.

    """

    trace: str = ""


class JournalError(LinkfixError):
    """A run that its journal does not allow to begin, or to resume."""


class NothingToResumeError(JournalError):
    """A run is to be resumed, and no unfinished run is recorded."""


class MigrationError(LinkfixError):
    """A site that cannot be migrated as asked without losing files.

    Attributes:
        problems: all obstacles, if there is more than one.

    """

    problems: tuple[str, ...] = ()

    @classmethod
    def of(cls, problems: Iterable[str]) -> MigrationError:
        """Make one error of many problems."""
        listed = tuple(problems)
        error = cls(
            "nothing was written: " + "; ".join(listed[:10]) + "; …" * (len(listed) > 10),
            hint="rename the files in the old tree, or change the rules that move them",
        )
        error.problems = listed
        return error


class MoveError(LinkfixError):
    """A file or folder that cannot move as asked."""
