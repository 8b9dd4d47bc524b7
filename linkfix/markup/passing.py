"""Pass over what the tokenizer need not give, chunk by chunk, but for simple links and names.

It runs by the patterns of `skipping`, and where nobody counts links only to the places that are worth a
look (`glance`), as long as these are few.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from linkfix.markup.glance import worth_a_look
from linkfix.markup.htmltokens import SimpleLinks
from linkfix.markup.skipping import simple_link, skipping

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from linkfix.markup.skipping import Interest

__all__ = ["Passing"]

#: How many steps of a run are looked at together.
_AT_ONCE = 4096
#: From so many places on that are worth a look, and no further apart than so many bytes on average, it
#: takes longer to go from one to the next than to look at every link.
_MANY, _APART = 16, 1000


class Passing:
    """Pass over what need not be given in the data state, where no foreign element is open.

    Args:
        interest: what is to be looked at.
        on_names: see `HTMLTokenizer`.
        pick: likewise.

    """

    def __init__(
        self,
        interest: Interest,
        on_names: Callable[[list[bytes]], object] | None,
        pick: Callable[[list[bytes]], Iterable[list[int]]] | None,
    ) -> None:
        self._interest = interest
        self._on_names = on_names
        self._pick = pick
        self._look = self._structure = None
        if interest.worth is not None:
            self._look = worth_a_look(interest.worth)
            self._structure = skipping(interest.of_elements())
        #: Where in what is held back something is worth a look, the last of it first.
        self._worth: list[int] = []
        #: Whether that is so of all that is still to come.
        self._is_all = False
        #: Whether it takes less to look at every link of what is held back.
        self._is_dense = True
        #: How many clean links were passed over (`Interest.links`), and how many were not picked.
        self.passed = 0

    def foresee(self, worth: Iterable[int]) -> None:
        """Take the offsets of all that is worth a look in a document that is all there."""
        self._worth, self._is_all = sorted(worth, reverse=True), True

    def begin(self, buffer: bytes, position: int) -> None:
        """Look at what is held back from `position` on."""
        if self._look is None:
            return
        if not self._is_all:
            self._worth = [found.start() for found in self._look.finditer(buffer, position)]
            self._worth.reverse()
        places = len(self._worth)
        self._is_dense = places >= _MANY and places * _APART > len(buffer) - position

    def over(
        self,
        buffer: bytes,
        position: int,
        offset: int,
        give: Callable[[SimpleLinks], object],
    ) -> int:
        """Pass over what need not be given; give where that ends.

        Args:
            buffer: what is held back.
            position: where in it to begin.
            offset: where in the view it begins.
            give: called with the simple links that are to be given, some at a time.

        """

        def found(steps: list[re.Match[bytes]]) -> None:
            if steps:
                give(SimpleLinks.found(steps, offset))

        if self._structure is not None and not self._is_dense:
            return self._to_worth(self._structure, buffer, position, found)
        steps = skipping(self._interest).finditer(buffer, position)
        end = None
        while end is None:
            end = self._take(islice(steps, _AT_ONCE), found)
        return end

    def _take(
        self,
        steps: Iterator[re.Match[bytes]],
        found: Callable[[list[re.Match[bytes]]], None],
    ) -> int | None:
        """Take some steps of a run; give where it ends, if it does there."""
        links: list[re.Match[bytes]] = []
        named: list[re.Match[bytes]] = []
        names: list[bytes] = []
        pick, passed, end = self._pick, 0, None
        for step in steps:
            ended = step.lastgroup
            if ended != "link":
                if ended == "named":
                    named.append(step)
                    continue
                if ended != "both":
                    end = step.end()
                    break
                names += filter(None, step.group("name_before", "name_after"))
            if pick is None and step["value"] is None:
                passed += 1
            else:
                links.append(step)
        self.passed += passed
        names += [step["name"] for step in named]
        names += [name for step in named if (name := step["again"]) is not None]
        if names and self._on_names is not None:
            self._on_names(names)
        if pick is None:
            found(links)
        elif links:
            self.passed += len(links)
            for indices in pick([step["value"] for step in links]):
                self.passed -= len(indices)
                found([links[index] for index in indices])
        return end

    def _to_worth(
        self,
        structure: re.Pattern[bytes],
        buffer: bytes,
        position: int,
        found: Callable[[list[re.Match[bytes]]], None],
    ) -> int:
        """Pass over tags in which nothing is worth a look, and simple links; give where that ends."""
        worth, link = self._worth, simple_link(self._interest)
        links: list[re.Match[bytes]] = []
        while True:
            while worth and worth[-1] < position:
                worth.pop()
            if self._is_all and not worth:
                position = len(buffer)
                break
            until = worth[-1] if worth else len(buffer)
            step = structure.match(buffer, position, until)
            position = step.end() if step is not None else position
            if position < until:
                step = link.match(buffer, position)
                if step is None:
                    break
                links.append(step)
                position = step.end()
            elif worth:  # it was in a text
                worth.pop()
            else:
                break
        found(links)
        return position
