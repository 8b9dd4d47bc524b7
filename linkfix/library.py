"""The functions of the library: extract, rewrite and audit one document.

Each takes as keyword arguments what is known about the document, and passes it on as one `Source`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from reprlib import repr as short
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, Unpack, get_args, overload

from linkfix.charset import Charset, label_of
from linkfix.errors import ArgumentError, NoDocumentError, SignedDocumentError
from linkfix.extracting import Extractor
from linkfix.files.access import chunks, content, creating, exists, name_of, open_document, whole
from linkfix.files.local import decoded, encoded, failing, finish
from linkfix.files.paths import MARK, is_container
from linkfix.files.store import StoredTexts
from linkfix.jobs.failures import salvaged
from linkfix.links import Link
from linkfix.policy import Policy, Source, gate
from linkfix.policy.policy import Each, Known
from linkfix.rewriting import Outcome, Report, Rewriter

if TYPE_CHECKING:
    from linkfix.auditing import Auditor, Finding, Rule
    from linkfix.transcoding import Transcoder, TranscodingReport
    from linkfix.verifying import Difference, Settings

__all__ = ["TextEdit", "audit", "edits", "extract", "results", "rewrite", "transcode", "verify"]

#: A document: its bytes, a path, the URL of a remote file, or a binary file.
Readable = bytes | bytearray | memoryview | str | os.PathLike[str] | BinaryIO
Sink = BinaryIO | str | os.PathLike[str]
Unit = Literal["byte", "codepoint", "utf-16"]


class Rewriting(Known, total=False):
    """The keyword arguments of `rewrite`."""

    to: Literal["uri", "iri"] | None
    each: Each | None
    moved_to: str | None
    policy: Policy | None
    on_outcome: Callable[[Outcome], None] | None
    on_change: Callable[[Outcome], None] | None


class Transcoding(Known, total=False):
    """The keyword arguments of `transcode`."""

    to: Literal["uri", "iri"] | None
    each: Each | None
    policy: Policy | None
    unescape: bool
    forms: Literal["pin", "leave"]
    accept_losses: bool
    transcoded: Callable[[str], bool] | None
    on_outcome: Callable[[Outcome], None] | None


def _name(source: Readable) -> str:
    if isinstance(source, bytes | bytearray | memoryview):
        return ""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    return name_of(source)


@contextlib.contextmanager
def _opened(source: Readable) -> Iterator[BinaryIO]:
    if isinstance(source, bytes | bytearray | memoryview):
        yield decoded(BytesIO(bytes(source)))  # a view may have strides
    elif isinstance(source, str | os.PathLike):
        with open_document(source) as file:
            try:
                yield file
            except NoDocumentError as error:
                if is_container(name := os.fspath(source)):
                    error.hint = f"name a document in it, as in {name}{MARK}page.html, or use the function for sites"
                raise
    else:
        with failing(name := _name(source)):
            file = decoded(source, name)
        yield file


def _check_source(source: object, name: str = "source") -> None:
    """Refuse what is no document to read.

    Raises:
        ArgumentError: it is text, a file of text, or something else.

    """
    if isinstance(source, str) and not source:
        raise ArgumentError(f"{name}='' is no path", hint="pass bytes for an empty document: b''")
    if isinstance(source, str) and "<" in source and not exists(source):
        raise ArgumentError(
            f"{name}={short(source)} is text and no name of a file",
            hint="encode the text of a document: text.encode()",
        )
    if not isinstance(source, bytes | bytearray | memoryview | str | os.PathLike):
        gate.binary(name, source, "rb", "none of bytes, a path, a URL, and a binary file")


def extract(
    source: Readable, *, policy: Policy | None = None, unknown: bool = False, **known: Unpack[Known]
) -> Iterator[Link]:
    """Return an iterator over every link of a document, in order, while it is read.

    Args:
        source: bytes, a path, the URL of a remote file, or a binary file.
        policy: how links are read.
        unknown: whether to yield, instead of links, the values that look like links in attributes that no table has.
        known: `type`, `charset`, `environment` and `base`, fields of `linkfix.Source`.

    Raises:
        ArgumentError: an argument is wrong, at once.
        LinkfixError: the document cannot be read or processed.

    """
    stream = Extractor(policy, source=_known(source, "extract", known)[0], unknown=unknown)
    _check_source(source)
    return _extracted(stream, source)


def _extracted(stream: Extractor, source: Readable) -> Iterator[Link]:
    with _opened(source) as file:
        document = content(file)
        end = stream.close if document is None else partial(stream.whole, document)
        for links in salvaged(stream, chunks(file), end):
            yield from links


@overload
def rewrite(source: Readable, sink: None = None, **settings: Unpack[Rewriting]) -> bytes: ...
@overload
def rewrite(source: Readable, sink: Sink, **settings: Unpack[Rewriting]) -> Report: ...
def rewrite(
    source: Readable, sink: Sink | None = None, **settings: Unpack[Rewriting]
) -> Report | bytes:
    """Rewrite the links of a document.

    Args:
        source: bytes, a path, the URL of a remote file, or a binary file.
        sink: a binary file, or a path or URL, which is written whole or not at all; None to return the new document.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs; None for what the policy says, or ``uri``.
        each: called with each link that may be rewritten; returns the absolute IRI of its new target, `Keep` to leave it,
            or None for what the other settings say. None for the policy's.
        moved_to: absolute URI of the document after the move; None for the policy's target of its base.
        policy: every other setting.
        on_outcome: called with each link that may be rewritten, in the order of the document.
        on_change: called with each link that is rewritten, or left although it is not valid.
        known: `type`, `charset`, `environment` and `base`, fields of `linkfix.Source`.

    Returns:
        The report; the new document if there is no `sink`.

    Raises:
        LinkfixError: the document cannot be read or processed. A `sink` that is a file then has the finished
            bytes; one that is a path is unchanged.

    """
    known, rest = _known(source, "rewrite", settings, Rewriting)
    rewriter = Rewriter(source=known, **_with_hook(rest))
    out = _run(rewriter, source, sink)
    return rewriter.report if out is None else out


def edits(
    source: Readable,
    *,
    unit: Literal["byte", "codepoint", "utf-16"] = "byte",
    **settings: Unpack[Rewriting],
) -> list[TextEdit]:
    """Return the edits that `rewrite` would make in a document, in order, for programs that hold it in an editor.

    Args:
        source: bytes, a path, the URL of a remote file, or a binary file.
        unit: what `TextEdit.start` and `TextEdit.end` count: bytes, code points or UTF-16 code units of the text, which
            has the byte order mark if the document has it.
        settings: keyword arguments of `rewrite`.

    Raises:
        LinkfixError: the document cannot be read or processed.

    """
    gate.check({"unit": get_args(Unit)}, unit=unit)
    found: list[TextEdit] = []
    told = settings.get("on_outcome")
    _check_source(source)
    with _opened(source) as file:
        data = b"".join(chunks(file))
    at, units, state = 0, 0, 0

    def length(end: int, charset: Charset) -> int:
        text = charset.decode(data[at:end], state)
        return len(text) if unit == "codepoint" else len(text.encode("utf-16-le")) // 2

    def observe(outcome: Outcome) -> None:
        nonlocal at, units, state
        if told is not None:
            told(outcome)
        if outcome.new is None:
            return
        link, new = outcome.link, outcome.new
        if unit == "byte":
            start, end = link.start, link.end
        else:
            start = units + length(link.start, link.charset)
            at, state = link.start, link.state
            end = start + length(link.end, link.charset)
            at, units, state = link.end, end, link.end_state
        found.append(TextEdit(start, end, new, link.charset.decode(new, link.state), link))

    settings["on_outcome"] = observe
    known, rest = _known(source, "edits", settings, Rewriting)
    Rewriter(source=known, **_with_hook(rest)).whole(data)
    return found


class TextEdit(NamedTuple):
    """A change of a document that `edits` returns.

    Attributes:
        start: offset in the document at which the old spelling of the link begins.
        end: offset at which it ends.
        new: the bytes that replace it.
        text: `new` as text.
        link: the link.

    """

    start: int
    end: int
    new: bytes
    text: str
    link: Link


def _with_hook(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings whose policy has the argument `each`."""
    if (each := settings.pop("each", None)) is not None:
        settings["policy"] = replace(settings.get("policy") or Policy(), each=each)
    return settings


