"""The configuration of nginx: maps, ``return``, ``rewrite``, ``try_files``, ``index``, ``root``, ``alias``, ``error_page``, ``charset``.

Read are the blocks ``map $uri …`` and ``map $request_uri …``, or a file that has the lines of such a block; ``rewrite``
of a server; ``return`` and ``rewrite`` of its locations. A variable other than those of the request makes a target
unknown, and ``if`` makes a rule uncertain. What is not read, and may redirect before, makes all of them uncertain, and its line
is reported. A server or an ``if`` that only sends a host or a scheme to another one, with the same path, says nothing about a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from mimetypes import MimeTypes
from string import ascii_lowercase, ascii_uppercase
from typing import TypeAlias

from linkfix.charset import known
from linkfix.server.apache import Directives, Folder
from linkfix.server.headers import Directive, Scope, unread_lines
from linkfix.server.redirects.rules import (
    FOUND,
    GONE,
    MOST_STEPS,
    UNKNOWN,
    Part,
    Redirect,
    Redirects,
    Rule,
    Source,
    Target,
    check_number,
    compiled,
    first_of,
    is_plain,
    path_of,
    target_of,
    work_of,
)

_TOKEN = re.compile(
    r"""[ \t\r\n]+|\#[^\n]*|([{};])|"((?:[^"\\]|\\[\s\S])*+)"|'((?:[^'\\]|\\[\s\S])*+)'"""
    r"""|((?:\\[\s\S]|\$\{[^}\n]*\}|[^\s;{}])++)"""
)
_ESCAPED = re.compile(r"\\([\"'\\])")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_PARTS: dict[str, tuple[Part, ...]] = {
    "request_uri": (Part.PATH, Part.QUERY),
    "uri": (Part.PATH,),
    "document_uri": (Part.PATH,),
    "scheme": (Part.SCHEME,),
    "host": (Part.HOST,),
    "http_host": (Part.HOST,),
    "server_name": (Part.HOST,),
    "is_args_args": (Part.QUERY,),
}
_QUERY = re.compile(r"\$is_args\$(?:args|query_string)")
#: The statuses of ``return`` that redirect.
_REDIRECTS = frozenset({"301", "302", "303", "307", "308"})
#: The directives of a location that a program answers.
_PASSING = frozenset({"proxy_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass"})
#: The modifiers of locations that are regular expressions.
_CASE = {"~": re.NOFLAG, "~*": re.IGNORECASE | re.ASCII}
_EVERYTHING = re.compile("")
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
#: Directives that may decide before the redirects that are read, and the files of nginx that include nothing that decides.
_DECIDING = frozenset({"if", "break", "include"})
_HARMLESS = re.compile(
    r"(?:\S*/)?(?:mime\.types|(?:fastcgi|scgi|uwsgi|proxy)_params|fastcgi\.conf)", re.ASCII
)
#: A target with the path of the request on another host.
_SAME_PATH = re.compile(
    r"(?:https?|\$scheme)://(?:[\w.:-]|\$\w+|\$\{\w+\})+?\$(?:request_uri|\{request_uri\})",
    re.ASCII,
)
#: The types that get a charset by default, besides HTML, and extensions of types that Python does not know.
_TYPES = [
    "text/xml",
    "text/plain",
    "text/vnd.wap.wml",
    "application/javascript",
    "application/rss+xml",
]
_EXTENSIONS = {
    "text/html": "shtml", "text/xml": "xml", "application/javascript": "js", "application/rss+xml": "rss", "application/atom+xml": "atom",
    "application/xhtml+xml": "xhtml",
}  # fmt: skip
#: What a map block may have besides its pairs.
_SPECIAL = frozenset({"default", "hostnames", "include", "volatile"})


@dataclass(slots=True)
class _Directive:
    """A directive: its line, its words ("" for none), and the directives in its block; None for one without a block."""

    line: int
    words: list[str]
    block: list[_Directive] | None = None


#: A location of a server: its modifier (``=``, ``~``, ``~*``, ``^~`` or ""), its path or regular expression, and the redirects in it.
_Location: TypeAlias = tuple[str, str, Redirects]
#: The redirects of a location that is not known.
_UNKNOWN = Redirects([Rule(None, _EVERYTHING, None, UNKNOWN, is_forced=False, is_certain=False)])


