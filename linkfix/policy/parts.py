"""Links among the parts of a message (RFC 2557, 8.2; RFC 2392): which part a link names, and whether a new value names it too.

A part is named by its Content-Location and its Content-ID. Some readers compare them with links as text, once both are absolute;
browsers compare what the URL Standard makes of them. A link must name the same part for both. The weak spot: links are
compared without their fragments, since no part has one in its name.
"""

from collections.abc import Callable
from functools import lru_cache
from urllib.parse import unquote, urljoin

from linkfix.iri.converter import iri_to_uri
from linkfix.iri.reference import without_fragment
from linkfix.iri.resolution import serialized
from linkfix.links import Link

_NAMES_PART = "it names a part of the message"
_NAMING = ("cid:", "mid:")


class Parts:
    """The parts of a message.

    Args:
        uris: the URIs that name parts, each with the name of its part. A relative one is relative to the message.

    """

    def __init__(self, uris: tuple[tuple[str, str], ...]) -> None:
        self._texts = {without_fragment(uri): part for uri, part in uris}
        #: By the form in which browsers compare URIs; a relative one in ASCII.
        urls = ((iri_to_uri(uri).text, part) for uri, part in self._texts.items())
        self._urls = {serialized(url) or url: part for url, part in urls}

    def find(self, uri: str, root: str) -> str | None:
        """Return the part that an absolute URI names; None for any other URI.

        Args:
            uri: of a link, as `linkfix.iri.resolution.serialized` returns it.
            root: the address of the message.

        Returns:
            The URI itself, which is no name of a part, for the Content-ID of a part that is not there.

        """
        if uri.lower().startswith(_NAMING):
            missing = uri if uri[0] in "cC" else None
            return self._texts.get(uri[:4].lower() + unquote(uri[4:]), missing)
        return self._urls.get(uri.removeprefix(root))

    def keeps(self, link: Link, value: str, new: bytes, *, base: str | None, is_ascii: bool) -> str:
        """Return why a link has to stay as it is (`linkfix.policy.Source.keeps`); "" if it may change.

        Args:
            link: of a part.
            value: its new value.
            new: the bytes of that.
            base: that of the part, as its header has it; None if unknown.
            is_ascii: whether the part has to stay in ASCII.

        """
        if is_ascii and not new.isascii():
            return "the part has to stay in ASCII"
        if link.value[:4].lower() in _NAMING:
            return _NAMES_PART
        if link.sets_base or link.sets_inner_base:
            return "links to parts are relative to it" if self._texts else ""
        old, now = self._named(link, base), self._named(link._replace(value=value), base)
        # A spelling that all readers find is as good.
        is_better = old[1] is not None and now == (old[1], old[1])
        return "" if is_better or old == now else _NAMES_PART

    def _named(self, link: Link, base: str | None) -> tuple[str | None, str | None]:
        """Return the part that a link names for readers of text, and for browsers."""
        within: str | None = getattr(link.resolver, "base", None)
        if base is not None and within == iri_to_uri(base).text:
            within = base
        try:
            text = urljoin(within or "", link.value)
        except ValueError:  # an IP-literal that is none
            text = link.value
        url = without_fragment(link.resolved or "")
        return self._texts.get(without_fragment(text)), self._urls.get(url)


parts_of: Callable[[tuple[tuple[str, str], ...]], Parts] = lru_cache(maxsize=4)(Parts)
