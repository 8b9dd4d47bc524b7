"""The transcoder: bytes of a document in any charset in, the same document in UTF-8 out.

It is a chain of streams (ARCHITECTURE.md, "Sites"): links whose meaning depends on the charset are
rewritten to URIs in the old one; the bytes are decoded and encoded again; what declares a charset is
corrected, or added; then, where readable IRIs are asked for, the new document is rewritten.
"""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from operator import ne
from typing import Literal, TypeAlias

from linkfix.charset import Charset, Sniffed, names
from linkfix.charset.model import REPLACEMENT
from linkfix.errors import LossError
from linkfix.links import Link
from linkfix.links.link import Markup
from linkfix.links.stream import MARKUP
from linkfix.markup.detect import DocumentType
from linkfix.policy import UNKNOWN, Bases, Policy, Source, gate
from linkfix.policy.bases import resolved_link
from linkfix.rewriting import Outcome, Rewriter
from linkfix.transcoding.declaring import BOM, Declared, Forms, Head, Prolog, TranscodingReport
from linkfix.transcoding.markup import INCLUDE, SHEET, Editor, HTMLEditor, TagEditor, XMLEditor
from linkfix.transcoding.references import XMLCharacters


class UTF8Decoder:
    """Turn the bytes of a document into UTF-8.

    Args:
        charset: of the document.
        report: counts the malformed sequences, and the characters that readers of XML and browsers decode differently.
        passes: whether it is in UTF-8, and stays as it is, malformed bytes included.
        xml: whether it is decoded as the readers of XML do (`Charset.decode_xml`).
        accept_losses: whether a malformed sequence becomes U+FFFD; otherwise it is an error.

    Attributes:
        offset: how many bytes after the byte order mark are decoded.

    """

    def __init__(
        self,
        charset: Charset,
        report: TranscodingReport,
        *,
        passes: bool,
        xml: bool = False,
        accept_losses: bool,
    ) -> None:
        self._charset, self._report, self._passes = charset, report, passes
        self._accepts_losses = accept_losses
        self._is_xml = xml and charset.iana is not None
        self._view = charset.view()
        self._held = b""
        self.offset: int = 0

    def __call__(self, data: bytes, final: bool) -> bytes:
        """Read the next bytes; return the octets in UTF-8 that they complete.

        Args:
            data: the bytes.
            final: whether the document ends with them.

        Raises:
            LossError: some of them are malformed, and losses are not accepted.

        """
        if self._passes:
            self.offset += len(data)
            return data
        self._view.feed(data, final=final)
        self._held += data
        if final:
            return self._decode(len(self._held))
        return self._decode(self._charset.settled(self._held, self._view.state(self.offset)))

    def _decode(self, end: int) -> bytes:
        data, self._held = self._held[:end], self._held[end:]
        state = self._view.state(self.offset)
        text = self._charset.decode(data, state)
        if REPLACEMENT in text:
            malformed = [*self._charset.malformed(data, text, state)]
            if malformed and not self._accepts_losses:
                start, end = malformed[0]
                octets, name = data[start:end].hex(" ").upper(), self._charset.name
                raise LossError(
                    f"the octets {octets} are malformed in {name}; in UTF-8 they would be lost",
                    hint="name the right charset, correct them, or accept that they become U+FFFD",
                    offset=self.offset + start,
                )
            self._report.replaced += len(malformed)
        if self._charset.iana is not None:
            own = self._charset.decode_xml(data, state)
            self._report.disputed += sum(map(ne, text, own))
            text = own if self._is_xml else text
        self.offset += end
        self._view.forget(self.offset)
        return text.encode()


# --- Find the links whose target would change if their document were in UTF-8 ---------------------

#: A query beyond ASCII, of a relative reference or a scheme whose queries browsers map to octets in the
#: charset of the document.
_QUERY = re.compile(
    r"[\0-\x20]*(?:(?:https?|ftp|file|wss?):|(?![A-Za-z][A-Za-z0-9+.-]*:))[^?#]*\?[^#]*[^#\0-\x7f]",
    re.IGNORECASE | re.ASCII,
)


