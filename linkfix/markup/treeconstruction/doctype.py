"""Whether a document type puts a page into quirks mode (HTML standard, 13.2.5.53 to 13.2.5.67, 13.2.6.4.1)."""

from __future__ import annotations

import re

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
_PUBLIC_PREFIXES = (
    b"+//silmaril//dtd html pro v0r11 19970101//",
    b"-//as//dtd html 3.0 aswedit + extensions//",
    b"-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    b"-//ietf//dtd html 2.0 level 1//",
    b"-//ietf//dtd html 2.0 level 2//",
    b"-//ietf//dtd html 2.0 strict level 1//",
    b"-//ietf//dtd html 2.0 strict level 2//",
    b"-//ietf//dtd html 2.0 strict//",
    b"-//ietf//dtd html 2.0//",
    b"-//ietf//dtd html 2.1e//",
    b"-//ietf//dtd html 3.0//",
    b"-//ietf//dtd html 3.2 final//",
    b"-//ietf//dtd html 3.2//",
    b"-//ietf//dtd html 3//",
    b"-//ietf//dtd html level 0//",
    b"-//ietf//dtd html level 1//",
    b"-//ietf//dtd html level 2//",
    b"-//ietf//dtd html level 3//",
    b"-//ietf//dtd html strict level 0//",
    b"-//ietf//dtd html strict level 1//",
    b"-//ietf//dtd html strict level 2//",
    b"-//ietf//dtd html strict level 3//",
    b"-//ietf//dtd html strict//",
    b"-//ietf//dtd html//",
    b"-//metrius//dtd metrius presentational//",
    b"-//microsoft//dtd internet explorer 2.0 html strict//",
    b"-//microsoft//dtd internet explorer 2.0 html//",
    b"-//microsoft//dtd internet explorer 2.0 tables//",
    b"-//microsoft//dtd internet explorer 3.0 html strict//",
    b"-//microsoft//dtd internet explorer 3.0 html//",
    b"-//microsoft//dtd internet explorer 3.0 tables//",
    b"-//netscape comm. corp.//dtd html//",
    b"-//netscape comm. corp.//dtd strict html//",
    b"-//o'reilly and associates//dtd html 2.0//",
    b"-//o'reilly and associates//dtd html extended 1.0//",
    b"-//o'reilly and associates//dtd html extended relaxed 1.0//",
    b"-//sq//dtd html 2.0 hotmetal + extensions//",
    b"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    b"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    b"-//spyglass//dtd html 2.0 extended//",
    b"-//sun microsystems corp.//dtd hotjava html//",
    b"-//sun microsystems corp.//dtd hotjava strict html//",
    b"-//w3c//dtd html 3 1995-03-24//",
    b"-//w3c//dtd html 3.2 draft//",
    b"-//w3c//dtd html 3.2 final//",
    b"-//w3c//dtd html 3.2//",
    b"-//w3c//dtd html 3.2s draft//",
    b"-//w3c//dtd html 4.0 frameset//",
    b"-//w3c//dtd html 4.0 transitional//",
    b"-//w3c//dtd html experimental 19960712//",
    b"-//w3c//dtd html experimental 970421//",
    b"-//w3c//dtd w3 html//",
    b"-//w3o//dtd w3 html 3.0//",
    b"-//webtechs//dtd mozilla html 2.0//",
    b"-//webtechs//dtd mozilla html//",
)


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
        or public.startswith(_PUBLIC_PREFIXES)
        or (system is None and public.startswith(_PUBLIC_ALONE))
    )
