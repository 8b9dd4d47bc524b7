"""The pages of a site, and what they say of each other: for the rules that need all of them.

Input: the mentions of each document, which are links with a role: canonical, og:url, alternate, refresh, integrity, and the
entries of sitemaps and feeds. Output: findings, once all documents are read. Only what can lead to a finding is kept, so that a
page that names itself as canonical costs nothing; a mention that is kept is packed into some hundred bytes.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from linkfix.auditing.base import shown
from linkfix.auditing.finding import Occurrence, from_plain
from linkfix.deferred import pattern
from linkfix.iri import comparison_form
from linkfix.iri.reference import without_fragment

#: A hash as Chromium reads it, in base64 or base64url and with any options (Subresource Integrity, 3.5); what is none counts for nothing.
_HASH = pattern(
    r"(?<![^\t\n\f\r ])sha-?(256|384|512)-([A-Za-z0-9+/_-]+)={0,2}(?:\?[!-~]*)?(?![^\t\n\f\r ])"
)
_PLAIN_BASE64 = str.maketrans("-_", "+/")


class Mention(NamedTuple):
    """A link by which a document says something of a page; plain data.

    Attributes:
        role: ``canonical``, ``og:url``, ``alternate``, ``refresh``, ``entry`` or ``integrity``.
        path: of the page in the site, redirects followed; "" if it is not known.
        target: absolute URI.
        language: of an alternate; or the hashes of a file (`Role`).
        occurrence: the link (`linkfix.auditing.finding.to_plain`) as JSON, which is small.

    """

    role: str
    path: str
    target: str
    language: str
    occurrence: str

    def link(self) -> Occurrence:
        """Return the link."""
        return from_plain(json.loads(self.occurrence))


class PageHit(NamedTuple):
    """A hit of a rule about pages.

    Attributes:
        path: of the document that has the finding.
        mention: the link concerned; None for the document as a whole.
        message: what is wrong.

    """

    path: str
    mention: Mention | None
    message: str


#: What a rule about pages yields.
PageHits: TypeAlias = Iterator[PageHit]


class Pages:
    """The pages of one site.

    Args:
        paths: of its documents, in their order.
        is_whole: whether these are all documents of the site.
        shown: paths of the pages that the server shows without a link.
        digest: returns the hash of the file of a path by an algorithm, in base64; "" if it is not known.

    Attributes:
        canonical: the canonical link of each page that names another one.
        alternates: the links of each page to its versions in other languages.
        refresh: the link of each page that leads on by itself to one that is known.
        entries: the links of sitemaps and feeds, each with the path of its document.
        contradictions: links that contradict the canonical one of their page.
        refused: links to files that browsers refuse, with the hash that each file has.
        addresses: for each address of the site that canonical links imply, by how many pages.

    """

    def __init__(
        self,
        paths: Iterable[str],
        *,
        is_whole: bool = True,
        shown: Iterable[str] = (),
        digest: Callable[[str, str], str] = lambda _path, _algorithm: "",
    ) -> None:
        self._digest = digest
        #: Whether each document is linked, or needs no link; where that cannot be known, it counts as linked.
        self._is_linked = dict.fromkeys(paths, not is_whole)
        for page in shown:
            self._link(page)
        self.canonical: dict[str, Mention] = {}
        self.alternates: dict[str, list[Mention]] = {}
        self.refresh: dict[str, Mention] = {}
        self.entries: list[tuple[str, Mention]] = []
        self.contradictions: list[tuple[str, Mention, str]] = []
        self.refused: list[tuple[str, Mention, str]] = []
        self.addresses: Counter[str] = Counter()

    def add(
        self, path: str, mentions: Iterable[Mention], linked: Iterable[str], *, is_page: bool
    ) -> None:
        """Add a document.

        Args:
            path: of the document in the site.
            mentions: its mentions, in their order.
            linked: paths of documents that are targets of links of this one, or of earlier ones.
            is_page: whether it is a page for readers.

        """
        for page in linked:
            self._link(page)
        if not is_page:
            self._link(path)
        canonical: Mention | None = None
        for each in mentions:
            if each.role == "canonical" and canonical is None:
                canonical = each
                if each.path not in {"", path}:
                    self.canonical[path] = each
            elif each.role == "alternate" and each.path not in {"", path}:
                self.alternates.setdefault(path, []).append(each)
            elif each.role == "refresh" and each.path != path:
                self._link(path)
                if each.path:
                    self.refresh.setdefault(path, each)
            elif each.role == "entry" and each.path:
                self.entries.append((path, each))
            elif each.role == "integrity" and (own := self._other_hash(each)):
                self.refused.append((path, each, own))
        if canonical is not None:
            self._compare(path, canonical, mentions)
            self.addresses.update(_address(path, canonical.target))

    def _other_hash(self, mention: Mention) -> str:
        """Return the hash of a file if it is none of those that a page names; "" if browsers accept the file."""
        from html import unescape  # few pages name hashes

        named: dict[str, set[str]] = {}
        for size, digest in _HASH.findall(unescape(mention.language)):
            named.setdefault(f"sha{size}", set()).add(digest.translate(_PLAIN_BASE64))
        strongest = max(named, default="")
        own = strongest and self._digest(mention.path, strongest)
        return f"{strongest}-{own}" if own and own.rstrip("=") not in named[strongest] else ""

    def _link(self, path: str) -> None:
        """Record that a page is linked, or needs no link."""
        if path in self._is_linked:
            self._is_linked[path] = True

    def _compare(self, path: str, canonical: Mention, mentions: Iterable[Mention]) -> None:
        """Compare what a page says about its own address."""
        for each in mentions:
            if each.role not in {"canonical", "og:url"} or each is canonical:
                continue
            is_same = bool(each.path) and each.path == canonical.path
            if not is_same and _form(each.target) != _form(canonical.target):
                self.contradictions.append((path, each, canonical.target))

    def __contains__(self, path: str) -> bool:
        """Return whether a document is one of those that are read."""
        return path in self._is_linked

    def not_canonical(self, mentions: Iterable[tuple[str, Mention]]) -> PageHits:
        """Yield a hit for each mention of a page that names another canonical one; each is given with the path of its document."""
        for path, mention in mentions:
            if (canonical := self.canonical.get(mention.path)) is not None:
                message = f"that page names another canonical one: {shown(canonical.target)}"
                yield PageHit(path, mention, message)

    def unlinked(self) -> Iterator[str]:
        """Yield the paths of the pages that are no target of a link of another document."""
        yield from (path for path, is_linked in self._is_linked.items() if not is_linked)


def _address(path: str, target: str) -> Iterator[str]:
    """Yield the address of the site if the target of a page is its path there, with or without the end that servers leave out."""
    for end in ("", "index.html", ".html"):
        own = quote(path.removesuffix(end), errors="surrogateescape")
        if path.endswith(end) and target.endswith(f"/{own}"):
            yield target[: len(target) - len(own)]
            return


def _form(target: str) -> str:
    return comparison_form(without_fragment(target)) or target
