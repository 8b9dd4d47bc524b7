"""How the server of a site finds the file of a URI.

Input: absolute URIs, and the listing of a tree. Output: the file, or why there is none. Redirects are followed to their
end. The audit and the migration ask the same server. It opens no file. A folder that is an alias is listed when the first link leads there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple
from urllib.parse import unquote

from linkfix.charset import Charset, lookup
from linkfix.errors import LinkfixError
from linkfix.files.globs import Patterns
from linkfix.files.paths import absolute, join, relative
from linkfix.iri.reference import split, without_fragment
from linkfix.iri.resolution import resolved
from linkfix.iri.unicode import ucd
from linkfix.server.addresses import Located, Serving, SiteAddress
from linkfix.server.headers import Headers, Labels
from linkfix.server.listing import Listing, Match, survey, variants
from linkfix.server.redirects.rules import FOUND, GONE, UNKNOWN, Redirect, Source, first_of

#: The charset of links whose document is not known.
UTF8 = lookup("utf-8")
#: Why a server finds no file.
Reason = Literal["missing", "case", "spelling", "no-index", "loop"]
#: The extension that clean URLs leave out.
_CLEAN = ".html"
#: More redirects than any browser follows (Fetch Standard, 4.6: at most 20).
_MOST_REDIRECTS = 20
#: The host of a URI, and its port if that is not the default one.
_HOST = re.compile(r"(?:http://([^/?#]*?)(?::80)?|https://([^/?#]*?)(?::443)?)(?=[/?#]|\Z)")


class Answer(NamedTuple):
    """The answer of a server.

    Attributes:
        path: of the file in the tree; "" if there is none, or if a program answers.
        reason: ``missing``; ``case`` or ``spelling`` if the file exists under a name that differs so; ``no-index`` for
            a folder without an index file; ``loop`` if redirects have no end; None if the server answers with a document.
        near: the path that was meant, of ``case`` and ``spelling``, and of a file that is named like a folder; else "".
        variants: the paths of the files between which the server chooses by what the browser asks for; `path` is "" then.
        outside: absolute path of the file, if it is in the folder of an alias outside of the tree; else "".
        to: the URI to which the request is redirected in the end, "?" if that is not known; "" for no redirect.
        lasting: whether all of its redirects are for good; None where the server may read a rule otherwise.

    """

    path: str
    reason: Reason | None = None
    near: str = ""
    variants: tuple[str, ...] = ()
    outside: str = ""
    to: str = ""
    lasting: bool | None = True


@dataclass
class Server:
    """The server of a site.

    Attributes:
        listing: the files of the site.
        address: of the root of the tree.
        serving: how URLs are mapped to files.
        redirects: what redirects requests; the first that knows a URI counts.
        labels: the charsets in its headers that the user has named.
        undeclared: the charsets of pages that nothing declares, by the user's decision.

    """

    listing: Listing
    address: SiteAddress
    serving: Serving = field(default_factory=Serving)
    redirects: tuple[Source, ...] = ()
    labels: Labels = field(default_factory=Labels)
    undeclared: Labels | None = None

    @cached_property
    def headers(self) -> Headers:
        """The charsets that it sends."""
        return Headers(self.labels, self.listing.folders.charsets, self.undeclared)

    def label(self, path: str) -> str | None:
        """Return the label of the charset that is sent with a file, by its path from the root; None for none."""
        return self.headers.header(path, None)

    def answer(self, uri: str, charset: Charset = UTF8) -> Answer | None:
        """Return the answer to a request.

        Args:
            uri: absolute, dot segments resolved.
            charset: of the document that has the link.

        Returns:
            None for a URI outside of the site, and for one that no file can have.

        """
        uri = without_fragment(uri)
        to, home = "", self.at_home(uri)
        lasting: bool | None = True
        met = {home}
        while True:
            answer, following, is_for_good = self._step(home, charset)
            if following and home != uri:
                is_for_good = None  # another host may redirect otherwise
            lasting = None if None in {lasting, is_for_good} else bool(lasting and is_for_good)
            if not following:
                if answer is None:
                    return Answer("", to=to, lasting=lasting) if to else None
                return answer if answer.to else answer._replace(to=to, lasting=lasting)
            # A redirect without a fragment keeps the one before (Fetch Standard, 4.4).
            to = following if "#" in following else following + split(to)[2]
            uri = without_fragment(following)
            home = self.at_home(uri)
            if home in met or len(met) > _MOST_REDIRECTS:
                return Answer("", "loop", to=to)
            met.add(home)

    def file(self, uri: str) -> str:
        """Return the path of the file of a URI that is spelled as its path; "" for any other, which may have a file too.

        Most links are such; `answer` has the same file for them.

        Args:
            uri: absolute, without a fragment.

        """
        root = self.address.root
        if not uri.startswith(root) or self.serving.aliases or self.has_rules:
            return ""
        path = uri[len(root) :]
        entry = self.listing.entries.get(path)
        if entry is None or entry.kind != "file" or "%" in path or "?" in path:
            return ""
        return path if path.isascii() else ""

    def _step(self, uri: str, charset: Charset) -> tuple[Answer | None, str, bool | None]:
        """Return the answer to a request without a redirect, or the URI to which it is redirected, and `Answer.lasting`."""
        redirect = self._redirect(uri)
        if redirect is None or not redirect.is_forced:
            answer, to = self._of_file(uri, charset)
            if redirect is None or to or (answer is not None and answer.reason is None):
                # After a rule for missing files there may be one for all.
                hidden = None if redirect is None else self._in_folders(uri, forced=True)
                if hidden is None:
                    return answer, to, None if to and redirect is not None else True
                redirect = hidden
        if redirect.status >= GONE:
            return Answer("", "missing"), "", True
        if redirect.status == UNKNOWN:
            return Answer(""), "", True
        if redirect.status == FOUND:  # the other place is shown here
            answer, _ = self._of_file(self.at_home(without_fragment(redirect.target)), charset)
            # The file has another address of its own.
            return Answer("") if answer is None else answer._replace(path="", variants=()), "", True
        target = redirect.target
        if not target:
            return Answer("", to="?", lasting=None), "", None
        return None, target, redirect.is_lasting if redirect.is_certain else None

    def leads_elsewhere(self, uri: str, path: str) -> bool:
        """Return whether rules lead a request for a file to something else, as far as they are understood.

        Args:
            uri: absolute, without a fragment.
            path: of the file that has the name, or of a folder.

        """
        redirect = self._redirect(uri)
        if redirect is not None and not redirect.is_forced:
            redirect = self._in_folders(uri, forced=True)
        if redirect is None or redirect.status == UNKNOWN:
            return False
        if redirect.status >= GONE or not redirect.target:
            return redirect.status >= GONE
        target = without_fragment(redirect.target)
        there = self._of_file(self.at_home(target), UTF8)[0] if redirect.status == FOUND else self.answer(target)  # fmt: skip
        index = self.listing.index(path) if self.listing.is_folder(path) else path
        return there is None or there.path not in {path, index}

    def _redirect(self, uri: str) -> Redirect | None:
        """Return what rules say of a request; None for nothing."""
        redirect = None
        if self.redirects and uri.startswith(self._origin):
            redirect = first_of(self.redirects, uri)
        return self._in_folders(uri) if redirect is None and self.has_rules else redirect

    @cached_property
    def has_rules(self) -> bool:
        """Whether anything redirects requests."""
        return bool(self.redirects) or self.listing.folders.has_rules

    def _in_folders(self, uri: str, *, forced: bool = False) -> Redirect | None:
        """Return what the rules of the folders say that the path of a URI goes through."""
        located = self.address.locate(uri)
        if located is None:
            return None
        folder = located.path
        while not self.listing.is_folder(folder):
            folder = folder.rpartition("/")[0]
        return self.listing.folders.redirect(uri, folder, self._path, forced=forced)

    def _path(self, folder: str) -> str:
        """Return the path of the URL of a folder, percent-decoded."""
        uri = self.address.uri(folder, is_folder=True)
        return unquote(uri[len(self._origin) - 1 :], errors="surrogateescape")

    @property
    def _origin(self) -> str:
        """Scheme and host of the site, with a slash."""
        root = self.address.root
        return root[: root.index("/", root.index("//") + 2) + 1]

    def _of_file(self, uri: str, charset: Charset) -> tuple[Answer | None, str]:
        """Return the answer by the files alone, and the URI of a folder that lacks its slash, else ""."""
        for path, alias in self._aliases:
            if alias.address.locate(uri) is not None:
                answer, to = alias._of_file(uri, charset)
                return self._from_alias(path, alias, answer), to
        located = self.address.locate(uri)
        if located is None:
            return None, ""
        listing, path = self.listing, located.path
        match = listing.find(path)
        if match is None:
            return self._unmatched(located, charset), ""
        if match.how == "case":
            difference = self._difference(path, match)
            if difference != "case" or not self.serving.ignores_case:
                return Answer("", difference, match.path), ""
        if not listing.is_folder(match.path):
            is_slash = located.is_folder
            return Answer("", "missing", match.path) if is_slash else Answer(match.path), ""
        found = self._index(match.path)
        if found is None:
            clean = self._clean(located)
            return Answer("", "no-index") if clean is None else clean, ""
        if located.is_folder:
            return found, ""
        path, query, _ = split(uri)
        return None, f"{path}/{query}"

    def at_home(self, uri: str) -> str:
        """Return a URI with the address of this site in place of another host that is this site."""
        found = _HOST.match(uri) if self.serving.hosts else None
        if found is None or (found[1] or found[2] or "").lower() not in self.serving.hosts:
            return uri
        rest = uri[found.end() :]
        return self._origin + rest.removeprefix("/")

    def is_unknown(self, uri: str) -> bool:
        """Return whether nothing is known of the place of a URI: a folder that cannot be read, say."""
        uri = self.at_home(uri)
        for _, alias in self._aliases:
            if alias.address.locate(uri) is not None:
                return alias.is_unknown(uri)
        located = self.address.locate(uri)
        return located is None or self.listing.is_unknown(located.path)

    def shown(self) -> frozenset[str]:
        """Return the paths of the files that it shows without a link to them: for the root, and for errors."""
        pages = (resolved(each, self._origin) for each in self.listing.folders.error_pages())
        answers = (self.answer(uri) for uri in pages if uri is not None)
        return frozenset({self.listing.index("") or "", *(each.path for each in answers if each)})

    def is_file(self, answer: Answer) -> bool:
        """Return whether the file of an answer is a regular one."""
        if not answer.outside:
            entry = self.listing.entries.get(answer.path)
            return entry is not None and entry.kind == "file"
        return os.path.isfile(answer.outside)  # noqa: PTH113 - bytes in names

    @cached_property
    def _aliases(self) -> list[tuple[str, Server]]:
        """The servers of aliases with their paths, the longest path first; their folders are listed the first time."""
        serving = replace(self.serving, aliases=(), hosts=())
        return [
            (path, Server(survey(folder), SiteAddress(self._origin + path[1:]), serving))
            for path, folder in sorted(self.serving.aliases, key=lambda each: -len(each[0]))
        ]

    @cached_property
    def _served(self) -> Patterns:
        """The paths that programs serve."""
        return Patterns(self.serving.served)

    @cached_property
    def _variants(self) -> dict[str, list[str]]:
        """The files between which the server chooses; they are not looked for before a path has no file."""
        return variants(self.listing.files())

    def _from_alias(self, path: str, alias: Server, answer: Answer | None) -> Answer | None:
        """Return the answer of an alias with paths from the root of this tree."""
        if answer is None:
            return None
        near = f"{path.strip('/')}/{answer.near}" if answer.near else ""
        if answer.variants:
            files = (join(alias.listing.root, each) for each in answer.variants)
            paths = (relative(each, self.listing.root) for each in files)
            return Answer("", variants=tuple(each for each in paths if each is not None))
        if not answer.path:
            return answer._replace(near=near)
        file = join(alias.listing.root, answer.path)
        inside = relative(file, self.listing.root)
        if inside is None:
            return Answer("", outside=absolute(file))
        return Answer(inside)

    def _unmatched(self, located: Located, charset: Charset) -> Answer:
        """Return the answer where no file and no folder has the name."""
        path = located.path
        if self._served.matches(path) or self._has_path_info(path):
            return Answer("")
        clean = self._clean(located)
        if clean is not None:
            return clean
        real = self.listing.real
        near = next((each for each in _respelled(path, charset) if real(each) is not None), None)
        return Answer("", "missing") if near is None else Answer("", "spelling", near)

    def _has_path_info(self, path: str) -> bool:
        """Return whether a program, or a file that may, reads the names behind its own in a path."""
        while path := path.rpartition("/")[0]:
            file = self._file(path)
            if file is not None:
                said = self.listing.folders.of(file.rpartition("/")[0]).path_info
                return self.listing.folders.is_program(file) if said is None else said
        return False

    def _index(self, folder: str) -> Answer | None:
        """Return what the server shows for a folder, None if there is nothing."""
        index = self.listing.index(folder)
        if index is not None:
            return Answer(index)
        for name in self.listing.indices(folder):
            path = f"{folder}/{name}".lstrip("/")
            file = self._file(path) if self.serving.ignores_case else None
            if file is not None:
                return Answer(file)
            if name.startswith("/"):  # a program, or a file of the whole site
                return Answer("")
            if (negotiated := self._negotiated(path)) is not None:
                return negotiated
        return None

    def _clean(self, located: Located) -> Answer | None:
        """Return the answer for a path without its extension, None if there is no such file."""
        serving = self.serving
        clean = self.listing.folders.of(located.path.rpartition("/")[0]).clean_urls
        clean = serving.clean_urls if clean is None else clean
        may_be = serving.trailing_slashes if located.is_folder else clean
        file = self._file(located.path + _CLEAN) if may_be and located.path else None
        if file is not None:
            return Answer(file)
        return None if located.is_folder else self._negotiated(located.path)

    def _negotiated(self, path: str) -> Answer | None:
        """Return the variant of a path, or all of them; None if there is none, or if the server does not negotiate."""
        said = self.listing.folders.of(path.rpartition("/")[0]).multiviews
        if not (self.serving.multiviews if said is None else said):
            return None
        found = self._variants.get(path, [])
        if len(found) == 1:
            return Answer(found[0])
        return Answer("", variants=tuple(found)) if found else None

    def _file(self, path: str) -> str | None:
        """Return the file at a path, None if there is none."""
        match = self.listing.find(path) if self.serving.ignores_case else None
        real = self.listing.real(path) if match is None else match.path
        return None if real is None or self.listing.is_folder(real) else real

    def _difference(self, path: str, match: Match) -> Reason:
        """Return whether a name differs in case, or only in its Unicode normalization form."""
        names = (ucd.normalize("NFC", self.listing.text(each)) for each in (path, match.path))
        return "spelling" if len({*names}) == 1 else "case"


def server_of(
    root: str, address: SiteAddress, serving: Serving, report: Callable[[LinkfixError], object]
) -> Server:
    """Return the server of a folder, which is listed now; its redirects are read.

    Args:
        root: the folder.
        address: its address.
        serving: how URLs are mapped to files.
        report: called with the error of a file of redirects that cannot be read.

    """
    from linkfix.server.redirects.files import configured

    listing = survey(root)
    listing.index_names = (*serving.index, *listing.index_names)
    redirects, serving = configured(listing, address.root, serving, report)
    return Server(listing, address, serving, redirects)


def _respelled(path: str, charset: Charset) -> Iterator[str]:
    """Yield other spellings of a path: its characters in a charset, its octets read in it."""
    octets = os.fsencode(path)
    if octets.isascii() or charset.is_unicode:
        return
    try:
        yield os.fsdecode(charset.encode(octets.decode()))
    except UnicodeDecodeError:
        yield charset.decode(octets)
    except UnicodeEncodeError:
        return
