"""Directives of Apache: those of `.htaccess` files, and of files of the server that the user names.

==========================================  ==========================================================
directive                                   what is read
==========================================  ==========================================================
``DirectoryIndex NAME …``, ``disabled``      the files that a folder shows (mod_dir)
``Options [+|-]MultiViews``                 whether it negotiates (`linkfix.server.listing`)
``AcceptPathInfo On``                       whether names may follow the name of a file (core)
``Redirect…``, ``RedirectMatch``            redirects of the folder and the folders above it (mod_alias)
``RewriteRule``, ``RewriteCond``            of the innermost folder that has rules (mod_rewrite)
``<Directory>``, ``Alias``, ``ScriptAlias``,  in files of the server only: the folders that other directives
``DocumentRoot``                            are for, and where the files of a path are
==========================================  ==========================================================

A folder has what its own directives say, else what those of the folders above it say. Another section, and a RewriteCond that asks
for more than whether there is a file, make the rules in it and after it uncertain. `linkfix.server.htaccess` reads charsets.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import begin_of
from linkfix.files.paths import join
from linkfix.server.redirects.rules import (
    DOUBT,
    FOUND,
    GONE,
    UNKNOWN,
    Redirect,
    Redirects,
    Rule,
    Target,
    check_number,
    compiled,
    is_plain,
    target_of,
)

#: Name of the files in folders; Apache's default (AccessFileName).
NAME = ".htaccess"
#: No file of directives is longer; of one in a folder the beginning is read where its rules are asked for.
MOST_BYTES = 1024 * 1024
#: The extensions of programs, whose output is not known.
_PROGRAMS = frozenset({"asp", "aspx", "cgi", "exe", "fcgi", "jsp", "lua", "php", "php3", "php4", "php5", "phtml", "pl", "py", "rb", "sh"})  # fmt: skip
_LINE = re.compile(rb"[^\r\n\\]*(?:\\(?:\r?\n)?[^\r\n\\]*)*")
WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"|(\S+)')
_SECTION = re.compile(rb'\s*<(/?)(\w+)\s*"?([^">]*)', re.ASCII)
#: Sections that change nothing but whether a module or a server has to be there.
_HARMLESS = frozenset({"ifmodule", "ifdefine", "ifversion"})
_HOSTS = re.compile(rb"^\s*<virtualhost\b", re.IGNORECASE | re.MULTILINE)
_GROUP = re.compile(r"\\(.)|\$([0-9])", re.DOTALL)
#: The flags of a RewriteRule after which no other is asked, and those that change which ones are asked.
_LAST = frozenset({"L", "LAST", "END"})
_ORDER = frozenset({"C", "CHAIN", "S", "SKIP", "N", "NEXT"})
#: The words of mod_alias for the status of a redirect.
_WORDS = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}


def is_program(path: str) -> bool:
    """Return whether a file is a program by its name."""
    return path.rpartition(".")[2].lower() in _PROGRAMS


class Word(NamedTuple):
    """A word of a line: byte offsets in the file, its quotes included, and its text without them."""

    start: int
    end: int
    text: str


class Line(NamedTuple):
    """A line of directives.

    Attributes:
        number: from 1.
        at: byte offset in the file.
        text: without its end; where a backslash joins it with the next one, both become spaces.
        section: the name of the innermost section that it is in, those aside that are harmless; "" for none.
        argument: of this section.

    """

    number: int
    at: int
    text: bytes
    section: str
    argument: str = ""

    @property
    def places(self) -> list[Word]:
        """The directive and its arguments; nothing for a comment."""
        if self.text.lstrip().startswith(b"#"):
            return []
        return [
            Word(self.at + m.start(), self.at + m.end(), m[m.lastindex or 0].decode("utf-8", "surrogateescape"))
            for m in WORD.finditer(self.text)
        ]  # fmt: skip

    @property
    def words(self) -> list[str]:
        """The texts of `places`."""
        return [word.text for word in self.places]


def lines(data: bytes) -> Iterator[Line]:
    """Yield the lines of a file; one that begins or ends a section is in the section around it."""
    #: The sections that are open, each as `Line.section` and `Line.argument` have it.
    sections = [("", "")]
    harmless = _HARMLESS if len(_HOSTS.findall(data)) > 1 else _HARMLESS | {"virtualhost"}
    number = 1
    at = 0
    while at <= len(data):
        match = _LINE.match(data, at)
        line = b"" if match is None else match[0]
        section = _SECTION.match(line)
        if section is not None and section[1]:
            del sections[max(1, len(sections) - 1) :]
        text = line.replace(b"\\\r\n", b"   ").replace(b"\\\n", b"  ")
        yield Line(number, at, text, *sections[-1])
        if section is not None and not section[1]:
            name = section[2].decode("ascii").lower()
            argument = section[3].strip().decode("utf-8", "surrogateescape")
            sections.append(sections[-1] if name in harmless else (name, argument))
        number += line.count(b"\n") + 1
        at += len(line) + (2 if data.startswith(b"\r\n", at + len(line)) else 1)


def content_of(path: str) -> bytes:
    """Return the bytes of a file of a server.

    Raises:
        UnreadableError: it cannot be read, or is too large to be one.

    """
    data = begin_of(path, MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        hint = "leave it out: --exclude"
        raise UnreadableError("it is too large for a file of a server", hint=hint, file=path)
    return data


class Folder(NamedTuple):
    """How Apache answers for a folder; None where no directive says it.

    Attributes:
        indices: the names of the files that it shows for a folder.
        multiviews: whether it negotiates.
        path_info: whether names may follow the name of a file.
        clean_urls: whether ``/about`` is answered with ``about.html``.
        rewrites: the rules of mod_rewrite, for what follows the path of the folder.
        aliases: the redirects of mod_alias, for whole paths.

    """

    indices: tuple[str, ...] | None = None
    multiviews: bool | None = None
    path_info: bool | None = None
    clean_urls: bool | None = None
    rewrites: Redirects | None = None
    aliases: Redirects | None = None

    def over(self, other: Folder) -> Folder:
        """Return the folder with what another one says where this one says nothing."""
        return Folder(*(mine if mine is not None else its for mine, its in zip(self, other, strict=True)))  # type: ignore[arg-type]  # fmt: skip


@dataclass(slots=True)
class Directives:
    """What a file says.

    Attributes:
        own: what is in no section of a folder.
        folders: what is, by the absolute path of the folder on the server.
        root: absolute path of the root of the site there; "" if the file does not say it.
        aliases: paths of URLs with absolute paths of folders there.
        served: paths of URLs below which programs answer.
        problems: what cannot be read, each with its line.

    """

    own: Folder = field(default_factory=Folder)
    folders: dict[str, Folder] = field(default_factory=dict)
    root: str = ""
    aliases: list[tuple[str, str]] = field(default_factory=list)
    served: list[str] = field(default_factory=list)
    problems: list[LinkfixError] = field(default_factory=list)

    def source(self) -> Redirects | None:
        """Return the redirects that are in no section of a folder."""
        return (
            self.own.aliases
            if self.own.rewrites is None
            else self.own.rewrites.then(self.own.aliases)
        )


def read(data: bytes, name: str) -> Directives:
    """Read the directives of a file.

    Args:
        data: its bytes.
        name: its name in errors.

    """
    found = Directives()
    places: dict[str, _Place] = {"": _Place()}
    patterns = 0
    for line in lines(data):
        words = line.words
        if not words or words[0].startswith("<"):
            continue
        directive, arguments = words[0].lower(), words[1:]
        is_folder = line.section == "directory" and line.argument.startswith("/")
        key = posixpath.normpath(line.argument) if is_folder else ""
        place = places.setdefault(key, _Place())
        if line.section and not is_folder:
            place.doubt(directive)
        elif directive in {"documentroot", "alias", "scriptalias"} and arguments:
            *path, folder = arguments[:2]
            if directive == "documentroot":
                found.root = folder.rstrip("/")
            elif directive == "alias" and path:
                found.aliases.append((path[0], folder))
            else:
                found.served += path
        else:
            try:
                patterns += place.take(directive, arguments)
                check_number(patterns)
            except re.error as error:
                place.doubt(directive)
                why = f"{words[0]} has no regular expression that can be read: {error}"
                hint = "correct it, or leave it to the server: it says nothing here"
                found.problems.append(UnreadableError(why, hint=hint, file=name, line=line.number))
            except UnreadableError as error:
                error.file = name
                found.problems.append(error)
                break
    found.own = places.pop("").folder()
    found.folders = {key: place.folder() for key, place in places.items()}
    return found


class _Place:
    """The directives of one folder, or of the whole server, while they are read."""

    def __init__(self) -> None:
        self._said = Folder()
        self._rewrites: list[Rule] = []
        self._aliases: list[Rule] = []
        self._is_on = self._is_conditional = self._is_fallback = False
        self._base = ""

    def doubt(self, directive: str) -> None:
        """Take a directive that counts under some condition."""
        if directive.startswith("redirect"):
            self._aliases.append(DOUBT)
        elif directive.startswith("rewrite"):
            self._rewrites.append(DOUBT)

    def take(self, directive: str, arguments: list[str]) -> bool:
        """Take a directive; return whether it has a regular expression.

        Raises:
            re.error: the expression cannot be read.

        """
        said, words = self._said, {word.lower() for word in arguments}
        rule: Rule | None = None
        if directive == "directoryindex":
            names = (word for word in arguments if word != "disabled")
            self._said = said._replace(indices=(*(said.indices or ()), *names))
        elif directive == "options":
            if not any(word.startswith(("+", "-")) for word in words):
                self._said = said._replace(multiviews="multiviews" in words)
            elif {"+multiviews", "-multiviews"} & words:
                self._said = said._replace(multiviews="+multiviews" in words)
        elif directive == "acceptpathinfo":
            self._said = said._replace(path_info="on" in words)
        elif directive == "rewriteengine":
            self._is_on = "on" in words
        elif directive == "rewritebase" and arguments:
            self._base = arguments[0]
        elif directive == "rewritecond":
            asks_for_file = arguments[:1] == ["%{REQUEST_FILENAME}"] and arguments[1:2] in (["!-f"], ["!-d"], ["!-l"])  # fmt: skip
            self._is_fallback |= asks_for_file
            self._is_conditional |= not asks_for_file
        elif directive == "rewriterule" and len(arguments) > 1:
            is_conditional, is_fallback = self._is_conditional, self._is_fallback
            self._is_conditional = self._is_fallback = False
            rule = _rewrite(arguments, self._base, is_conditional=is_conditional, is_forced=not is_fallback) if self._is_on else None  # fmt: skip
            self._rewrites += [] if rule is None else [rule]
        elif directive.startswith("redirect"):
            rule = _alias(directive, arguments)
            self._aliases += [] if rule is None else [rule]
        return rule is not None and rule.pattern is not None

    def folder(self) -> Folder:
        """Return what the directives say together."""
        rewrites, aliases = (Redirects(rules) if rules else None for rules in (self._rewrites, self._aliases))  # fmt: skip
        return self._said._replace(rewrites=rewrites, aliases=aliases)


class Folders:
    """The folders of a tree, as their ``.htaccess`` files and those of the server describe them.

    Args:
        said: what each of these files says, by its path from the root of the tree.

    Attributes:
        problems: what could not be read.

    """

    def __init__(self, said: Mapping[str, Folder]) -> None:
        self._said = dict(said)
        self.problems: list[LinkfixError] = []

    @classmethod
    def read(cls, root: str, paths: Iterable[str]) -> Folders:
        """Read the ``.htaccess`` files among the regular files of a tree, whose paths are given from its root."""
        folders = cls({})
        patterns = 0
        for path in paths:
            if path.rpartition("/")[2] != NAME:
                continue
            try:
                found = read(begin_of(join(root, path), MOST_BYTES), path)
                patterns += sum(
                    len(each.patterns) for each in (found.own.rewrites, found.own.aliases) if each
                )
                check_number(patterns)
            except UnreadableError as error:
                error.file = path
                folders.problems.append(error)
                continue
            folders._said[path] = found.own
            folders.problems += found.problems
        return folders

    @property
    def has_rules(self) -> bool:
        """Whether any folder has redirects."""
        return any(folder.rewrites or folder.aliases for folder in self._said.values())

    def add(self, path: str, folder: Folder) -> None:
        """Add what the server says of a folder; its own file counts more."""
        file = _file(path)
        self._said[file] = self._said.get(file, Folder()).over(folder)

    def renamed(self, rename: Callable[[str], str]) -> Folders:
        """Return the folders after files got other paths."""
        return Folders({rename(path): folder for path, folder in self._said.items()})

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

    def redirect(self, uri: str, path: str, below: Callable[[str], str]) -> Redirect | None:
        """Return what the rules of a folder and those above it say about a URI (`Source`).

        Args:
            uri: absolute.
            path: of the folder, from the root of the tree.
            below: returns the path of the URL of a folder, percent-decoded.

        """
        chain = [*self._chain(path)]
        is_certain = True
        for folder, said in chain:
            if said.rewrites is not None:
                if (found := said.rewrites.find(uri, below(folder))) is not None:
                    return found
                is_certain = said.rewrites.is_certain
                break
        for _, said in chain:
            if said.aliases is not None and (found := said.aliases.find(uri)) is not None:
                return found if is_certain else found._replace(is_certain=False)
        return None


def _file(folder: str) -> str:
    return f"{folder}/{NAME}" if folder else NAME


def _alias(directive: str, arguments: list[str]) -> Rule | None:
    """Return the rule of a directive of mod_alias; None for none."""
    status = {"redirectpermanent": 301}.get(directive, 302)
    if directive in {"redirect", "redirectmatch"} and arguments:
        word = arguments[0].lower()
        if word in _WORDS or re.fullmatch("[1-5][0-9]{2}", word):
            status = _WORDS.get(word) or int(word)
            arguments = arguments[1:]
    elif directive not in {"redirectpermanent", "redirecttemp"}:
        return None
    is_redirect = 300 <= status < GONE
    if len(arguments) != 1 + is_redirect:
        return None
    source, target = arguments[0], arguments[1] if is_redirect else ""
    to: Target | None = None
    if directive == "redirectmatch":
        to = _numbered(target) if is_redirect else None
        return Rule(None, compiled(source), to, status, is_certain=is_plain(source), is_foreign=True)  # fmt: skip
    to = (target, 1) if is_redirect else None
    return Rule(re.sub("/+", "/", source), None, to, status, is_prefix=True)


def _numbered(target: str) -> Target | None:
    """Return a target with ``$1`` as a group."""
    return target_of(target, _GROUP, lambda m: [m[1] if m[1] is not None else int(m[2])])


def _rewrite(
    arguments: list[str], base: str, *, is_conditional: bool, is_forced: bool
) -> Rule | None:
    """Return what a RewriteRule says; None for nothing (mod_rewrite)."""
    source, target, *more = arguments
    flags = [each.strip() for each in "".join(more).strip("[]").split(",")]
    names = {each.partition("=")[0].upper(): each.partition("=")[2] for each in flags}
    options = re.IGNORECASE | re.ASCII if {"NC", "NOCASE"} & names.keys() else re.NOFLAG
    is_last, is_certain = bool(_LAST & names.keys()), not _ORDER & names.keys() and is_plain(source)
    if source.startswith("!"):
        pattern, is_conditional = re.compile(""), True
    else:
        pattern = compiled(source, options)
    status = names.get("R", names.get("REDIRECT"))
    if {"F", "FORBIDDEN", "G", "GONE"} & names.keys() and not is_conditional:
        return Rule(None, pattern, None, 410, is_forced=is_forced, is_certain=is_certain)
    if target == "-" or is_conditional or {"P", "PROXY", "PT", "E", "ENV"} & names.keys():
        if target == "-" or "E" in names:
            is_harmless = target == "-" and not is_last and not _ORDER & names.keys()
            return None if is_harmless else DOUBT
        return Rule(None, pattern, None, UNKNOWN, is_forced=False, is_certain=is_certain)
    known = not re.search(r"%[{0-9]|(?<!\\)\$\{", target)
    if not target.startswith(("/", "http:", "https:")):
        if base:
            target = f"{base.rstrip('/')}/{target}"
        elif (
            status is not None
        ):  # Apache redirects to the path of the file on its disk, where nothing is
            return Rule(None, pattern, None, 404, is_forced=is_forced, is_certain=False)
    if status is None and not target.startswith(("http:", "https:")):  # another file is shown here
        number = FOUND if known else UNKNOWN
        is_forced &= known
    else:
        status = status or ""
        number = _WORDS.get(status.lower()) or (int(status) if status.isdigit() else 302)
    return Rule(
        None,
        pattern,
        _numbered(target.removesuffix("?")) if known else None,
        number,
        is_forced=is_forced,
        keeps_query=not target.endswith("?") and not {"QSD", "QSDISCARD"} & names.keys(),
        is_certain=is_certain and is_last,
        is_foreign=True,
        joins_query=bool({"QSA", "QSAPPEND"} & names.keys()),
    )
