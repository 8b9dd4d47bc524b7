"""The WARC files of a job, each the work of one task, and large ones that are divided between several; and what is done of them."""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import linkfix
from linkfix.arrow.documents import LARGEST
from linkfix.errors import LinkfixError
from linkfix.files.access import creating, exists, make_folder, open_document, place_in, size_of
from linkfix.files.entries import Tally
from linkfix.files.paths import OWN_PREFIX, absolute, is_remote, join
from linkfix.files.records import fits
from linkfix.files.tree import Selection, documents
from linkfix.jobs.failures import contained
from linkfix.policy import Policy, gate
from linkfix.warc import WHOLE, Span, borders, is_archive

#: WARC files of more bytes are divided. Crawlers begin another file after 1 GB, so that most files are not.
SPLIT = 2 * 1024**3
_BORDERS = pa.schema([("path", pa.string()), ("borders", pa.list_(pa.int64()))])

_READING: dict[str, gate.Kind] = {
    "policy": gate.Instance(Policy, "Policy", required=True),
    "charset": gate.label,
    "base": gate.base,
    **dict.fromkeys(("largest", "split"), gate.Instance(int, "number of bytes", required=True)),
}
#: What is another in each process, in the text for a function.
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class Archive(NamedTuple):
    """A WARC file, or the records in a part of it.

    Attributes:
        name: as the caller named it: the name in results.
        path: absolute, since an executor runs in another folder; or the URL of a remote file.
        relative: its path from the folder that was named, with slashes; the last segment for a file.
        size: of the file in bytes; 0 if unknown.
        span: which records.

    """

    name: str
    path: str
    relative: str
    size: int = 0
    span: Span = WHOLE


@dataclass(frozen=True, slots=True)
class Reading:
    """How the documents of WARC files are read.

    Attributes:
        policy: how links are read, and what they become.
        charset: the label of the charset of documents whose record has none; None for none.
        base: the base of documents whose record has no URI; None for none.
        largest: the largest document in bytes whose links or findings are made into rows; a larger one is an error.
        split: WARC files of more bytes are divided between several tasks, where rows are made of them.

    """

    policy: Policy = field(default_factory=Policy)
    charset: str | None = None
    base: str | None = None
    largest: int = LARGEST
    split: int = SPLIT

    def __post_init__(self) -> None:
        gate.check(_READING, self)

    def asked(self) -> str:
        """Return a text that is the same for the same settings.

        Raises:
            LinkfixError: the settings have files, or a function, whose content the text would not have.

        """
        xml = self.policy.xml
        if any(x is not None for x in (xml.schema, xml.catalog, self.policy.target)):
            raise LinkfixError(
                "a job that goes on later cannot follow schemas, catalogs and new targets",
                hint="leave them out",
            )
        return _ADDRESS.sub("", repr(self))


def archives(paths: Sequence[str]) -> list[Archive]:
    """Return WARC files: files as they are, those in folders, and those that match patterns.

    Raises:
        ArgumentError: the paths are something else.
        UnreadableError: a folder cannot be read, or nothing matches a pattern.

    """
    tally = Tally()
    found = [
        Archive(each.path, absolute(each.path), each.relative, each.size)
        for each in documents(gate.paths_of(paths), Selection(archives=True), tally)
        if not each.root or is_archive(b"", each.path)
    ]
    for error in tally.errors:
        raise error
    return found