def nginx_directives(text: str, file: str) -> tuple[Source, Directives]:
    """Return the redirects of a configuration, or of the lines of a map block, and what else it says; `file` is its path."""
    sources: list[Source] = []
    rewrites: list[Rule] = []
    locations: list[_Location] = []
    top = _parsed(text)
    named = {
        each.words[1]: each.block or []
        for _, each, _ in _directives(top)
        if each.words[0] == "location" and each.words[1:2] and each.words[1].startswith("@")
    }
    said = Directives()
    patterns = [each for _, _, several in _directives(top) for each in several]
    check_number(len(patterns))
    pairs = [each for each in top if each.block is None and len(each.words) == 2]
    rows = (each for each in pairs if each.words[0].startswith(("/", "~", "\\/", "\\~")))
    sources.append(_map(rows))
    for inside, each, _ in _directives(top):
        name, *rest = each.words
        if name == "location" and rest and each.block is not None:
            locations.append(_location(each, named, said))
        elif inside not in {"", "http", "server"}:
            continue
        elif name == "rewrite":
            rewrites += _rewrite(each.words)
        elif name == "try_files":
            rewrites += _try_files(each.words, named)
        elif name == "root":
            said.root = each.words[-1].rstrip("/")
        elif name == "map" and each.block is not None and rest[:1] in (["$uri"], ["$request_uri"]):
            sources.append(_map(each.block))
        elif name in {"http", "server"}:
            said.own = _folder(each.block or []).over(said.own)
    sources.append(Redirects(rewrites).find)
    said.charsets += _charsets(top, said.root, file)
    for charset in said.charsets:
        said.folders.setdefault(charset.folder, Folder())
    unread = _unread(top)
    said.unread = unread_lines(unread, file)
    is_certain = not unread and all(map(is_plain, patterns))
    return _configuration(sources, locations, is_certain=is_certain), said


def _unread(top: list[_Directive]) -> dict[int, str]:
    """Return the directives that may decide and are not read, by their lines."""
    unread: dict[int, str] = {}
    servers = 0
    for inside, directive, _ in _directives(top):
        name, *rest = directive.words
        servers += (is_server := name == "server" and directive.block is not None)
        decides = name in _DECIDING and not _HARMLESS.fullmatch("".join(rest[-1:]))
        if decides or (is_server and servers > 1) or (name == "return" and inside == "server"):
            unread[directive.line] = name
    return unread


def _is_of_host(directive: _Directive) -> bool:
    """Return whether a block sends a host or a scheme to another one and keeps the path, or is a server of nothing."""
    name = directive.words[0]
    returns = [each.words[-1] for each in directive.block or () if each.words[0] == "return"]
    is_empty = name == "server" and returns == ["404"]
    return is_empty or (name in {"if", "server"} and any(map(_SAME_PATH.fullmatch, returns)))


def _directives(top: list[_Directive]) -> Iterator[tuple[str, _Directive, list[str]]]:
    """Yield each directive, in their order, with the name of the block that it is in, and its regular expressions."""
    waiting = [("", each) for each in reversed(top)]
    while waiting:
        inside, directive = waiting.pop()
        name, *rest = directive.words
        patterns = [name[1:].removeprefix("*")] if name.startswith("~") else []
        if name == "rewrite":
            patterns = rest[:1]
        elif name == "location" and rest[:1] in (["~"], ["~*"]):
            patterns = rest[1:]
        yield inside, directive, patterns
        waiting += [(name, each) for each in reversed(directive.block or ())]


def _map(pairs: Iterable[_Directive]) -> Source:
    """Return the redirects of a map: those of single paths first (ngx_http_map_module)."""
    #: Keys are compared without regard to the case of ASCII letters.
    keys: dict[str, Rule] = {}
    rules = []
    for each in pairs:
        if each.block is not None or len(each.words) != 2 or each.words[0] in _SPECIAL:
            continue
        key, value = each.words
        if not value.startswith(("/", "http:", "https:", "$scheme:")):
            continue
        if key.startswith("~"):
            options = re.IGNORECASE | re.ASCII if key.startswith("~*") else re.NOFLAG
            pattern = _compiled(key[1:].removeprefix("*"), options)
            if pattern is not None:
                rules.append(Rule(None, pattern, _target(value, pattern), is_foreign=True))
        else:
            rule = Rule(None, _EVERYTHING, _target(value, None))
            keys.setdefault(key.removeprefix("\\").translate(_LOWER), rule)
    patterns = Redirects(rules)

    def find(uri: str) -> Redirect | None:
        rule = keys.get(path_of(uri).translate(_LOWER))
        if rule is None:
            return patterns.find(uri)
        return rule.apply(uri, "", f"?{uri.partition('?')[2]}" if "?" in uri else "")

    return find


