"""Somebody else's judgement of links: validity, and where a browser goes."""

from __future__ import annotations

import rfc3987

from linkfix.verifying.verifier import destination, normalized

__all__ = ["destination", "is_iri_reference", "is_uri_reference", "normalized"]

_IRI = rfc3987.get_compiled_pattern("^%(IRI_reference)s$")
_URI = rfc3987.get_compiled_pattern("^%(URI_reference)s$")


def is_uri_reference(text: str) -> bool:
    """Whether a text is a URI-reference of RFC 3986."""
    return _URI.match(text) is not None


def is_iri_reference(text: str) -> bool:
    """Whether a text is an IRI-reference of RFC 3987."""
    return _IRI.match(text) is not None