def _known(
    source: Readable, function: str, settings: Mapping[str, Any], allowed: type = Known
) -> tuple[Source, dict[str, Any]]:
    """Return what is known about a document, and the other arguments of a function.

    Raises:
        TypeError: the function has no such argument.

    """
    for name in settings.keys() - allowed.__annotations__.keys():
        what = f"{function}() got an unexpected keyword argument {name!r}"
        is_setting = name in Policy.__dataclass_fields__
        raise TypeError(f"{what}; write policy=linkfix.Policy({name}=…)" if is_setting else what)
    known = {name: settings[name] for name in Known.__annotations__ if name in settings}
    rest = {name: value for name, value in settings.items() if name not in known}
    return in_container(Source(name=_name(source), **known)), rest


def in_container(source: Source) -> Source:
    """Return what is known about a document, and what its container says if it is in one.

    Raises:
        LinkfixError: the container cannot be read, or is damaged.

    """
    if MARK not in source.name:
        return source
    from linkfix.files.packed import container_of

    container, name = container_of(source.name) or (None, "")
    if container is None or (about := container.about.get(name)) is None:
        return source
    from linkfix.policy.parts import parts_of

    parts, label = parts_of(container.uris or ()), label_of(about.content_type)
    keeps = partial(parts.keeps, base=about.base, is_ascii=about.is_ascii)
    known = replace(source, charset=label or source.charset, keeps=keeps)
    with contextlib.suppress(ArgumentError):  # a base that is none
        known = replace(known, base=about.base or source.base)
    return known