def _configuration(always: list[Source], locations: list[_Location], *, is_certain: bool) -> Source:
    """Return the redirects of a server: those of maps and of the server, else those of a location."""
    exact = {path: rules for how, path, rules in locations if how == "="}
    prefixes = {path: (how, rules) for how, path, rules in reversed(locations) if how in {"", "^~"}}
    lengths = sorted({*map(len, prefixes)})
    patterns = [
        (pattern, work_of(pattern.pattern), rules)
        for how, path, rules in locations
        if how in _CASE and (pattern := _compiled(path, _CASE[how])) is not None
    ]

    def rules_of(path: str) -> Redirects | None:
        if path in exact:
            return exact[path]
        prefix: tuple[str, Redirects | None] = ("", None)
        for length in takewhile(len(path).__ge__, lengths):
            prefix = prefixes.get(path[:length], prefix)
        if prefix[0] != "^~":
            left = MOST_STEPS
            for pattern, work, rules in patterns:
                left -= work.steps(len(path))
                if left < 0:
                    return _UNKNOWN
                if pattern.search(path):
                    return rules
        return prefix[1]

    def find(uri: str) -> Redirect | None:
        """Return what is said about a URI (ngx_http_core_module, location)."""
        found = first_of(always, uri)
        if found is None and (rules := rules_of(path_of(uri))) is not None:
            found = rules.find(uri)
        return found if found is None or is_certain else found._replace(is_certain=False)

    return find


def _parsed(text: str) -> list[_Directive]:
    """Parse a configuration; what is no configuration, and what says nothing about files, is passed over."""
    stack: list[list[_Directive]] = [[]]
    words: list[str] = []
    at = line = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:  # a quote that is never closed
            break
        line += text.count("\n", at, found.end())
        at = found.end()
        mark, word = found[1], next((each for each in found.groups()[1:] if each is not None), None)
        if word is not None:
            words.append(_ESCAPED.sub(r"\1", word))
        elif mark is not None:
            if mark != "}":
                block: list[_Directive] | None = [] if mark == "{" else None
                stack[-1].append(_Directive(line + 1, words or [""], block))
                stack += [] if block is None else [block]
            elif len(stack) > 1:
                stack.pop()
                if _is_of_host(stack[-1][-1]):
                    stack[-1].pop()
            words = []
    return stack[0]


def _try_files(words: list[str], named: dict[str, list[_Directive]]) -> Iterator[Rule]:
    """Yield the rule of ``try_files``: what is shown where there is no file (ngx_http_core_module)."""
    last = words[-1]
    if last.startswith("/") and "$" not in last:
        yield Rule(None, _EVERYTHING, (last,), FOUND, is_forced=False)
    elif any(each.words[0] != "return" for each in named.get(last, ())) or last[:1] not in {"=", "@"}:  # fmt: skip
        yield Rule(None, _EVERYTHING, None, UNKNOWN, is_forced=False)


def _folder(block: list[_Directive]) -> Folder:
    """Return what a server or a location says of its files."""
    said = {each.words[0]: each.words[1:] for each in block}
    indices = tuple(said["index"]) if "index" in said else None
    is_clean = "$uri.html" in said["try_files"] if "try_files" in said else None
    errors = tuple(each.words[-1] for each in block if each.words[0] == "error_page") or None
    return Folder(indices, clean_urls=is_clean, error_pages=errors)


def _charsets(top: list[_Directive], root: str, file: str) -> Iterator[Directive]:
    """Yield the charsets in headers, those of outer blocks first (ngx_http_charset_module)."""
    waiting: list[tuple[list[_Directive], str, str, list[str]]] = [(top, "", "", _TYPES)]
    for block, folder, problem, types in waiting:
        types = next((each.words[1:] for each in block if each.words[0] == "charset_types"), types)  # fmt: skip
        for each in block:
            name, *rest = each.words
            if name == "charset" and len(rest) == 1:
                label = "" if rest[0] == "off" else rest[0]
                unknown = f"no browser knows {label!r}" if label and known(label) is None else ""
                extensions = tuple(chain.from_iterable(map(_extensions, ("text/html", *types))))
                scope: Scope = "all" if "*" in types else "extensions"
                yield Directive(file, each.line, name, label, 0, 0, scope, extensions, problem or unknown, folder)  # fmt: skip
            elif each.block is not None:
                place, why = folder, problem
                if name == "location" and rest[:1] in (["~"], ["~*"], ["="]):
                    why = f"it is in a location for {rest[-1]}"
                elif name == "location" and rest:
                    place = f"{root}/{rest[-1].strip('/')}".rstrip("/")
                elif name == "if":
                    why = "it is in a condition"
                waiting.append((each.block, place, why, types))


