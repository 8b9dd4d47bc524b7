"""``linkfix extract``: list every link of documents, with the URL that it resolves to."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from linkfix.cli import output
from linkfix.cli.batch import follow
from linkfix.cli.options.extract import ExtractOptions
from linkfix.cli.options.settings import command as made_command
from linkfix.errors import LinkfixError
from linkfix.extracting import Extractor
from linkfix.extracting.extractor import FIELDS, fields_of
from linkfix.files.tree import Found
from linkfix.jobs.failures import contained, salvaged
from linkfix.jobs.wire import Event
from linkfix.links import Link
from linkfix.links.stream import SAMPLES
from linkfix.policy import Source
from linkfix.sites.batch import gather
from linkfix.sites.documents import Document, documents
from linkfix.sites.events import Output
from linkfix.sites.lines import json_line

if TYPE_CHECKING:
    import click


#: How the pieces of a line look on a terminal.
_COLOURS = ("bold", "cyan", "", "dim", "green")


def record(file: str, link: Link) -> dict[str, Any]:
    """Return the fields of a link, for the machine-readable formats."""
    return {"file": file, **fields_of(link)}


def _text(file: str, link: Link) -> str:
    where = f"{link.element}@{link.attribute}" if link.attribute else f"<{link.element}>"
    pieces = [f"{file}:{link.line}:{link.column}: ", f"{where}  ", link.value]
    if link.resolved not in (None, link.value):
        pieces += ["  ->  ", str(link.resolved)]
    shown = output.disarm(*map(output.visible, pieces))
    if output.has_colours(sys.stdout):
        shown = [output.styled(text, how) for text, how in zip(shown, _COLOURS, strict=False)]
    return "".join(shown) + "\n"


def _jsonl(file: str, link: Link) -> str:
    return json_line(record(file, link)) + "\n"


def _csv(file: str, link: Link) -> str:
    row = output.shown_row if sys.stdout.isatty() else output.csv_row
    return row(record(file, link).values())


_FORMATS = {"text": _text, "jsonl": _jsonl, "csv": _csv}


class ExtractWorker:
    """The work on one document, in this process or a worker.

    Args:
        options: of the command.

    """

    def __init__(self, options: ExtractOptions) -> None:
        self._options = options
        self._policy = options.links.policy()

    def prepare(self) -> None:
        """Load what every document needs (`linkfix.jobs.pool.run`)."""
        for type, sample in SAMPLES.items():
            Extractor(self._policy, source=Source(type=type)).whole(sample)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Yield lines, as bytes in UTF-8, and in a list the exit status if a document failed.

        An exception of one document, of any type, does not stop the others of an archive.
        """
        status = 0
        for document in documents(found.path, self._options.document):
            try:
                with contained():
                    yield from self._list(document)
            except LinkfixError as error:
                error.file = error.file or document.name
                output.complain(error)
                status = 3
        if status:
            yield [status]

    def _list(self, document: Document) -> Iterator[Event]:
        name = document.name
        form = _FORMATS[self._options.output]
        shown = _readable if self._options.readable else iter
        extractor = Extractor(self._policy, unknown=self._options.unknown, source=document.source)
        whole = document.content()
        chunks = document.chunks() if whole is None else ()
        end = extractor.close if whole is None else partial(extractor.whole, whole)
        for links in salvaged(extractor, chunks, end):
            yield from _encoded(form(name, link) for link in shown(links))
        late = extractor.late_base
        if late is not None:
            output.say(
                f"{name}:{late.line}:{late.column}: the base element comes after links that it rules; "
                f"they were resolved without it, use --base to have them right"
            )


def _readable(links: Iterable[Link]) -> Iterator[Link]:
    """Write values and targets for people (UTS #58)."""
    from linkfix.iri import display

    for link in links:
        there = link.resolved
        target = None if there is None else display(there, "plain")
        yield link._replace(value=display(link.value, "plain"), resolver=_Resolved(target))


class _Resolved(NamedTuple):
    """What a link has been resolved to, as people read it."""

    target: str | None

    def resolve(self, _: Link) -> str | None:
        return self.target


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    if text := "".join(lines):
        yield text.encode("utf-8", "surrogatepass")


def _take(event: object) -> int:
    if not isinstance(event, Output):
        return 0
    if isinstance(event.value, bytes):
        output.write(event.value.decode("utf-8", "surrogatepass"), nl=False)
        return 0
    return int(event.value[0])


@made_command(
    "extract",
    ExtractOptions,
    first="--format --base --charset --only --skip --include --exclude -j -q",
)
def command(ctx: click.Context, options: ExtractOptions) -> int:
    """List every link of documents: its place, its value, and the URI that it leads to.

    A PATH is a file, a folder, or a pattern like 'site/**/*.html'. With no PATH, or -, standard input is
    read. Relative links are resolved against --base and the document's own base; without either they
    have no URI.

    In CSV, a value that a spreadsheet would read as a formula is preceded by an apostrophe.
    """
    paths = options.inputs.paths
    document = options.document.settled(ctx, paths)
    work = ExtractWorker(replace(options, document=document))
    selection, workers = options.tree.selection(archives=True), options.tree.work.workers()
    batch = gather(paths, selection, workers)
    if options.output == "csv":
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")  # type: ignore[union-attr]
        output.write(output.csv_row(("file", *FIELDS)), nl=False)
    return follow(lambda stop: batch.events(work, stop), _take, data=True)
