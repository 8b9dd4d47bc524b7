"""Read the redirects of a server from its files.

======================  ====================================================================================
file                    what is read
======================  ====================================================================================
``_redirects``          Netlify: paths with ``*`` and ``:placeholders``, parameters, status, conditions
``.htaccess``           Apache: Redirect, RedirectMatch, RedirectPermanent, RedirectTemp, RewriteRule
``*.csv``, ``*.toml``   a link map
any other               nginx, if a line ends in a semicolon (`nginx`); else as ``.htaccess``
======================  ====================================================================================

A rule that depends on more than the URI (a country, a RewriteCond) says nothing about a place but that it may be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote

from linkfix.errors import LinkfixError, LinkMapError, UnreadableError
from linkfix.files.access import begin_of
from linkfix.files.paths import join
from linkfix.markup.detect import file_name
from linkfix.policy.linkmap import LinkMap
from linkfix.server import htaccess
from linkfix.server.redirects.nginx import nginx_redirects
from linkfix.server.redirects.rules import (
    DOUBT,
    GONE,
    UNKNOWN,
    MappedPlaces,
    Redirects,
    Rule,
    Source,
    Target,
    compiled,
    is_plain,
)
from linkfix.server.redirects.work import check_number

if TYPE_CHECKING:
    from linkfix.server.listing import Listing

#: The files in the root of a site that are read without being named.
DEFAULT = ("_redirects", htaccess.NAME)
#: No file of redirects is larger.
_MOST_BYTES = 16 * 1024 * 1024
_NGINX = re.compile(r"^[^#\n]*(?:;|\{|;[ \t]*\})[ \t\r]*$", re.MULTILINE)
_STATUS = re.compile(r"([1-5][0-9]{2})(!?)")
_WHOLE = re.compile(r"https?://[^/]*")
_PLACEHOLDER = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)|(\*)")
_GROUP = re.compile(r"\\(.)|\$([0-9])", re.DOTALL)
#: The flags of a RewriteRule after which no other is asked, and those that change which ones are asked.
_LAST = frozenset({"L", "LAST", "END"})
_ORDER = frozenset({"C", "CHAIN", "S", "SKIP", "N", "NEXT"})
#: The words of mod_alias for the status of a redirect.
_WORDS = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}


def redirects_of(
    listing: Listing, site: str, named: Iterable[str], report: Callable[[LinkfixError], object]
) -> Iterator[Source]:
    """Yield the redirects of a site: those of the files that are named, then those of files in its root.

    Args:
        listing: of the site.
        site: absolute URI of its root.
        named: paths of files.
        report: called with the error of a file that cannot be read; its redirects are left out.

    """
    own = (
        join(listing.root, name)
        for name in DEFAULT
        if (entry := listing.entries.get(name)) is not None and entry.kind == "file"
    )
    named = tuple(named)
    for path in dict.fromkeys([*named, *own]):
        try:
            source = read_redirects(begin_of(path, _MOST_BYTES + 1), path, site)
            if path in named and isinstance(source, Redirects) and not source:
                raise UnreadableError(
                    "no redirect was found in it",
                    hint="name a file of redirects: _redirects, .htaccess, or one of nginx",
                )
            yield source
        except LinkfixError as error:
            error.file = error.file or path
            report(error)


def read_redirects(data: bytes, name: str, site: str) -> Source:
    """Return the redirects of a file.

    Args:
        data: its bytes.
        name: of the file, which says what it is.
        site: absolute URI of the root of the site.

    Raises:
        LinkfixError: it cannot be read; the error has the name of the file.

    """
    if len(data) > _MOST_BYTES:
        raise UnreadableError(
            f"it has more than {_MOST_BYTES >> 20} MiB", hint="name a smaller file", file=name
        )
    text = data.decode("utf-8-sig", "surrogateescape")
    base = file_name(name.replace("\\", "/"))
    lower = base.lower()
    if lower.endswith((".csv", ".toml")):
        if not text.isprintable() and "\udc80" <= max(text, default="") <= "\udcff":
            raise LinkMapError("the map is not in UTF-8", hint="save it in UTF-8", file=name)
        kind = "toml" if lower.endswith(".toml") else "csv"
        return MappedPlaces(LinkMap.parse(text, format=kind, name=name, site=site))  # type: ignore[arg-type]
    if base == "_redirects":
        return Redirects(_netlify(text))
    if base != htaccess.NAME and _NGINX.search(text):
        return nginx_redirects(text)
    return Redirects(_apache(data, name))


def _netlify(text: str) -> Iterator[Rule]:
    """Yield the rules of a ``_redirects`` file (Netlify, "Redirects and rewrites")."""
    for line in text.splitlines():
        words = line.partition(" #")[0].partition("\t#")[0].split()
        if not words or words[0].startswith("#"):
            continue
        query = []
        while len(words) > 1 and "=" in words[1] and not words[1].startswith(("/", "http")):
            name, _, value = words.pop(1).partition("=")
            query.append((name, value))
        status = _STATUS.fullmatch(words[2]) if len(words) > 2 else None
        if len(words) < 2 or not words[0].startswith("/"):  # of another host, or no rule
            continue
        is_conditional = len(words) > 2 + (status is not None)
        is_conditional |= any(value.startswith(":") for _, value in query)
        yield from _of_netlify(
            words[0],
            words[1],
            UNKNOWN if is_conditional else int(status[1]) if status else 301,
            tuple(each for each in query if not each[1].startswith(":")),
            is_forced=status is not None and bool(status[2]),
        )


def _of_netlify(
    path: str, target: str, status: int, query: tuple[tuple[str, str], ...], *, is_forced: bool
) -> Iterator[Rule]:
    """Yield a rule. A slash at the end of a path does not matter."""
    path = path.rstrip("/") if path.endswith("/") else path
    pieces, at = [], 0
    for found in _PLACEHOLDER.finditer(path):
        before, name = path[at : found.start()], found[1]
        if name is None and found.end() < len(path):
            continue  # only an asterisk at the end is special
        if name is None and before.endswith("/"):
            pieces += [re.escape(unquote(before[:-1])), "(?:/(?P<splat>.*))?"]
        else:
            pieces += [re.escape(unquote(before)), "(?P<splat>.*)" if name is None else f"(?P<{name}>[^/]+)"]  # fmt: skip
        at = found.end()
    if not pieces:
        for each in {unquote(path), f"{unquote(path)}/"} - {
            ""
        }:  # found by the path, which is quicker
            yield Rule(each, None, (target,), status, is_forced=is_forced, query=query)
        return
    pieces.append(re.escape(unquote(path[at:])))
    try:
        pattern = re.compile(rf"\A{''.join(pieces)}/?\Z", re.DOTALL)
    except re.error:  # a placeholder is there twice
        yield Rule(unquote(path), None, None, UNKNOWN)
        return
    to = _named(target, pattern)
    yield Rule(None, pattern, to, status, is_forced=is_forced, query=query)


def _named(target: str, pattern: re.Pattern[str]) -> Target:
    """Return a target with its placeholders as groups."""
    whole = _WHOLE.match(target)
    at = 0 if whole is None else whole.end()
    pieces: list[str | int] = [target[:at]]
    for found in re.compile(r":([A-Za-z_][A-Za-z0-9_]*)").finditer(target, at):
        number = pattern.groupindex.get(found[1])
        if number is not None:
            pieces += [target[at : found.start()], number]
            at = found.end()
    return (*pieces, target[at:])


def _apache(data: bytes, name: str) -> list[Rule]:
    """Return the rules of an Apache configuration: those of mod_rewrite are asked first."""
    rewrites: list[Rule] = []
    aliases: list[Rule] = []
    is_on = is_conditional = False
    patterns = 0
    for line in htaccess.lines(data):
        words = line.words
        if not words:
            continue
        directive, *arguments = words[0].lower(), *words[1:]
        if line.section:
            if directive.startswith("redirect"):
                aliases.append(DOUBT)
            elif directive.startswith("rewrite"):
                rewrites.append(DOUBT)
            continue
        rule: Rule | None = None
        try:
            if directive == "rewriteengine" and arguments:
                is_on = arguments[0].lower() == "on"
            elif directive == "rewritecond":
                is_conditional = True
            elif directive == "rewriterule" and len(arguments) > 1:
                rule = _rewrite(arguments, is_conditional=is_conditional) if is_on else None
                rewrites += [] if rule is None else [rule]
                is_conditional = False
            elif directive.startswith("redirect"):
                rule = _alias(directive, arguments)
                aliases += [] if rule is None else [rule]
            patterns += rule is not None and rule.pattern is not None
            check_number(patterns)
        except re.error as error:
            raise UnreadableError(
                f"{words[0]} has no regular expression that can be read: {error}",
                hint="correct it, or name other files with --redirect-file",
                file=name,
                line=line.number,
            ) from None
    return rewrites + aliases


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


def _numbered(target: str) -> Target:
    """Return a target with ``$1`` as a group."""
    pieces: list[str | int] = []
    at = 0
    for found in _GROUP.finditer(target):
        pieces += [target[at : found.start()], found[1] if found[1] is not None else int(found[2])]
        at = found.end()
    return (*pieces, target[at:])


def _rewrite(arguments: list[str], *, is_conditional: bool) -> Rule | None:
    """Return the redirect of a RewriteRule in the root of a site; None for none (mod_rewrite)."""
    source, target, *more = arguments
    flags = [each.strip() for each in "".join(more).strip("[]").split(",")]
    names = {each.partition("=")[0].upper(): each.partition("=")[2] for each in flags}
    options = re.IGNORECASE | re.ASCII if {"NC", "NOCASE"} & names.keys() else re.NOFLAG
    is_last, is_certain = bool(_LAST & names.keys()), not _ORDER & names.keys() and is_plain(source)
    if source.startswith("!"):
        pattern, is_conditional = re.compile(""), True
    else:
        # The path is without its first slash here.
        anchored = source.startswith("^")
        pattern = compiled(rf"\A/(?:{source[1:]})" if anchored else rf"(?<=/)(?:{source})|(?:{source})", options)  # fmt: skip
    status = names.get("R", names.get("REDIRECT"))
    if {"F", "FORBIDDEN", "G", "GONE"} & names.keys() and not is_conditional:
        return Rule(None, pattern, None, 410, is_certain=is_certain)
    if status is None or is_conditional:
        if target == "-" or "E" in names:
            is_harmless = target == "-" and not is_last and not _ORDER & names.keys()
            return None if is_harmless else DOUBT
        return Rule(None, pattern, None, UNKNOWN, is_forced=False, is_certain=is_certain)
    number = _WORDS.get(status.lower()) or (int(status) if status.isdigit() else 302)
    known = "%{" not in target and target.startswith(("/", "http:", "https:"))
    target = target.removesuffix("?") if known else target
    return Rule(
        None,
        pattern,
        _numbered(target) if known else None,
        number,
        keeps_query=not arguments[1].endswith("?") and not {"QSD", "QSDISCARD"} & names.keys(),
        is_certain=is_certain and is_last,
        is_foreign=True,
        joins_query=bool({"QSA", "QSAPPEND"} & names.keys()),
    )