@overload
def transcode(source: Readable, sink: None = None, **settings: Unpack[Transcoding]) -> bytes: ...
@overload
def transcode(
    source: Readable, sink: Sink, **settings: Unpack[Transcoding]
) -> TranscodingReport: ...
def transcode(
    source: Readable, sink: Sink | None = None, **settings: Unpack[Transcoding]
) -> TranscodingReport | bytes:
    """Convert a document to UTF-8; its links keep their targets.

    Args:
        source: bytes, a path, the URL of a remote file, or a binary file.
        sink: a binary file, or a path or URL, which is written whole or not at all; None to return the new document.
        to: ``uri`` or ``iri`` to rewrite every link that is not valid; None to rewrite only links whose target would
            change.
        each: as for `rewrite`.
        policy: every other setting for links; its `to` is not used.
        unescape: whether character references become characters, where that is safe.
        forms: ``pin`` to keep the charset in which forms are submitted; ``leave`` to leave forms unchanged.
        accept_losses: whether octets that are malformed in the charset become U+FFFD; otherwise they are an error.
        transcoded: returns whether the file at an absolute URI is converted to UTF-8 too.
        on_outcome: called with each link that may be rewritten, in the order of the document.
        known: `type`, `charset`, `environment` and `base`, fields of `linkfix.Source`.

    Returns:
        The report; the new document if there is no `sink`.

    Raises:
        LossError: octets are malformed in the charset, and losses are not accepted.
        LinkfixError: the document cannot be read or processed; the `sink` is then as after `rewrite`.

    """
    from linkfix.transcoding import Transcoder

    known, rest = _known(source, "transcode", settings, Transcoding)
    transcoder = Transcoder(source=known, **_with_hook(rest))
    out = _run(transcoder, source, sink)
    return transcoder.report if out is None else out


def results(stream: Rewriter | Transcoder, source: BinaryIO) -> Iterator[bytes]:
    """Yield the new bytes of a document in chunks; those of a small file at once.

    Raises:
        LinkfixError: the document cannot be read or processed.

    """
    if isinstance(stream, Rewriter) and (document := content(source)) is not None:
        yield stream.whole(document)
        return
    for data in chunks(source):
        yield stream.feed(data)
    yield stream.close()


