"""What was done to a document that was brought into UTF-8."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from linkfix.rewriting import Report

if TYPE_CHECKING:
    from linkfix.rewriting import Outcome

__all__ = ["Declared", "TranscodingReport"]


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of a charset that was changed or added.

    Attributes:
        place: ``bom``, ``xml-declaration``, ``meta``, ``@charset``, or the element and attribute, as
            ``script@charset`` and ``form@accept-charset``.
        old: the label that stood there, "" where there was none.
        new: the label that stands there now, "" for a byte order mark that was dropped.

    """

    place: str
    old: str
    new: str


@dataclass(slots=True)
class TranscodingReport(Report):
    """What was done to one document.

    Attributes:
        charset: name of the charset that it was in.
        to_utf8: whether that was another than UTF-8.
        replaced: how many malformed sequences are U+FFFD now.
        declarations: what was changed or added to declare charsets, in the order of the document.
        pinned: how many links were rewritten so that they do not depend on the charset any more.
        unpinned: what became of the links that may lead elsewhere now.
        forms: how many forms say now what charset they have been submitted in so far.
        references: how many character references are characters now.

    """

    to_utf8: bool = False
    replaced: int = 0
    declarations: list[Declared] = field(default_factory=list)
    pinned: int = 0
    unpinned: list[Outcome] = field(default_factory=list)
    forms: int = 0
    references: int = 0


#: What becomes of forms that do not say what charset they are submitted in.
Forms = Literal["pin", "leave"]
