"""Spell a new reference as the old one was spelled.

Input: the old value of a link, and a new reference as a URI. Output: the new reference, in which every part that the
old one has too is spelled as there: scheme and host, the names in the path, query and fragment. New names in the path
are characters where the old path has characters beyond ASCII, and percent-encoded otherwise. The result is a valid
IRI reference.
"""

import re
from urllib.parse import unquote_to_bytes

from linkfix.iri import parse
from linkfix.iri.conversion import leiri_to_iri, uri_to_iri, web_address_to_iri
from linkfix.iri.reference import Reference
from linkfix.links import Link

#: Web Addresses may have backslashes between the names of a path (URL Standard, 4.4).
_SLASHES = re.compile(r"[/\\]")
#: What is stripped around a Web Address (URL Standard, 4.4).
_ENDS = "".join(map(chr, range(0x21)))
_DOTS = frozenset({"", ".", ".."})


def respelled(link: Link, reference: str) -> str | None:
    """Spell a new reference as the value of a link is spelled.

    Args:
        link: with the old value.
        reference: the new one, a URI reference with query and fragment of the old target.

    Returns:
        An IRI reference; None if there is none in such a spelling. Where the charset is a guess, and the old value is not
        ASCII, its characters stay whatever they are: another reader may read others.

    """
    before, after = parse(link.value.strip(_ENDS)), parse(reference)
    if before.host and after.host and (before.scheme is None) == (after.scheme is None):
        after = after._replace(
            scheme=before.scheme, userinfo=before.userinfo, host=before.host, port=before.port
        )
    new = str(
        after._replace(
            path=_path(link, before, after),
            query=before.query if before.query and after.query else after.query,
            fragment=before.fragment if before.fragment and after.fragment else after.fragment,
        )
    )
    if _is_uncertain(link):
        return new
    converted = web_address_to_iri(new) if link.syntax == "web" else leiri_to_iri(new)
    return converted.text if converted.ok else None


def _path(link: Link, before: Reference, after: Reference) -> str:
    """Return the new path, with the names of the old one as they are spelled there."""
    known = {_octets(name): name for name in _SLASHES.split(before.path) if name not in _DOTS}
    has_characters = not before.path.isascii() and not _is_uncertain(link)
    names = []
    for name in after.path.split("/"):
        spelled = name if name in _DOTS else known.get(_octets(name))
        if spelled is None:
            spelled = name
            if has_characters:
                text = uri_to_iri(f"/{name}").text[1:]
                spelled = text if all(map(link.charset.encodable, text)) else name
        names.append(spelled)
    here = before.path.startswith("./") and names[0] not in _DOTS
    return "./" * here + "/".join(names)


def _is_uncertain(link: Link) -> bool:
    return link.place.guessed and not link.value.isascii()


def _octets(name: str) -> bytes:
    """Return the octets that a name in a path stands for."""
    return unquote_to_bytes(name.encode("utf-8", "surrogatepass"))
