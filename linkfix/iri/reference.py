"""A reference and its components (RFC 3986, 3 to 5; 3987bis, 2.2)."""

from collections.abc import Callable
from typing import NamedTuple

from linkfix.iri.layout import components
from linkfix.iri.schemes.scheme_data import HIERARCHICAL


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
        if self.host is None:
            return None
        userinfo = "" if self.userinfo is None else f"{self.userinfo}@"
        port = "" if self.port is None else f":{self.port}"
        return f"{userinfo}{self.host}{port}"

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
