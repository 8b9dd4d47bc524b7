"""The tree construction stage of HTML, without the tree (HTML standard, 13.2.6).

Input: start tags, end tags, text and the document type. Output: the feedback to the tokenizer, which is the
namespace of each element, the state after its start tag, and whether the current node is foreign. The stack of open
elements, the list of active formatting elements, the insertion modes and the scopes have the standard's names. Steps
that only change the tree are left out: the insertion of nodes, attributes that are merged into ``html`` and
``body``, the end of the document. A ``select`` is parsed as browsers have done since 2025.

The class of ``stage`` inherits from that of ``tables``, this one from ``body``; all use ``elements``, ``tags`` and the
groups of names in ``groups_data``.
"""
