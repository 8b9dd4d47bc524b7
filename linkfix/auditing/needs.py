"""Patterns that a value must contain for a rule to find something in it.

The module of a rule has such a pattern in ``NEEDS``: where it does not match, `check` finds nothing, and does not run.
These are the patterns that several rules share.
"""

from __future__ import annotations

from linkfix.iri.quick import CANONICAL_URI

__all__ = ["HOST", "NOT_ASCII", "NOT_CANONICAL", "NOT_VISIBLE"]

#: The beginning of an authority (RFC 3986, 3.2); browsers accept backslashes too.
HOST = r"[/\\]{2}"
NOT_ASCII = r"[^\0-\x7f]"
#: Any character that is not visible ASCII; the space is one.
NOT_VISIBLE = r"[^\x21-\x7e]"
#: The value is no canonical URI.
NOT_CANONICAL = rf"\A(?!(?:{CANONICAL_URI})\Z)"
