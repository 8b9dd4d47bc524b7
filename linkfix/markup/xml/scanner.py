"""The XML scanner: elements with namespaces, and the spans of their attributes and content.

Input: the bytes of a document with their ASCII view. Output: events (`linkfix.markup.xml.events`). expat parses every byte
(`Input`) and decides what is well-formed. Where it refuses a whole document in UTF-8, the document is read once
more, as chunks are. expat reports the prolog and the start of the root element. After that `TagReader` finds the tags
with wanted names in the bytes that expat has accepted. If a DTD declares entities or attributes, expat reports the tags
(`ExpandedElements`). After an error `LenientReader` reads the rest, if the caller wants it. All three pass their
tags to `Elements`, which makes the events. The cost: every byte is read by expat, and searched for ``<``.
"""

import re
from dataclasses import replace
from functools import partial
from xml.parsers import expat

from linkfix.charset import Charset
from linkfix.errors import NotWellFormedError
from linkfix.markup.xml.elements import Elements, Interest
from linkfix.markup.xml.events import XMLDoctype, XMLEvent, XMLInstruction
from linkfix.markup.xml.input import Input, is_name, may_be_utf_8
from linkfix.markup.xml.limits import Limits
from linkfix.markup.xml.reader import ExpandedElements, LenientReader, TagReader

_DOCTYPE = b"<!DOCTYPE"
_EXTERNAL_ID = re.compile(
    rb"""<!DOCTYPE[\t\n\r ]+[^\t\n\r >\[]+[\t\n\r ]+(?:SYSTEM|PUBLIC[\t\n\r ]+(?:"[^"]*"|'[^']*'))"""
    rb"""[\t\n\r ]+(?:"([^"]*)"|'([^']*)')"""
)
_INSTRUCTION = re.compile(rb"<\?[^\t\n\r ?]+()[\t\n\r ]*(.*?)\?>", re.DOTALL)

#: What expat says of an external parsed entity (XML 1.0, 4.3.2), which may have several elements and declares no entities.
_OF_PARTS = (
    expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY],
    expat.errors.codes[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT],
)


