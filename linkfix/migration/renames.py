"""New names for the files of a tree, and their new URIs.

Three things change the URI of a file: its name is converted to UTF-8, its extension changes, or a rule of the link map
matches it. Names are converted first, segment by segment; then prefix rules apply; an exact rule sets the whole URI.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from linkfix.charset import Charset, lookup
from linkfix.charset.model import REPLACEMENT, is_utf8
from linkfix.errors import MigrationError
from linkfix.files.paths import is_own
from linkfix.iri.reference import without_fragment
from linkfix.iri.unicode.ucd import folded
from linkfix.markup.detect import is_misnamed
from linkfix.policy import LinkMap
from linkfix.server.addresses import Located, SiteAddress
from linkfix.server.headers import Labels
from linkfix.server.listing import Listing, Match, above
from linkfix.server.server import Server

#: Why a file cannot have a name (`is_misnamed`).
MISNAMED = "it could not be read: by one of the two names it is compressed, or a container, and by the other it is not"
#: The longest name in bytes on common file systems.
_LONGEST = 255


@dataclass(slots=True)
class Names:
    """The conversion of names to UTF-8.

    Attributes:
        labels: the charsets of names on disk.
        extensions: new extensions by old ones, dots included, in lower case.
        kept: the reasons why names were kept that should change, by their paths.

    """

    labels: Labels
    extensions: Mapping[str, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict, repr=False)

    def text(self, path: str) -> str:
        """Return a path with each name decoded; a name that cannot be decoded stays."""
        if path.isascii() and "\x1b" not in path:
            return path
        folder, _, name = path.rpartition("/")
        before = self._texts.get(folder)
        if before is None:
            before = self._texts[folder] = self.text(folder) if folder else ""
        decoded = self._decoded(path, name)
        return f"{before}/{decoded}" if folder else decoded

    def new(self, path: str, *, is_file: bool) -> str:
        """Return the new path of an entry; its last name stays if it cannot be decoded."""
        new = self.text(path)
        if is_file and self.extensions:
            stem, dot, extension = new.rpartition(".")
            renamed = self.extensions.get(f".{extension.lower()}") if dot and stem else None
            if renamed is not None and not stem.endswith("/"):
                new = stem + renamed
        if new != path and len(os.fsencode(new.rpartition("/")[2])) > _LONGEST:
            self.kept[path] = f"the new name has more than {_LONGEST} bytes"
            folder = path.rpartition("/")[0]
            new = self.text(folder) + path[len(folder) :] if folder else path
        return new

    def _decoded(self, path: str, name: str) -> str:
        charset = lookup(self.labels.label(path) or "utf-8")
        if charset.is_unicode or not _is_in(name, charset):
            return name
        decoded = charset.decode(os.fsencode(name))
        # Decoding drops an escape sequence that is cut off; U+FFFD shows other errors.
        if REPLACEMENT in decoded or "/" in decoded or "\0" in decoded:
            self.kept[path] = f"its name is not in {charset.name}"
            return name
        return decoded if decoded not in {"", ".", ".."} else name


def _is_in(name: str, charset: Charset) -> bool:
    """Return whether a name can be in a charset; a name in UTF-8 cannot.

    Names in ISO-2022-JP look like ASCII; their escape sequences identify them.
    """
    if charset.name == "ISO-2022-JP":
        return "\x1b" in name
    return not name.isascii() and not is_utf8(os.fsencode(name))


def at_host(uri: str, home: str, target: str | None) -> str | None:
    """Return the new URI for one with another host of a site; one that goes to another site has no such host.

    Args:
        uri: the old URI.
        home: the same one with the host of the site.
        target: the new one for that; None if it stays.

    """
    host, own = ("/".join(each.split("/", 3)[:3]) for each in (uri, home))
    if target is None or not target.startswith(f"{own}/"):
        return target
    return host + target[len(own) :]


@dataclass(slots=True)
class Moves:
    """The new targets for URIs of the old site.

    Attributes:
        listing: the old tree.
        old: the address of the old tree.
        new: the address of the new tree.
        links: the link map; None for none.
        paths: new path by old one, for entries whose path changes.
        uris: new URI by old path, for entries whose URI does not follow from their new path.
        fix_case: whether to correct links that differ from a file's name in case.
        server: of the old site: what its rules lead elsewhere has its old address; None for none.

    """

    listing: Listing
    old: SiteAddress
    new: SiteAddress
    links: LinkMap | None
    paths: dict[str, str] = field(default_factory=dict)
    uris: dict[str, str] = field(default_factory=dict)
    fix_case: bool = False
    server: Server | None = None

    @property
    def moves_any(self) -> bool:
        """Whether `target` can have another place for a link at all."""
        return bool(self.links or self.paths or self.uris or self.fix_case)

    def path(self, old: str) -> str:
        """Return the new path of an entry."""
        return self.paths.get(old, old)

    def find(self, uri: str) -> Match | None:
        """Find the file of a URI of the old site; None for none."""
        located = self.old.locate(uri)
        return None if located is None else self.listing.find(located.path)

    def target(self, uri: str) -> str | None:
        """Return the new target of a link, None if it stays (`Policy.target`)."""
        rule = None if self.links is None else self.links.target(uri)
        if rule is not None and rule.rule.kind == "exact":
            return rule.target
        home = uri if self.server is None else self.server.at_home(uri)
        if home != uri:  # another host that is this site
            target = self.target(home)
            return at_host(uri, home, target) if target or rule is None else rule.target
        if (located := self.old.locate(uri)) is not None:
            match = self.listing.find(located.path)
            if match is None:
                if new := self._answered(uri, located):
                    return new
            elif self._is_found(uri, match) and not self._is_elsewhere(uri, match.path):
                return self._moved(located, match)
        return None if rule is None else rule.target

    def corrects(self, uri: str, reason: str) -> bool:
        """Return whether a broken link gets the right target, by an exact rule of the map or by its case; `reason` says why it is broken."""
        rule = None if self.links is None else self.links.target(uri)
        is_exact = rule is not None and rule.rule.kind == "exact"
        return is_exact or (reason == "case" and self.fix_case)

    def _is_found(self, uri: str, match: Match) -> bool:
        """Return whether a link means what it matches; in another case only where the server answers, or links are corrected."""
        if match.how != "case" or self.fix_case:
            return True
        answer = None if self.server is None else self.server.answer(uri)
        return answer is not None and answer.path != ""

    def _moved(self, located: Located, match: Match) -> str | None:
        folder = self.listing.is_folder(match.path)
        if folder and self.fix_case and self.listing.index(match.path) is None:
            names = [f"{match.path}/{x}".lstrip("/") for x in self.listing.indices(match.path)]
            found = (each for each in map(self.listing.find, names) if each is not None)
            match = next(found, match)  # an index file in another case
            folder = self.listing.is_folder(match.path)
        old = self.old.uri(match.path, is_folder=folder)
        new = self.uri(match.path)
        if old == new and match.how != "spelling" and not (match.how == "case" and self.fix_case):
            return None
        if folder and not located.is_folder:
            new = new.removesuffix("/")
        return new + located.rest

    def _answered(self, uri: str, located: Located) -> str | None:
        """Return the new URI for one without a file of its name, as clean URLs and those of variants are; None if it stays."""
        answer = None if self.server is None else self.server.answer(uri)
        if answer is None or answer.to:
            return None
        files = answer.variants or (answer.path,)
        old, new = (
            {uri(path).removesuffix(path[len(located.path) :]) for path in files}
            for uri in (self.old.uri, self.uri)
        )
        name = folded(located.path)
        is_alike = len(new) == 1 and all(folded(path).startswith(name) for path in files)
        if not is_alike or new == old:
            return None
        return new.pop() + "/" * located.is_folder + located.rest

    def _is_elsewhere(self, uri: str, path: str | None = None) -> bool:
        """Return whether rules of the old server lead a request for an entry to something else."""
        if self.server is None or not self.server.has_rules:
            return False
        if path is None:
            match = self.find(uri)
            path = "" if match is None else match.path
        return bool(path) and self.server.leads_elsewhere(without_fragment(uri), path)

    def uri(self, path: str) -> str:
        """Return the new URI of an entry of the old tree."""
        new = self.uris.get(path)
        if new is not None:
            return new
        return self.new.uri(self.path(path), is_folder=self.listing.is_folder(path))

    def places(self) -> Iterator[tuple[str, str]]:
        """Yield old and new URI of every file, and of every folder that has an index file."""
        for path, entry in self.listing.entries.items():
            folder = self.listing.is_folder(path)
            is_shown = not folder or self.listing.index(path) is not None
            if entry.kind != "special file" and is_shown:
                yield self.old.uri(path, is_folder=folder), self.uri(path)

    def redirects(self) -> tuple[list[tuple[str, str]], set[str]]:
        """Return the redirects for the moves.

        Returns:
            Old and new URIs, and the URIs of the new site. Exact rules of the link map are among the first. A URI that the
            old server redirects elsewhere is not, and no URI of the new site is redirected, even if it was another file's.

        """
        places = list(self.places())
        standing = {new for _, new in places}
        known = {old for old, _ in places}
        places += [
            (rule.old, rule.new)
            for rule in (() if self.links is None else self.links.rules)
            if rule.kind == "exact" and rule.old not in known and self.old.locate(rule.old) is not None
            and "#" not in rule.old + rule.new
        ]  # fmt: skip
        moved = [(old, new) for old, new in places if old not in standing and not self._is_elsewhere(old)]  # fmt: skip
        return moved, standing


def plan(
    listing: Listing,
    old: SiteAddress,
    names: Names,
    links: LinkMap | None,
    *,
    folds: Callable[[], bool] = lambda: False,
) -> Moves:
    """Decide the new path and URI of every entry.

    Args:
        listing: the old tree.
        old: its address.
        names: the conversion of names.
        links: the link map; None for none.
        folds: returns whether the new file system ignores differences of names in case, or in Unicode
            composition; called if there are such names.

    Raises:
        MigrationError: two entries would have one path, or the path of one is impossible.

    """
    root = None if links is None else links.follow(old.root)
    new = old if root is None else SiteAddress.at(root)
    moves = Moves(listing, old, new, links)
    problems: list[str] = []
    for path in listing.entries:
        is_folder = listing.is_folder(path)
        renamed = names.new(path, is_file=not is_folder)
        uri, exact = _mapped(moves, path, renamed)
        if uri is not None and not (is_folder and exact):
            try:
                renamed = _path_of(uri, moves, is_folder=is_folder) or renamed
            except ValueError as error:
                problems.append(f"{path}: {error}")
        if is_own(renamed):
            problems.append(
                f"{path} would become {renamed}, a name that linkfix keeps for its own files"
            )
        if not is_folder and is_misnamed(path, renamed):
            problems.append(f"{path} would become {renamed}: {MISNAMED}")
        if renamed != path:
            moves.paths[path] = renamed
        if uri is not None and uri != new.uri(renamed, is_folder=is_folder):
            moves.uris[path] = uri
    problems += _collisions(moves, folds=folds)
    if problems:
        raise MigrationError.of(problems)
    return moves


def _mapped(moves: Moves, path: str, renamed: str) -> tuple[str | None, bool]:
    """Return the URI of an entry by the link map, None for none; and whether an exact rule set it."""
    if moves.links is None:
        return None, False
    is_folder = moves.listing.is_folder(path)
    before = moves.links.target(moves.old.uri(path, is_folder=is_folder))
    if before is None or before.rule.kind == "exact" or path == renamed:
        exact = before is not None and before.rule.kind == "exact"
        return (None if before is None else before.target), exact
    after = moves.links.target(moves.old.uri(renamed, is_folder=is_folder))
    if after is not None and after.rule == before.rule:
        return after.target, False
    # The rule matches the old name of a folder above; the rest of the path is renamed as well.
    old, new = (moves.old.uri(each).split("/") for each in (path, renamed))
    slash = "/" if is_folder else ""
    parts = before.target.removesuffix("/").split("/")
    for back in range(1, min(len(old), len(parts)) + 1):
        if parts[-back] != old[-back]:
            break
        parts[-back] = new[-back]
    return "/".join(parts) + slash, False


def _path_of(uri: str, moves: Moves, *, is_folder: bool) -> str | None:
    """Return the path for a file or folder with a new URI; None if the URI is outside of the new tree.

    Raises:
        ValueError: no file of the new tree can have the URI.

    """
    located = moves.new.locate(uri)
    if located is None:
        if uri.startswith(moves.new.root):
            raise ValueError(f"the link map sends it to {uri}, which no file can have")
        return None
    if located.rest:
        raise ValueError(f"the link map sends it to {uri}; a file has neither query nor fragment")
    index = moves.listing.index_names[0] if located.is_folder and not is_folder else ""
    path = "/".join(filter(None, (located.path, index)))
    if any(len(os.fsencode(name)) > _LONGEST for name in path.split("/")):
        raise ValueError(f"the link map sends it to {uri}, a name of more than {_LONGEST} bytes")
    return path


def _collisions(moves: Moves, *, folds: Callable[[], bool]) -> list[str]:
    """Report the entries that would have one path, or paths equal on some file systems."""
    changed = moves.paths
    groups: dict[str, list[str]] = {}
    needed: dict[str, str] = {}
    for path, entry in moves.listing.entries.items():
        if entry.kind == "special file":
            continue
        new = moves.path(path)
        groups.setdefault(folded(new), []).append(path)
        if entry.kind != "folder":
            needed.update(dict.fromkeys(above(new), path))
    problems = []
    for paths in groups.values():
        if len(paths) == 1 or not (any(path in changed for path in paths) or folds()):
            continue
        new_paths = sorted({moves.path(path) for path in paths})
        entries = (moves.listing.entries[path] for path in paths)
        if len(new_paths) > 1 or any(entry.kind != "folder" for entry in entries):
            problems.append(f"{' and '.join(paths)} would become {' and '.join(new_paths)}")
    for path, entry in moves.listing.entries.items():
        inside = needed.get(moves.path(path))
        if entry.kind != "folder" and inside is not None:
            problems.append(f"{path} would be a file where {inside} needs a folder")
    return problems
