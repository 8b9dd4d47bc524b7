"""Find the links of documents, with their values and byte spans."""

from linkfix.links.batch import Batch
from linkfix.links.link import Kind, Link, Place
from linkfix.links.scope import Addition, Pattern, Scope
from linkfix.links.stream import Found, LinkStream, flattened
from linkfix.links.templates import Templates

__all__ = [
    "Addition", "Batch", "Found", "Kind", "Link", "LinkStream", "Pattern", "Place", "Scope", "Templates",
    "flattened",
]  # fmt: skip
