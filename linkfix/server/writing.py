"""Write the files of a server anew for a site whose files have other names: `.htaccess`, `_redirects`, `_headers` and `robots.txt`.

Input: such a file, and the new address of everything. Output: the file, in which each plain path or URL that a directive names is
the new one, and the lines that name something by its old name in another way. A pattern of old addresses stays: old addresses are
what redirects are for. Files of a server that are not in the site are not written; the lines that have to change are returned.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cached_property
from operator import itemgetter
from typing import TypeAlias
from urllib.parse import unquote_to_bytes

from linkfix.charset import known
from linkfix.iri.model import apply
from linkfix.iri.reference import split
from linkfix.iri.resolution import resolved
from linkfix.markup.detect import type_of_name
from linkfix.server.addresses import SiteAddress, is_program
from linkfix.server.headers import NAME, Word, charset_of, content_of, lines
from linkfix.server.listing import Listing
from linkfix.server.redirects.rules import compiled

_ROBOTS = re.compile(rb"^[ \t]*(?:dis)?(?:allow|sitemap)[ \t]*:[ \t]*([^\s#]+)", re.IGNORECASE | re.MULTILINE)  # fmt: skip
_NETLIFY = re.compile(rb"^[ \t]*/\S*[ \t]+(?:[^\s=]+=\S*[ \t]+)*((?:/|https?:)\S*)", re.MULTILINE)
#: A path, or what a `Link` header leads to (RFC 8288, 3); and the charset of a type.
_HEADERS = re.compile(rb"""^(/[^\s#]*)|<([^<>\s]+)>|^[ \t]+content-type[ \t]*:[^\r\n]*?charset[ \t]*=[ \t]*"?(?P<charset>[\w.:-]+)""", re.IGNORECASE | re.MULTILINE)  # fmt: skip
#: The files in the root of a site that are written anew, besides `.htaccess` files anywhere, each with what is in it.
_IN_ROOT = {"robots.txt": _ROBOTS, "_redirects": _NETLIFY, "_headers": _HEADERS}
#: What makes a path more than a path: groups, variables, placeholders.
_PATTERN = re.compile(r"[$*]|%[{0-9](?![0-9A-Fa-f])|/:")
#: The extension of type maps, and what names a file or a charset in one.
_MAP = ".var"
_MAP_LINE = re.compile(rb"""^uri[ \t]*:[ \t]*"?([^\s"]+)|^content-type[ \t]*:[^\r\n]*?charset[ \t]*=[ \t]*"?([\w.:-]+)""", re.IGNORECASE | re.MULTILINE)  # fmt: skip
_STATUS = re.compile(r"[1-5][0-9]{2}|permanent|temp|seeother|gone", re.IGNORECASE | re.ASCII)
#: What is said of a line that is not written anew, after its words.
STALE = "this has another name now; correct it by hand"
_OLD_CHARSET = "documents are in UTF-8 now; correct it by hand"
#: What is around words that are names, in the files of Apache and nginx.
_MARKS = ";{}<>\"'"
#: The sections of files, and whether one is about their names and not their paths.
_SECTIONS: dict[str, Callable[[str], int]] = {
    **dict.fromkeys(("files", "filesmatch"), lambda path: path.rfind("/") + 1),
    **dict.fromkeys(("location", "locationmatch"), lambda _: 0),
}
#: How often an expression of a section is compared with a path. What is beyond is not named.
_MOST_SEARCHES = 20_000_000
#: A charset in the code of a program: in a header that it sets, or in a declaration of how it is read.
_IN_CODE = re.compile(rb"""(?<!accept-)(?:charset|encoding|(codepage))["']?\s*[=:,(]\s*["']?([\w.:-]+)""", re.IGNORECASE)  # fmt: skip
#: Where a script leads the browser, by a plain string (HTML Standard, 7.2.4 and 7.2.2.1).
_LEADS = re.compile(rb"""\b(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\(|window\.open\s*\()\s*(?:"([^"\\\n<>]+)"|'([^'\\\n<>]+)')(?!\s*\+)""")  # fmt: skip
#: What a ``Link`` header leads to (RFC 8288, 3).
_OF_LINK = re.compile(r"<([^<>]+)>")
#: Labels that need no correction.
_UTF8 = frozenset({"", "utf-8", "utf8"})
#: The directives that name the folder on the server that is the root of the site.
_ROOTS = frozenset({"documentroot", "root"})
#: The directives whose words are extensions from the third on.
_OF_EXTENSIONS = frozenset({"addcharset", "addencoding", "addhandler", "addinputfilter", "addlanguage", "addoutputfilter", "addtype"})  # fmt: skip


@dataclass(frozen=True)
class Renaming:
    """New names of the files of a site.

    Attributes:
        listing: the site as it was.
        old: its address.
        new: its new address.
        target: returns the new URI for an absolute URI; None if it stays (`Policy.target`).
        path: returns the new path of a file or folder.
        extensions: new extensions by old ones, dots included.
        in_utf8: whether the documents are in UTF-8 now.

    """

    listing: Listing
    old: SiteAddress
    new: SiteAddress
    target: Callable[[str], str | None]
    path: Callable[[str], str]
    extensions: Mapping[str, str] = field(default_factory=dict)
    in_utf8: bool = False

    def uri(self, uri: str) -> str | None:
        """Return the new URI for an absolute URI; None if it stays. A folder is itself, and not its index file."""
        located = self.old.locate(uri)
        if located is None or not self.listing.is_folder(located.path):
            return self.target(uri)
        new = self.path(located.path)
        if new == located.path and self.old == self.new:
            return None
        return self.new.uri(new, is_folder=located.is_folder) + located.rest

    @cached_property
    def moved(self) -> list[tuple[str, str]]:
        """The paths of the files that have a new one, each with it; both begin with a slash."""
        pairs = ((path, self.path(path)) for path in self.listing.files())
        return [(f"/{old}", f"/{new}") for old, new in pairs if old != new]

    @cached_property
    def searches(self) -> Iterator[int]:
        """Yields once for each expression that is compared with all files: `_MOST_SEARCHES` in all."""
        return iter(range(_MOST_SEARCHES // (len(self.moved) or 1)))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The paths of the files by their names."""
        found: dict[str, list[str]] = {}
        for path in self.listing.files():
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    def misses(self, text: str, base: str, path: str) -> bool:
        """Return whether a path or URL means something else now, as a file has it that may have moved.

        Args:
            text: the path or URL.
            base: the old URI that it is relative to.
            path: of the file, before.

        """
        uri = resolved(text, base)
        if uri is None or _PATTERN.search(text) or self.old.locate(uri) is None:
            return False
        return resolved(text, self.new.uri(self.path(path))) != (self.uri(uri) or uri)

    def names(self, folder: str, name: str) -> list[str]:
        """Return the new names of the files of a name in a folder and below it; nothing if they stay as they are."""
        inside = f"/{folder}".rstrip("/") + "/"
        paths = [each for each in self._by_name.get(name, ()) if f"/{each}".startswith(inside)]
        pairs = [(self.path(path).rpartition("/"), path.rpartition("/")[0]) for path in paths]
        new = {each for (place, _, each), above in pairs if place == (above and self.path(above))}
        return [] if new == {name} else sorted(new)


#: A change of a file: the byte offsets of what is replaced, and the new bytes.
Edit: TypeAlias = tuple[int, int, bytes]


def is_written(path: str) -> bool:
    """Return whether a file of a site is one of its server that is written anew."""
    return path.rpartition("/")[2] == NAME or path in _IN_ROOT or path.endswith(_MAP)


def rewritten(data: bytes, path: str, site: Renaming) -> tuple[bytes, list[tuple[int, str]]]:
    """Return a file with the new names, and the lines that name something by its old name still, each with what is wrong.

    Args:
        data: its bytes.
        path: its path from the root of the tree.
        site: the new names.

    """
    stale: list[tuple[int, str]] = []
    edits = sorted(_edits(data, path, site, stale), key=itemgetter(0))
    return apply(data, edits), stale


def stale_lines(path: str, site: Renaming) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file of Apache or nginx that have to change, which is not in the site and is not written, with what is wrong.

    Args:
        path: of the file.
        site: the new names.

    Raises:
        UnreadableError: it cannot be read.

    """
    charsets = site.listing.folders.charsets if site.in_utf8 else ()
    legacy = {
        each.line for each in charsets if each.file == path and each.label.lower() not in _UTF8
    }
    root, found = site.old.root, [*lines(content_of(path))]
    roots = [each.places for each in found if len(each.places) > 1]
    trees = {f"{_paths(each)[0]}/" for each in roots if each[0].text.lower() in _ROOTS}
    for line in found:
        words = line.places
        named = any(_of_line(words, "", root, site)) or any(_stale_words(words, "", root, site))
        for each in _paths(words):
            inside = {each[len(tree) :] for tree in trees if each.startswith(tree)}
            named = named or any(site.path(old) != old for old in inside)
        if named or line.number in legacy:
            text = line.text.decode("utf-8", "surrogateescape").strip()
            yield line.number, f"{text}: {STALE if named else _OLD_CHARSET}"


def _paths(words: list[Word]) -> list[str]:
    """Return the words of a line as paths of files or folders of the server."""
    return [word.text.strip(_MARKS).rstrip("/") for word in words[1:]]


def _stale_words(words: list[Word], folder: str, base: str, site: Renaming) -> Iterator[Word]:
    """Yield the words of a line that name something by its old name, whose new one the line has not as well."""
    texts = [word.text.strip(_MARKS) for word in words]
    if texts and texts[0].lower() in _SECTIONS and (wanted := _expression(words)) is not None:
        named = _SECTIONS[texts[0].lower()]
        inside = f"/{folder}".rstrip("/") + "/"
        for paths in site.moved if next(site.searches, None) is not None else ():
            old, new = (path[named(path) :] for path in paths)
            if paths[0].startswith(inside) and wanted.search(old) and not wanted.search(new):
                yield words[1]
                return
    for word, text in zip(words[1:], texts[1:], strict=True):
        if word.text.startswith("#"):
            return
        references = [text] * ("/" in text) + _OF_LINK.findall(word.text)
        moved = (_moved(each, base, site) for each in references)
        if {*site.names(folder, text), *filter(None, moved)} - {*texts}:
            yield word


def _expression(words: list[Word]) -> re.Pattern[str] | None:
    """Return the regular expression or the wildcards of a section; None for none, and for one that is not understood."""
    kinds = {"~": re.NOFLAG, "~*": re.IGNORECASE | re.ASCII}
    flags = next((kinds[word.text] for word in words if word.text in kinds), None)
    text = next((word.text for word in words[1:] if word.text not in kinds), "").rstrip(">{")
    if flags is None and not words[0].text.lower().endswith("match"):
        is_plain = not set(text) & set("*?[") or words[0].text.lower() == "location"
        return None if is_plain else re.compile(rf"(?:^|/){translate(text)}")
    try:
        return compiled(text, flags or re.NOFLAG)
    except re.error:
        return None


def stale_in_code(code: bytes, path: str, site: Renaming) -> Iterator[tuple[int, str]]:
    """Yield what code names that is not so any more, each with its line: addresses to which scripts lead, and charsets in programs.

    Args:
        code: a document or script, in a charset in which addresses of ASCII are ASCII.
        path: its path from the root of the tree, before.
        site: the new names.

    """
    for match in _LEADS.finditer(code):
        text, base = (match[1] or match[2]).decode("utf-8", "surrogateescape"), site.old.uri(path)
        # An address in a script is relative to the page.
        if (text.startswith(("/", "http")) or type_of_name(path)) and site.misses(text, base, path):
            yield _stale_at(code, match, STALE)
    for match in _IN_CODE.finditer(code) if is_program(path) and site.in_utf8 else ():
        charset = known(match[2].decode("latin-1"))
        if match[2] != b"65001" if match[1] else charset is not None and charset.name != "UTF-8":
            yield _stale_at(code, match, _OLD_CHARSET)


def _stale_at(code: bytes, match: re.Match[bytes], why: str) -> tuple[int, str]:
    words = match[0].decode("utf-8", "replace")
    return code.count(b"\n", 0, match.start()) + 1, f"{words}: {why}"


def _edits(data: bytes, path: str, site: Renaming, stale: list[tuple[int, str]]) -> Iterator[Edit]:
    if path in _IN_ROOT:
        for found in _IN_ROOT[path].finditer(data):
            group = found.lastindex or 1
            word = Word(*found.span(group), found[group].decode("utf-8", "surrogateescape"))
            if found.lastgroup == "charset":
                if _is_legacy(word.text, site):
                    yield word.start, word.end, b"utf-8"
                continue
            new = _moved(word.text, site.old.root, site)
            if new is not None:
                yield word.start, word.end, new.encode()
            elif _PATTERN.search(word.text) and _moved(word.text.rstrip("*$"), site.old.root, site):
                stale.append((data.count(b"\n", 0, word.start) + 1, f"{word.text}: {STALE}"))
        return
    if path.endswith(_MAP):
        yield from _of_type_map(data, path, site, stale)
        return
    folder = path.rpartition("/")[0]
    base = site.old.uri(folder, is_folder=True)
    for line in lines(data):
        words = line.places
        edits = [*_of_line(words, folder, base, site)]
        charset = charset_of(line, path) if site.in_utf8 and not line.section else None
        if charset is not None and charset.renames:
            edits.append((charset.start, charset.end, b"utf-8"))
        if words and words[0].text.lower() == "rewritebase" and len(words) > 1:
            base = resolved(f"{words[1].text.rstrip('/')}/", base) or base
        yield from edits
        stale += (
            (line.number, f"{words[0].text} {word.text}: {STALE}")
            for word in ([] if edits else _stale_words(words, folder, base, site))
        )


def _is_legacy(label: str, site: Renaming) -> bool:
    """Return whether a label names the charset that documents had before they were converted."""
    charset = known(label)
    return site.in_utf8 and charset is not None and charset.name != "UTF-8"


def _of_type_map(
    data: bytes, path: str, site: Renaming, stale: list[tuple[int, str]]
) -> Iterator[Edit]:
    """Yield the changes of a type map of Apache's (mod_negotiation): the files that it names, and their charsets."""
    base = site.old.uri(path)
    for match in _MAP_LINE.finditer(data):
        if match[1] is None:
            if _is_legacy(match[2].decode("latin-1"), site):
                yield *match.span(2), b"utf-8"
            continue
        text = match[1].decode("utf-8", "surrogateescape")
        if not site.misses(text, base, path):
            continue
        located = site.old.locate(resolved(text, base) or "")
        folder, _, name = site.path("" if located is None else located.path).rpartition("/")
        if folder == site.path(path).rpartition("/")[0]:
            yield *match.span(1), os.fsencode(name)
        else:  # it names files beside it only
            stale.append((data.count(b"\n", 0, match.start()) + 1, f"URI: {text}: {STALE}"))


def _of_line(words: list[Word], folder: str, base: str, site: Renaming) -> Iterator[Edit]:
    """Yield the changes of a line of Apache's."""
    name = words[0].text.lower() if words else ""
    if name == "directoryindex":
        for word in words[1:]:
            names = site.names(folder, word.text)
            if word.text.startswith("/") and (whole := _moved(word.text, base, site)):
                names = [whole]
            if not {*names} <= {each.text for each in words}:
                new = b" ".join(_quoted(os.fsencode(each)) for each in names)
                yield word.start, word.end, new
    elif name == "<files" and len(words) > 1:
        names = site.names(folder, words[1].text.rstrip(">"))
        if len(names) == 1:
            end = b">" * words[1].text.endswith(">")
            yield words[1].start, words[1].end, _quoted(os.fsencode(names[0])) + end
    elif name in _OF_EXTENSIONS:
        known = {f".{word.text.lstrip('.').lower()}" for word in words[2:]}
        for word in words[2:]:
            new_extension = site.extensions.get(f".{word.text.lstrip('.').lower()}")
            if new_extension is not None and new_extension.lower() not in known:
                dotted = new_extension if word.text.startswith(".") else new_extension[1:]
                yield word.end, word.end, b" " + os.fsencode(dotted)
    target = _target(name, words)
    if target is not None:
        new_text = _moved(target.text, base, site)
        if new_text is not None:
            octets = _octets(new_text)
            if name == "rewriterule":  # its target is decoded, and has groups and variables
                path, *marked = split(new_text)
                octets = re.sub(rb"[%$\\]", rb"\\\g<0>", unquote_to_bytes(_octets(path))) + _octets("".join(marked))  # fmt: skip
            yield target.start, target.end, _quoted(octets)


def _target(name: str, words: list[Word]) -> Word | None:
    """Return the word of a directive that is a path or a URL of the site; None for none."""
    if name.startswith("redirect"):
        arguments = words[2:] if len(words) > 1 and _STATUS.fullmatch(words[1].text) else words[1:]
        word = arguments[1] if len(arguments) == 2 else None
    else:
        place = {"errordocument": 2, "fallbackresource": 1, "rewritebase": 1, "rewriterule": 2}
        at = place.get(name, len(words))
        word = words[at] if at < len(words) else None
    if word is None or (name == "errordocument" and not word.text.startswith(("/", "http"))):
        return None
    return word if name == "redirect" or not _PATTERN.search(word.text) else None


def _moved(text: str, base: str, site: Renaming) -> str | None:
    """Return a path or URL as it has to be now, spelled as it was: whole, from the root, or from a folder."""
    if text in {"-", "/"} or _PATTERN.search(text):
        return None
    uri = resolved(text, base)
    new = None if uri is None else site.uri(uri)
    if new is None or new == uri:
        return None
    origin = "/".join(site.new.root.split("/", 3)[:3])
    if text.startswith(("http:", "https:")) or not new.startswith(f"{origin}/"):
        return new
    folder = site.uri(base) or base
    if not text.startswith("/") and new.startswith(folder):
        return new[len(folder) :] if new[len(folder) :] != text else None
    return new[len(origin) :]


def _quoted(word: bytes) -> bytes:
    return b'"%b"' % word if b" " in word else word


def _octets(text: str) -> bytes:
    """Return the octets of a file that a text was read from, in UTF-8 or not."""
    return text.encode("utf-8", "surrogateescape")
