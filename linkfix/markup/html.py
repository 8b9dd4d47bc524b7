"""The HTML tokenizer: start tags and their attributes, with the spans that they take up.

Input is the ASCII view of a document (see ARCHITECTURE.md), in chunks of any size; output is a list
of start tags, and of the raw text of elements that were asked for. Text, comments and end tags are
passed over, but by the rules of the HTML standard, section 13.2.5, whose state names are kept here.

Regular expressions carry the grammar (``htmlsyntax.py``). A *tag* is everything from ``<`` and a letter to the
``>`` that ends it; since every sequence of bytes is some tag to the standard, a tag that does not
match is one whose end has not come yet. Bytes are held back only for such an unfinished tag and
for the few bytes that could begin a delimiter; comments and raw text of any length flow through.
An unfinished tag is looked at again only when it is twice as long, and the quote or ``>`` has come
that it cannot end without, so that the work stays linear however small the chunks are.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError
from linkfix.markup.htmlskip import skip
from linkfix.markup.htmlsyntax import TAG, UNFINISHED_TAG
from linkfix.markup.htmltokens import Attribute, LinkColumns, Names, RawText, StartTag, Token
from linkfix.markup.past import Past
from linkfix.markup.references import unfinished_reference

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.markup.feedback import TreeFeedback
    from linkfix.markup.htmlskip import Wanted

__all__ = [
    "Attribute",
    "HTMLTokenizer",
    "LinkColumns",
    "Names",
    "RawText",
    "StartTag",
    "State",
    "Token",
]

#: The longest tag that is held back for its end, in units of the view.
MAX_TAG = 64 * 1024 * 1024
_ABRUPT_COMMENT = re.compile(rb"<!---?>")
#: What begins a downlevel-hidden conditional comment; its end is a bogus comment to HTML.
_CONDITIONAL = re.compile(rb"<!--\[if [^\]<>]{0,200}\]>")
_CONDITIONAL_START = re.compile(rb"<!--\[(?:i|if|if [^\]<>]{0,200}\]?)?")
_COMMENT_END = re.compile(rb"--!?>")
_SCRIPT_DATA = re.compile(rb"<!--|</[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])")
_SCRIPT_ESCAPED = re.compile(rb"-->|<(/?)[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])")
_SCRIPT_DOUBLE_ESCAPED = re.compile(rb"-->|</[sS][cC][rR][iI][pP][tT](?=[\t\n\f\r />])")


@lru_cache(maxsize=64)
def _appropriate_end_tag(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</(?i:" + re.escape(name) + rb")(?=[\t\n\f\r />])")


class State(Enum):
    """Tokenizer states between tokens (HTML standard, 13.2.5)."""

    DATA = auto()
    RCDATA = auto()
    RAWTEXT = auto()
    SCRIPT_DATA = auto()
    SCRIPT_DATA_ESCAPED = auto()
    SCRIPT_DATA_DOUBLE_ESCAPED = auto()
    PLAINTEXT = auto()
    CDATA_SECTION = auto()
    COMMENT = auto()
    BOGUS_COMMENT = auto()


class HTMLTokenizer:
    """Find the start tags of an HTML document, chunk by chunk.

    Args:
        feedback: what the tree construction stage would tell the tokenizer (13.2.6);
            None for the bare tokenizer, in which only the caller changes the state.
        state: the state to begin in.
        last_start_tag: the name that an end tag must have to end RCDATA or RAWTEXT.
        wanted: the names that are wanted, so that the rest is skipped; None to return every start tag.
        wants_text: tells of a start tag after which raw text or script data comes, or that begins a
            foreign element, whether its text is wanted, whole.
        on_text: called with the offsets in the view of each piece of text in which character
            references are read (13.2.5.1, 13.2.5.2), where it has an ampersand; no piece ends in
            the midst of a reference of at most `MAX_REFERENCE` units, or where what comes after one
            has not come yet. Not together with `wanted`.
        conditional_comments: whether to read ``<!--[if …]>`` as Internet Explorer did, so that
            what it comments out is markup.
        max_tag: the longest tag, in units of the view, that is waited for.
        unit: how many bytes of the source a unit of the view stands for, for the offset of an error.

    """

    def __init__(
        self,
        feedback: TreeFeedback | None = None,
        *,
        state: State = State.DATA,
        last_start_tag: bytes = b"",
        wanted: Wanted | None = None,
        wants_text: Callable[[StartTag], bool] = lambda _tag: False,
        on_text: Callable[[int, int], None] | None = None,
        conditional_comments: bool = False,
        max_tag: int = MAX_TAG,
        unit: int = 1,
    ) -> None:
        self.state = state
        self._feedback = feedback
        self._past = Past(unit)
        #: Where in the view the tag at hand begins and ends.
        self._tag_start = self._tag_end = 0
        if feedback is not None:
            feedback.look_back = self._look_back
        self._last_start_tag = last_start_tag
        self._wanted_names = wanted
        self._wants_text = wants_text
        self._on_text = on_text
        self._conditional_comments = conditional_comments
        #: Where the text that is wanted begins, as an offset in the view.
        self._text_start: int | None = None
        self._text_namespace = ""
        #: Where to go on in what is held back.
        self._resume = 0
        self._max_tag = max_tag
        self._unit = unit
        self._chunks: list[bytes] = []
        self._held = 0
        self._wanted = 0
        #: What an unfinished tag cannot end without, and whether that has come since.
        self._awaited = b""
        self._has_come = True
        self._offset = 0

    @property
    def offset(self) -> int:
        """All that stands before this offset in the view has been dealt with."""
        return self._offset

    def feed(self, view: bytes, *, final: bool = False) -> list[Token]:
        """Take the next bytes of the view and return the tokens that they complete.

        Args:
            view: the bytes. Where they are the whole document, tree construction can look back at all of it.
            final: whether the document ends with them; `close` is then not to be called.

        Raises:
            LimitExceededError: a tag is longer than `max_tag`, or what a tag does depends on one too far back.

        """
        self._chunks.append(view)
        self._held += len(view)
        if self._feedback is not None:
            self._past.add(view, is_whole=final and not self._offset and len(self._chunks) == 1)
        self._has_come = self._has_come or self._awaited in view
        is_due = self._has_come and self._held >= self._wanted
        if self._held <= self._max_tag and not (is_due or final):
            return []
        return self._scan(final=final)

    def close(self) -> list[Token]:
        """End the document and return the tokens that were still waiting."""
        return self._scan(final=True)

    def _scan(self, *, final: bool) -> list[Token]:
        buffer = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        tags: list[Token] = []
        self._has_come = True
        position, size = self._resume, len(buffer)
        try:
            while position < size:
                at = self._step(buffer, position, tags)
                if at < 0:  # unfinished: wait for more
                    position = ~at
                    break
                position = at
        except LimitExceededError as error:
            if error.offset is None:
                error.offset = (self._offset + position) * self._unit
            raise
        if final:
            held = self.state is State.DATA and buffer[position : position + 1] == b"&"
            if held or self.state is State.RCDATA:
                self._pass_text(buffer, position, size, whole=True)
            position = size
            self._end_text(self._offset + size, tags)
        keep = position
        if self._text_start is not None:
            keep = min(position, self._text_start - self._offset)
        rest = buffer[keep:]
        self._resume = position - keep
        if len(rest) > self._max_tag:
            raise LimitExceededError(
                f"a tag, a style sheet or a script is longer than {self._max_tag * self._unit} bytes",
                hint="look for a missing quote there, or allow longer tags",
                offset=(self._offset + keep) * self._unit,
            )
        if self._follower is not None:
            self._past.known = self._offset + position
        self._past.forget(self._offset + position)
        self._offset += keep
        self._chunks = [rest] if rest else []
        self._held = len(rest)
        self._wanted = 2 * self._held + 1
        return tags

    def _look_back(self, feedback: TreeFeedback) -> None:
        """Read what stands between the last token that tree construction knows and the tag at hand.

        Args:
            feedback: takes the tokens.

        Raises:
            LimitExceededError: not all of that is there any more.

        """
        reader = HTMLTokenizer(
            feedback, conditional_comments=self._conditional_comments, max_tag=self._max_tag
        )
        reader.feed(self._past.before(self._tag_start), final=True)
        self._past.known = self._tag_end  # the tag at hand comes next

    def _step(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        """Deal with what stands at `position`; give the next one, or ``~p`` to wait at p."""
        match self.state:
            case State.DATA:
                return self._data(buffer, position, tags)
            case State.RCDATA | State.RAWTEXT:
                return self._text(buffer, position, tags)
            case State.SCRIPT_DATA:
                return self._script_data(buffer, position, tags)
            case State.SCRIPT_DATA_ESCAPED:
                return self._script_data_escaped(buffer, position, tags)
            case State.SCRIPT_DATA_DOUBLE_ESCAPED:
                found = _SCRIPT_DOUBLE_ESCAPED.search(buffer, position)
                if found is None:
                    return self._wait_for(buffer, position, 8)
                ended = found[0] == b"-->"
                self.state = State.SCRIPT_DATA if ended else State.SCRIPT_DATA_ESCAPED
                return found.end()
            case State.PLAINTEXT:
                return len(buffer)
            case State.CDATA_SECTION:
                end = buffer.find(b"]]>", position)
                at = self._wait_for(buffer, position, 2) if end < 0 else self._to_data(end + 3)
                if self._follower is not None:
                    text = buffer[position : ~at if end < 0 else end]
                    self._follower.text(text, has_references=False)
                return at
            case State.COMMENT:
                found = _COMMENT_END.search(buffer, position)
                if found is None:
                    return self._wait_for(buffer, position, 3)
                return self._to_data(found.end())
            case State.BOGUS_COMMENT:
                end = buffer.find(b">", position)
                return len(buffer) if end < 0 else self._to_data(end + 1)

    def _to_data(self, position: int) -> int:
        self.state = State.DATA
        return position

    @staticmethod
    def _wait_for(buffer: bytes, position: int, tail: int) -> int:
        """Pass over all but the last `tail` bytes, which may begin a delimiter."""
        return ~max(position, len(buffer) - tail)

    def _text(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        name = self._last_start_tag
        found = _appropriate_end_tag(name).search(buffer, position)
        is_rcdata = self._on_text is not None and self.state is State.RCDATA
        if found is None:
            at = self._wait_for(buffer, position, len(name) + 2)
            return ~self._pass_text(buffer, position, ~at, whole=False) if is_rcdata else at
        if is_rcdata:
            self._pass_text(buffer, position, found.start(), whole=True)
        self._end_text(self._offset + found.start(), tags)
        return self._to_data(found.start())

    def _pass_text(self, buffer: bytes, position: int, end: int, *, whole: bool) -> int:
        """Say that there is text; give where it ends: if not `whole`, before what is unfinished."""
        follower = self._follower if self.state is State.DATA else None
        if self._on_text is None and follower is None:
            return end
        if not whole:
            end = unfinished_reference(buffer, position, end)
        if follower is not None and position < end:
            follower.text(buffer[position:end])
        if self._on_text is not None and buffer.find(b"&", position, end) >= 0:
            self._on_text(self._offset + position, self._offset + end)
        return end

    @property
    def _follower(self) -> TreeFeedback | None:
        """The feedback, while it has to know of text and document types too."""
        return self._feedback if self._feedback and self._feedback.is_following else None

    def _end_text(self, end: int, tags: list[Token]) -> None:
        if self._text_start is not None:
            tags.append(RawText(self._last_start_tag, self._text_start, end, self._text_namespace))
            self._text_start = None

    def _script_data(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        found = _SCRIPT_DATA.search(buffer, position)
        if found is None:
            return self._wait_for(buffer, position, 8)
        if found[0] != b"<!--":
            self._end_text(self._offset + found.start(), tags)
            return self._to_data(found.start())
        self.state = State.SCRIPT_DATA_ESCAPED
        return found.end() - 2  # its dashes count for a "-->" that follows at once

    def _script_data_escaped(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        found = _SCRIPT_ESCAPED.search(buffer, position)
        if found is None:
            return self._wait_for(buffer, position, 8)
        if found[0] == b"-->":
            self.state = State.SCRIPT_DATA
        elif found[1]:
            self._end_text(self._offset + found.start(), tags)
            return self._to_data(found.start())
        else:
            self.state = State.SCRIPT_DATA_DOUBLE_ESCAPED
        return found.end()

    def _data(self, buffer: bytes, position: int, tags: list[Token]) -> int:
        if (
            self._wanted_names is not None
            and self._feedback is not None
            and self._feedback.is_plain
        ):
            position = skip(self._wanted_names, buffer, position, self._offset, tags)
        at = buffer.find(b"<", position)
        if self._on_text is not None or self._follower is not None:
            end = at if at >= 0 else len(buffer)
            passed = self._pass_text(buffer, position, end, whole=at >= 0)
            if passed < end:
                return ~passed
        if at < 0:
            return len(buffer)
        found = TAG.match(buffer, at)
        if found is None:
            unfinished = UNFINISHED_TAG.match(buffer, at)
            if unfinished is None:
                return self._markup_declaration(buffer, at)
            self._awaited, self._has_come = unfinished[1] or b">", False
            return ~at
        if self._text_start is not None:  # that of a foreign element
            if found[1] and found[2].lower() == self._last_start_tag:
                self._end_text(self._offset + at, tags)
            self._text_start = None
        self._tag(found, tags)
        return found.end()

    def _tag(self, found: re.Match[bytes], tags: list[Token]) -> None:
        slash, name, _, trailing = found.groups()
        name = name.lower()
        self._tag_start, self._tag_end = self._offset + found.start(), self._offset + found.end()
        feedback = self._feedback
        if feedback is not None and feedback.is_following:
            self._past.known = self._tag_end
        raw, self_closing = found[0], trailing.endswith(b"/")
        namespace, state = "", None
        if feedback is not None:
            if slash:
                feedback.end_tag(name)
            else:
                namespace, state = feedback.start_tag(name, raw, self_closing)
        if slash:
            return
        tag = StartTag(name, namespace, self._tag_start, raw, self_closing)
        tags.append(tag)
        if state is not None:
            self.state = state
            self._last_start_tag = name
        is_raw = state in {State.RAWTEXT, State.SCRIPT_DATA}
        is_foreign = not self_closing and feedback is not None and feedback.cdata_allowed
        if (is_raw or is_foreign) and self._wants_text(tag):
            self._last_start_tag = name
            self._text_start, self._text_namespace = tag.end, namespace

    def _markup_declaration(self, buffer: bytes, at: int) -> int:
        """Deal with a ``<`` that begins no tag (13.2.5.6, 13.2.5.7, 13.2.5.42)."""
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
                    if self._conditional_comments and head.startswith(b"<!--["):
                        condition = _CONDITIONAL.match(buffer, at)
                        if condition is not None:
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
                cdata = self._feedback is not None and self._feedback.cdata_allowed
                if cdata and head == b"<![CDATA[":
                    self.state = State.CDATA_SECTION
                    return at + 9
                if self._follower is not None and head.lower() == b"<!doctype":
                    end = buffer.find(b">", at)
                    if end >= 0:
                        self._follower.doctype(buffer[at:end])
                if b"<!--".startswith(head) or (cdata and b"<![CDATA[".startswith(head)):
                    return ~at
            case b"?":
                pass
            case _:
                if self._follower is not None:
                    self._follower.text(b"<")
                return at + 1
        self.state = State.BOGUS_COMMENT
        return at + 2
