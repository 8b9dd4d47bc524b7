"""Read how a server answers from its files.

======================  ====================================================================================
file                    what is read
======================  ====================================================================================
``_redirects``          Netlify: paths with ``*`` and ``:placeholders``, parameters, status, conditions
``.htaccess``           Apache: `linkfix.server.apache`
``*.csv``, ``*.toml``   a link map
any other               nginx, if a line ends in a semicolon (`nginx`); else Apache
======================  ====================================================================================

A rule that depends on more than the URI (a country, a RewriteCond) says nothing about a place but that it may be there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import unquote

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import begin_of, is_folder
from linkfix.files.paths import join, real
from linkfix.markup.detect import file_name
from linkfix.policy.linkmap import LinkMap
from linkfix.server.addresses import Serving
from linkfix.server.apache import Directives, read
from linkfix.server.headers import NAME as HTACCESS
from linkfix.server.listing import Listing
from linkfix.server.redirects.nginx import nginx_directives
from linkfix.server.redirects.rules import UNKNOWN, Redirect, Redirects, Rule, Source, target_of

#: The file in the root of a site that is read without being named, besides `.htaccess` files.
DEFAULT = "_redirects"
#: No file of a server is larger.
_MOST_BYTES = 16 * 1024 * 1024
_NGINX = re.compile(r"^[^#\n]*(?:;|\{|;[ \t]*\})[ \t\r]*$", re.MULTILINE)
_STATUS = re.compile(r"([1-5][0-9]{2})(!?)")
_WHOLE = re.compile(r"https?://[^/]*")
_NAME = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)")
_PLACEHOLDER = re.compile(r":([A-Za-z_][A-Za-z0-9_]*)|(\*)")


def configured(
    listing: Listing, site: str, serving: Serving, report: Callable[[LinkfixError], object]
) -> tuple[tuple[Source, ...], Serving]:
    """Read the files of a server: those that are named, and those of the site.

    Args:
        listing: of the site; learns what is said of its folders.
        site: absolute URI of its root.
        serving: how URLs are mapped to files, and the files that are named.
        report: called with the error of what cannot be read; it is left out.

    Returns:
        The redirects of the whole site, and how URLs are mapped to files by all of it.

    """
    entry = listing.entries.get(DEFAULT)
    own = [join(listing.root, DEFAULT)] if entry is not None and entry.kind == "file" else []
    sources: list[Source] = []
    problems: list[LinkfixError] = []
    for path in dict.fromkeys([*serving.configuration, *own]):
        try:
            source, said = read_configuration(begin_of(path, _MOST_BYTES + 1), path, site)
        except LinkfixError as error:
            error.file = error.file or path
            problems.append(error)
            continue
        sources += [] if source is None else [source]
        if source is None and path not in own and said == Directives():
            hint = "name a file of Apache, of nginx, or of redirects"
            said.problems.append(LinkfixError("nothing was found in it", hint=hint, file=path))
        problems += [*said.problems, *said.unread]
        if source is not None:
            said.own = said.own._replace(rewrites=None, aliases=None)
        serving = _learn(listing, serving, said)
    folders = listing.folders
    for problem in (*problems, *folders.failures, *folders.problems):
        report(problem)
    return tuple(sources), serving


def _learn(listing: Listing, serving: Serving, said: Directives) -> Serving:
    """Have a listing know what a file says of its folders; return how URLs are mapped to files then."""
    top = said.root or real(listing.root)
    for folder, each in (("", said.own), *said.folders.items()):
        if folder in {"", "/"} or f"{folder}/".startswith(f"{top}/"):
            charsets = (charset for charset in said.charsets if charset.folder == folder)
            listing.folders.add(folder.removeprefix(top).strip("/"), each, charsets)
    aliases, served = [*serving.aliases], [*serving.served, *said.served]
    for path, folder in said.aliases:
        inside = f"{folder.rstrip('/')}/".startswith(f"{top}/")
        place = join(listing.root, folder.removeprefix(top).strip("/")) if inside else folder
        if path.strip("/") and is_folder(place):
            aliases.append((f"/{path.strip('/')}/", place))
        elif path.strip("/"):  # it is on the server only
            served.append(f"/{path.strip('/')}")
    return replace(serving, aliases=tuple(aliases), served=tuple(served))


def read_configuration(data: bytes, name: str, site: str) -> tuple[Source | None, Directives]:
    """Return the redirects of a file for the whole site, None for those of a folder alone, and what else it says.

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
    base = file_name(name.replace("\\", "/"))
    if base.lower().endswith((".csv", ".toml")):
        return _mapped(LinkMap.read(data, name, site=site)), Directives()
    text = data.decode("utf-8-sig", "surrogateescape")
    if base == DEFAULT:
        redirects = Redirects(_netlify(text))
        return redirects.find if redirects else None, Directives()
    if base != HTACCESS and _NGINX.search(text):
        return nginx_directives(text, name)
    said = read(data, name)
    return None if base == HTACCESS else said.source(), said


def _mapped(link_map: LinkMap) -> Source:
    """Return the redirects of a link map: what moved is redirected, with any query that no rule names."""

    def find(uri: str) -> Redirect | None:
        target = link_map.follow(uri)
        path, mark, query = uri.partition("?")
        if mark and target in {None, uri} and (target := link_map.follow(path)) not in {None, path}:
            target = f"{target}{'&' if '?' in target else '?'}{query}"
        return None if target is None or target == uri else Redirect(301, target)

    return find


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
        # Such a rule is found by the path, which is quicker.
        for each in {unquote(path), f"{unquote(path)}/"} - {""}:
            yield Rule(each, None, (target,), status, is_forced=is_forced, query=query)
        return
    pieces.append(re.escape(unquote(path[at:])))
    try:
        pattern = re.compile(rf"\A{''.join(pieces)}/?\Z", re.DOTALL)
    except re.error:  # a placeholder is there twice
        yield Rule(unquote(path), None, None, UNKNOWN)
        return
    # The placeholders of the target are groups.
    whole = _WHOLE.match(target)
    at = 0 if whole is None else whole.end()
    to = target_of(target[at:], _NAME, lambda m: [pattern.groupindex.get(m[1], m[0])]) or ()
    to = (target[:at], *to)
    yield Rule(None, pattern, to, status, is_forced=is_forced, query=query)
