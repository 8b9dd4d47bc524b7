"""The report about a document converted to UTF-8."""

from dataclasses import dataclass, field
from typing import Literal

from linkfix.rewriting import Outcome, Report


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of a charset that was changed or added.

    Attributes:
        place: ``bom``, ``xml-declaration``, ``meta``, ``@charset``, or the element and attribute, as
            ``script@charset`` and ``form@accept-charset``.
        old: the label before, "" for none.
        new: the label now, "" for a byte order mark that was removed.

    """

    place: str
    old: str
    new: str


@dataclass(slots=True)
class TranscodingReport(Report):
    """The changes to one document.

    Attributes:
        charset: name of its old charset.
        to_utf8: whether that was another charset than UTF-8.
        replaced: how many malformed sequences became U+FFFD.
        disputed: how many characters readers of XML decode otherwise than browsers; in XHTML they are as browsers decode
            them, in other XML as its readers do.
        declarations: the declarations of charsets that were changed or added, in the order of the document.
        pinned: how many links were rewritten so that they no longer depend on the charset.
        unpinned: the outcomes of links whose target may change.
        forms: how many forms now name the charset in which they were submitted before.
        references: how many character references became characters.

    """

    to_utf8: bool = False
    replaced: int = 0
    disputed: int = 0
    declarations: list[Declared] = field(default_factory=list)
    pinned: int = 0
    unpinned: list[Outcome] = field(default_factory=list)
    forms: int = 0
    references: int = 0


#: What happens to forms without a charset of their own.
Forms = Literal["pin", "leave"]
