"""The records of a journal, proven before they are used.

A journal is found beside the documents: who made it is not known. Each line is bounded in size and parsed by
itself. A line that is no JSON was cut off when a run was killed, and is passed over; a line that is JSON and
no record is refused, and nothing of the journal is used. A temporary file can only have a name of the
form that linkfix makes, and lies beside its target in the folders of the run. The cost is one pass.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from linkfix.errors import JournalError
from linkfix.files.paths import is_temporary

VERSION = 2
#: The longest line of a journal in bytes.
LONGEST = 64 * 1024 * 1024
_HEADER = "linkfix-journal"
#: Numbers that a file system can have for a file, and counts.
_LARGEST = 2**64

#: The result for a line that was cut off.
_CUT = object()

#: Says of plain data, as JSON has it, whether it has a certain form.
Shape = Callable[[Any], bool]


# --- shapes ---------------------------------------------------------------------------------------


def anything(_value: Any) -> bool:
    """Accept every value."""
    return True


def number(value: Any) -> bool:
    """Accept whole numbers of 64 bits and a sign."""
    return type(value) is int and -_LARGEST < value < _LARGEST


def flag(value: Any) -> bool:
    """Accept true and false."""
    return isinstance(value, bool)


def text(value: Any) -> bool:
    """Accept strings."""
    return isinstance(value, str)


def lines(value: Any) -> bool:
    """Accept lines of printable ASCII, each with its line feed."""
    return isinstance(value, str) and re.fullmatch(r"([ -~]*\n)*", value) is not None


def choice(*values: Any) -> Shape:
    """Accept one of some values."""
    return lambda value: any(type(value) is type(each) and value == each for each in values)


def maybe(shape: Shape) -> Shape:
    """Accept null as well."""
    return lambda value: value is None or shape(value)


def listed(shape: Shape) -> Shape:
    """Accept lists of any length."""
    return lambda value: isinstance(value, list) and all(map(shape, value))


def row(*shapes: Shape) -> Shape:
    """Accept lists of as many items as there are shapes."""

    def accept(value: Any) -> bool:
        return (
            isinstance(value, list)
            and len(value) == len(shapes)
            and all(shape(item) for shape, item in zip(shapes, value, strict=True))
        )

    return accept


def mapping(shape: Shape) -> Shape:
    """Accept objects with any names."""
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def fields(required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None) -> Shape:
    """Accept objects with certain names and no other."""
    known = {**required, **(optional or {})}

    def accept(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and required.keys() <= value.keys() <= known.keys()
            and all(known[name](each) for name, each in value.items())
        )

    return accept


# --- records --------------------------------------------------------------------------------------


class Records:
    """The form of the records of one run, and the folders in which it may write.

    Args:
        path: of the journal, for messages.
        roots: folders; what the journal names has to lie in them.
        result: the form of the result of a document.

    """

    def __init__(self, path: str, roots: Iterable[str], result: Shape) -> None:
        self._path = path
        self._roots = tuple({os.path.realpath(root) for root in roots})
        self._folders: dict[str, str | None] = {}
        identity = row(number, number, number, number)
        self._header = fields({_HEADER: choice(VERSION), "asked": mapping(anything), "started": text}, {"process": number})  # fmt: skip
        self._shapes = {
            "begin": fields({"begin": text, "target": self._is_within, "temporary": _is_temporary}),
            "intend": fields(
                {
                    "intend": text,
                    "target": self._is_within,
                    "old": maybe(identity),
                    "new": identity,
                    "result": result,
                }
            ),
            "undo": fields({"undo": text}),
            "done": fields({"done": text}, {"result": result}),
        }

    def read(self, file: int) -> Iterator[tuple[str, dict[str, Any], int, int]]:
        """Yield the records of a journal.

        Args:
            file: descriptor of the journal.

        Yields:
            The verb of the record, its fields, the byte offset of its line and the length of that in
            bytes. The verb of the header, which is the first, is ``""``.

        Raises:
            JournalError: a line is JSON and no record of this run, is too long, or nested too deeply.

        """
        offset = 0
        is_first = True
        with open(file, "rb", closefd=False) as journal:
            journal.seek(0)
            while line := journal.readline(LONGEST + 1):
                record = self._parsed(line)
                if is_first and record is not _CUT:
                    self._check_header(record)
                    yield "", record, offset, len(line)
                    is_first = False
                elif record is not _CUT:
                    yield self._verb(record, offset), record, offset, len(line)
                offset += len(line)

    def temporary(self, record: Mapping[str, Any]) -> Path:
        """Return the path of the temporary file in a record from `read`."""
        folder = self._folder(record["target"])
        assert folder is not None  # noqa: S101 - `read` has seen to it
        return Path(folder, record["temporary"])

    def _parsed(self, line: bytes) -> Any:
        """Parse a line; return `_CUT` for a line that was cut off, None for an invalid one."""
        if len(line) > LONGEST:
            return None
        try:
            return json.loads(line)
        except RecursionError:
            return None
        except ValueError:
            return _CUT

    def _check_header(self, record: Any) -> None:
        version = record.get(_HEADER) if isinstance(record, dict) else None
        if number(version) and version != VERSION:
            raise JournalError(
                f"a journal of version {version}, which is not known",
                hint="go on with the version of linkfix that began, or remove this file to begin anew",
                file=self._path,
            )
        if not self._header(record):
            raise JournalError(
                "this is no journal", hint="name another file with --journal", file=self._path
            )

    def _verb(self, record: Any, offset: int) -> str:
        """Return the verb of a record that has the form of its kind."""
        verbs = [verb for verb in self._shapes if isinstance(record, dict) and verb in record]
        if len(verbs) == 1 and self._shapes[verbs[0]](record):
            return verbs[0]
        raise self.refusal(offset)

    def refusal(self, offset: int) -> JournalError:
        """Return the error of a record at a byte offset that a run of these folders does not write."""
        return JournalError(
            "linkfix did not write this journal for these folders: here is no record of such a run; "
            "nothing was changed",
            hint="remove this file to begin anew",
            file=self._path,
            offset=offset,
        )

    def _is_within(self, target: Any) -> bool:
        return isinstance(target, str) and self._folder(target) is not None

    def _folder(self, target: str) -> str | None:
        """Return the real folder of a file in the folders of the run; None for any other file."""
        folder, slash, name = target.rpartition("/")
        if not target.startswith("/") or "\0" in target or name in {"", ".", ".."}:
            return None
        if folder not in self._folders:
            try:
                real = os.path.realpath(folder + slash)
            except ValueError:  # a lone surrogate without an octet
                return None
            within = any(f"{real}/".startswith(f"{root.rstrip('/')}/") for root in self._roots)
            self._folders[folder] = real if within else None
        return self._folders[folder]


def _is_temporary(value: Any) -> bool:
    return isinstance(value, str) and is_temporary(value)
