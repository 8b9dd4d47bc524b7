"""The HTML tokenizer (HTML standard, 13.2.5): from the ASCII view to start tags, raw texts and links.

Input: the ASCII view of a document (ARCHITECTURE.md), in chunks of any size. Output: a list of tokens. The states
have the standard's names, and regular expressions have the grammar of tags (``tokens.py``).

A *tag* is everything from ``<`` and a letter to the ``>`` that ends it. The standard refuses no sequence of bytes, so a
tag without a match is an unfinished one. Only an unfinished tag and the beginning of a delimiter are buffered;
comments and raw text are not. An unfinished tag is matched again only after it has doubled. So the work is linear in
the size of the document, however small the chunks are. The weak spot: a quote that is never closed buffers the document
up to `MAX_TAG`.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from linkfix.deferred import pattern
from linkfix.errors import LimitExceededError
from linkfix.markup.html.feedback import Past, TreeFeedback
from linkfix.markup.html.skip import Wanted, skip
from linkfix.markup.html.tokens import COMMENT, TAG, TAG_START, RawText, StartTag, State, Token
from linkfix.markup.layers import unfinished_reference

#: The longest tag that is buffered, in units of the view.
MAX_TAG = 64 * 1024 * 1024
_ABRUPT_COMMENT = pattern(rb"<!---?>")
#: What begins a downlevel-hidden conditional comment.
_CONDITIONAL = pattern(rb"<!--\[if [^\]<>]{0,200}\]>")
_CONDITIONAL_START = pattern(rb"<!--\[(?:i|if|if [^\]<>]{0,200}\]?)?")
_COMMENT_END = pattern(rb"--!?>")


@lru_cache(maxsize=64)
def _appropriate_end_tag(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</(?i:" + re.escape(name) + rb")(?=[\t\n\f\r />])")


_SCRIPT = rb"[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])"
#: The marks that end the states of scripts (13.2.5.15 to 13.2.5.31).
_SCRIPT_MARKS = {
    State.SCRIPT_DATA: pattern(rb"<!--|</" + _SCRIPT),
    State.SCRIPT_DATA_ESCAPED: pattern(rb"-->|</?" + _SCRIPT),
    State.SCRIPT_DATA_DOUBLE_ESCAPED: pattern(rb"-->|</" + _SCRIPT),
}


class HTMLTokenizer:
    """Find the start tags of an HTML document, chunk by chunk.

    Args:
        feedback: answers as the tree construction stage does (13.2.6).
        wanted: the wanted names, for skipping the rest; None to return every start tag.
        wants_text: returns what the whole text of an element is wanted for, None for nothing. It is called with the
            start tag of each element with raw text or script data, and of each foreign element.
        on_text: called with the offsets in the view of each piece of text that has character references
            (13.2.5.1, 13.2.5.2) and an ampersand. No piece ends inside a reference of at most `MAX_REFERENCE`
            units, or just after one if the next unit is unknown. Not together with `wanted`.
        wants_comments: whether the content of comments that begin with ``<!--[if …]>`` is wanted.
        unit: bytes of the source for each unit of the view, for the offset of an error.

    Attributes:
        state: the state that the tokenizer is in.
        last_start_tag: the name that an end tag must have to end RCDATA or RAWTEXT.

    """

    def __init__(
        self,
        feedback: TreeFeedback,
        *,
        wanted: Wanted | None = None,
        wants_text: Callable[[StartTag], str | None] = lambda _tag: None,
        on_text: Callable[[int, int], None] | None = None,
        wants_comments: bool = False,
        unit: int = 1,
    ) -> None:
        self.state: State = State.DATA
        self.last_start_tag: bytes = b""
        self._feedback = feedback
        #: What tree construction looks back at; None where the buffer is the whole view.
        self._past: Past | None = None
        #: The offset in the view before which tree construction has read every token.
        self._known = 0
        #: Where in the view the current tag begins and ends.
        self._tag_start = self._tag_end = 0
        feedback.look_back = self._look_back
        self._wanted_names = wanted
        self._wants_text = wants_text
        self._on_text = on_text
        self._wants_comments = wants_comments
        #: The wanted text as far as it is read, without its end; None while there is none.
        self._text: RawText | None = None
        #: Index in the buffered bytes at which the next scan begins.
        self._resume = 0
        self._unit = unit
        self._chunks: list[bytes] = []
        #: Length of the buffered bytes, and the length from which the next scan is due.
        self._buffered = self._due = 0
        #: The offset in the view before which every byte has been tokenized.
        self.offset: int = 0
        #: Whether the document ended between two tokens, and in no text.
        self.is_whole: bool = False

    def feed(self, view: bytes, *, final: bool = False) -> list[Token]:
        """Read the next bytes of the view, and return the tokens that they complete.

        Args:
            view: the bytes. If they are the whole document, tree construction can look back at all of it.
            final: whether the document ends with them.

        Raises:
            LimitExceededError: a tag is longer than `MAX_TAG`, or the effect of a tag depends on one too far back.

        """
        self._chunks.append(view)
        self._buffered += len(view)
        is_whole = final and not self.offset and len(self._chunks) == 1
        self._past = None if is_whole else self._past or Past(self._unit)
        if self._past is not None:
            self._past.add(view)
        if self._buffered <= MAX_TAG and self._buffered < self._due and not final:
            return []
        buffer = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        tags: list[Token] = []
        position, size = self._resume, len(buffer)
        try:
            while position < size:
                read = self._data if self.state is State.DATA else self._other
                at = read(buffer, position, tags)
                if at < 0:  # an unfinished token
                    position = ~at
                    break
                position = at
        except LimitExceededError as error:
            if error.offset is None:
                error.offset = (self.offset + position) * self._unit
            raise
        if final:
            rest = buffer[position:]
            is_data = self.state is State.DATA
            # A wanted text in the data state is that of a foreign element, whose end tag is missing.
            self.is_whole = is_data and rest[:1] in {b"", b"&"} and self._text is None
            is_text = is_data and (rest[:1] == b"&" or rest == b"<")
            if is_text or self.state is State.RCDATA:
                self._report_text(buffer, position, size, whole=True)
            position = size
            if self._text is not None:
                self._end_text(self.offset + size, tags)
        keep = position
        if self._text is not None:
            keep = min(position, self._text.start - self.offset)
        rest = buffer[keep:]
        self._resume = position - keep
        if len(rest) > MAX_TAG:
            raise LimitExceededError(
                f"a tag, or a text with links, is longer than {MAX_TAG * self._unit} bytes",
                hint="look for a missing quote there, or allow longer tags",
                offset=(self.offset + keep) * self._unit,
            )
        if self._feedback.is_following:
            self._known = self.offset + position
        if self._past is not None:
            self._past.forget(self._known, self.offset + position)
        self.offset += keep
        self._chunks = [rest] if rest else []
        self._buffered = len(rest)
        self._due = 2 * self._buffered + 1
        return tags

    def _look_back(self, feedback: TreeFeedback) -> None:
        """Tokenize everything between the last token that tree construction knows and the current tag.

        Args:
            feedback: receives the tokens.

        Raises:
            LimitExceededError: a part of it has been discarded.

        """
        reader = HTMLTokenizer(feedback)
        start, end = self._known, self._tag_start
        past = self._chunks[0][start:end] if self._past is None else self._past.between(start, end)
        reader.feed(past, final=True)
        self._known = self._tag_end  # the current tag is the next one to be read

    def _other(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        """Read what is no data at `position`; return the next position, or ``~p`` to wait for more bytes at p."""
        match self.state:
            case State.RCDATA | State.RAWTEXT:
                return self._raw_text(buffer, position, tags)
            case State.SCRIPT_DATA | State.SCRIPT_DATA_ESCAPED | State.SCRIPT_DATA_DOUBLE_ESCAPED:
                return self._script_data(buffer, position, tags)
            case State.PLAINTEXT:
                return len(buffer)
            case State.CDATA_SECTION:
                end = buffer.find(b"]]>", position)
                at = self._wait_for(buffer, position, 2) if end < 0 else self._to_data(end + 3)
                if follower := self._feedback.follower:
                    text = buffer[position : ~at if end < 0 else end]
                    follower.text(text, has_references=False)
                return at
            case State.COMMENT:
                found = _COMMENT_END.search(buffer, position)
                if found is None:
                    return self._wait_for(buffer, position, 3)
                if self._text is not None and self._text.name == COMMENT:
                    self._end_text(self.offset + found.start(), tags)
                return self._to_data(found.end())
            case _:  # a bogus comment
                end = buffer.find(b">", position)
                return len(buffer) if end < 0 else self._to_data(end + 1)

    def _to_data(self, position: int) -> int:
        self.state = State.DATA
        return position

    @staticmethod
    def _wait_for(buffer: bytes, position: int, tail: int) -> int:
        """Skip all but the last `tail` bytes, which may begin a delimiter; return as `_other` does."""
        return ~max(position, len(buffer) - tail)

    def _raw_text(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        name = self.last_start_tag
        found = _appropriate_end_tag(name).search(buffer, position)
        is_rcdata = self._on_text is not None and self.state is State.RCDATA
        if found is None:
            at = self._wait_for(buffer, position, len(name) + 2)
            return ~self._report_text(buffer, position, ~at, whole=False) if is_rcdata else at
        if is_rcdata:
            self._report_text(buffer, position, found.start(), whole=True)
        return self._end_raw_text(found.start(), tags)

    def _report_text(self, buffer: bytes, position: int, end: int, *, whole: bool) -> int:
        """Report text to `on_text` and to tree construction, and return its end.

        Unless it is `whole`, the text ends before an unfinished reference.
        """
        follower = self._feedback.follower if self.state is State.DATA else None
        if self._on_text is None and follower is None:
            return end
        if not whole:
            end = unfinished_reference(buffer, position, end)
        if follower is not None and position < end:
            follower.text(buffer[position:end])
        if self._on_text is not None and buffer.find(b"&", position, end) >= 0:
            self._on_text(self.offset + position, self.offset + end)
        return end

    def _end_text(self, end: int, tags: list[Token]) -> None:
        """Return the wanted text, if there is any, up to an offset in the view."""
        if self._text is not None:
            tags.append(self._text._replace(end=end))
            self._text = None

    def _end_raw_text(self, position: int, tags: list[Token]) -> int:
        self._end_text(self.offset + position, tags)
        return self._to_data(position)

    def _script_data(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        found = _SCRIPT_MARKS[self.state].search(buffer, position)
        if found is None:
            return self._wait_for(buffer, position, 8)
        if found[0] == b"<!--":
            self.state = State.SCRIPT_DATA_ESCAPED
            return found.end() - 2  # its dashes count for a "-->" that follows at once
        if found[0] == b"-->":
            self.state = State.SCRIPT_DATA
        elif self.state is State.SCRIPT_DATA_DOUBLE_ESCAPED:
            self.state = State.SCRIPT_DATA_ESCAPED
        elif found[0].startswith(b"</"):
            return self._end_raw_text(found.start(), tags)
        else:
            self.state = State.SCRIPT_DATA_DOUBLE_ESCAPED
        return found.end()

    def _data(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        feedback = self._feedback
        if self._wanted_names is not None and feedback.names_decide:
            position = skip(self._wanted_names, buffer, position, self.offset, tags)
        at = buffer.find(b"<", position)
        if self._on_text is not None or feedback.is_following:
            end = at if at >= 0 else len(buffer)
            reported = self._report_text(buffer, position, end, whole=at >= 0)
            if reported < end:
                return ~reported
        if at < 0:
            return len(buffer)
        found = TAG.match(buffer, at)
        if found is None:
            is_unfinished = TAG_START.match(buffer, at) is not None
            return ~at if is_unfinished else self._markup_declaration(buffer, at)
        if self._text is not None:  # that of a foreign element
            if found[1] and found[2].lower() == self._text.name:
                self._end_text(self.offset + at, tags)
            self._text = None
        self._tag(found, tags)
        return found.end()

    def _tag(self, found: re.Match[bytes], tags: list[Token]) -> None:
        slash, name, _, trailing = found.groups()
        name = name.lower()
        self._tag_start, self._tag_end = self.offset + found.start(), self.offset + found.end()
        feedback = self._feedback
        if feedback.is_following:
            self._known = self._tag_end
        raw, self_closing = found[0], trailing.endswith(b"/")
        if slash:
            feedback.end_tag(name)
            return
        namespace, state = feedback.start_tag(name, raw, self_closing)
        is_inert = name == b"base" and feedback.is_inert
        tag = StartTag(name, namespace, self._tag_start, raw, self_closing, is_inert)
        tags.append(tag)
        if state is not None:
            self.state = state
            self.last_start_tag = name
        is_raw = state in {State.RAWTEXT, State.SCRIPT_DATA}
        is_foreign = not self_closing and feedback.cdata_allowed
        if is_raw or is_foreign:
            purpose = self._wants_text(tag)
            if purpose is not None:
                self._text = RawText(name, tag.end, tag.end, namespace, purpose)

    def _markup_declaration(self, buffer: bytes, at: int) -> int:
        """Read a ``<`` that begins no tag (13.2.5.6, 13.2.5.7, 13.2.5.42); return as `_other` does."""
        head = buffer[at : at + 9]
        match head[1:2]:
            case b"":
                return ~at
            case b"/":
                if head[2:3] == b">":
                    return at + 3
                if len(head) == 2:
                    return ~at
            case b"!":
                if head.startswith(b"<!--"):
                    if self._wants_comments and head.startswith(b"<!--[") and self._text is None:
                        condition = _CONDITIONAL.match(buffer, at)
                        if condition is not None:
                            start = self.offset + condition.end()
                            self._text = RawText(COMMENT, start, start, "", COMMENT.decode())
                            self.state = State.COMMENT
                            return condition.end()
                        if _CONDITIONAL_START.fullmatch(buffer, at):
                            return ~at
                    abrupt = _ABRUPT_COMMENT.match(buffer, at)
                    if abrupt is not None:
                        return abrupt.end()
                    if len(head) < 6:
                        return ~at
                    self.state = State.COMMENT
                    return at + 4
                cdata, follower = self._feedback.cdata_allowed, self._feedback.follower
                if cdata and head == b"<![CDATA[":
                    self.state = State.CDATA_SECTION
                    return at + 9
                if follower and head.lower() == b"<!doctype":
                    end = buffer.find(b">", at)
                    if end >= 0:
                        follower.doctype(buffer[at:end])
                if b"<!--".startswith(head) or (cdata and b"<![CDATA[".startswith(head)):
                    return ~at
            case b"?":
                pass
            case _:
                if follower := self._feedback.follower:
                    follower.text(b"<")
                return at + 1
        self.state = State.BOGUS_COMMENT
        return at + 2
