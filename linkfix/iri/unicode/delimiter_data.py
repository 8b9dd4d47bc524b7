"""Characters that look like delimiters of components, or like characters that no URI contains (confusables of UTS #39)."""

from __future__ import annotations

#: Each delimiter with what looks like it.
DELIMITERS = {
    "/": "\u2044\u2215\u29f8\u2571\u27cb\u1735\u2cc6\u2f03\u3033\u4e3f",
    "\\": "\u2216\u29f5\u29f9\u2f02\u4e36\u31d4",
    ":": "\u0589\u05c3\u0703\u0704\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\u02d0\u02f8",
    "?": "\u0294\u0241\u097d\u13ae\ua6eb",
    ".": "\u0660\u06d4\u0701\u0702\u2024\ua4f8\ua60e\U00010a50\U0001d16d",
    "%": "\u066a\u2052",
    "|": "\u01c0\u05c0\u2223\u2758\u2d4f\ua4f2",
    "<": "\u02c2\u1438\u16b2\u2039\u276e",
    ">": "\u02c3\u1433\u203a\u276f",
    "=": "\u1400\u2e40\u30a0\ua4ff",
    "&": "\ua778",
}

#: What of them is a letter or digit of a script, and suspect in a host only.
LETTERS = frozenset(
    "\u01c0\u0241\u0294\u02d0\u0660\u097d\u13ae\u1400\u1433\u1438\u16b2\u2d4f\u4e36\u4e3f\ua4f2\ua4f8\ua4fd\ua4ff\ua60e\ua6eb\ua778"
)