def _depends(link: Link, policy: Policy, in_utf8: Policy, base: str | None) -> bool:
    """Return whether the target of a link depends on the charset of the document.

    Args:
        link: the link.
        policy: how links are read; it converts to URIs.
        in_utf8: the same in UTF-8.
        base: absolute URI of the document; None if unknown.

    """
    value = link.value
    if link.charset.is_unicode or (value.isascii() and value.isprintable()):
        return False
    if "?" not in value and policy.syntax_of(link) == "web":
        return False
    old = policy.convert(link, base)
    if not old.ok and policy.charset(link) is not None and _QUERY.match(value):
        return True  # browsers follow some references that the URL Standard calls invalid
    return old.text != in_utf8.convert(link, base).text


# --------------------------------------------------------------------------------------------------

#: How many addresses of other files are remembered. They are asked for as soon as their tag is whole.
_REMEMBERED = 16384
#: The elements that can have a charset beside their address.
_NAMING = frozenset({"script", "link", "a", INCLUDE, SHEET})
_DISPUTED = "browsers and standards disagree on the charset of its query"


#: Returns what the next bytes of the document complete; True says that they are the last ones.
_Stream: TypeAlias = Callable[[bytes, bool], bytes]


class Transcoder:
    """Convert one document to UTF-8, chunk by chunk; sans-IO.

    Args:
        to: ``uri`` or ``iri`` to rewrite every link that is not valid; None to rewrite only links whose target would
            change, or that have a new target by the policy.
        policy: every other setting for links; its `to` and `disputed` are not used.
        source: what is known about the document; of the type ``text`` is one without markup, such as a script.
        moved_to: absolute URI of the document after the move, as for `Rewriter`.
        unescape: whether character references become characters, where that is safe.
        forms: ``pin`` to keep the charset in which forms are submitted; ``leave`` to leave forms unchanged.
        declares: whether an HTML document without a declaration of its charset gets one; False for a part of a
            document.
        accept_losses: whether octets that are malformed in the charset become U+FFFD; otherwise they are an error.
        transcoded: returns whether the file at an absolute URI (or at a reference that cannot be resolved) is
            converted to UTF-8 too; None if no file is.
        on_outcome: called with each link that may be rewritten, in the order of the document.

    Attributes:
        report: the changes; complete after `close`.

    Every error leaves the transcoder unusable.

    """

    def __init__(
        self,
        to: Literal["uri", "iri"] | None = None,
        *,
        policy: Policy | None = None,
        source: Source = UNKNOWN,
        moved_to: str | None = None,
        unescape: bool = False,
        forms: Forms = "pin",
        declares: bool = True,
        accept_losses: bool = False,
        transcoded: Callable[[str], bool] | None = None,
        on_outcome: Callable[[Outcome], None] | None = None,
    ) -> None:
        which = {"to": to, "policy": policy, "source": source, "moved_to": moved_to}
        calls = {"transcoded": transcoded, "on_outcome": on_outcome}
        gate.check(**which, **calls, forms=forms, unescape=unescape, declares=declares)
        self.report: TranscodingReport = TranscodingReport(source.name)
        self._to = to
        self._policy = replace(policy or Policy(), to="uri", disputed="leave", trusts_guess=True)
        self._reading = replace(self._policy, disputed="chromium")
        self._base = source.base
        self._utf8_reading, self._utf8_policy = (
            replace(each, query_charset="utf-8", nfc=bool(each.nfc))
            for each in (self._reading, self._policy)
        )
        #: The last link that was asked about, and whether it depends on the charset as Chromium reads it.
        self._last: tuple[Link, bool] | None = None
        self._place = source.base if moved_to is None else moved_to
        self._bases = Bases(source.base)
        self._unescape = unescape
        self._forms: Forms = forms
        self._declares = declares
        self._accepts_losses = accept_losses
        self._transcoded = transcoded
        self._on_outcome = on_outcome
        #: The references to scripts, style sheets and pages, each with its base.
        self._files: dict[str, tuple[Link, str | None]] = {}
        policy = self._reading
        if source.type == "text":  # without markup, so its charset is all that matters
            policy = replace(policy, scope=policy.scope.without_links())
        self._first: Rewriter = Rewriter(
            policy=policy,
            source=source,
            moved_to=moved_to,
            wants=None if to == "uri" else self._must_change,
            on_outcome=self._record,
            keeps_declaration=False,
        )
        self._first.report = self.report
        self._rest: list[_Stream] | None = None
        self._decoder: UTF8Decoder | None = None
        self._mark = 0
        #: For each link between the first and the last rewriter, whether the first one rewrote it.
        self._changes: deque[bool] = deque()
        #: How many links the first or the last rewriter has changed.
        self._readable = 0
        #: For each link that the first rewriter rewrote and the decoder has not passed: its end in the source, and how
        #: many bytes longer it is now.
        self._grown: deque[tuple[int, int]] = deque()
        #: How many bytes longer the output of the first rewriter is up to the decoder's position.
        self._shift = 0

    @property
    def type(self) -> DocumentType | None:
        """What the document is; None until enough has been read, and for plain text."""
        return self._first.type

    def feed(self, data: bytes) -> bytes:
        """Read the next bytes of the document; return the finished ones in UTF-8.

        Raises:
            LossError: octets are malformed in the charset, and losses are not accepted.
            LinkfixError: the document cannot be processed.

        """
        return self._through(self._first.feed(data))

    def close(self) -> bytes:
        """End the document; return its last bytes.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        done = self._through(self._first.close(), final=True)
        if self._to == "iri":
            self.report.changed = self._readable
        return done

    def _through(self, data: bytes, *, final: bool = False) -> bytes:
        """Send bytes of the first stream through the others; return what comes out."""
        sniffed = self._first.sniffed
        if sniffed is None or (not data and self._rest is None):
            return b""
        lead = self._begin(sniffed) if self._rest is None else b""
        dropped = min(self._mark, len(data))
        self._mark -= dropped
        data = data[dropped:]
        for stream in self._rest or ():
            try:
                data = stream(data, final)
            except LossError as error:
                self._place_loss(error, sniffed)
                raise
        if self._decoder is not None:
            self._forget(self._decoder.offset + sniffed.bom)
        return lead + data

    def _forget(self, offset: int) -> None:
        """Forget the links that end before an offset in the output of the first rewriter, but not their growth."""
        grown = self._grown
        while grown and grown[0][0] + self._shift + grown[0][1] <= offset:
            self._shift += grown.popleft()[1]

    def _place_loss(self, error: LossError, sniffed: Sniffed) -> None:
        """Give an error of the decoder its name and its byte offset in the source."""
        offset = sniffed.bom + (error.offset or 0)
        self._forget(offset)
        error.offset = offset - self._shift
        error.file = self.report.name or None
        error.declared = sniffed.declared and sniffed.step != "environment"

    def _begin(self, sniffed: Sniffed) -> bytes:
        """Build the chain of streams; return the byte order mark if it stays."""
        charset, report = sniffed.charset, self.report
        report.to_utf8 = charset.name != "UTF-8"
        self._mark = sniffed.bom
        marked = bool(sniffed.bom) and not report.to_utf8
        if sniffed.bom and report.to_utf8:
            report.declarations.append(Declared("bom", charset.name, ""))
        is_xml, accepts = self._first.type == "xml", self._accepts_losses
        # A style sheet gets a rule that declares UTF-8, which must be true.
        passes = not report.to_utf8 and (sniffed.declared or self._first.type != "css")
        self._decoder = UTF8Decoder(
            charset, report, passes=passes, xml=is_xml, accept_losses=accepts
        )
        self._rest = [self._decoder]
        if self._first.type != "text":
            markup = "xml" if self._first.type is None else MARKUP[self._first.type]
            self._rest += self._corrections(markup, charset, marked=marked)
        return BOM if marked else b""

    def _corrections(self, markup: Markup, charset: Charset, *, marked: bool) -> list[_Stream]:
        """Return the streams that correct a document with markup, once it is in UTF-8.

        Args:
            markup: the kind of document.
            charset: its old charset.
            marked: whether a byte order mark precedes it.

        """
        report, policy = self.report, self._policy
        streams: list[_Stream] = [Prolog(markup, report, marked=marked)]
        old = charset.name if report.to_utf8 and charset.name in names(xml=False) else ""
        # HTML standard, 4.10.21.5: forms of a document in UTF-16 are submitted in UTF-8.
        submitted = "" if charset.is_unicode or self._forms == "leave" else old
        tags = TagEditor(old, submitted, self._is_transcoded, report)
        if markup == "html":
            scope = policy.scope
            streams.append(Editor(HTMLEditor(tags, scope, report, unescape=self._unescape)))
            if not marked and self._declares:
                streams.append(Head(report, scripting=scope.scripting))
        elif markup == "xml":
            characters = [XMLCharacters(report)] if self._unescape else []
            streams.append(Editor(XMLEditor(tags, policy.xml), *characters))
        if self._to == "iri":
            readable = Rewriter(
                policy=replace(policy, to="iri", target=None, each=None, style="keep"),
                source=Source(
                    type=self._first.type, charset="utf-8", base=self._place, name=report.name
                ),
                on_outcome=self._note_readable,
            )
            streams.append(
                lambda data, final: readable.feed(data) + (readable.close() if final else b"")
            )
        return streams

    def _depends(self, link: Link) -> bool:
        """Return whether a link depends on the charset as Chromium reads it."""
        if self._last is None or self._last[0] is not link:
            self._last = link, _depends(link, self._reading, self._utf8_reading, self._base)
        return self._last[1]

    def _must_change(self, outcome: Outcome) -> bool:
        """Return whether a link that can be rewritten must be."""
        link = outcome.link
        if self._depends(link):
            return True
        if outcome.resolved is None:  #: its new target is not known yet
            return False
        return outcome.conversion.text != self._reading.convert(link, self._base).text

    def _record(self, outcome: Outcome) -> None:
        link, report = outcome.link, self.report
        is_new = outcome.new is not None
        if outcome.new is not None:
            self._grown.append((link.end, len(outcome.new) - (link.end - link.start)))
        if self._depends(link):
            if is_new:
                report.pinned += 1
            else:
                report.unpinned.append(outcome)
        elif _depends(link, self._policy, self._utf8_policy, self._base):
            report.unpinned.append(outcome._replace(kept=_DISPUTED))
        elif outcome.kept and outcome.target is not None:
            report.unpinned.append(outcome)
        if self._transcoded is not None:
            self._remember(outcome)
        if self._to == "iri":
            self._changes.append(is_new)
        if self._on_outcome is not None:
            self._on_outcome(outcome)

    def _note_readable(self, outcome: Outcome) -> None:
        self._readable += self._changes.popleft() or outcome.new is not None

    def _remember(self, outcome: Outcome) -> None:
        """Remember the old target of a reference that may have a charset beside it."""
        link = outcome.link
        self._bases.see(link)
        if link.attribute in {"src", "href"} and link.element.rpartition(":")[2] in _NAMING:
            value = link.value if outcome.new is None else outcome.conversion.text
            if len(self._files) >= _REMEMBERED:
                self._files.clear()
            self._files[value.strip()] = link, self._bases.of(link)

    def _is_transcoded(self, address: str) -> bool:
        if self._transcoded is None:
            return False
        link, base = self._files.get(address.strip(), (None, None))
        target = None if link is None else resolved_link(link, self._reading, base)
        return self._transcoded(target or address)
