"""Take whole HTML documents in one run each, where simple links are all that there is to see in them.

For documents that stand in the values of others, of which there may be thousands, each of them short.
It is the run of `skipping`. Where nobody counts links it goes only as far as the places that the glance of
`glance` tells of, which is cast at many documents at once; anything that has to be looked at otherwise
is left to the tokenizer.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from linkfix.markup.glance import places
from linkfix.markup.htmltokens import SimpleLinks
from linkfix.markup.skipping import simple_link, skipping

if TYPE_CHECKING:
    import re

    from linkfix.markup.skipping import Interest

__all__ = ["Found", "HTMLRun"]

#: The simple links of a document and the number of clean ones besides; None where there is more to see.
Found: TypeAlias = "tuple[SimpleLinks, int] | None"

#: The one element whose text a glance does not look into, though somebody may.
_SCRIPT = "script"


class HTMLRun:
    """Give the links of documents.

    Args:
        interest: what is to be looked at; without names.

    """

    def __init__(self, interest: Interest) -> None:
        self._interest = interest

    @cached_property
    def _skip(self) -> re.Pattern[bytes]:
        interest = self._interest
        return skipping(interest if interest.worth is None else interest.of_elements())

    @cached_property
    def _simple_link(self) -> re.Pattern[bytes]:
        return simple_link(self._interest)

    def links(self, documents: list[bytes]) -> list[Found]:
        """Give the links of whole documents.

        Args:
            documents: the ASCII view of each; none has a NUL.

        Returns:
            For each document the links with values that are not clean, and how many others there are, which
            is 0 where nobody counts them; None where something may have to be looked at that
            is no simple link.

        """
        worth = self._interest.worth
        if worth is None:
            return [self._links(document) for document in documents]
        if _SCRIPT in self._interest.elements:
            return [None] * len(documents)
        # Where one ends, nothing goes on: no tag that is there whole reaches beyond that.
        found = sorted(places(worth, b"\0".join(documents)), reverse=True)
        links: list[Found] = []
        start = 0
        for document in documents:
            end = start + len(document)
            own: list[int] = []
            while found and found[-1] <= end:
                own.append(found.pop() - start)
            links.append(self._links_at(own, document))
            start = end + 1
        return links

    def _links(self, document: bytes) -> Found:
        links: list[re.Match[bytes]] = []
        passed = 0
        for step in self._skip.finditer(document):
            if step.lastgroup != "link":
                ended = step.end() == len(document)
                return (SimpleLinks.found(links), passed) if ended else None
            if step.start("value") < 0:
                passed += 1
            else:
                links.append(step)
        return None

    def _links_at(self, found: list[int], document: bytes) -> Found:
        """Give the links that are worth a look; what follows the last place that is need not be read."""
        links: list[re.Match[bytes]] = []
        position = 0
        for place in found:
            if place < position:  # in a tag that has been taken
                continue
            step = self._skip.match(document, position, place)
            position = position if step is None else step.end()
            if position == place:  # in a text
                continue
            step = self._simple_link.match(document, position)
            if step is None:
                return None
            links.append(step)
            position = step.end()
        return SimpleLinks.found(links), 0
