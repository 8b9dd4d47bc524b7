"""Links: what in a document is one, where it stands and what it says."""

from __future__ import annotations

from linkfix.links.link import Kind, Link
from linkfix.links.scope import Addition, Pattern, Scope
from linkfix.links.stream import LinkStream
from linkfix.links.templates import Templates

__all__ = ["Addition", "Kind", "Link", "LinkStream", "Pattern", "Scope", "Templates"]
