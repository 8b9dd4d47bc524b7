"""The charsets of the scripts and style sheets of a page.

A file without a declaration is read in the charset of the element, else in the page's (HTML Standard, 8.1.4.2,
"fetch a classic script"; CSS Syntax 3, 3.2, "environment encoding"). Modules are UTF-8.
"""

from collections import deque
from typing import NamedTuple

from linkfix.charset import lookup
from linkfix.errors import LinkfixError
from linkfix.links import Link
from linkfix.markup.html.feedback import TURNING, TreeFeedback
from linkfix.markup.html.skip import Wanted
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag
from linkfix.markup.html.treeconstruction.groups_data import TEXT_STATES

_ELEMENTS = frozenset({b"script", b"link"})
_WANTED = Wanted(
    elements=TURNING | {name.decode() for name in TEXT_STATES} | {"link", "noscript"},
    attributes=frozenset({"charset"}),
)


class _Tag(NamedTuple):
    start: int
    end: int
    charset: str


class ResourceCharsets:
    """Read an HTML document, and find the charsets that its elements name.

    Args:
        scripting: whether it is read as by a browser that runs scripts.

    """

    def __init__(self, *, scripting: bool = True) -> None:
        self._tokenizer = HTMLTokenizer(TreeFeedback(scripting=scripting), wanted=_WANTED)
        self._tags: deque[_Tag] = deque()

    def observe(self, view: bytes) -> None:
        """Read the next piece of the ASCII view of the document."""
        for tag in self._tokenizer.feed(view):
            if isinstance(tag, StartTag) and tag.name in _ELEMENTS:
                charset = _charset(tag)
                if charset:
                    self._tags.append(_Tag(tag.start, tag.end, charset))

    def of(self, link: Link, offset: int) -> str:
        """Return the name of the charset for the target of a link.

        Args:
            link: of a ``script`` or ``link`` element, or a style sheet; later than the one before.
            offset: of its start, in units of the view.

        """
        while self._tags and self._tags[0].end <= offset:
            self._tags.popleft()
        if self._tags and self._tags[0].start <= offset:
            return self._tags[0].charset
        return link.charset.name


def _charset(tag: StartTag) -> str:
    """Return the name of the charset that a tag names, "" for none."""
    values = {
        attribute.name: tag.raw[attribute.start - tag.start : attribute.end - tag.start]
        for attribute in tag.attributes()
        if attribute.name in {b"charset", b"type"}
    }
    if tag.name == b"script" and values.get(b"type", b"").strip().lower() == b"module":
        return "UTF-8"
    try:
        return lookup(values[b"charset"].decode("latin-1")).name
    except (KeyError, LinkfixError):
        return ""
