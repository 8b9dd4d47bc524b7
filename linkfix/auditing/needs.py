"""What a value must have for a rule to find something in it.

A rule's module says it in ``NEEDS``, a regular expression without which `check` finds nothing in a
value; so most rules need not be asked about most links. Here are those that several rules share.
"""

from __future__ import annotations

from linkfix.iri.quick import CANONICAL_URI

__all__ = ["HOST", "NOT_ASCII", "NOT_CANONICAL", "NOT_VISIBLE"]

#: An authority begins so (RFC 3986, 3.2), to browsers with backslashes too.
HOST = r"[/\\]{2}"
NOT_ASCII = r"[^\0-\x7f]"
#: Whatever is not printed in ASCII, the space among it.
NOT_VISIBLE = r"[^\x21-\x7e]"
#: The value is none of the common kinds of URIs.
NOT_CANONICAL = rf"\A(?!(?:{CANONICAL_URI})\Z)"