def _run(stream: Rewriter | Transcoder, source: Readable, sink: Sink | None) -> bytes | None:
    """Write the new document; without a sink return it."""
    _check_source(source)
    if sink is None:
        out = BytesIO()
        _run(stream, source, out)
        return out.getvalue()
    if not isinstance(sink, str | os.PathLike):
        gate.binary("sink", sink, "wb", "none of a path, a URL, and a binary file")
        if sink is source:
            hint = "pass its path as both: the file is replaced as a whole"
            raise ArgumentError("sink is the file that is read", hint=hint)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_opened(source))
        if isinstance(sink, str | os.PathLike):
            new: IO[bytes] = stack.enter_context(creating(sink, like=file))
        else:
            new = encoded(stack.enter_context(whole(sink)), file)
        for data in results(stream, file):
            new.write(data)
        finish(new)
    return None


def audit(
    source: Readable,
    *,
    policy: Policy | None = None,
    rules: Sequence[Rule] | None = None,
    **known: Unpack[Known],
) -> Iterator[Finding]:
    """Return an iterator over the findings about the links of a document, in order, while it is read.

    Args:
        source: bytes, a path, the URL of a remote file, or a binary file.
        policy: how links are read, and what a suggestion looks like.
        rules: the rules in force, from `linkfix.auditing.select`; None for all.
        known: `type`, `charset`, `environment` and `base`, fields of `linkfix.Source`.

    Raises:
        LinkfixError: the document cannot be read or processed.

    """
    from linkfix.auditing import Auditor, Site

    auditor = Auditor(
        policy, rules=rules, site=Site(rules, StoredTexts), source=_known(source, "audit", known)[0]
    )
    _check_source(source)
    return _audited(auditor, source)


def _audited(auditor: Auditor, source: Readable) -> Iterator[Finding]:
    with _opened(source) as file:
        for findings in salvaged(auditor, chunks(file), auditor.end):
            yield from findings
    yield from auditor.late_findings()


def verify(
    old: Readable,
    new: Readable,
    *,
    moved_to: str | None = None,
    policy: Policy | None = None,
    transcoded: bool = False,
    **known: Unpack[Known],
) -> Difference | None:
    """Compare a document before and after a change of its links, by independent parsers.

    Args:
        old: bytes, a path, or a binary file: the document before.
        new: bytes, a path, or a binary file: the document after.
        moved_to: absolute URI of the document after the move; None for the policy's target of its base.
        policy: how links are read; its `target` and `each` map links to new targets.
        transcoded: whether the new document is in UTF-8.
        known: `type`, `charset`, `environment` and `base`, fields of `linkfix.Source`.

    Returns:
        The first difference that is more than another spelling of a link, or None.

    Raises:
        LinkfixError: one of the documents cannot be read.
        ModuleNotFoundError: the extra ``verify`` is not installed.

    """
    from linkfix.verifying import Settings

    source, _ = _known(old, "verify", known)
    gate.check(moved_to=moved_to, policy=policy)
    gate.check({"transcoded": gate.BOOL}, transcoded=transcoded)
    _check_source(old, "old")
    _check_source(new, "new")
    data: list[bytes] = []
    for each in (old, new):
        with _opened(each) as file:
            data.append(b"".join(chunks(file)))
    settings = Settings(
        policy=policy or Policy(),
        source=source,
        moved_to=moved_to,
        new_name=_name(new),
        transcoded=transcoded,
    )
    return different(data[0], data[1], settings)


def different(old: bytes, new: bytes, settings: Settings) -> Difference | None:
    """Verify a document; a link that a rewrite leaves by the same settings may be as it was.

    Raises:
        LinkfixError: one of the documents cannot be read.

    """
    from linkfix.verifying import verify as compare

    left, policy = set[int](), settings.policy.again
    if settings.transcoded:
        policy = replace(policy, disputed="chromium", trusts_guess=True)
    if settings.transcoded or policy.moves or settings.moved_to:
        rewriter = Rewriter(policy=policy, source=settings.source, moved_to=settings.moved_to)
        rewriter.on_kept = lambda outcome: left.add(outcome.link.start)
        with contextlib.suppress(SignedDocumentError):
            rewriter.whole(old)
    return compare(old, new, replace(settings, left=left))
