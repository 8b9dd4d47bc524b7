"""The records of a journal, proven before they are used.

A journal is found beside the documents: who made it is not known. Each line is bounded in size and parsed by
itself. A line that is no JSON was cut off when a run was killed, and is passed over; a line that is JSON and
no record is refused, and nothing of the journal is used. A temporary file can only have a name of the
form that linkfix makes, and lies beside its target in the folders of the run. The cost is one pass.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, TypeAlias

from linkfix.errors import JournalError
from linkfix.files.paths import is_temporary

VERSION = 2
#: The longest line of a journal in bytes.
LONGEST = 64 * 1024 * 1024
_HEADER = "linkfix-journal"
_HEADER_FORM = {_HEADER: int, "asked": dict, "started": str, "process?": int}
#: Numbers that a file system can have for a file, and counts.
_LARGEST = 2**64

#: The result for a line that was cut off.
_CUT = object()

#: The form of plain data, as JSON has it: `int` for whole numbers of 64 bits and a sign; another type, or one of several (``str | None``);
#: ``[form]`` for a list, ``(form, form)`` for one of as many items; ``{str: form}`` for an object with any names, ``{"name": form, "other?": form}``
#: for one with these names, of which the second may be missing; a function that returns whether it accepts a value.
Form: TypeAlias = Any


def fits(value: Any, form: Form) -> bool:
    """Return whether plain data has a form."""
    if isinstance(form, type):
        is_of_type = form is object or type(value) is form
        return is_of_type and (form is not int or -_LARGEST < value < _LARGEST)
    if isinstance(form, UnionType):
        return any(fits(value, each) for each in form.__args__)
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(each, form[0]) for each in value)
    if isinstance(form, tuple):
        is_row = isinstance(value, list) and len(value) == len(form)
        return is_row and all(map(fits, value, form))
    if not isinstance(form, dict):
        return bool(form(value))
    if not isinstance(value, dict):
        return False
    if str in form:
        return all(fits(each, form[str]) for each in value.values())
    known = {name.removesuffix("?"): each for name, each in form.items()}
    return {name for name in form if name[-1] != "?"} <= value.keys() <= known.keys() and all(
        fits(each, known[name]) for name, each in value.items()
    )


def lines(value: Any) -> bool:
    """Return whether a value is lines of printable ASCII, each with its line feed."""
    return isinstance(value, str) and re.fullmatch(r"([ -~]*\n)*", value) is not None


# --- records --------------------------------------------------------------------------------------


class Records:
    """The form of the records of one run, and the folders in which it may write.

    Args:
        path: of the journal, for messages.
        roots: folders; what the journal names has to lie in them.
        result: the form of the result of a document.

    """

    def __init__(self, path: str, roots: Iterable[str], result: Form) -> None:
        self._path = path
        self._roots = tuple({os.path.realpath(root) for root in roots})
        self._folders: dict[str, str | None] = {}
        identity = (int,) * 4
        self._forms = {
            "begin": {"begin": str, "target": self._is_within, "temporary": is_temporary},
            "intend": {
                "intend": str,
                "target": self._is_within,
                "old": lambda value: value is None or fits(value, identity),
                "new": identity,
                "result": result,
            },
            "undo": {"undo": str},
            "done": {"done": str, "result?": result},
        }

    def read(self, file: int, *, only: str = "") -> Iterator[tuple[str, dict[str, Any], int, int]]:
        """Yield the records of a journal.

        Args:
            file: descriptor of the journal.
            only: the verb of the records that are wanted, besides the header; "" for all.

        Yields:
            The verb of the record, its fields, the byte offset of its line and the length of that in
            bytes. The verb of the header, which is the first, is ``""``.

        Raises:
            JournalError: a line is JSON and no record of this run, is too long, or nested too deeply.

        """
        offset = 0
        is_first, wanted = True, f'{{"{only}"'.encode()
        with open(file, "rb", closefd=False) as journal:
            journal.seek(0)
            while line := journal.readline(LONGEST + 1):
                if only and not is_first and not line.startswith(wanted):
                    offset += len(line)
                    continue
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
        import json

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
        if fits(version, int) and version != VERSION:
            raise JournalError(
                f"a journal of version {version}, which is not known",
                hint="go on with the version of linkfix that began, or remove this file to begin anew",
                file=self._path,
            )
        if version != VERSION or not fits(record, _HEADER_FORM):
            raise JournalError("this is no journal", file=self._path)

    def _verb(self, record: Any, offset: int) -> str:
        """Return the verb of a record that has the form of its kind."""
        verbs = [verb for verb in self._forms if isinstance(record, dict) and verb in record]
        if len(verbs) == 1 and fits(record, self._forms[verbs[0]]):
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
