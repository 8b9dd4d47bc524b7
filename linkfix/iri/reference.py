"""A reference and its components (RFC 3986, 3 to 5; 3987bis, 2.2)."""

import re
from collections.abc import Callable, Container
from typing import Final, NamedTuple, cast
from urllib.parse import unquote, unquote_to_bytes

from linkfix.deferred import pattern
from linkfix.iri.chars import SCHEME
from linkfix.iri.schemes.scheme_data import HIERARCHICAL

#: RFC 3986, 3 and Appendix B. Of several ``@`` and ``:`` in an authority, of which a valid one has
#: at most one each, the first ``@`` counts and the last ``:`` behind every bracket (weber, 5.2).
_GENERIC: Final = pattern(
    rf"(?:{SCHEME.pattern})?+"
    r"(?://(?:([^@/?#]*+)@)?+"
    r"((?:[^:/?#]++|:(?=[^:\]/?#]*+[:\]]))*+)(?::([^/?#]*+))?+)?+"
    r"([^?#]*+)(?:\?([^#]*+))?+(?:\#(.*+))?+",
    re.DOTALL,
)


def components(text: str) -> re.Match[str]:
    """Return the match of a text by the generic syntax; any text has one.

    Its groups are scheme, userinfo, host, port, path, query and fragment, without their delimiters.
    """
    return cast("re.Match[str]", _GENERIC.fullmatch(text))


class Reference(NamedTuple):
    """The components of a reference without their delimiters.

    A component that is absent is None, one that is empty is the empty string; both are different
    references.  ``host`` is None without an authority; an IP-literal has its brackets.
    """

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def authority(self) -> str | None:
        """Userinfo, host and port with their delimiters, or None."""
        return None if self.host is None else "".join(self.parts()[2:5])

    @property
    def host_port(self) -> str | None:
        """Host, and port unless it is the default of the scheme (3987bis, 3.2, HOSTPORT); None without a host."""
        if self.host is None or not self.port:
            return self.host
        default = HIERARCHICAL.get((self.scheme or "").lower(), (None, False))[0]
        is_default = self.scheme is None or self.port.lstrip("0") == str(default)
        return self.host if is_default else f"{self.host}:{self.port}"

    @property
    def host_specific(self) -> str:
        """What follows the authority, or all of the reference without one (3987bis, 3.2, HOSTSPECIFIC)."""
        return str(self) if self.host is None else "".join(self.parts()[5:])

    def mapped(self, work: Callable[[str, str], str]) -> "Reference":
        """Return the reference with what a function makes of userinfo, path, query and fragment: of the name and the text."""
        names = ("userinfo", "path", "query", "fragment")
        parts = {name: getattr(self, name) for name in names}
        known = {name: work(name, text) for name, text in parts.items() if text is not None}
        return self._replace(**known)

    def parts(self) -> tuple[str, ...]:
        """Return the components in order with their delimiters; absent ones are empty."""
        return (
            "" if self.scheme is None else f"{self.scheme}:",
            "" if self.host is None else "//",
            "" if self.userinfo is None else f"{self.userinfo}@",
            self.host or "",
            "" if self.port is None else f":{self.port}",
            self.path,
            "" if self.query is None else f"?{self.query}",
            "" if self.fragment is None else f"#{self.fragment}",
        )

    def __str__(self) -> str:
        """Put the components together again (RFC 3986, 5.3)."""
        return "".join(self.parts())


def split(reference: str) -> tuple[str, str, str]:
    """Split a reference before its query and before its fragment (RFC 3986, 3).

    Returns:
        What precedes them; the query with its mark, and the fragment with its mark, "" for none. Joined they are the
        reference.

    """
    resource, hash_, fragment = reference.partition("#")
    path, mark, query = resource.partition("?")
    return path, mark + query, hash_ + fragment


def without_fragment(reference: str) -> str:
    """Return a reference up to its fragment, which is no part of what it identifies (RFC 3986, 3.5)."""
    return reference.partition("#")[0]


def fragment_of(reference: str) -> str:
    """Return the fragment of a reference without its mark; "" for none."""
    return reference.partition("#")[2]


def parse(text: str) -> Reference:
    """Split a reference into its components (RFC 3986, Appendix B; weber, 5).

    Args:
        text: any string; forbidden characters stay in their component.

    Returns:
        The components; ``str`` of them is ``text``.

    """
    return Reference(*components(text).groups())


#: The fragments for the top of any document (HTML Standard, 7.4.6.3).
_TOP = frozenset({"", "top"})
#: The beginnings of fragments that are no names: routes of scripts, views of SVG (SVG 2, 16.3.2), dimensions of media
#: (Media Fragments URI 1.0, 4.2), regions of EPUB, XPointers.
_EXPRESSIONS = ("/", "!", "svgView(", "xywh=", "t=", "xyn=", "epubcfi(", "xpointer(")
#: Characters that a URI percent-encodes in a fragment, and a URL does not (URL Standard, 1.3).
_RAW = pattern("%(?:23|25(?![0-9A-F]{2})|5[BCDE]|7[BCD])", re.IGNORECASE | re.ASCII)


def has_fragment(fragment: str, names: Container[str]) -> bool:
    """Return whether a document has the target of a fragment (HTML Standard, 7.4.6.3).

    Args:
        fragment: without its number sign. Every document has its top. Text fragments, and what begins with one of
            `_EXPRESSIONS`, name no element: the program that shows the document reads them.
        names: the targets of fragments in the document: values of ``id``, and of ``name`` of ``a``.

    """
    if fragment in names or ":~:" in fragment or fragment.lower() in _TOP:
        return True
    if fragment.startswith(_EXPRESSIONS):
        return True
    return "%" in fragment and any(name in names for name in names_of(fragment))


def names_of(fragment: str) -> tuple[str, ...]:
    """Return the names that a fragment may mean: as it is, decoded, and without the octets that only a URI encodes.

    The parser encodes a fragment, the lookup decodes it (HTML Standard, 7.4.6.3, step 6).
    """
    if "%" not in fragment:
        return (fragment,)
    decoded = unquote_to_bytes(fragment).decode("utf-8", "replace")
    return fragment, decoded, _RAW.sub(lambda found: unquote(found[0]), fragment)
