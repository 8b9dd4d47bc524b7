"""The tree construction stage of HTML, without the tree (HTML standard, 13.2.6).

In come start tags, end tags, text and the document type; out comes what the tokenizer must know: the namespace of
each element, the state that its start tag asks for, and whether the current node is foreign. The stack of open
elements, the list of active formatting elements, the insertion modes and the scopes are the standard's, and so are
the names here. What a tree is needed for alone is left out: where nodes go, attributes that are merged into
``html`` and ``body``, the end of the document. A ``select`` is read as browsers have done since 2025.

``stage`` is built on ``tables``, that on ``body``, that on ``steps``, and all of them on ``elements`` and ``tags``.
"""

from __future__ import annotations

from .elements import HTML, MATHML, SVG, Element, foreign_element
from .stage import TreeConstruction
from .tags import TEXT_STATES, breaks_out

__all__ = [
    "HTML",
    "MATHML",
    "SVG",
    "TEXT_STATES",
    "Element",
    "TreeConstruction",
    "breaks_out",
    "foreign_element",
]
