"""Values of XML that look like links, in attributes that no table has.

Input: the value of an attribute. Output: whether it looks like a link. The test is precise rather than complete: an
absolute URI of a common scheme with ``//``, the address of a mail, or a host that begins with ``www``. The names of namespaces
look the same, so these values are never rewritten; they are listed for a person. An ``id`` names its own element.
"""

from __future__ import annotations

import re

from linkfix.links.link import Kind
from linkfix.links.table import Entry

_SCHEMES = "https?|ftps?|sftp|file|wss?|rtsp|git|svn|ssh|ircs?|ldaps?|nfs|smb|telnet|gopher"
_LINK = rf"(?:(?:{_SCHEMES})://[^\s<>\"']+|mailto:[^\s@]+@[^\s@]+|www\.[\w-]+\.[^\s]+)"
_LINKS = re.compile(rf"{_LINK}(?:\s+{_LINK})*\s*", re.ASCII)
#: How such a value begins, as a pattern.
BEGINNINGS = rf"(?:{_SCHEMES})://|mailto:|www\.".encode()
#: Matches the spelling of a value that begins so.
BEGINNING = re.compile(BEGINNINGS)
#: The row of such a value.
UNKNOWN = Entry(Kind.UNKNOWN, "document", (), "no table")


def looks_like_links(value: str) -> bool:
    """Return whether a value is nothing but what looks like links, with white space between them."""
    return _LINKS.fullmatch(value) is not None
