"""The charset that a style sheet declares (CSS Syntax Level 3, 3.2)."""

from __future__ import annotations

from linkfix.deferred import pattern

#: Exactly these bytes at the very beginning; it is no at-rule, whatever it looks like.
CHARSET_RULE = pattern(rb'@charset "([^"]*)";')
#: How many bytes are looked at.
_LIMIT = 1024


def rule_label(data: bytes) -> str | None:
    """Return the label in the ``@charset`` at the beginning of a style sheet; None without one."""
    found = CHARSET_RULE.match(data, 0, _LIMIT)
    return found and found[1].decode("latin-1")
