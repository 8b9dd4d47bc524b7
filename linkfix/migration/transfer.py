"""The second pass of a migration: one file of the old tree becomes one of the new, whole or not at all."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from linkfix.errors import LinkfixError, LossError, UnreadableError
from linkfix.files.access import chunks, creating, open_document, open_file, place_in
from linkfix.files.commit import Group, has_changed, keep_attributes
from linkfix.files.journal import Pen
from linkfix.files.journal import Task as Steps
from linkfix.files.local import finish
from linkfix.files.paths import has_status, is_remote, join
from linkfix.files.records import Form
from linkfix.files.verification import Copy, confirm
from linkfix.jobs.failures import contained
from linkfix.jobs.wire import Event
from linkfix.markup.detect import type_of_name
from linkfix.migration.index import is_script
from linkfix.migration.renames import Moves
from linkfix.migration.settings import Settings, Task
from linkfix.rewriting import Outcome
from linkfix.server.addresses import is_program
from linkfix.server.headers import MOST_BYTES, Headers, is_in
from linkfix.server.writing import Renaming, rewritten, stale_in_code


@dataclass(frozen=True, slots=True)
class TransferResult:
    """The result of a file: plain data, which the journal stores.

    Attributes:
        charset: name of its old charset; "" for a copy.
        declared: whether the document, or the old server, declared it.
        links: how many links may be rewritten.
        changed: how many links were rewritten.
        mapped: how many links have a new target.
        pinned: how many links were rewritten because their target would have changed.
        replaced: how many malformed sequences of octets became U+FFFD, as readers showed them.
        disputed: how many characters of XML its readers and browsers decoded differently.
        forms: how many forms now name the charset in which they were submitted before.
        declarations: of charsets that were changed or added (`linkfix.transcoding.Declared`).
        ascii: whether all of it was ASCII.
        unpinned: the links whose target may change.
        unmatched: the links without a new target in the link map and the renames.
        used: how often rules of the link map were applied, as pairs of number and count.
        embedded: how many links are in embedded documents, as ``noscript: followed``.
        error: why a document was copied instead of converted, or "".
        lost: the octets that conversion would have lost, if it was copied because of them, or "".
        stale: the lines of a file of the server that name something by its old name, each with the words.
        trace: the traceback of an unexpected error, or "".
        identity: of the task, and the plan.

    """

    charset: str = ""
    declared: bool = True
    links: int = 0
    changed: int = 0
    mapped: int = 0
    pinned: int = 0
    replaced: int = 0
    disputed: int = 0
    forms: int = 0
    declarations: Sequence[dict[str, str]] = ()
    ascii: bool = True
    unpinned: Sequence[dict[str, Any]] = ()
    unmatched: Sequence[dict[str, Any]] = ()
    used: Sequence[Sequence[int]] = ()
    embedded: Mapping[str, int] = field(default_factory=dict)
    error: str = ""
    lost: str = ""
    stale: Sequence[tuple[int, str]] = ()
    trace: str = ""
    identity: Sequence[int] = (0, 0, 0)


#: A link, as `_described` describes it.
_LEAD: Form = dict.fromkeys(("line", "column", "start", "end"), int)
_LEAD |= {"element": str, "attribute": str, "value": str, "resolved": str | None}
#: What a report of transcoding counts.
_COUNTS = ("links", "changed", "mapped", "pinned", "replaced", "disputed", "forms")
#: The form of `TransferResult` in a journal.
RESULT: Form = (
    dict.fromkeys(_COUNTS, int)
    | dict.fromkeys(("charset", "error", "lost", "trace"), str)
    | {"declared": bool, "ascii": bool, "unpinned": [_LEAD], "unmatched": [_LEAD]}
    | {"declarations": [{str: str}], "used": [(int, int)], "stale": [(int, str)]}
    | {"embedded": {str: int}, "identity": (int, int, int)}
)


@dataclass(slots=True)
class Transfer:
    """The transfer of one file; those of several are committed together (`linkfix.jobs.worker.Committed`).

    Attributes:
        settings: of the migration, with the policy that moves links.
        moves: the new URIs of everything.
        source: the charsets that the old server declares.
        renaming: the new names in files of the server.
        copied: the paths of the files that are copied as they are.
        pen: of the journal; None if nothing is written.
        plan: a number that differs if what is known of the old tree does.
        group: the new files that are not committed.

    """

    settings: Settings
    moves: Moves
    source: Headers
    renaming: Renaming
    copied: frozenset[str] = frozenset()
    pen: Pen | None = None
    plan: int = 0
    group: Group = field(default_factory=Group, repr=False)
    #: The file that is transferred now, the path of the old one, and its steps in the journal.
    _task: Task = field(init=False, repr=False)
    _old: str = field(init=False, repr=False)
    _steps: Steps | None = field(init=False, repr=False)
    #: Whether the new file has the bytes of the old one.
    _is_same: bool = field(init=False, repr=False)

    def prepare(self) -> None:
        """Load what every file needs (`linkfix.jobs.pool.run`)."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: F401 - for `linkfix.files.commit`

        from linkfix.verifying import load

        if self.settings.verify:
            load()

    def __call__(self, task: Task) -> Iterator[Event]:
        """Transfer a file; yield the fields of `TransferResult`.

        Raises:
            LinkfixError: it cannot be read, or the new file cannot be written.

        """
        self._task, self._old = task, join(self.moves.listing.root, task.path)
        place = join(self.settings.target, task.new)
        self._steps = None if self.pen is None else self.pen.task(place)
        done = TransferResult(identity=(*task.identity, self.plan))
        waiting = len(self.group)
        if self._task.kind == "copy":
            self._copy()
        elif self._task.kind == "directives":
            done = self._redirect(done)
        else:
            try:
                with contained(OSError):
                    done = self._without_loss()
            except UnreadableError:
                raise
            except LossError as loss:
                loss.file = None
                done = replace(done, lost=str(loss))
                self._copy()
            except LinkfixError as error:
                error.file = error.file or self._task.path
                done = replace(done, error=str(error), trace=getattr(error, "trace", ""))
                self._copy()
        if self._steps is not None:
            self._steps.result = asdict(done)
        self.group.end(self._steps, waiting)
        yield asdict(done)

    def _without_loss(self) -> TransferResult:
        """Convert the file, as UTF-8 if only its page says otherwise and its octets are UTF-8.

        Raises:
            LossError: octets would be lost, and the user has not accepted that.

        """
        try:
            return self._transcode()
        except LossError as loss:
            declared = loss.declared and self._task.kind != "part"
            if not declared and is_in(self._old, "utf-8"):
                return self._transcode(loss)
            if not self.settings.accept_losses:
                raise
            return self._transcode(accept_losses=True)

    def _transcode(
        self, loss: LossError | None = None, *, accept_losses: bool = False
    ) -> TransferResult:
        """Convert the file.

        Args:
            loss: why it cannot be in the charset of its page, and is taken for UTF-8; None to find its charset.
            accept_losses: whether malformed octets become U+FFFD.

        Raises:
            LossError: octets would be lost; or `loss`, if a link depends on the charset.

        """
        from linkfix.transcoding import Transcoder

        task = self._task
        unmatched: list[dict[str, Any]] = []

        def note(outcome: Outcome) -> None:
            if loss is not None and not outcome.link.value.isascii():
                raise loss
            if self.settings.wants_unmatched and outcome.unmatched:
                unmatched.append(_described(outcome))

        part, is_text = task.is_part, task.kind == "script"
        declares = not part and not is_program(task.path)
        address = task.place if part else task.path
        moves, policy = self.moves, task.policy(self.source, self.settings.policy)
        if moves.links is not None:  # the counts of this file only
            moves = replace(moves, links=moves.links.anew())
            policy = replace(policy, target=moves.target)
        base, moved_to = (
            None if address is None else place(address) for place in (moves.old.uri, moves.uri)
        )
        known = replace(task.source(self.source), base=base)
        if loss is not None:
            known = replace(known, charset="utf-8")
        transcoder = Transcoder(
            self.settings.to,
            policy=policy,
            source=known,
            moved_to=moved_to,
            unescape=self.settings.unescape,
            forms=self.settings.forms,
            declares=declares,
            accept_losses=accept_losses,
            transcoded=self._becomes_utf8,
            on_outcome=note,
        )
        is_ascii, code = True, b""
        with self._files() as (source, sink):
            copy = Copy(sink, source)
            was, now = blake2b(), blake2b()
            for data in chunks(source):
                is_ascii = is_ascii and data.isascii()
                was.update(data)
                new = transcoder.feed(data)
                now.update(new)
                copy.write(new)
                code += new if len(code) < MOST_BYTES else b""
            new = transcoder.close()
            now.update(new)
            copy.write(new)
            self._is_same = was.digest() == now.digest()
            report = transcoder.report
            done = TransferResult(
                charset=report.charset,
                declared=(report.declared or task.environment is not None) and loss is None,
                **{name: getattr(report, name) for name in _COUNTS},
                declarations=tuple(map(asdict, report.declarations)),
                ascii=is_ascii,
                unpinned=tuple(_described(outcome) for outcome in report.unpinned),
                unmatched=tuple(unmatched),
                used=() if moves.links is None else tuple(moves.links.used.items()),
                embedded=dict(report.embedded),
                stale=tuple(stale_in_code(code + new, task.path, self.renaming)),
                identity=(*task.identity, self.plan),
            )
            if self.settings.verify and not (self._is_same or is_text):
                from linkfix.verifying import Settings

                settings = Settings(
                    policy=policy,
                    source=known,
                    moved_to=moved_to,
                    transcoded=True,
                    new_charset=None if declares else "utf-8",
                    left={outcome.link.start for outcome in report.unpinned},
                )
                confirm(source, copy, settings)
        return done

    def _becomes_utf8(self, uri: str) -> bool:
        """Return whether a script or style sheet is converted to UTF-8; the output of programs is not."""
        found = self.moves.find(uri)
        path = "" if found is None else found.path
        return path not in self.copied and (is_script(path) or type_of_name(path) is not None)

    def _copy(self) -> None:
        if self.pen is None:
            open_file(self._old).close()
            return
        if self.settings.hard_link and self._linked():
            return
        self._is_same = True
        with self._files(open_file) as (source, sink):
            if has_status(self._old) and not is_remote(self.settings.target):
                _copy_bytes(source, sink)
            else:
                sink.writelines(chunks(source))

    def _redirect(self, done: TransferResult) -> TransferResult:
        """Write a file of the server anew, for documents in UTF-8 under new names."""
        with self._files() as (source, sink):
            old = source.read()
            new, stale = rewritten(old, self._task.path, self.renaming)
            sink.write(new)
            self._is_same = new == old
        return replace(done, stale=tuple(stale))

    def _linked(self) -> bool:
        """Make a hard link; False where that cannot be."""
        place = Path(place_in(self.settings.target, self._task.new))
        with contextlib.suppress(OSError, NotImplementedError):
            place.unlink(missing_ok=True)
            os.link(self._old, place, follow_symlinks=False)
            return True
        return False

    @contextlib.contextmanager
    def _files(
        self, opening: Callable[[str], BinaryIO] = open_document
    ) -> Iterator[tuple[BinaryIO, BinaryIO]]:
        """Open the old file, as a document or as it is, and the new one, which is a null device if nothing is written.

        At the end of the block the new file gets the attributes of the old one, which must not have changed. A document
        that is not the same gets a new time, or caches would still show the old one.
        """
        with opening(self._old) as source, contextlib.ExitStack() as stack:
            before, mode = None, None
            if has_status(self._old):
                before = os.fstat(source.fileno())
                mode = stat.S_IMODE(before.st_mode)
                if not stat.S_ISREG(before.st_mode):
                    raise self._left("it is no regular file any more")
            if self.pen is None:
                sink: BinaryIO = stack.enter_context(Path(os.devnull).open("wb"))
            else:
                place, group = place_in(self.settings.target, self._task.new), self.group
                sink = stack.enter_context(
                    creating(
                        place, like=source, mode=mode, follow=False, steps=self._steps, group=group
                    )
                )
            yield source, sink
            if before is None:
                return
            if has_changed(before, os.fstat(source.fileno())):
                raise self._left("the file changed while it was being read")
            if self._steps is not None and not is_remote(self.settings.target):
                finish(sink)
                sink.flush()
                descriptor = sink.fileno()
                keep_attributes(source.fileno(), before, descriptor)
                if self._is_same and os.utime in os.supports_fd:
                    os.utime(descriptor, ns=(before.st_atime_ns, before.st_mtime_ns))

    def _left(self, why: str) -> UnreadableError:
        hint = "run linkfix again with --resume"
        return UnreadableError(f"{why}; it was not brought over", hint=hint, file=self._old)


def _copy_bytes(source: BinaryIO, sink: BinaryIO) -> None:
    """Copy a file; file systems that can share its blocks do (copy_file_range(2))."""
    copy = getattr(os, "copy_file_range", None)
    descriptor = sink.fileno()
    if copy is not None:
        with contextlib.suppress(OSError):
            while copy(source.fileno(), descriptor, 1 << 30):
                pass
            if os.fstat(source.fileno()).st_size == os.fstat(descriptor).st_size:
                return
    source.seek(0)
    sink.seek(0)
    sink.truncate()
    sink.writelines(chunks(source))


def _described(outcome: Outcome) -> dict[str, Any]:
    """Return the record about a link, as plain data."""
    link = outcome.link
    return {**link.where(), "value": link.value, "resolved": outcome.resolved}
