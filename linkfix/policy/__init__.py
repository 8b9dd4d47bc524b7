"""Policy: how a link is read in its document, and how it is rewritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.deferred import members
from linkfix.policy.policy import UNKNOWN, Keep, Policy, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.policy.bases import Bases
    from linkfix.policy.linkmap import LinkMap
    from linkfix.policy.moving import Move, move

__all__ = ["UNKNOWN", "Bases", "Keep", "LinkMap", "Move", "Policy", "Source", "move"]

__getattr__: Callable[[str], object] = members(
    __name__, {"bases": "Bases", "linkmap": "LinkMap", "moving": "Move move"}
)
