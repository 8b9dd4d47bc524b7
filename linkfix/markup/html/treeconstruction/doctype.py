"""Whether a document type puts a page into quirks mode (HTML standard, 13.2.5.53 to 13.2.5.67, 13.2.6.4.1)."""

from __future__ import annotations

import re

from linkfix.markup.html.treeconstruction.doctype_data import PUBLIC_PREFIXES

_WHITE = rb"[\t\n\f\r ]*+"
_QUOTED = rb"""(?:"([^"]*+)"|'([^']*+)')"""
#: A document type without its ``>`` that does not "force quirks": name, public and system identifier.
_DOCTYPE = re.compile(
    rb"<!doctype" + _WHITE + rb"html(?![^\t\n\f\r >])" + _WHITE + rb"(?:public" + _WHITE + _QUOTED
    + _WHITE + rb"(?:" + _QUOTED + rb".*)?|system" + _WHITE + _QUOTED + rb".*)?",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip
_PUBLIC = frozenset(
    [b"-//w3o//dtd w3 html strict 3.0//en//", b"-/w3c/dtd html 4.0 transitional/en", b"html"]
)
_SYSTEM = b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
#: Without a system identifier.
_PUBLIC_ALONE = (b"-//w3c//dtd html 4.01 frameset//", b"-//w3c//dtd html 4.01 transitional//")


def is_quirky(doctype: bytes) -> bool:
    """Return whether a document type sets quirks mode.

    Args:
        doctype: from ``<!`` up to its ``>``, which is left out.

    """
    found = _DOCTYPE.fullmatch(doctype)
    if found is None:
        return True
    public, system = (
        next((group.lower() for group in found.group(*groups) if group is not None), None)
        for groups in ((1, 2), (3, 4, 5, 6))
    )
    if system == _SYSTEM or public is None:
        return system == _SYSTEM
    return (
        public in _PUBLIC
        or public.startswith(PUBLIC_PREFIXES)
        or (system is None and public.startswith(_PUBLIC_ALONE))
    )
