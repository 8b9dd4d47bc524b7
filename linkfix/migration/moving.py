"""Move a file or folder inside a site.

Input: the root of a site, the old path and the new one. Output: for each URI of the site its new URI (`Policy.target`),
the redirects, and in the end the renaming. Two servers answer each URI: of the site as it is, and of the site after the
move. A link needs another URI where the second one would answer with another file. So index files, clean URLs and
symbolic links follow the same rules as in the audit. The cost is a second listing in memory.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from urllib.parse import unquote_to_bytes

from linkfix.charset.sniff import sniff
from linkfix.errors import MoveError, UnreadableError
from linkfix.files.access import begin_of, chunks, exists, open_document, place_in, replacing
from linkfix.files.commit import sync_folder
from linkfix.files.local import unreadable
from linkfix.files.paths import MARK, OWN_PREFIX, is_own, join, split_packed
from linkfix.files.tree import NO_PART
from linkfix.iri.reference import without_fragment
from linkfix.markup.detect import is_misnamed, type_of_name
from linkfix.migration.index import is_script
from linkfix.migration.renames import MISNAMED, Moves, at_host
from linkfix.policy import Policy
from linkfix.server.addresses import Located
from linkfix.server.headers import MOST_BYTES, content_of
from linkfix.server.includes import DECLARATIONS, IncludeScanner
from linkfix.server.listing import Entry, Listing, above
from linkfix.server.server import Answer, Server
from linkfix.server.writing import Renaming, is_written, rewritten, stale_in_code, stale_lines

#: The extension that clean URLs leave out.
_CLEAN = ".html"
#: The extensions of DTDs, their modules, and entities.
_DTD = (".dtd", ".ent", ".mod")
#: How many URIs are remembered.
_MOST_TARGETS = 100_000


@dataclass(slots=True)
class SiteMove:
    """A move that can be done.

    Attributes:
        before: answers requests before the move.
        after: answers requests after it.
        old: path of the file or folder, from the root of the site.
        new: its new path.
        is_done: whether it has been renamed already.
        near: why links stay although something moves that they may mean, by their URIs; `target` adds to it.

    """

    before: Server
    after: Server
    old: str
    new: str
    is_done: bool = False
    near: dict[str, str] = field(default_factory=dict)
    target: Callable[[str], str | None] = field(init=False, repr=False)

    @property
    def root(self) -> str:
        """The root of the site."""
        return self.before.listing.root

    def renamed(self, path: str) -> str:
        """Return the path of a file or folder after the move."""
        return _renamed(path, self.old, self.new)

    def before_at(self, path: str) -> str:
        """Return the path before the move of what is at a path while the links are rewritten."""
        return _renamed(path, self.new, self.old) if self.is_done else path

    def policy(self, policy: Policy) -> Policy:
        """Return how documents are rewritten for the move; a file that moves proves how the octets of a link to it are read."""
        return replace(
            policy, target=self.target, keeps_spelling=True, disputed="chromium", trusts_guess=True
        )

    def check_includes(self, path: str, data: Iterable[bytes], *, dtd: bool = False) -> None:
        """Check that a document includes the same files after the move.

        Args:
            path: of the document while the links are rewritten, from the root of the site.
            data: its bytes in chunks; Apache looks for instructions in them whatever their charset is.
            dtd: whether the name of its DTD is a link, and is rewritten.

        Raises:
            MoveError: it would include another file, or none.

        """
        before = self.before_at(path)
        # No reader of HTML reads a DTD.
        named = () if type_of_name(before) == "html" else DECLARATIONS
        declarations = [name for name in named if name != "DOCTYPE" or not dtd]
        scanner = IncludeScanner(before, self.before.listing, declarations)
        for include in chain.from_iterable(map(scanner.feed, data)):
            after = include.target(self.renamed(before))
            if after == self.renamed(include.target(before)):
                continue
            hint = f"let the instruction name {self.renamed(include.file)} first"
            if not dtd and type_of_name(before) in {"xml", "xhtml"}:
                hint += "; --dtd rewrites the name of a DTD"
            raise MoveError(
                f"it includes {include.name}, and would not find it after the move",
                hint=hint,
                file=path,
                offset=include.offset,
                line=include.line,
            )

    def check_charset(self, path: str, prefix: bytes) -> None:
        """Check that a page is read in the same charset after the move, which the server may say by its folder.

        Args:
            path: of the page while the links are rewritten, from the root of the site.
            prefix: its first bytes.

        Raises:
            MoveError: it would be read in another one.

        """
        old = self.before_at(path)
        labels = self.before.label(old), self.after.label(self.renamed(old))
        type = type_of_name(old)
        if labels[0] == labels[1] or type not in {"html", "css"}:
            return
        one, other = (
            "no charset" if each is None or each.guessed else each.charset.name
            for each in (sniff(prefix, type=type, label=label, final=True) for label in labels)
        )
        if one != other:
            raise MoveError(
                f"it is read in {one} since the server says so by its folder, and after the move it would be in {other}",
                hint=f"say the charset of its new place in an .htaccess file there first: AddDefaultCharset {one}",
                file=path,
            )

    def check_programs(self) -> None:
        """Check that programs and DTDs, which are not rewritten, include the same files after the move.

        Raises:
            MoveError: one would include another file, or none.
            UnreadableError: one cannot be read.

        """
        listing = self.before.listing
        dtds = (path for path in listing.files() if path.lower().endswith(_DTD))
        for path in chain(listing.programs(), dtds):
            place = self.renamed(path) if self.is_done else path
            with open_document(join(self.root, place)) as file:
                self.check_includes(place, chunks(file))

    def __post_init__(self) -> None:
        #: Returns the new URI for an absolute URI; None if it stays (`Policy.target`).
        self.target = lru_cache(_MOST_TARGETS)(self._target)

    def _target(self, uri: str) -> str | None:
        home = self.before.at_home(uri)
        if home != uri:  # another host that is this site
            return at_host(uri, home, self.target(home))
        located = self.before.address.locate(uri)
        answer = self.before.answer(uri)
        if located is None or answer is None:
            return None
        if answer.variants:
            return self._to_variants(uri, located, answer)
        if answer.path:
            return self._to_file(uri, located, answer)
        is_moved = self.renamed(located.path) != located.path
        if is_moved and answer.reason is not None:  # no file, in a folder that moves
            return self._uri(uri, self.renamed(located.path), located, is_folder=located.is_folder)
        if answer.reason == "case" and self.renamed(answer.near) != answer.near:
            self.near[uri] = (
                f"it differs in case from {answer.near}, and leads nowhere on most servers"
            )
        for folder in above(self.old) if answer.reason == "missing" else ():
            path = f"{folder}/{located.path}"
            if self.renamed(path) != path and self.before.listing.find(path) is not None:
                self.near[uri] = (
                    f"it leads to nothing below this root; name {folder} with --root if that is the root of the site"
                )
        return None

    def _to_file(self, uri: str, located: Located, answer: Answer) -> str | None:
        """Return the new URI for one that the server answers with a file; None if it stays."""
        target, redirected = self.renamed(answer.path), bool(answer.to)
        if self._answers(uri, target, redirected=redirected):
            return None
        for path, is_folder in self._candidates(located, target):
            new = self._uri(uri, path, located, is_folder=is_folder)
            if self._answers(new, target, redirected=redirected):
                return new
        return None

    def _to_variants(self, uri: str, located: Located, answer: Answer) -> str | None:
        """Return the new URI for one that the server answers with one of several files; None if it stays."""
        target = {*map(self.renamed, answer.variants)}
        if target == {*answer.variants}:
            return None
        new = self._uri(uri, self.renamed(located.path), located, is_folder=located.is_folder)
        after = self.after.answer(new)
        if after is not None and {*after.variants} == target:
            return new
        self.near[without_fragment(uri)] = (
            f"the server chooses between {' and '.join(answer.variants)}"
        )
        return None

    def _candidates(self, located: Located, target: str) -> Iterator[tuple[str, bool]]:
        """Yield the paths that may lead to a file after the move, and whether each gets a slash: first the most alike."""
        yield self.renamed(located.path), located.is_folder
        folder, _, name = target.rpartition("/")
        is_folder = self.before.listing.is_folder(located.path)
        if is_folder and name in self.after.listing.indices(folder):
            yield folder, True
        if not located.path.endswith(_CLEAN):
            yield target.removesuffix(_CLEAN), located.is_folder
        yield target, False

    def _answers(self, uri: str, path: str, *, redirected: bool) -> bool:
        """Return whether the server answers a URI with a file after the move.

        Args:
            uri: absolute.
            path: of the file.
            redirected: whether a redirect may lead there.

        """
        answer = self.after.answer(uri)
        return answer is not None and answer.path == path and (redirected or not answer.to)

    def _uri(self, old: str, path: str, located: Located, *, is_folder: bool) -> str:
        """Return the URI of a path, with query and fragment of the old URI and its spelling of the names that stay."""
        known = {unquote_to_bytes(name): name for name in old.removesuffix(located.rest).split("/")}
        root = self.before.address.root
        names = self.before.address.uri(path, is_folder=is_folder).removeprefix(root).split("/")
        spelled = "/".join(known.get(unquote_to_bytes(each), each) for each in names)
        return f"{root}{spelled}{located.rest}"

    def redirects(self) -> tuple[list[tuple[str, str]], set[str]]:
        """Return the redirects for the files that move, and the URIs that stand (`Moves.redirects`)."""
        listing, address = self.before.listing, self.before.address
        paths = {path: new for path in listing.entries if (new := self.renamed(path)) != path}
        moves = Moves(listing, address, address, None, paths)
        moved, standing = moves.redirects()
        serving = self.before.serving
        ends = [""] * serving.clean_urls + ["/"] * serving.trailing_slashes
        moved += [
            (old.removesuffix(_CLEAN) + end, new.removesuffix(_CLEAN) + end)
            for end in ends
            for old, new in moved
            if old.endswith(_CLEAN) and new.endswith(_CLEAN)
        ]
        return moved, standing

    def renew(self, *, writes: bool) -> Iterator[tuple[str, bool, list[tuple[int, str]]]]:
        """Write the files of the server anew (`linkfix.server.writing`), and look at the addresses in scripts.

        Args:
            writes: whether they are written; otherwise it is only said what would change.

        Yields:
            The path of each, whether it changes, and the lines that name something by its old name still.

        Raises:
            UnreadableError: one cannot be read or replaced.

        """
        address = self.before.address
        site = Renaming(self.before.listing, address, address, self.target, self.renamed)
        for path in filter(is_written, self.before.listing.files()):
            place = join(self.root, self.renamed(path) if self.is_done else path)
            old = content_of(place)
            new, stale = rewritten(old, path, site)
            if writes and new != old:
                with replacing(place) as (_, sink):
                    sink.write(new)
            yield path, new != old, stale
        for path in self.before.listing.files():
            if is_script(path) or type_of_name(path) in {"html", "xhtml"}:
                place = join(self.root, self.renamed(path) if self.is_done else path)
                yield path, False, [*stale_in_code(begin_of(place, MOST_BYTES), path, site)]
        for path in self.before.serving.configuration:
            yield path, False, [*stale_lines(path, site)]

    def finish(self) -> None:
        """Rename the file or folder, after all documents were rewritten, unless that is done.

        Raises:
            LinkfixError: there is a file of the new name by now, or the system refuses it.

        """
        if self.is_done:
            return
        if (packed := split_packed(self.root)) is not None:
            from linkfix.files.packed import changes_of, container_at

            names = {name: self.renamed(name) for name in container_at(packed[0]).sizes}
            changes_of(packed[0]).names.update({x: new for x, new in names.items() if x != new})
            return
        old = Path(self.root, self.old)
        place = Path(place_in(self.root, self.new))
        try:
            _check_free(self.before, self.old, self.new)
            old.rename(place)
        except MoveError as error:
            raise UnreadableError(error.message, hint=error.hint, file=error.file) from None
        except OSError as error:
            raise unreadable(str(old), f"cannot rename it to {place}", error) from error
        for folder in {old.parent, place.parent}:
            sync_folder(folder)


def plan_move(server: Server, old: str, new: str, *, resume: bool = False) -> SiteMove:
    """Plan a move.

    Args:
        server: of the site.
        old: path of the file or folder, from `linkfix.sites.moving.path_in`.
        new: its new path.
        resume: whether an earlier run may have done it.

    Raises:
        MoveError: it is impossible, or would lose a file.

    """
    listing = server.listing
    if resume and old not in listing.entries and new in listing.entries:
        return SiteMove(server, server, old, new, is_done=True)
    _check_paths(listing, old, new, old)
    if not listing.is_folder(old) and is_misnamed(old, new):
        raise MoveError(MISNAMED, hint=f"keep the extension of {old}", file=new)
    _check_free(server, old, new)
    if split_packed(listing.root) is None:
        _check_devices(listing.root, old, new)
    _check_links(listing, old, new)
    return SiteMove(server, _server_after(server, old, new), old, new)


def followed(moves: Iterable[SiteMove], server: Server) -> list[SiteMove]:
    """Return moves of the same site, each of which begins where the one before it ends.

    Args:
        moves: from `plan_move`, for the same server.
        server: of the site.

    """
    chain: list[SiteMove] = []
    for move in moves:
        after = _server_after(server, move.old, move.new)
        chain.append(SiteMove(server, after, move.old, move.new))
        server = after
    return chain


def plan_links(server: Server, old: str, new: str) -> SiteMove:
    """Plan to rewrite the links for a file or folder that was renamed without them.

    Args:
        server: of the site.
        old: path that the file or folder had, from `linkfix.sites.moving.path_in`.
        new: its path.

    Raises:
        MoveError: there is a file at the old path still, or none at the new one.

    """
    _check_paths(server.listing, old, new, new)
    if old in server.listing.entries:
        raise MoveError("it is still there", hint="leave out --after to move it", file=old)
    return SiteMove(_server_after(server, new, old), server, old, new, is_done=True)


def _server_after(server: Server, old: str, new: str) -> Server:
    """Return the server of the site after a file or folder was renamed."""
    listing = server.listing
    entries = {
        _renamed(path, old, new): Entry(
            entry.kind, None if entry.target is None else _renamed(entry.target, old, new)
        )
        for path, entry in listing.entries.items()
    }
    for folder in above(new):
        entries.setdefault(folder, Entry("folder"))
    after = replace(listing, entries=entries)
    after.folders = listing.folders.renamed(lambda path: _renamed(path, old, new))
    return replace(server, listing=after)


def _renamed(path: str, old: str, new: str) -> str:
    is_moved = f"{path}/".startswith((f"{old}/", old + MARK))
    return new + path[len(old) :] if is_moved else path


def _check_paths(listing: Listing, old: str, new: str, there: str) -> None:
    """Refuse names that nothing in a site has, paths through symbolic links and files, and `there` where there is no file."""
    if old == new:
        raise MoveError("it is there already", hint="name another place", file=new)
    if new.startswith(f"{old}/"):
        raise MoveError(
            "a folder cannot move into itself", hint="name a place outside of it", file=new
        )
    for path in (old, new):
        if is_own(path):
            raise MoveError(
                f"linkfix keeps names that begin with {OWN_PREFIX} for its own files", file=path
            )
        if any(f"{name}/" in NO_PART for name in path.split("/")):
            raise MoveError(
                "the folders of version control systems are no part of a site", file=path
            )
    for path in (old, new):
        for folder in above(path):
            entry = listing.entries.get(folder)
            if entry is not None and entry.kind == "symbolic link":
                real = listing.real(path.rpartition("/")[0])
                raise MoveError(
                    f"{folder} is a symbolic link",
                    hint="name a folder in the site"
                    if real is None
                    else f"say {f'{real}/' * bool(real)}{path.rpartition('/')[2]}",
                    file=path,
                )
            if entry is not None and entry.kind != "folder":
                raise MoveError(f"{folder} is a file", hint="name another folder", file=path)
    entry = listing.entries.get(there)
    if entry is None:
        hint = f"name it by its path from {listing.root}"
        raise MoveError("there is no such file or folder in the site", hint=hint, file=there)
    if entry.kind == "special file":
        raise MoveError("this is no regular file, and no folder", file=there)


def _check_free(server: Server, old: str, new: str) -> None:
    """Refuse a new path that exists; a name that differs from the old one in case only may be the same file."""
    root, hint = server.listing.root, "name another place, or remove it"
    place = Path(root, new)
    there = server.listing.find(new) if server.serving.ignores_case else None
    if there is not None and there.path not in {old, new}:
        why = f"there is {there.path}, which is the same to a server that ignores case"
        raise MoveError(why, hint=hint, file=new)
    if not exists(join(root, new)):
        return
    is_same = Path(root, old).exists() and place.exists() and place.samefile(Path(root, old))
    if is_same and place not in place.parent.iterdir():
        return
    if place.is_dir():
        hint = f"say {new}/{old.rpartition('/')[2]} to move it in there"
    raise MoveError("there is a file or folder of this name", hint=hint, file=new)


def _check_devices(root: str, old: str, new: str) -> None:
    """Refuse a move between file systems, which cannot be done at once."""
    there = Path(root, new).parent
    while not there.exists():
        there = there.parent
    here = Path(root, old)
    devices = {path.lstat().st_dev for path in (here, here.parent, there)}
    if len(devices) > 1:
        raise MoveError(
            "the old and the new place are on different file systems",
            hint="name a place on the same one",
            file=new,
        )


def _check_links(listing: Listing, old: str, new: str) -> None:
    """Refuse a move after which a symbolic link would lead elsewhere."""
    top = os.path.realpath(listing.root)
    for path, entry in listing.entries.items():
        if entry.kind != "symbolic link":
            continue
        text = os.readlink(os.path.join(listing.root, path))  # noqa: PTH115, PTH118 - bytes in names
        folder, renamed = (os.path.dirname(each) for each in (path, _renamed(path, old, new)))  # noqa: PTH120 - bytes in names
        place = os.path.normpath(os.path.join(top, folder, text))  # noqa: PTH118 - bytes in names
        points_to = os.path.relpath(place, top)
        after = os.path.join(top, _renamed(points_to, old, new))  # noqa: PTH118 - bytes in names
        if os.path.normpath(after) != os.path.normpath(os.path.join(top, renamed, text)):  # noqa: PTH118 - bytes in names
            raise MoveError(
                "this symbolic link would lead elsewhere; nothing was changed",
                hint=f"remove it, and make it again after the move: it points to {points_to}",
                file=path,
            )
