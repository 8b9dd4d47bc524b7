"""The targets of links in a tree, for the rules of the audit about files and fragments.

Input: the target of a link as a URI. Output: what is wrong with it. A file is looked up in a listing of the tree. The
names in a document, which fragments refer to, are read from it when the first link asks for them, and nothing else is read
then. Every process reads the same files, so that the answers do not depend on their number. Memory: the listing,
the answers to `_MOST_TARGETS` requests, and names (`linkfix.server.nearmiss`).
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache

from linkfix.auditing.rule import FileProblem
from linkfix.charset import PREFIX, Charset
from linkfix.errors import LinkfixError, NoDocumentError
from linkfix.files.access import chunks, content, open_document, size_of
from linkfix.files.paths import is_remote, join
from linkfix.files.tree import Found
from linkfix.iri.reference import fragment_of, has_fragment, without_fragment
from linkfix.iri.resolution import without_dots
from linkfix.jobs.worker import extend_limit
from linkfix.links import LinkStream, Scope
from linkfix.links.selectors import Pattern
from linkfix.markup.detect import DocumentType, is_type_map, type_of_name
from linkfix.policy import Bases, Policy
from linkfix.policy.policy import Source
from linkfix.server.addresses import SiteAddress
from linkfix.server.includes import Memo, Part, parts_of
from linkfix.server.listing import typed
from linkfix.server.nearmiss import NAMING, Fragments, NearMisses
from linkfix.server.server import UTF8, Answer, Server

#: The number of answers that are remembered, of URIs that are not spelled as the paths of files.
_MOST_TARGETS = 20_000
#: The names of images whose fragments are known, besides documents of the types `NAMING`.
_IMAGES = (".svg", ".svgz")

#: Where pages name their manifests, and how many bytes of each are read for that.
_NAMES_MANIFEST = Policy(
    scope=Scope(select=(Pattern.parse("base@href, link[rel~=manifest]@href"),))
)
_HEAD = 1 << 16


@dataclass(eq=False)
class TargetFiles:
    """Find what is wrong with the targets of links (`linkfix.auditing.files.Files`).

    Args:
        server: finds the files.
        policy: how documents are read.
        charset: the label that the transport declares for documents; None for none.
        type: of all documents; None to detect it by the name and the first bytes.
        follows_temporary: whether links may lead to the end of redirects that are not for good too.
        known: what pages include, as for `linkfix.server.includes.included`.

    """

    server: Server
    policy: Policy
    charset: str | None = None
    type: DocumentType | None = None
    follows_temporary: bool = field(default=False, kw_only=True)
    known: Memo | None = field(default=None, kw_only=True)
    _names: Fragments = field(default_factory=Fragments)
    #: The paths to which links of other documents lead, which the last call has not returned.
    _newly_linked: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._reading = replace(self.policy, scope=self.policy.scope.without_links())
        self._near = NearMisses(self.server.listing)
        #: Returns the hash of a file of the tree by an algorithm, in base64; "" for a program, and for what cannot be read.
        self.digest: Callable[[str, str], str] = lru_cache(_MOST_TARGETS)(self._digest)
        self._answers = lru_cache(_MOST_TARGETS)(
            lambda uri, charset: self.server.answer(without_dots(uri), charset)
        )

    def problem(self, uri: str, charset: Charset, path: str = "") -> FileProblem | None:
        """Return what is wrong with a target; None if nothing is, or if it is not in the tree.

        Args:
            uri: absolute; its root is that of the server's address.
            charset: of the document that has the link.
            path: of that document; "" if it is not known.

        """
        whole, own = without_fragment(uri), fragment_of(uri)
        if file := self.file(whole, (own,), path):  # most links
            return FileProblem("own") if file == path else None
        answer = self._answer(whole, charset)
        if answer is None or answer.reason is not None:
            return answer and self._broken(whole, answer)
        to = answer.to
        is_own = bool(path) and answer.path == path
        if answer.path and not is_own:
            self._newly_linked[answer.path] = None
        self._newly_linked |= dict.fromkeys(each for each in answer.variants if each != path)
        # The fragment of a link is that of the place to which it is redirected (Fetch Standard, 4.4).
        fragment = fragment_of(to) or own
        if fragment and (answer.path or answer.outside or answer.variants):
            names = self._names_of(answer)
            if names is not None and not has_fragment(fragment, names):
                return FileProblem("fragment", self._near.fragments(fragment, names), to)
        if to:
            is_temporary = answer.lasting is False
            is_followed = answer.lasting or (is_temporary and self.follows_temporary)
            target = to if "#" in to else to + uri[len(whole) :]
            return FileProblem("redirected", (), to, target if is_followed else "", is_temporary)
        return FileProblem("own") if is_own else None

    def is_missing(self, uri: str, charset: Charset = UTF8) -> bool:
        """Return whether the server finds no file for a target without a fragment; a link is reported then, redirects aside."""
        answer = None if self.server.file(uri) else self._answer(uri, charset)
        return answer is not None and not (answer.reason is None or self._is_unknown(uri, answer))

    def file(self, uri: str, fragments: Iterable[str], path: str) -> str:
        """Return the path of the file of a target if nothing is wrong with links to these fragments; "" if `problem` has to say it.

        Args:
            uri: absolute, without a fragment.
            fragments: of the links; "" for a link without one.
            path: as for `problem`.

        """
        file = self.server.file(uri)
        if not file or not self._has_targets(file, fragments):
            return ""
        if file != path:
            self._newly_linked[file] = None
        return file

    def _has_targets(self, file: str, fragments: Iterable[str]) -> bool:
        """Return whether no fragment is missing in a document, as far as its names are known."""
        wanted = [*filter(None, fragments)]
        if not wanted or self._names.has(file, wanted):
            return True
        names = self._names_of(Answer(file))
        return names is None or all(has_fragment(each, names) for each in wanted)

    def path(self, uri: str, charset: Charset) -> str:
        """Return the path of the file of a target, redirects followed; "" if there is none in the tree."""
        answer = self._answer(without_fragment(uri), charset)
        return "" if answer is None else answer.path

    def _digest(self, path: str, algorithm: str) -> str:
        import hashlib

        listing, digest = self.server.listing, hashlib.new(algorithm)
        if not self.server.is_file(Answer(path)) or listing.folders.is_program(path):
            return ""
        try:
            with open_document(join(listing.root, path)) as file:
                for data in chunks(file):
                    digest.update(data)
        except LinkfixError:
            return ""
        return b64encode(digest.digest()).decode()

    def newly_linked(self) -> list[str]:
        """Return the paths to which links of other documents lead, of the links since the last call."""
        found, self._newly_linked = self._newly_linked, {}
        return [*found]

    def _answer(self, uri: str, charset: Charset) -> Answer | None:
        """Return the answer of the server, which is remembered for other links; None where it has none."""
        # Octets may be in the charset of the document.
        return self._answers(uri, charset if "%" in uri or not uri.isascii() else UTF8)

    def _broken(self, uri: str, answer: Answer) -> FileProblem | None:
        """Return the problem of a link without a file; None if it cannot be known."""
        reason, near, to = answer.reason, answer.near, answer.to
        if reason is None or self._is_unknown(uri, answer):
            return None
        if near or reason != "missing":
            return FileProblem(reason, (near,) if near else (), to)
        located = self.server.address.locate(self.server.at_home(without_dots(to or uri)))
        return FileProblem(reason, () if located is None else self._near.files(located.path), to)

    def _is_unknown(self, uri: str, answer: Answer) -> bool:
        """Return whether it cannot be known if there is a file that was not found."""
        home = self.server.at_home(without_dots(answer.to or uri))
        return not answer.near and answer.reason == "missing" and self.server.is_unknown(home)

    def add_names(self, path: str, names: Iterable[str]) -> None:
        """Add the names in a document that has been read already."""
        if path in self._names or not _has_names(path):
            return
        # A document with no other names than every document may be a type map: it is read when a link asks for its names.
        if not all(has_fragment(name, ()) for name in names):
            self._names.add(path, names)

    def names(self, path: str) -> frozenset[str] | None:
        """Return the names in a document of the tree; None if they are not known."""
        return self._names_of(Answer(path))

    def _names_of(self, answer: Answer) -> frozenset[str] | None:
        """Return the names in a document, or in all variants of it; None if they are not known."""
        if answer.variants:
            known = [self._names_of(Answer(path)) for path in answer.variants]
            each = [names for names in known if names is not None]
            return frozenset().union(*each) if len(each) == len(known) else None
        path = answer.path or answer.outside
        if path not in self._names:
            is_read = _has_names(path) and self.server.is_file(answer)  # a FIFO would block
            self._names.add(path, self._read(path) if is_read else None)
        return self._names.of(path)

    def parts(self, paths: Iterable[str]) -> dict[str, Part]:
        """Return the parts of the pages at these paths by their own."""
        return parts_of(paths, self.server.listing, self._charset_of, self.known)

    def _charset_of(self, path: str) -> str:
        with open_document(join(self.server.listing.root, path)) as file:
            stream = self._stream(path)
            with suppress(NoDocumentError):  # a program
                stream.read(file.read(PREFIX), final=True)
        sniffed = stream.sniffed
        return "" if sniffed is None or sniffed.guessed else sniffed.charset.name

    def _stream(self, path: str, names: set[str] | None = None) -> LinkStream:
        """Return the reader of a document, which adds to its names."""
        label = self.charset or self.server.label(path)
        return self._reading.stream(Source(type=self.type, charset=label, name=path), names=names)

    def _read(self, path: str) -> Iterable[str] | None:
        """Return the names in a document and in what it includes; None if it cannot be read."""
        names = self._read_own(path)
        if names is not None and (parts := self.parts([path])):
            names = names.union(*(self._read_own(part) or () for part in parts))
        return names

    def _read_own(self, path: str) -> set[str] | None:
        """Return the names in a document; None if it cannot be read."""
        full = join(self.server.listing.root, path)
        names: set[str] = set()
        stream = self._stream(path, names)
        try:
            with open_document(full) as file:
                extend_limit(size_of(file) or 0)
                whole = content(file)
                if whole is not None and is_type_map(whole):
                    return None
                for data in chunks(file) if whole is None else ():
                    for _ in stream.read(data):
                        pass
                for _ in stream.read(whole or b"", final=True):
                    pass
        except LinkfixError:  # the audit of that document reports it
            return None
        return names


def _has_names(path: str) -> bool:
    """Return whether the names in a document are known by its type."""
    return type_of_name(typed(path)) in NAMING or path.lower().endswith(_IMAGES)


def manifests(
    pages: Mapping[str, Found], left: Mapping[str, Found], address: SiteAddress
) -> list[Found]:
    """Return the JSON files that pages name as their web app manifests (HTML standard, 4.6.8.10).

    A page that is remote is not read, nor what follows its first 64 KB.

    Args:
        pages: the documents of a site, by their paths in it.
        left: its JSON files that are no documents by their names and members, likewise.
        address: of the site; what a page names at another one is no file of it.

    """
    named = dict[str, Found]()
    for path, page in pages.items() if left else ():
        if page.type in {"html", "xhtml", None} and not is_remote(page.path):
            uris = _manifests_of(page, address.document(path))
            places = [place for uri in uris if (place := address.locate(without_dots(uri)))]
            named |= {place.path: left[place.path] for place in places if place.path in left}
    return [*named.values()]


def _manifests_of(page: Found, base: str) -> Iterator[str]:
    """Yield the URIs that a page names as its manifest; `base` is that of the page."""
    try:
        with open_document(page.path) as file:
            head = file.read(_HEAD)
        if b"manifest" in head.replace(b"\0", b"").lower():
            stream, bases = _NAMES_MANIFEST.stream(Source(name=page.path)), Bases(base)
            for link in stream.feed(head) + (stream.close() if len(head) < _HEAD else []):
                if link.place.sets_base:
                    bases.see(link)
                resolver = bases.resolver(bases.of(link), _NAMES_MANIFEST)
                if link.element == "link" and (uri := link._replace(resolver=resolver).resolved):
                    yield uri
    except LinkfixError:  # who reads the page reports it
        return
