"""Find the links of documents, with their values and byte spans."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkfix.deferred import members
from linkfix.links.batch import Batch
from linkfix.links.link import Kind, Link, Place
from linkfix.links.scope import Scope
from linkfix.links.stream import Found, LinkStream, flattened
from linkfix.links.templates import Templates

if TYPE_CHECKING:
    from linkfix.links.selectors import Addition, Pattern

__all__ = [
    "Addition", "Batch", "Found", "Kind", "Link", "LinkStream", "Pattern", "Place", "Scope", "Templates",
    "flattened",
]  # fmt: skip

__getattr__: Callable[[str], object] = members(__name__, {"selectors": "Addition Pattern"})
