"""The rewriter: bytes of a document in, the same bytes out with its links rewritten."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, compress
from typing import Literal, NamedTuple

from linkfix.charset import PRESCAN, Sniffed
from linkfix.errors import LinkfixError, SignedDocumentError, place_of
from linkfix.iri import Conversion
from linkfix.iri.quick import canonical, examined, plain_uris
from linkfix.iri.reference import split
from linkfix.links import Batch, Kind, Link
from linkfix.links.link import is_spread
from linkfix.markup.detect import DocumentType
from linkfix.policy import UNKNOWN, Bases, Policy, Source, gate
from linkfix.rewriting.border import MOVES_DECLARATION, Border
from linkfix.rewriting.spelling import spell_plainly, spelled

#: The kinds of values that are one link, and need no more than that it stays one.
_BY_VALUE = frozenset({Kind.SINGLE, Kind.CSS})
#: The number of batches that are judged at once.
_AT_ONCE = 64


_usual = cache(Policy)


class Outcome(NamedTuple):
    """The result of one link.

    Attributes:
        link: the link in the source.
        conversion: its conversion.
        new: its new bytes; None if it was left.
        kept: why it was left although it should change, or "".
        resolved: the absolute URI of its old target; None if unknown or not requested.
        target: its new target from `Policy.target`; None for none.
        unmatched: whether `Policy.target` returned none for a link out of its document.

    """

    link: Link
    conversion: Conversion
    new: bytes | None
    kept: str
    resolved: str | None = None
    target: str | None = None
    unmatched: bool = False


@dataclass(slots=True)
class Report:
    """The result of one document.

    Attributes:
        name: of the document.
        links: how many links may be rewritten.
        changed: how many of them were rewritten.
        kept: how many were left although they are not valid, or have a new target.
        mapped: how many have a new target from `Policy.target`.
        unmatched: how many links out of the document have none.
        embedded: how many links are in embedded documents, as ``noscript: followed`` and ``noframes: not followed``.
        type: ``html``, ``xhtml``, ``xml``, ``css`` or ``text``; None for an empty document.
        charset: name of its charset.
        declared: whether the document, its transport or its format (XML, JSON) says what the charset is. Only then is it
            promised that no link moves: a browser that guesses may guess otherwise afterwards.

    """

    name: str = ""
    links: int = 0
    changed: int = 0
    kept: int = 0
    mapped: int = 0
    unmatched: int = 0
    embedded: Counter[str] = field(default_factory=Counter)
    type: DocumentType | None = None
    charset: str = ""
    declared: bool = False


class Rewriter:
    """Rewrite the links of one document, chunk by chunk; sans-IO.

    Args:
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs; None for what the policy says.
        policy: every other setting.
        source: what is known about the document.
        moved_to: absolute URI of the document after the move; None for the new target of its base by the policy, or
            its base without one.
        wants: returns whether to apply the conversion of a link; None for always.
        on_outcome: called with each link that may be rewritten, in the order of the document.
        on_change: called with each link that is rewritten, or left although it should change.
        keeps_declaration: whether to leave a link that would move the declaration of the charset of HTML across the
            border of what browsers read.

    Attributes:
        on_kept: called with each link that is left although it should change; None by default. Set it before the first
            bytes. It costs less than `on_change`: its links have no `resolved`, and lines only where links may move.

    Every error leaves the rewriter unusable; `rest` then returns the bytes that were not returned yet.

    """

    def __init__(
        self,
        to: Literal["uri", "iri"] | None = None,
        *,
        policy: Policy | None = None,
        source: Source = UNKNOWN,
        moved_to: str | None = None,
        wants: Callable[[Outcome], bool] | None = None,
        on_outcome: Callable[[Outcome], None] | None = None,
        on_change: Callable[[Outcome], None] | None = None,
        keeps_declaration: bool = True,
    ) -> None:
        which = {"to": to, "policy": policy, "source": source, "moved_to": moved_to}
        calls = {"wants": wants, "on_outcome": on_outcome, "on_change": on_change}
        gate.check(**which, **calls, keeps_declaration=keeps_declaration)
        if policy is None:
            policy = _usual(to or "uri")
        self.policy: Policy = policy if to is None or policy.to == to else replace(policy, to=to)
        self.report: Report = Report(source.name)
        base, moved_to = self.policy.places(source.base, moved_to)
        self._bases = Bases(base, moved_to)
        #: The bases of the links that were read; some of these links are not rewritten yet.
        self._ahead = Bases(base, moved_to)
        self._moves = self.policy.moves or moved_to != base
        #: What was decided before its turn, by byte offset and attribute.
        self._early: dict[tuple[int, str], Outcome] = {}
        #: Whether a callback gets every link, or those that change.
        tells_all = on_outcome is not None or wants is not None
        self._keeps = source.keeps
        self._tells_changes = tells_all or on_change is not None or self._keeps is not None
        #: Whether every link with an ordinary value (`linkfix.iri.quick`) stays as it is, and whether `plain_uris` returns
        #: the new value of a link if its query is mapped in UTF-8. A base URL must have the scheme ``http`` or ``https``.
        self._leaves_ordinary = not (tells_all or self._moves) and self.policy.normalize == "none"
        self._goes_by_value = (
            self._leaves_ordinary
            and not self._tells_changes
            and (self.policy.to, self.policy.idna) == ("uri", "uts46")
            and not self.policy.nfc
            and self.policy.query_charset in {None, "document"}
        )
        #: Callbacks, and the errors of a move, need lines.
        self._counts_lines = self._tells_changes or not self._leaves_ordinary
        self._stream = self.policy.stream(source)
        self._stream.at_once = True
        self._stream.counts_lines = self._counts_lines
        self._wants = wants
        self._on_outcome = on_outcome
        self._on_change = on_change
        self.on_kept: Callable[[Outcome], None] | None = None
        self._chunks: list[bytes] = []
        self._given = 0
        self._keeps_declaration = keeps_declaration
        #: The first bytes of the document, until they are enough for the border.
        self._opening: bytes | None = b""
        self._border: Border | None = None
        #: Links that may change, read before the border is known.
        self._held: list[Link] = []

    @property
    def sniffed(self) -> Sniffed | None:
        """What is known about the charset; None until enough has been read."""
        return self._stream.sniffed

    @property
    def type(self) -> DocumentType | None:
        """What the document is; None until enough has been read."""
        return self._stream.type

    def feed(self, data: bytes) -> bytes:
        """Read the next bytes of the document; return the finished ones.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(data, final=False)

    def whole(self, document: bytes) -> bytes:
        """Rewrite a document that is all there, instead of feeding it.

        Args:
            document: all of its bytes.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(document, final=True)

    def close(self) -> bytes:
        """End the document; return its last bytes.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(b"", final=True)

    def _read(self, data: bytes, *, final: bool) -> bytes:
        if isinstance(data, bytes):  # else the stream refuses it
            self._chunks.append(data)
        links = self._links(data, final=final)
        if self._held:
            links = [*self._held, *links]
        is_known = self._find_border(data, final=final)
        if final:
            done = self._splice(links, None)
            self.report.type, self.report.embedded = self._stream.type, self._stream.embedded
            if (sniffed := self._stream.sniffed) is not None:
                self.report.charset, self.report.declared = sniffed.charset.name, sniffed.declared
            return done
        self._held = [] if is_known else links
        end = self._held[0].start if self._held else self._stream.offset
        return b"" if end == self._given else self._splice(links if is_known else [], end)

    def _find_border(self, data: bytes, *, final: bool = False) -> bool:
        """Read the next bytes for the border; return whether links may be rewritten."""
        if self._opening is None:
            return True
        self._opening += data
        sniffed = self._stream.sniffed
        if sniffed is not None and self._keeps_declaration and self._stream.type == "html":
            if sniffed.step == "label" and len(self._opening) < PRESCAN and not final:
                return False
            self._border = Border(self._opening, sniffed)
        if sniffed is not None:
            self._opening = None
        return True

    def _links(self, data: bytes, *, final: bool) -> list[Link]:
        """Return the next links that may change; refuse a signed document, even if it also has a later error."""
        links: list[Link] = []
        batches: list[Batch] = []
        # Lines are counted forwards only, so each batch in its turn.
        most = 1 if self._counts_lines else _AT_ONCE
        try:
            for found in self._stream.read(data, final=final):
                if isinstance(found, Batch):
                    batches.append(found)
                    if len(batches) < most:
                        continue
                if batches:
                    links += self._doubtful(batches)
                    batches.clear()
                if not isinstance(found, Batch):
                    self._ahead.see(found)
                    links.append(found)
            if batches:
                links += self._doubtful(batches)
        finally:
            if self._stream.signature is not None and not self.policy.xml.signed:
                offset, line, column = self._stream.signature
                raise SignedDocumentError(
                    "the document has an XML Signature, which a rewrite would make invalid",
                    hint="rewrite it with --signed and sign it again",
                    file=self.report.name or None,
                    offset=offset,
                    line=line,
                    column=column,
                )
        return links

    def _doubtful(self, batches: list[Batch]) -> list[Link]:
        """Count the links of batches that stay as they are, and return the others."""
        leaves_ordinary = self._leaves_ordinary and self._ahead.is_web
        singles = [each.views for each in batches if leaves_ordinary and each.are_single]
        raws = {*chain.from_iterable(singles)}
        values, odd = examined([*raws])
        if odd and self.policy.idna == "uts46" and not self.policy.nfc:
            # References may spell other characters, and octets beyond ASCII are not read yet.
            plain = [value for value in odd if "&" not in value and value.isascii()]
            odd.difference_update([*filter(canonical(self.policy.to), plain)])
        doubtful = {*compress(raws, map(odd.__contains__, values))} if odd else set[bytes]()
        links: list[Link] = []
        for batch in batches:
            size = len(batch.views)
            indices: Sequence[int] = range(size)
            if not batch.are_single:
                if not any(map(self.policy.applies, batch.places(indices))):
                    continue
            elif leaves_ordinary:
                self.report.links += size
                if doubtful.isdisjoint(batch.views):
                    continue
                views = enumerate(batch.views)
                indices = [index for index, view in views if view in doubtful]
                self.report.links -= len(indices)
            links += batch.links(indices)
        return links

    def rest(self) -> bytes:
        """Return the bytes that were fed and not returned, unchanged."""
        rest, self._chunks = b"".join(self._chunks), []
        self._given += len(rest)
        return rest

    def _splice(self, links: list[Link], end: int | None) -> bytes:
        """Return the bytes up to `end`, with their links rewritten."""
        source = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        base = self._given
        stop = len(source) if end is None else end - base
        pieces: list[bytes] = []
        position, border, is_web = 0, self._border, self._bases.is_web
        for index, (link, new) in enumerate(zip(links, self._by_value(links), strict=True)):
            if link.place.sets_base:
                self._bases.see(link)
                is_web = self._bases.is_web
            if border is not None and border.beyond(link.start):
                border = None  # and so are all later links
            if (
                new is not None
                and is_web
                and (new == link.raw or not border or border.allows(link.start, link.end, new))
            ):
                self.report.links += 1
                self.report.changed += new != link.raw
            else:
                link = self._resolvable(link)
                if not self.policy.applies(link):
                    continue
                if self._moves and not self._bases.knows(link):
                    self._decide_base(links, index)
                new = self._decide(link)
            if new is not None:
                pieces += (source[position : link.start - base], new)
                position = link.end - base
                if border is not None:
                    border.write(link.start, link.end, new)
        pieces.append(source[position:stop])
        self._chunks = [source[stop:]]
        self._given = base + stop
        return b"".join(pieces)

    def _by_value(self, links: list[Link]) -> list[bytes | None]:
        """Convert links by their values alone; return the new bytes of each, None if that is not enough."""
        new: list[bytes | None] = [None] * len(links)
        if not (links and self._goes_by_value):
            return new
        chosen: dict[bool, list[int]] = {}
        ways: dict[int, bool | None] = {}
        # All places of a document have its charset.
        charset, guessed = links[0].place.charset, links[0].place.guessed
        if guessed and not charset.is_own_view:  # others may read other markup
            return new
        is_sure = charset.is_unicode and not guessed
        for index, link in enumerate(links):
            place, value = link.place, link.value
            if (key := id(place)) in ways:
                is_web = ways[key]
            else:
                is_plain = place.kind in _BY_VALUE and not (
                    place.bases or place.hashed or self.policy.keeps(place)
                )
                is_web = self.policy.syntax_of(link) == "web" if is_plain else None
                ways[key] = is_web
            if is_web is None or link.malformed or link.fixed or "\0" in value:
                continue
            # What begins with white space is odd, or empty; a fragment alone may be a name.
            if value < "$" and (place.names or value < "!" or value[-1] < "!"):
                continue
            if not (is_sure or value.isascii()) and (
                guessed
                # But for the query only NFC depends on the charset, which there is none of in a Web Address.
                or not (charset.is_unicode or (is_web and split(value)[1].isascii()))
            ):
                continue
            if (guessed and not link.raw.isascii()) or (not is_web and is_spread(link)):
                continue
            chosen.setdefault(is_web, []).append(index)
        for is_web, indices in chosen.items():
            texts = plain_uris([links[index].value for index in indices], web=is_web)
            for index, text in zip(indices, texts, strict=True):
                link = links[index]
                if text is not None:
                    new[index] = link.raw if text == link.value else spell_plainly(link, text)
        return new

    def _resolvable(self, link: Link) -> Link:
        """Return a link for the callbacks, which may ask where it leads."""
        if not self._tells_changes:
            return link
        return link._replace(resolver=self._bases.resolver(self._bases.of(link), self.policy))

    def _decide(self, link: Link) -> bytes | None:
        early = self._early
        outcome = early.pop((link.start, link.attribute), None) if early else None
        if outcome is None:
            outcome = self._outcome(link)
        new = outcome.new
        if new is not None and self._wants is not None and not self._wants(outcome):
            new, outcome = None, outcome._replace(new=None)
        self.report.links += 1
        self.report.changed += new is not None
        self.report.kept += bool(outcome.kept)
        self.report.mapped += outcome.target is not None
        self.report.unmatched += outcome.unmatched
        if self._on_outcome is not None:
            self._on_outcome(outcome)
        if self._on_change is not None and (outcome.new is not None or outcome.kept):
            self._on_change(outcome)
        if self.on_kept is not None and outcome.kept:
            self.on_kept(outcome)
        return new

    def _outcome(self, link: Link, *, early: bool = False) -> Outcome:
        if not self._moves:
            if self.policy.keeps(link.place):
                return Outcome(link, Conversion(link.value, (), (), ok=True), None, "")
            conversion = self.policy.convert(link, self._bases.of(link))
            new, kept = self._spelled(link, conversion, early=early)
            # It is valid as it is, even if nothing can be resolved against the base of the document.
            if kept and canonical(self.policy.to)(link.value):
                kept = ""
            return Outcome(link, conversion, new, kept)
        from linkfix.policy.moving import move

        try:
            moved = move(self.policy, link, self._bases)
        except LinkfixError as error:
            error.file = error.file or self.report.name or None
            raise
        except Exception as error:  # of a function of the policy
            place = place_of(self.report.name, link.line, link.column)
            error.add_note(f"{place}: {link.value}")
            raise
        new, kept = self._spelled(link, moved.conversion, early=early)
        self._bases.note(link, link.value if new is None else moved.conversion.text)
        rest = moved.resolved, moved.target, moved.unmatched
        return Outcome(link, moved.conversion, new, kept, *rest)

    def _decide_base(self, links: list[Link], index: int) -> None:
        """Decide the new value of the base of a link, which may follow it in the same tag."""
        bases = links[index].bases
        for at in range(index + 1, len(links)):
            other = links[at]
            if other.bases not in (bases, bases[:-1]):
                return
            if other.sets_inner_base and other.bases == bases[:-1]:
                other = self._resolvable(other)
                if self.policy.applies(other):
                    outcome = self._outcome(other, early=True)
                    self._early[other.start, other.attribute] = outcome
                return

    def _spelled(
        self, link: Link, conversion: Conversion, *, early: bool
    ) -> tuple[bytes | None, str]:
        """Return the new bytes of a link, or why there are none."""
        new, kept = spelled(self.policy, link, conversion)
        if new is not None and self._keeps is not None:
            kept = self._keeps(link, conversion.text, new)
            new = None if kept else new
        border = self._border
        if new is None or border is None or border.beyond(link.start):
            return new, kept
        # For a link that is decided early this is only known beyond the border.
        if not early and border.allows(link.start, link.end, new):
            return new, kept
        return None, MOVES_DECLARATION