class XMLScanner:
    """Find the elements of an XML document, chunk by chunk.

    Args:
        charset: of the document.
        interest: decides which elements are returned.
        limits: the most that the document may need.
        recover: whether the rest of a document that is not well-formed is read leniently.

    Attributes:
        error: why the rest of the document is read leniently; None while it is well-formed.

    """

    def __init__(
        self,
        charset: Charset,
        interest: Interest | None = None,
        *,
        limits: Limits | None = None,
        recover: bool = False,
    ) -> None:
        self.error: NotWellFormedError | None = None
        self._charset = charset
        self._recover = recover
        self._for = interest or Interest(), limits or Limits()
        self._chunks: list[tuple[bytes, bytes]] = []
        self._size = 0
        self._wanted = 0
        self._is_new = True

    def _begin(self, source: Input) -> None:
        """Read the document from its start."""
        self._is_new = False
        self._input = source
        self._elements = Elements(*self._for, self._charset.unit)
        #: The reader of the root element and its content; None before the root element.
        self._reader: TagReader | ExpandedElements | LenientReader | None = None
        self._entities = False
        self._declares_attributes = False
        #: The offset in the view at which the part of the prolog ends whose events have been added.
        self._prolog_end = 0
        parser = source.parser
        parser.StartElementHandler = self._root_element
        parser.StartDoctypeDeclHandler = self._start_doctype
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._attribute
        parser.ProcessingInstructionHandler = self._instruction

    @property
    def offset(self) -> int:
        """The offset in the view before which everything has been read."""
        opened, base = self._elements.opened, self._input.base
        return base if opened is None or not opened.literal else min(base, opened.start)

    def feed(self, source: bytes, view: bytes, *, final: bool = False) -> list[XMLEvent]:
        """Read the next bytes of the document, and return the events that they complete.

        Args:
            source: the bytes.
            view: the same bytes in the ASCII view.
            final: whether the document ends with them.

        Raises:
            NotWellFormedError: with the byte offset after the byte order mark.
            LimitExceededError: the document needs more than the limits allow.

        """
        if self._is_new:
            is_utf_8 = final and may_be_utf_8(source, self._charset)
            self._begin(Input(self._charset, is_utf_8=is_utf_8))
        self._chunks.append((source, view))
        self._size += len(source)
        if self._size < self._wanted and not final:
            return []
        try:
            if not (self._input.is_utf_8 and self._read_as_utf_8(source, view)):
                self._read(final=final)
        finally:
            if final:  # the handlers of the parser refer to the scanner, and so to the document
                del self._input.parser
        return self.rest()

    def rest(self) -> list[XMLEvent]:
        """Return the events that no call has returned yet; after an error of `feed`, those before the error."""
        events, self._elements.events = self._elements.events, []
        return events

    def _read_as_utf_8(self, source: bytes, view: bytes) -> bool:
        """Read a whole document by expat alone; return whether it is well-formed UTF-8 with names that expat knows."""
        try:
            self._parse(source, view, final=True)
        except NotWellFormedError:
            self._begin(Input(self._charset))
            return False
        return True

    def _read(self, *, final: bool) -> None:
        (source, view), *more = self._chunks
        if more:
            source = b"".join(chunk for chunk, _ in self._chunks)
            view = b"".join(chunk for _, chunk in self._chunks)
        self._chunks = []
        if isinstance(self._reader, LenientReader):
            self._input.add(source, view)
            self._reader.read(final=final)
        else:
            try:
                self._parse(source, view, final=final)
            except NotWellFormedError as error:
                if not self._recover or error.offset is None:
                    raise
                self.error = error
                self._begin_leniently(error.offset // self._charset.unit)
                self._reader = LenientReader(self._input, self._elements)
                self._reader.read(final=final)
        if not final:
            self._forget()

    def _parse(self, source: bytes, view: bytes, *, final: bool) -> None:
        error = None
        try:
            self._input.parse(source, view, final=final)
            final &= self._input.malformed is None
            end = self._input.end if final else self._input.index
        except expat.ExpatError as said:
            end = self._input.index
            error = self._elements.refusal(expat.ErrorString(said.code), end)
            if said.code in _OF_PARTS or (end == 0 and view.startswith(b"---")):
                error.hint = "read a part of another document, or one under front matter, with --recover; else correct it there, or use --type html if it is HTML"
        except NotWellFormedError as said:
            end, error = (said.offset or 0) // self._charset.unit, said
        if isinstance(self._reader, TagReader):
            self._reader.read(end, final=final and error is None)
        if error is None and self._input.malformed is not None:
            error = self._elements.refusal(self._input.why, self._input.malformed)
        if error is not None:
            raise error from None

    def _begin_leniently(self, offset: int) -> None:
        """Buffer the document from the token on that is not well-formed at an offset in the view."""
        source, reader = self._input, self._reader
        if isinstance(reader, TagReader):
            start = reader.offset
        else:
            last_tag = reader.last_tag if isinstance(reader, ExpandedElements) else -1
            at = source.base + source.view.rfind(b"<", 0, max(offset - source.base, 0) + 1)
            start = at if at >= source.base and at > last_tag else max(offset, source.base)
        source.restart(start)

    def _forget(self) -> None:
        """Keep only what an unfinished token or collected text still needs."""
        source, reader, opened = self._input, self._reader, self._elements.opened
        keep = reader.offset if isinstance(reader, TagReader) else source.index
        if isinstance(reader, LenientReader):
            keep = reader.offset
        elif opened is not None and opened.literal:
            keep = opened.start
        elif reader is None:
            at = source.base + source.view.rfind(_DOCTYPE)
            keep = min(keep, at) if at >= max(self._prolog_end, source.base) else keep
        source.forget(keep)
        size, most = len(source.view) * self._charset.unit, self._elements.limits.token
        is_long = isinstance(reader, LenientReader) or source.view.startswith(b"<![CDATA[")
        if size > most and not is_long:
            what = "a tag, a comment or the text of an element"
            raise self._elements.over(what, "token", keep)
        self._size = 0
        # expat parses an unfinished token from its start again. So the next chunk is parsed once the token has doubled.
        self._wanted = size if size > most else min(size, most - size + 1)

    # --- what expat calls -----------------------------------------------------------------------

    def _start_doctype(self, _name: str, system: str | None, public: str | None, _: int) -> None:
        source, span = self._input, None
        if system is not None:
            at = source.view.rfind(_DOCTYPE, 0, source.index - source.base + len(_DOCTYPE))
            match = _EXTERNAL_ID.match(source.view, max(at, 0))
            if match is not None:
                start, end = match.span(match.lastindex or 1)
                span = source.base + start, source.base + end
        doctype = XMLDoctype(source.characters(public or ""), span, entities=False)
        source.parser.EndDoctypeDeclHandler = partial(self._end_doctype, doctype)

    def _end_doctype(self, doctype: XMLDoctype) -> None:
        self._prolog_end = self._input.index
        self._elements.public = doctype.public
        self._elements.events.append(replace(doctype, entities=self._entities))

    def _entity(self, _name: str, is_parameter: int, *_: object) -> None:
        self._entities |= not is_parameter

    def _attribute(
        self, _element: str, _name: str, type: str, default: str | None, _required: bool
    ) -> None:
        self._declares_attributes |= default is not None or type != "CDATA"

    def _instruction(self, target: str, _data: str) -> None:
        source, name = self._input, self._input.characters(target)
        if not is_name(name):
            raise self._elements.refusal("this is no name", source.index)
        match = _INSTRUCTION.match(source.view, source.index - source.base)
        if self._reader is None and match is not None:
            spans = (source.base + at for at in (match.end(1), *match.span(2)))
            self._elements.events.append(XMLInstruction(name, *spans))
            self._prolog_end = source.base + match.end(2)

    def _root_element(self, name: str, pairs: list[str]) -> None:
        source, elements = self._input, self._elements
        if self._entities or self._declares_attributes:
            self._reader = ExpandedElements(source, elements)
            self._reader.start(name, pairs)
        else:
            source.parser.StartElementHandler = None
            checks_names = not source.is_utf_8
            self._reader = TagReader(source, elements, source.index, checks_names=checks_names)
