"""Take a whole HTML document in one run, where simple links are all that there is to see in it.

For documents that stand in the values of others, of which there may be thousands, each of them short.
It is the run of `skipping`, and where nobody counts links the glance of `glance` before and between;
anything that has to be looked at otherwise is left to the tokenizer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.markup.glance import nothing_worth, worth_a_look
from linkfix.markup.htmltokens import SimpleLink
from linkfix.markup.skipping import simple_link, skipping

if TYPE_CHECKING:
    from linkfix.markup.glance import Worth
    from linkfix.markup.skipping import Interest

__all__ = ["links_in_run"]

#: The one element whose text a glance does not look into, though somebody may.
_SCRIPT = "script"


def links_in_run(interest: Interest, document: bytes) -> tuple[list[SimpleLink], int] | None:
    """Give the links of a whole document.

    Args:
        interest: what is to be looked at; without names.
        document: the ASCII view of all of it.

    Returns:
        The links with values that are not clean, and how many others there are, which is 0 where
        nobody counts them; None where something may have to be looked at that is no simple link.

    """
    if interest.worth is not None:
        links = _links_that_are_worth(interest, interest.worth, document)
        return None if links is None else (links, 0)
    links, passed = [], 0
    for step in skipping(interest).finditer(document):
        if step.lastgroup != "link":
            return (links, passed) if step.end() == len(document) else None
        if step.start("value") < 0:
            passed += 1
        else:
            links.append(SimpleLink.found(step))
    return None


def _links_that_are_worth(
    interest: Interest, worth: Worth, document: bytes
) -> list[SimpleLink] | None:
    if _SCRIPT not in interest.elements and nothing_worth(worth, document):
        return []
    run, link = skipping(interest.of_elements()), simple_link(interest)
    links: list[SimpleLink] = []
    position = 0
    for each in worth_a_look(worth).finditer(document):
        until = each.start()
        if until < position:  # in a tag that has been taken
            continue
        found = run.match(document, position, until)
        position = position if found is None else found.end()
        if position == until:  # in a text
            continue
        found = link.match(document, position)
        if found is None:
            return None
        links.append(SimpleLink.found(found))
        position = found.end()
    found = run.fullmatch(document, position)
    return None if found is None else links
