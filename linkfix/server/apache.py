"""Directives of Apache: those of `.htaccess` files, and of files of the server that the user names.

==========================================  ==========================================================
directive                                   what is read
==========================================  ==========================================================
``DirectoryIndex NAME …``, ``disabled``      the files that a folder shows (mod_dir)
``Options [+|-]MultiViews``, ``Includes``   whether it negotiates (`linkfix.server.listing`), and whether pages include files
``AddHandler``, ``AddType``                 which extensions programs have
``ErrorDocument``                           the pages that it shows for errors
``AddDefaultCharset`` and others            the charsets that it names in headers (`linkfix.server.headers`)
``AcceptPathInfo On``                       whether names may follow the name of a file (core)
``Redirect…``, ``RedirectMatch``            redirects of the folder and the folders above it (mod_alias)
``RewriteRule``, ``RewriteCond``            of the innermost folder that has rules (mod_rewrite)
``FallbackResource``                        what is shown where there is no file (mod_dir)
``<Directory>``, ``Alias``, ``ScriptAlias``,  in files of the server only: the folders that other directives
``DocumentRoot``                            are for, and where the files of a path are
==========================================  ==========================================================

A folder has what its own directives say, else what those of the folders above it say. Another section, and a RewriteCond that asks
for more than whether there is a file, make the rules in it and after it uncertain, and their lines are reported
(`linkfix.server.redirects.apache`).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.paths import join
from linkfix.server.addresses import is_program
from linkfix.server.headers import NAME, Directive, charset_of, content_of, lines, unread_lines
from linkfix.server.redirects.apache import NO_FILE, alias, rewrite, subject_of, without_hosts
from linkfix.server.redirects.rules import (
    DOUBT,
    MOST_EXPRESSIONS,
    UNKNOWN,
    Redirect,
    Redirects,
    Rule,
    Source,
    check_number,
)

#: Directives that may decide where an address leads, and are not read.
_UNREAD = frozenset({
    "aliasmatch", "scriptaliasmatch", "action", "sethandler", "proxypass", "proxypassmatch", "rewritemap", "rewriteoptions", "userdir", "include",
    "includeoptional", "checkspelling", "virtualdocumentroot",
})  # fmt: skip
#: The options that are read, with their signs.
_OPTIONS = {"multiviews": re.compile("([+-]?)multiviews"), "includes": re.compile("([+-]?)(?:includes(?:noexec)?|all)")}  # fmt: skip
#: Handlers and types of programs.
_PROGRAM = re.compile(r"cgi|php|perl|python|ruby|asp|jsp|jk|wsgi", re.IGNORECASE | re.ASCII)


class Folder(NamedTuple):
    """How Apache answers for a folder; None where no directive says it.

    Attributes:
        indices: the names of the files that it shows for a folder.
        multiviews: whether it negotiates.
        path_info: whether names may follow the name of a file.
        clean_urls: whether ``/about`` is answered with ``about.html``.
        includes: whether pages include other files.
        programs: whether files with an extension are programs, by the extension in lower case.
        error_pages: what it shows for errors: paths and URLs.
        rewrites: the rules of mod_rewrite, for what follows the path of the folder.
        aliases: the redirects of mod_alias, for whole paths.

    """

    indices: tuple[str, ...] | None = None
    multiviews: bool | None = None
    path_info: bool | None = None
    clean_urls: bool | None = None
    includes: bool | None = None
    programs: Mapping[str, bool] | None = None
    error_pages: tuple[str, ...] | None = None
    rewrites: Redirects | None = None
    aliases: Redirects | None = None

    def over(self, other: Folder) -> Folder:
        """Return the folder with what another one says where this one says nothing."""
        whole = Folder(*(mine if mine is not None else its for mine, its in zip(self, other, strict=True)))  # type: ignore[arg-type]  # fmt: skip
        if self.programs is None or other.programs is None:
            return whole
        return whole._replace(programs={**other.programs, **self.programs})


@dataclass(slots=True)
class Directives:
    """What a file says.

    Attributes:
        own: what is in no section of a folder.
        folders: what is, by the absolute path of the folder on the server.
        root: absolute path of the root of the site there; "" if the file does not say it.
        aliases: paths of URLs with absolute paths of folders there.
        served: paths of URLs below which programs answer.
        charsets: the charsets in headers.
        problems: what cannot be read, each with its line.
        unread: what may decide where addresses lead, and is not read: an error that names the lines.
        patterns: how many regular expressions there are, those of other files included.

    """

    own: Folder = field(default_factory=Folder)
    folders: dict[str, Folder] = field(default_factory=dict)
    root: str = ""
    aliases: list[tuple[str, str]] = field(default_factory=list)
    served: list[str] = field(default_factory=list)
    charsets: list[Directive] = field(default_factory=list)
    problems: list[LinkfixError] = field(default_factory=list)
    unread: list[LinkfixError] = field(default_factory=list)
    patterns: int = 0

    def source(self) -> Source | None:
        """Return the redirects that are in no section of a folder; None for none."""
        if not self.own.rewrites and not self.own.aliases:
            return None
        folders = Folders({NAME: self.own})
        return lambda uri: folders.redirect(uri, "", lambda _: "")


def read(data: bytes, name: str, patterns: int = 0) -> Directives:
    """Read the directives of a file.

    Args:
        data: its bytes.
        name: its name in errors.
        patterns: how many regular expressions other files have.

    """
    found = Directives(patterns=patterns)
    places: dict[str, _Place] = {"": _Place()}
    #: What is not read, by its line.
    unread: dict[int, str] = {}
    for line in lines(without_hosts(data)):
        words = [word.text for word in line.places]
        if not words or words[0].startswith("<"):
            continue
        directive, arguments = words[0].lower(), words[1:]
        is_folder = line.section == "directory" and line.argument.startswith("/")
        key = posixpath.normpath(line.argument) if is_folder else ""
        charset = charset_of(line, name)
        if charset is not None:
            problem = charset.problem or (f"it is in <{line.section}>" if line.section and not is_folder else "")  # fmt: skip
            found.charsets.append(replace(charset, folder=key, problem=problem))
        place = places.setdefault(key, _Place())
        if directive in _UNREAD:
            unread[line.number] = words[0]
        elif line.section and not is_folder:
            if place.doubt(directive):
                unread[line.number] = f"{words[0]} in <{line.section}>"
        elif directive in {"documentroot", "alias", "scriptalias"} and arguments:
            *path, folder = arguments[:2]
            if directive == "documentroot":
                found.root = folder.rstrip("/")
            elif directive == "alias" and path:
                found.aliases.append((path[0], folder))
            else:
                found.served += path
        elif found.patterns <= MOST_EXPRESSIONS:
            try:
                rule = place.take(directive, arguments)
                found.patterns += rule is not None and rule.pattern is not None
                check_number(found.patterns)
                if rule is not None and rule.status == UNKNOWN:
                    unread[line.number] = words[0]
            except re.error as error:
                place.doubt(directive)
                why = f"{words[0]} has no regular expression that can be read: {error}"
                hint = "correct it, or leave it to the server: it says nothing here"
                found.problems.append(LinkfixError(why, hint=hint, file=name, line=line.number))
            except UnreadableError as error:
                error.file, error.line = name, line.number
                found.problems.append(error)
    found.unread = unread_lines(unread, name)
    found.own = places.pop("").folder()
    found.folders = {key: place.folder() for key, place in places.items()}
    return found


class _Place:
    """The directives of one folder, or of the whole server, while they are read."""

    def __init__(self) -> None:
        self._said = Folder()
        self._rewrites: list[Rule] = []
        self._aliases: list[Rule] = []
        #: What is shown where no rule says anything and no file is.
        self._fallback: list[Rule] = []
        self._is_on = self._is_fallback = False
        self._base = ""
        self._conditions: list[str] = []

    def doubt(self, directive: str) -> bool:
        """Take a directive that counts under some condition; return whether it is one of a rule."""
        if directive.startswith("redirect"):
            self._aliases.append(DOUBT)
        elif directive == "rewriterule":
            self._rewrites.append(DOUBT)
        return directive == "rewriterule" or directive.startswith("redirect")

    def take(self, directive: str, arguments: list[str]) -> Rule | None:
        """Take a directive; return its rule, None if it has none.

        Raises:
            re.error: the expression cannot be read.

        """
        said, words = self._said, {word.lower() for word in arguments}
        rule: Rule | None = None
        if directive == "directoryindex":
            names = (word for word in arguments if word != "disabled")
            self._said = said._replace(indices=(*(said.indices or ()), *names))
        elif directive == "options":
            is_whole = not any(word.startswith(("+", "-")) for word in words)
            for name, pattern in _OPTIONS.items():
                signs = {found[1] for word in words if (found := pattern.fullmatch(word))}
                if is_whole or signs:
                    self._said = self._said._replace(**{name: bool(signs - {"-"})})  # type: ignore[arg-type]
        elif directive == "removehandler" or (directive in {"addhandler", "addtype"} and _PROGRAM.search("".join(arguments[:1]))):  # fmt: skip
            extensions = (word.lstrip(".").lower() for word in arguments)
            programs = dict.fromkeys(extensions, directive != "removehandler")
            self._said = said._replace(programs={**(said.programs or {}), **programs})
        elif directive == "errordocument" and len(arguments) > 1:
            self._said = said._replace(error_pages=(*(said.error_pages or ()), arguments[1]))
        elif directive == "acceptpathinfo":
            self._said = said._replace(path_info="on" in words)
        elif directive == "rewriteengine":
            self._is_on = "on" in words
        elif directive == "rewritebase" and arguments:
            self._base = arguments[0]
        elif directive == "rewritecond":
            self._conditions.append(" ".join(arguments[:2]))
        elif directive == "rewriterule" and len(arguments) > 1:
            rule = self._ruled(arguments)
            self._rewrites += [] if rule is None else [rule]
        elif directive == "fallbackresource" and arguments and arguments[0] != "disabled":
            rule = rewrite([".", arguments[0]], "", is_conditional=False, is_forced=False)
            self._fallback = [] if rule is None else [rule]
        elif directive.startswith("redirect"):
            rule = alias(directive, arguments)
            self._aliases += [] if rule is None else [rule]
        return rule

    def _ruled(self, arguments: list[str]) -> Rule | None:
        """Return what a RewriteRule says with its conditions; None for nothing about a file."""
        conditions, self._conditions = self._conditions, []
        others = [each for each in conditions if not NO_FILE.fullmatch(each)]
        subject = subject_of(arguments, conditions, others) if self._is_on else "same"
        if subject == "clean":
            self._said = self._said._replace(clean_urls=True)
        # The rules after one that shows files are for the rest.
        self._is_fallback |= subject == "files"
        if subject:
            return None
        is_forced = conditions == others and not self._is_fallback
        return rewrite(arguments, self._base, is_conditional=bool(others), is_forced=is_forced)

    def folder(self) -> Folder:
        """Return what the directives say together."""
        rewrites, aliases = (Redirects(rules) if rules else None for rules in ([*self._rewrites, *self._fallback], self._aliases))  # fmt: skip
        return self._said._replace(rewrites=rewrites, aliases=aliases)


class Folders:
    """The folders of a tree, as their ``.htaccess`` files and those of the server describe them.

    Args:
        said: what each of these files says, by its path from the root of the tree.

    Attributes:
        failures: of files that cannot be read.
        problems: what else cannot be read, each with its line.

    """

    def __init__(self, said: Mapping[str, Folder]) -> None:
        self._said = dict(said)
        self._charsets: list[Directive] = []
        self.failures: list[LinkfixError] = []
        self.problems: list[LinkfixError] = []

    @classmethod
    def read(cls, root: str, paths: Iterable[str]) -> Folders:
        """Read the ``.htaccess`` files among the regular files of a tree, whose paths are given from its root.

        An error has the path of its file with the root.
        """
        folders = cls({})
        patterns = 0
        for path in paths:
            if path.rpartition("/")[2] != NAME:
                continue
            full = join(root, path)
            try:
                found = read(content_of(full), path, patterns)
            except UnreadableError as error:
                error.file = full
                folders.failures.append(error)
                continue
            patterns = found.patterns
            folders.add(path.rpartition("/")[0], found.own, found.charsets)
            for problem in (*found.problems, *found.unread):
                problem.file = full
                folders.problems.append(problem)
        return folders

    @property
    def has_rules(self) -> bool:
        """Whether any folder has redirects."""
        return any(folder.rewrites or folder.aliases for folder in self._said.values())

    def add(self, path: str, folder: Folder, charsets: Iterable[Directive] = ()) -> None:
        """Add what the server says of a folder; what is known of it counts more."""
        file = _file(path)
        self._said[file] = self._said.get(file, Folder()).over(folder)
        self._charsets += (replace(each, folder=path) for each in charsets)

    @property
    def charsets(self) -> tuple[Directive, ...]:
        """The charsets that they name in headers, those of outer folders first."""
        return tuple(sorted(self._charsets, key=lambda each: each.depth))

    def is_program(self, path: str) -> bool:
        """Return whether a file is a program, by its extensions."""
        programs = self.of(path.rpartition("/")[0]).programs or {}
        for extension in reversed(path.rpartition("/")[2].lower().split(".")[1:]):
            if extension in programs:
                return programs[extension]
        return is_program(path)

    def error_pages(self) -> Iterator[str]:
        """Yield what is shown for errors: paths from the root of the site, and URLs."""
        for folder in self._said.values():
            yield from (each for each in folder.error_pages or () if each.startswith(("/", "http")))

    def renamed(self, rename: Callable[[str], str]) -> Folders:
        """Return the folders after files got other paths."""
        found = Folders({rename(path): folder for path, folder in self._said.items()})
        for each in self._charsets:
            place = rename(_file(each.folder)) if each.file.endswith(NAME) else _file(each.folder)
            if place.rpartition("/")[2] == NAME:
                found._charsets.append(replace(each, folder=place.rpartition("/")[0]))
        return found

    def of(self, path: str) -> Folder:
        """Return how Apache answers for a folder, by its path from the root, "" for the root; without its rules."""
        found = Folder()
        for _, said in self._chain(path):
            found = found.over(said)
        return found._replace(rewrites=None, aliases=None)

    def _chain(self, path: str) -> Iterator[tuple[str, Folder]]:
        """Yield what is said of a folder and the folders above it, the innermost first."""
        while self._said:
            said = self._said.get(_file(path))
            if said is not None:
                yield path, said
            if not path:
                return
            path = path.rpartition("/")[0]

    def redirect(
        self, uri: str, path: str, below: Callable[[str], str], *, forced: bool = False
    ) -> Redirect | None:
        """Return what the rules of a folder and those above it say about a URI (`Source`).

        Args:
            uri: absolute.
            path: of the folder, from the root of the tree.
            below: returns the path of the URL of a folder, percent-decoded.
            forced: pass over the rules that do not count where there is a file.

        """
        chain = [*self._chain(path)]
        is_certain = True
        for folder, said in chain:
            if said.rewrites is not None:
                if (found := said.rewrites.find(uri, below(folder), forced=forced)) is not None:
                    return found
                is_certain = said.rewrites.is_certain
                break
        for aliases in filter(None, (said.aliases for _, said in chain)):
            if (found := aliases.find(uri, forced=forced)) is not None:
                return found if is_certain else found._replace(is_certain=False)
        return None


def _file(folder: str) -> str:
    return f"{folder}/{NAME}" if folder else NAME
