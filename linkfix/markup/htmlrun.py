"""Take a whole HTML document in one run, where simple links are all that there is to see in it.

For documents that stand in the values of others, of which there may be thousands, each of them short.
It is the run of `skipping`, up to the places that the glance of `glance` tells of where nobody counts links;
anything that has to be looked at otherwise is left to the tokenizer.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.markup.glance import places
from linkfix.markup.htmltokens import SimpleLink
from linkfix.markup.skipping import simple_link, skipping

if TYPE_CHECKING:
    import re

    from linkfix.markup.glance import Worth
    from linkfix.markup.skipping import Interest

__all__ = ["HTMLRun"]

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

    def links(self, document: bytes) -> tuple[list[SimpleLink], int] | None:
        """Give the links of a whole document.

        Args:
            document: the ASCII view of all of it.

        Returns:
            The links with values that are not clean, and how many others there are, which is 0 where
            nobody counts them; None where something may have to be looked at that is no simple link.

        """
        if self._interest.worth is not None:
            worth = self._that_are_worth(self._interest.worth, document)
            return None if worth is None else (worth, 0)
        links: list[SimpleLink] = []
        passed = 0
        for step in self._skip.finditer(document):
            if step.lastgroup != "link":
                return (links, passed) if step.end() == len(document) else None
            if step.start("value") < 0:
                passed += 1
            else:
                links.append(SimpleLink.found(step))
        return None

    def _that_are_worth(self, worth: Worth, document: bytes) -> list[SimpleLink] | None:
        """Give the links that are worth a look; what follows the last place that is need not be read."""
        if _SCRIPT in self._interest.elements:
            return None
        links: list[SimpleLink] = []
        position = 0
        for place in sorted(places(worth, document)):
            if place < position:  # in a tag that has been taken
                continue
            found = self._skip.match(document, position, place)
            position = position if found is None else found.end()
            if position == place:  # in a text
                continue
            found = self._simple_link.match(document, position)
            if found is None:
                return None
            links.append(SimpleLink.found(found))
            position = found.end()
        return links
