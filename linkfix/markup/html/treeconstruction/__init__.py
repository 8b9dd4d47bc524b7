"""The tree construction stage of HTML, without the tree (HTML standard, 13.2.6).

Input: start tags, end tags, text and the document type. Output: the feedback to the tokenizer, which is the
namespace of each element, the state after its start tag, and whether the current node is foreign. The stack of open
elements, the list of active formatting elements, the insertion modes and the scopes have the standard's names. Steps
that only change the tree are left out: the insertion of nodes, attributes that are merged into ``html`` and
``body``, the end of the document. A ``select`` is parsed as browsers have done since 2025.

The class of ``stage`` inherits from that of ``tables``, this one from ``body``, this one from ``steps``; all use
``elements``, ``tags`` and the groups of names in ``groups_data``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.deferred import members
from linkfix.markup.html.treeconstruction.groups_data import TEXT_STATES
from linkfix.markup.html.treeconstruction.tags import breaks_out

if TYPE_CHECKING:
    from linkfix.markup.html.treeconstruction.elements import (
        HTML,
        MATHML,
        SVG,
        Element,
        foreign_element,
    )
    from linkfix.markup.html.treeconstruction.stage import TreeConstruction

__all__ = [
    "HTML", "MATHML", "SVG", "TEXT_STATES", "Element", "TreeConstruction", "breaks_out", "foreign_element",
]  # fmt: skip

__getattr__ = members(
    __name__,
    {
        "elements": "HTML MATHML SVG Element foreign_element",
        "stage": "TreeConstruction",
        "tags": "breaks_out",
    },
)
