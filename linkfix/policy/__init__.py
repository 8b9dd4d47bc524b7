"""Policy: what a link means in its document, and what it is to become."""

from __future__ import annotations

from linkfix.policy.bases import Bases
from linkfix.policy.linkmap import LinkMap
from linkfix.policy.moving import Move, move
from linkfix.policy.policy import Policy

__all__ = ["Bases", "LinkMap", "Move", "Policy", "move"]