def divided(spark: SparkSession, paths: Sequence[str], split: int) -> list[Archive]:
    """Return WARC files (`archives`), large ones in parts of about the same size, at borders between records.

    Args:
        spark: the session. Where there are large files, a task for each reads over its records (`borders`).
        paths: of files, folders and patterns.
        split: files of more bytes are large.

    Raises:
        LinkfixError: as `archives`.

    """

    def work(file: Archive) -> Iterator[pa.RecordBatch]:
        found: list[int] = []
        try:
            with contained(), open_document(file.path) as source:
                found = [*borders(source, file.size, -(-file.size // split))]
        except LinkfixError:
            found = []  # a file that cannot be read is not divided; its task says why
        row = {"path": file.path, "borders": found}
        yield pa.RecordBatch.from_pylist([row], schema=_BORDERS)

    files = archives(paths)
    large = [file for file in files if file.size > split]
    if not large:
        return files
    places = {row["path"]: row["borders"] for row in mapped(spark, large, work, _BORDERS).collect()}
    parts: list[Archive] = []
    for file in files:
        within = places.get(file.path, [])
        spans = zip([0, *within], [*within, None], strict=True)
        parts += (file._replace(span=Span(*span)) for span in spans)
    return parts


def mapped(
    spark: SparkSession,
    files: Sequence[Archive],
    work: Callable[[Archive], Iterator[pa.RecordBatch]],
    schema: pa.Schema,
) -> DataFrame:
    """Return the rows that the work on each file yields; each file is a task of its own.

    Args:
        spark: the session.
        files: the WARC files.
        work: called on an executor.
        schema: of the batches that it yields.

    """
    gate.check({"spark": gate.Instance(SparkSession, "SparkSession", required=True)}, spark=spark)
    files = [*files]

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from work(files[number])

    count = len(files)
    return spark.range(0, count, 1, max(count, 1)).mapInArrow(run, from_arrow_schema(schema))


# --- What is done of a job -------------------------------------------------------------------------
# A job that writes files has one record for each task, so that a second run does only what is missing. A record is a file of JSON in a folder of the target. It is found there, and who wrote it is not known; so nothing is
# believed: its form is checked, and a file counts as done only if the WARC file has the size and the time of the record, and
# each output the size and the digest. A WARC file that has changed since then is an error as long as its old output is there.
# Records and outputs are written whole or not at all (`linkfix.files.access.creating`). The target may be remote
# (`linkfix.files.paths`).

#: The folder in the target; tools that read tables pass over names that begin with a dot.
FOLDER = f"{OWN_PREFIX}spark"
_RUN = "run.json"
_FORM = 1
#: The largest record in bytes.
_LARGEST = 64 * 1024 * 1024
#: How many bytes of an output are read at a time.
_PIECE = 1024 * 1024

#: The path of an output from the target, its size in bytes, and its digest.
Output = tuple[str, int, str]


_RECORD = {
    "linkfix-spark": int,
    "settings": str,
    "source": (str, int, int, int, int),
    "outputs": [(str, int, str)],
    "result": {"counts": {str: int}, "errors": [str]},
}
_RUN_RECORD = {"linkfix-spark": int, "settings": str, "asked": dict}


class Ledger:
    """The records of a job.

    Args:
        target: the folder that the job writes to, or its URL.
        asked: what decides the bytes of the outputs, as plain data; the version of linkfix is added.

    Attributes:
        target: the absolute path of the folder, or its URL.

    """

    def __init__(self, target: str, asked: dict[str, Any]) -> None:
        self.target: str = absolute(target)
        self._is_remote = is_remote(target)
        self._asked = {"linkfix": linkfix.__version__, **asked}
        self._settings = _hash(json.dumps(self._asked, sort_keys=True))
        self._folder = join(self.target, FOLDER)

    def begin(self) -> None:
        """Prepare the target, or check that an earlier run there asked for the same.

        Raises:
            LinkfixError: another job writes there, or the folder cannot be made.

        """
        path = join(self._folder, _RUN)
        if self._is_remote:
            from linkfix.files.remote.listings import listed
            from linkfix.files.remote.systems import check, check_writable

            check(self.target)
            check_writable(self.target)
            listed(path)  # a server that does not answer says so now
        else:
            make_folder(self._folder)
        found = _read(path)
        if found is None and not exists(path):
            run = {"linkfix-spark": _FORM, "settings": self._settings, "asked": self._asked}
            _write(path, run)
        elif not fits(found, _RUN_RECORD) or found["settings"] != self._settings:
            raise LinkfixError(
                "the output is of a run with other settings, or of another version of linkfix",
                hint="name another folder",
                file=self.target,
            )

    def key(self, archive: Archive) -> str:
        """Return the name of an archive, or of a part of one, in this job: letters and digits."""
        return _hash(f"{self._settings} {archive.span.start} {archive.path}")[:24]

    def result(self, archive: Archive) -> dict[str, Any] | None:
        """Return the result of an archive that is done; None if it has to be done.

        Raises:
            LinkfixError: it has changed, and old outputs are there; the new ones need not have the same names.

        """
        record = self._recorded(archive)
        if record is None:
            return None
        there = [self._is_there(*output) for output in record["outputs"]]
        if record["source"] != _identity(archive):
            if any(there):
                raise LinkfixError(
                    "it has changed since an earlier run has read it, and the output of that run is there",
                    hint="name another folder, or remove the output",
                    file=archive.name,
                )
            return None
        if not all(there):
            return None
        result: dict[str, Any] = record["result"]
        return result

    def outputs(self, archive: Archive) -> list[str]:
        """Return the paths of the recorded outputs of an archive, from the target; none if nothing is recorded."""
        record = self._recorded(archive) or {"outputs": []}
        return [path for path, _, _ in record["outputs"] if _is_inside(path)]

    def _recorded(self, archive: Archive) -> Any:
        """Return the record of an archive; None if there is none of this job."""
        record = _read(self._record(archive))
        return record if fits(record, _RECORD) and record["settings"] == self._settings else None

    def record(self, archive: Archive, outputs: list[Output], result: dict[str, Any]) -> None:
        """Record the outputs of an archive.

        Args:
            archive: the WARC file.
            outputs: its files.
            result: the fields ``counts`` and ``errors``.

        Raises:
            LinkfixError: the record cannot be written.

        """
        _write(
            self._record(archive),
            {
                "linkfix-spark": _FORM,
                "settings": self._settings,
                "source": _identity(archive),
                "outputs": [[*output] for output in outputs],
                "result": result,
            },
        )

    def write(self, folder: Path) -> list[Output]:
        """Write the whole files in a folder to their places in the target; return what they are.

        Raises:
            LinkfixError: one cannot be written.

        """
        outputs: list[Output] = []
        for path in sorted(each for each in folder.rglob("*") if not each.is_dir()):
            relative = path.relative_to(folder).as_posix()
            place = place_in(self.target, relative)
            with path.open("rb") as file, creating(place, follow=False) as sink:
                shutil.copyfileobj(file, sink, _PIECE)
                file.seek(0)
                outputs.append((relative, *measured(file)))
        return outputs

    def _record(self, archive: Archive) -> str:
        return join(self._folder, f"{self.key(archive)}.json")

    def _is_there(self, relative: str, size: int, digest: str) -> bool:
        """Return whether an output is what was written."""
        if not _is_inside(relative):
            return False
        try:
            with open_document(join(self.target, relative)) as file:
                return size_of(file) in {None, size} and measured(file) == (size, digest)
        except (LinkfixError, OSError):
            return False


def _is_inside(relative: str) -> bool:
    """Return whether a path leads nowhere but into the target."""
    return not (relative.startswith("/") or ".." in relative.split("/") or "\0" in relative)


def measured(file: BinaryIO) -> tuple[int, str]:
    """Read a file to its end; return its size in bytes, and its SHA-256 in hex."""
    digest = hashlib.file_digest(file, "sha256")  # type: ignore[arg-type]  # it has `readinto`
    return file.tell(), digest.hexdigest()


def _identity(archive: Archive) -> list[Any]:
    """Return what changes with the content of a WARC file: its path, its size, and its time or entity tag; and the part.

    Raises:
        LinkfixError: the server cannot be asked.

    """
    start, end = archive.span
    return [archive.path, *_state(archive.path), start, -1 if end is None else end]


def _state(path: str) -> tuple[int, int]:
    """Return the size of a file in bytes, and its time or entity tag as a number; -1 for both if there is none."""
    if is_remote(path):
        from linkfix.files.remote.listings import listed

        found = listed(path)
        return (-1, -1) if found is None or found.object is None else found.object
    try:
        status = Path(path).stat()
    except OSError:
        return -1, -1
    return status.st_size, status.st_mtime_ns


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _read(path: str) -> Any:
    """Return the JSON in a file; None if there is none."""
    try:
        with open_document(path) as file:
            return json.loads(file.read(_LARGEST))
    except (LinkfixError, OSError, ValueError, RecursionError):
        return None


def _write(path: str, record: dict[str, Any]) -> None:
    with creating(path, follow=False) as sink:
        sink.write(json.dumps(record).encode())
