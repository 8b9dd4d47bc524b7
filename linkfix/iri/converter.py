"""Convert a link value: the common kinds by one pattern each (`quick`), all others by their components (`conversion`).

Only what no pattern recognises loads the long way.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from linkfix.deferred import pattern
from linkfix.iri.model import IDNA, TO, Conversion, QueryEncoder, apply, need, need_text
from linkfix.iri.quick import REMEMBERED, canonical, plain_edits

if TYPE_CHECKING:
    from linkfix.iri.layout import Base
    from linkfix.iri.unicode.uts46 import Profile

#: What the profiles that check the length of labels may refuse in a host.
_LONG_LABEL: Final = pattern("[^./?#]{64}")
_SYNTAX = ("web", "leiri", "iri")
_LEVELS = ("none", "syntax", "scheme")


def convert(
    text: str,
    *,
    to: Literal["uri", "iri"],
    syntax: Literal["web", "leiri", "iri"] = "web",
    query_encoder: QueryEncoder | None = None,
    base: str | None = None,
    idna: Profile = "uts46",
    nfc: bool = False,
    normalize: Literal["none", "syntax", "scheme"] = "none",
    decode_query: bool = True,
    encode_any: bool = False,
    local_names: Collection[str] = (),
) -> Conversion:
    """Convert a link value to a URI reference or to a readable IRI reference.

    Args:
        text: the value, character references already resolved.
        to: ``uri`` for a URI-reference of RFC 3986, ``iri`` for an IRI-reference of 3987bis with
            as little percent-encoding as possible.
        syntax: how ``text`` is read: as a Web Address (3987bis, 7.2; the URL Standard), a LEIRI
            (7.1) or an IRI.
        query_encoder: maps a query to octets in the charset of the document, the same query always to the same octets;
            None for UTF-8. It must be hashable, as functions are.
        base: the base URL of the reference; None if it is unknown and may be any ``http`` or ``https`` IRI. No base is
            refused: if it is not absolute, or no browser can parse it, a relative reference of a Web Address is
            left with a problem.
        idna: the variant of ToASCII.
        nfc: normalize the text to NFC first (3987bis, 3.1), for text from a legacy charset.
        normalize: the rung of the ladder (3987bis, 5.3) to which the result is normalized.
        decode_query: whether percent-encoding beyond ASCII is decoded in the query for ``iri``; never with a
            ``query_encoder``.
        encode_any: whether ``query_encoder`` applies to the query of any scheme with a hierarchy in a Web Address,
            as in Chromium; otherwise such a link is left if that makes a difference. It then also applies if the scheme
            of an unknown base decides whether a reference is valid.
        local_names: hosts without DNS (weber, 5.2.2), in any letter case, in Unicode; or with a dot in front the
            ends of their names: ``.local``. They stay in Unicode in a URI too, which is then no URI of RFC 3986.

    Returns:
        The result with its edits, whose offsets are code points of ``text``; nothing is raised
        for any ``text``.

    Raises:
        ValueError: another argument has a value that is not allowed.

    """
    if not (to in TO and syntax in _SYNTAX and idna in IDNA and normalize in _LEVELS):
        need(TO, to=to)
        need(_SYNTAX, syntax=syntax)
        need(IDNA, idna=idna)
        need(_LEVELS, normalize=normalize)
    if type(text) is not str:
        need_text(text=text)
    if type(local_names) is str:
        raise TypeError(f"local_names={local_names!r} is one string, not several hosts")
    known = None if base is None else _known(base)
    # Other bases than the usual ones have rules of their own for relative references.
    is_usual = (
        normalize == "none"
        and (known is None or known.scheme == "http" or known.scheme == "https")
        and (not nfc or text.isascii())
        and (idna == "uts46" or not _LONG_LABEL.search(text))
    )
    if is_usual and canonical(to)(text):
        return Conversion(text, (), (), True)
    if is_usual and to == "uri" and (query_encoder is None or "?" not in text):
        plain = _plain_before if len(text) <= REMEMBERED else _plain
        conversion = plain(text, web=syntax == "web")
        if conversion is not None:
            return conversion
    from linkfix.iri.components import Job
    from linkfix.iri.conversion import converted

    job = Job(
        to_iri=to == "iri",
        web=syntax == "web",
        base=known,
        encoder=query_encoder,
        profile=idna,
        decode="runs",
        ulabels=True,
        decode_query=decode_query and query_encoder is None,
        encode_any=encode_any,
        local_names=frozenset(map(str.lower, local_names)),
    )
    return converted(text, job, nfc=nfc, normalize=normalize)


def _known(base: str) -> Base:
    from linkfix.iri.url import known_base

    return known_base(base)


def _plain(text: str, *, web: bool) -> Conversion | None:
    """Return the conversion of a text that `plain_edits` knows, else None."""
    edits = plain_edits(text, web=web)
    return None if edits is None else Conversion(apply(text, edits), tuple(edits), (), True)


_plain_before = lru_cache(maxsize=1024)(_plain)


def iri_to_uri(
    iri: str, *, query_encoder: QueryEncoder | None = None, idna: Profile = "uts46"
) -> Conversion:
    """Map an IRI to a URI component by component (3987bis, 3.6).

    Args:
        iri: an IRI reference.
        query_encoder: maps the query of ``http`` and ``https`` to octets (3.5); None for UTF-8.
        idna: the variant of ToASCII for the host (3.4).

    Returns:
        The URI; not ``ok`` where the host has no ASCII form.

    """
    return convert(iri, to="uri", syntax="iri", query_encoder=query_encoder, idna=idna)