def _extensions(type: str) -> list[str]:
    """Return the extensions of a type, as in the ``mime.types`` of nginx."""
    known_to_python = (each[1:] for each in MimeTypes().guess_all_extensions(type))
    return [*known_to_python, *_EXTENSIONS.get(type, "").split()]


def _location(
    directive: _Directive, named: dict[str, list[_Directive]], said: Directives
) -> _Location:
    """Return a location with its redirects; `said` learns what else it says."""
    _, *words = directive.words
    how, path = words[:2] if len(words) > 1 else ("", words[0])
    pattern = _compiled(path, _CASE[how]) if how in _CASE else None
    rules: list[Rule] = []
    folder = _folder(directive.block or [])
    if not how and folder != Folder():
        said.folders[f"{said.root}/{path.strip('/')}".rstrip("/") or "/"] = folder
    for each in directive.block or ():
        name = each.words[0]
        if name == "rewrite":
            rules += _rewrite(each.words)
        elif name == "try_files":
            rules += _try_files(each.words, named)
        elif name == "alias" and len(each.words) > 1 and not how:
            said.aliases.append((path, each.words[1]))
        elif name == "return":
            rules.append(_return(each.words, pattern))
        elif name == "if":
            rules.append(Rule(None, _EVERYTHING, None, UNKNOWN, is_forced=False))
        elif name in _PASSING:
            rules.append(Rule(None, _EVERYTHING, None, UNKNOWN))
    return how, path, Redirects(rules)


def _return(words: list[str], pattern: re.Pattern[str] | None) -> Rule:
    """Return the rule of ``return`` (ngx_http_rewrite_module)."""
    everything = pattern or _EVERYTHING
    if len(words) > 2 and words[1] in _REDIRECTS:
        target = _target(words[2], pattern)
        is_foreign = pattern is not None
        return Rule(None, everything, target, int(words[1]), keeps_query=False, is_foreign=is_foreign)  # fmt: skip
    if len(words) == 2 and words[1].startswith(("http:", "https:", "$scheme:")):
        return Rule(None, everything, _target(words[1], pattern), 302, keeps_query=False)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else UNKNOWN
    return Rule(None, everything, None, status if status >= GONE else UNKNOWN)


def _rewrite(words: list[str]) -> Iterator[Rule]:
    """Yield the rule of ``rewrite``; one that changes only the file is uncertain."""
    if len(words) < 3:
        return
    _, source, target, *flags = words
    pattern = _compiled(source, re.NOFLAG)
    if pattern is None:
        return
    is_whole = target.startswith(("http://", "https://", "$scheme"))
    if not is_whole and not {"permanent", "redirect"} & {*flags}:
        yield Rule(None, pattern, None, UNKNOWN, is_forced=False)
        return
    keeps = not target.endswith("?")
    status = 301 if "permanent" in flags else 302
    to = _target(target.removesuffix("?"), pattern)
    yield Rule(None, pattern, to, status, keeps_query=keeps, is_foreign=True, joins_query=keeps)


def _compiled(pattern: str, flags: re.RegexFlag) -> re.Pattern[str] | None:
    """Return a regular expression; None for one that only PCRE reads."""
    try:
        return compiled(pattern, flags)
    except re.error:
        return None


def _target(text: str, pattern: re.Pattern[str] | None) -> Target | None:
    """Return a target with its variables as parts; None if one of them is not known."""

    def meaning(found: re.Match[str]) -> Sequence[int | Part] | None:
        name = found[1] or found[2]
        if name.isdigit():
            return [int(name)]
        if pattern is not None and name in pattern.groupindex and name not in _PARTS:
            return [pattern.groupindex[name]]
        return _PARTS.get(name)

    return target_of(_QUERY.sub("${is_args_args}", text), _VARIABLE, meaning)
