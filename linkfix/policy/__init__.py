"""Policy: how a link is read in its document, and how it is rewritten."""

from __future__ import annotations

from linkfix.policy.bases import Bases
from linkfix.policy.linkmap import LinkMap
from linkfix.policy.moving import Move, move
from linkfix.policy.policy import Policy

__all__ = ["Bases", "LinkMap", "Move", "Policy", "move"]
