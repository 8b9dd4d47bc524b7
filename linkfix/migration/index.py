"""The first pass over a site: collect facts about its documents, and find broken links.

Input: the documents, each read once by some process. Output: plain data of bounded size for each document: the files
that it uses with their charsets, the links to fragments of other documents, and the broken links. The index keeps these
in a temporary database, and in memory only how each document was read.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from linkfix.charset import Sniffed, known
from linkfix.files.access import chunks, open_document
from linkfix.files.paths import join
from linkfix.files.store import StoredTexts
from linkfix.iri.reference import fragment_of, has_fragment
from linkfix.iri.resolution import without_dots
from linkfix.jobs.wire import Event
from linkfix.links import Link, flattened
from linkfix.links.stream import MARKUP
from linkfix.markup.detect import DocumentType, type_of_name
from linkfix.markup.html.tokens import StartTag
from linkfix.markup.xml.events import TAG
from linkfix.migration.renames import Moves
from linkfix.migration.settings import Task
from linkfix.policy import Bases, Policy
from linkfix.server.includes import IncludeScanner, pages_of
from linkfix.server.nearmiss import NAMING, Fragments, NearMisses
from linkfix.server.server import Reason, Server

#: The elements whose links ask for scripts and style sheets.
_ASKING = frozenset({"script", "link", "style", "?xml-stylesheet"})
#: The attributes that put a page into another one. A page that declares no charset is in that of the page around it there
#: (HTML Standard, 13.2.3.2, step 6).
_FRAMES = frozenset({("frame", "src"), ("iframe", "src"), ("object", "data"), ("embed", "src")})
_SCRIPTS = (".js", ".cjs")
_FORM = re.compile(rb"<form[\s/>]", re.IGNORECASE)
#: What a charset was guessed from that is a default.
BY_DEFAULT = "nothing; it is the default"
#: What a charset was guessed from, by the step of sniffing.
_EVIDENCE = {
    "detected": "the frequencies of its characters",
    "pattern": "its first octets",
    "default": BY_DEFAULT,
}


class Lead(NamedTuple):
    """A link to another page of the site, as plain data: its path, and what the link says of its charset and language."""

    path: str
    charset: str = ""
    language: str = ""


class SiteLink(NamedTuple):
    """A link of a document, with the URI of its target, as plain data."""

    file: str
    line: int
    column: int
    element: str
    attribute: str
    value: str
    uri: str

    @property
    def fragment(self) -> str:
        """The fragment of the target, without its number sign."""
        return fragment_of(self.uri)


class Broken(NamedTuple):
    """A broken link into the site, as plain data.

    Attributes:
        found: the link.
        reason: ``missing``; ``case`` or ``spelling`` if the file exists under a name that differs so; ``no-index`` for
            a folder without an index file; ``fragment``.
        near: near misses: paths or fragments.

    """

    found: SiteLink
    reason: Reason | Literal["fragment"]
    near: tuple[str, ...] = ()


class Reading(NamedTuple):
    """How a document was read.

    Attributes:
        type: its type.
        charset: name of its charset.
        declared: whether it, or the old server, declares the charset.
        assumed: whether nothing and nobody says what the charset of the page is.
        guess: the evidence for a guessed charset; "" if it is certain or does not matter.
        neutral: whether none of its links and forms can depend on the charset.

    """

    type: DocumentType | None
    charset: str
    declared: bool
    assumed: bool
    guess: str
    neutral: bool


class Facts(NamedTuple):
    """The facts about a document, as a worker yields them.

    Attributes:
        reading: how it was read.
        names: the targets of fragments; None if nobody asks for them.
        asks: the names of the charsets for its scripts, style sheets, parts and frames without a declaration, by path.
        includes: paths of the parts among these.
        broken: the links to missing files of the site.
        fragments: the links to fragments of other files, with their paths.
        leads: the pages that it links to.

    """

    reading: Reading
    names: Sequence[str] | None
    asks: Sequence[tuple[str, str]]
    includes: Sequence[str]
    broken: Sequence[Broken]
    fragments: Sequence[tuple[str, SiteLink]]
    leads: Sequence[Lead]


def is_script(path: str) -> bool:
    """Return whether a file is a classic script by its name; such a script has no charset of its own."""
    return path.lower().endswith(_SCRIPTS)


def examined(policy: Policy, server: Server, task: Task) -> Iterator[Event]:
    """Look at a document; yield its `Facts`.

    Args:
        policy: how links are read.
        server: of the tree; finds the files of links.
        task: the document.

    Raises:
        LinkfixError: it cannot be read or processed.

    """
    yield [*_Look(policy, server, task).run()]


class _Look:
    """One document while it is being looked at."""

    def __init__(self, policy: Policy, server: Server, task: Task) -> None:
        policy = task.policy(server.headers, policy)
        self._policy = replace(policy, disputed="chromium")  # as the transcoder reads links
        self._server, self._task = server, task
        self._names: set[str] = set()
        self._asks: dict[tuple[str, str], None] = {}
        self._leads: dict[Lead, None] = {}
        self._broken: list[Broken] = []
        self._fragments: list[tuple[str, SiteLink]] = []
        self._own: list[SiteLink] = []
        self._includes: dict[str, None] = {}
        self._scanner = IncludeScanner(task.path, server.listing)
        self._plain = self._neutral = True
        self._bases = Bases(None if task.is_part else server.address.uri(task.path))
        #: In HTML the last tag that may say how another file is read.
        self._tag: StartTag | None = None
        #: In XML the part of the view whose links may come next, and its offset in the view.
        self._window, self._offset = b"", 0
        self._stream = self._policy.stream(task.source(server.headers), names=self._names)
        self._stream.on_tag = self._see

    def run(self) -> Facts:
        with open_document(join(self._server.listing.root, self._task.path)) as file:
            for data in chunks(file):
                self._plain = self._plain and data.isascii()
                self._read(data)
            self._read(b"", final=True)
        type_, sniffed, names = self._stream.type, self._stream.sniffed, self._names
        wrong = (found for found in self._own if not has_fragment(found.fragment, names))
        self._broken += (Broken(found, "fragment") for found in wrong)
        known = ("", False, False)
        if sniffed is not None:
            declared = sniffed.declared and sniffed.step != "environment"
            known = (sniffed.charset.name, declared, sniffed.guessed)
        return Facts(
            Reading(type_, *known, self._guess(sniffed), self._neutral),
            sorted(names) if type_ in NAMING else None,
            [*self._asks],
            [*self._includes],
            self._broken,
            self._fragments,
            [*self._leads],
        )

    def _read(self, data: bytes, *, final: bool = False) -> None:
        """Read the next bytes, and collect their links."""
        before = self._stream.offset
        found = self._stream.read(data, final=final)
        self._observe(self._stream.view)
        if self._in_xml:
            offset = self._in_view(before)
            self._window = self._window[offset - self._offset :] + self._stream.view
            self._offset = offset
        for one in found:
            self._record(flattened([one]))

    @property
    def _in_xml(self) -> bool:
        return self._stream.type is not None and MARKUP[self._stream.type] == "xml"

    def _in_view(self, offset: int) -> int:
        """Return the offset in the view for a byte offset."""
        sniffed = self._stream.sniffed
        return 0 if sniffed is None else max(offset - sniffed.bom, 0) // sniffed.charset.unit

    def _see(self, tag: StartTag) -> None:
        """Keep a tag whose links come next."""
        self._tag = tag

    def _guess(self, sniffed: Sniffed | None) -> str:
        """Return what the charset was guessed from, "" where it is certain or does not matter."""
        if sniffed is None or not sniffed.guessed or self._stream.type != "html":
            return ""
        if self._plain and sniffed.charset.is_own_view:
            return ""
        return _EVIDENCE.get(sniffed.step, sniffed.step)

    def _observe(self, view: bytes) -> None:
        if self._stream.type != "html":
            return
        for include in self._scanner.feed(view):
            if self._stream.sniffed is not None:
                self._includes[include.file] = None
                self._asks[include.file, self._stream.sniffed.charset.name] = None
        has_form = (
            self._task.environment is not None and _FORM.search(self._scanner.window) is not None
        )
        self._neutral = self._neutral and not has_form

    def _record(self, links: Iterable[Link]) -> None:
        for link in links:
            self._bases.see(link)
            if not self._policy.applies(link) or link.fixed:
                continue
            self._neutral = self._neutral and link.value.isascii()
            if not (link.sets_base or link.sets_inner_base):
                uri = self._bases.resolve(link, self._policy)
                if uri is not None:
                    self._follow(link, without_dots(uri))

    def _follow(self, link: Link, uri: str) -> None:
        if self._stream.type == "css" and link.value[:1] == "#":
            return  # an element of the page that has the style sheet
        answer = self._server.answer(uri, link.charset)
        if answer is None or not (answer.path or answer.reason):
            return
        found = SiteLink(
            self._task.path, link.line, link.column, link.element, link.attribute, link.value, uri
        )
        if answer.reason is not None:
            near = (answer.near,) if answer.near else ()
            self._broken.append(Broken(found, answer.reason, near))
            return
        self._ask(link, answer.path)
        if self._stream.type == "html" and type_of_name(answer.path) == "html":
            self._leads[Lead(answer.path, *self._said(link))] = None
        if "#" in uri:
            if answer.path == self._task.path:
                self._own.append(found)
            else:
                self._fragments.append((answer.path, found))

    def _ask(self, link: Link, path: str) -> None:
        sniffed = self._stream.sniffed
        if (link.element, link.attribute) in _FRAMES and not link.place.embedded:
            is_said = sniffed is not None and not sniffed.guessed and link.charset.unit == 1
            if is_said and type_of_name(path) == "html":
                self._asks[path, link.charset.name] = None
        if not (link.element.rpartition(":")[2] in _ASKING or self._stream.type == "css"):
            return
        if is_script(path) or type_of_name(path) == "css":
            self._asks[path, self._said(link)[0] or link.charset.name] = None

    def _said(self, link: Link) -> tuple[str, str]:
        """Return the charset and the language that the tag of a link names; "" for none."""
        tag, at = self._tag, self._in_view(link.start)
        if self._in_xml:  # no value in a tag contains a "<"
            start = max(self._window.rfind(b"<", 0, at - self._offset), 0)
            found = TAG.match(self._window, start)
            parts = None if found is None else (found["start"], "", self._offset + start, found[0])
            tag = None if parts is None else StartTag(*parts, self_closing=False)
        return ("", "") if tag is None or not tag.start <= at < tag.end else _said(tag)


class Index:
    """What is known of all documents, put together from the facts of each.

    Links and names are in a `Store`: a site of any size needs little memory for each document.

    Attributes:
        documents: how each document was read, by path.
        asked: for scripts, style sheets, parts and framed pages that declare no charset: how many documents ask
            for them in which charset.
        askers: the first document that asks for such a file in a charset, by the path of the file and the charset.
        includers: the paths of the files that include a part, by its path.

    """

    def __init__(self) -> None:
        self.documents: dict[str, Reading] = {}
        #: Few pages are read in another way than others.
        self._readings: dict[Reading, Reading] = {}
        self.asked: dict[str, Counter[str]] = {}
        self.askers: dict[tuple[str, str], str] = {}
        self.includers: dict[str, set[str]] = {}
        self._names = Fragments()
        #: By path as JSON: the broken links, the links to fragments of other documents, those to other pages, and what it asks for.
        self._links = StoredTexts()

    def add(self, path: str, facts: Facts) -> None:
        """Add the facts about a document; later ones replace earlier ones."""
        reading = Reading(*facts.reading)
        if path in self.documents:  # it was read before it was known to be a part or framed
            for asked, charset in self._asks(path):
                self.asked[asked] -= Counter((charset,))
        self.documents[path] = self._readings.setdefault(reading, reading)
        self._names.add(path, facts.names)
        leads = facts.leads if reading.type == "html" else ()
        self._links.add({path: json.dumps((facts.broken, facts.fragments, leads, facts.asks))})
        for asked, charset in facts.asks:
            self.asked.setdefault(asked, Counter())[charset] += 1
            self.askers.setdefault((asked, charset), path)
        for part in facts.includes:
            self.includers.setdefault(part, set()).add(path)

    def place(self, part: str) -> str | None:
        """Return a path in the folder of the pages that include a part; None for several folders."""
        folders = {path.rpartition("/")[0] for path in pages_of(part, self.includers)}
        return f"{folders.pop()}/part".lstrip("/") if len(folders) == 1 else None

    def environment(self, path: str) -> str | None:
        """Return the charset in which most documents read a script, a style sheet, a part or a framed page.

        None if no document does, or the characters of the page say otherwise.
        """
        asked, reading = self.asked.get(path), self.documents.get(path)
        charset = None if not asked else min(asked, key=lambda name: (-asked[name], name))
        if reading is not None and reading.guess and reading.charset != charset:
            return charset if path in self.includers else None
        return charset

    def framed(self) -> list[str]:
        """Return the paths of the pages that were read before it was known in which charset they are framed."""
        assumed = (
            path for path in self.asked if path in self.documents and self.documents[path].assumed
        )
        return [path for path in assumed if self.environment(path) is not None]

    def unsure(self) -> set[str]:
        """Return the paths of the scripts, style sheets and parts that cannot be converted without a guess.

        Those are what a page asks for whose charset was guessed, since it is copied, and what is asked for only by pages
        and style sheets whose charset nobody declares.
        """
        copied, assumed, said = set[str](), set[str](), set[str]()
        any_assumed = any(reading.assumed for reading in self.documents.values())
        for path, reading in self.documents.items() if any_assumed else ():
            asks = {asked for asked, charset in self._asks(path) if charset != "UTF-8"}
            pages = [self.documents[page] for page in pages_of(path, self.includers) or (path,)]
            if any(page.guess for page in pages) or path in copied:
                copied |= asks
            elif all(page.assumed for page in pages) or (
                not reading.declared and path in assumed - said
            ):
                assumed |= asks
            else:
                said |= asks
        found = copied | (assumed - said)
        declared = {
            path for path in found if path in self.documents and self.documents[path].declared
        }
        return found - (declared - self.includers.keys())

    def _asks(self, path: str) -> list[list[str]]:
        """Return the paths of the files that a document asks for, each with the name of the charset."""
        asks: list[list[str]] = json.loads(self._links.find([path])[path])[3]
        return asks

    def ambiguous(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the path of each part and style sheet whose links depend on the charset, where documents disagree on it.

        With the path comes a document for each charset, as ``page.html (Shift_JIS)``.
        """
        for path, asked in self.asked.items():
            reading = self.documents.get(path)
            if len(asked) < 2 or reading is None or reading.neutral:
                continue
            if (reading.declared and path not in self.includers) or self.environment(path) is None:
                continue
            yield path, tuple(f"{self.askers[path, name]} ({name})" for name in sorted(asked))

    def guessed(self) -> Iterator[tuple[str, Reading, Counter[str]]]:
        """Yield the path of each page whose charset was guessed, and the charsets that its folder declares."""
        folders: dict[str, Counter[str]] = {}
        for path, reading in self.documents.items():
            if reading.declared and reading.type == "html":
                folder = path.rpartition("/")[0]
                folders.setdefault(folder, Counter())[reading.charset] += 1
        for path, reading in self.documents.items():
            if reading.guess:
                yield path, reading, folders.get(path.rpartition("/")[0], Counter())

    def leads(self) -> Iterator[tuple[str, Lead]]:
        """Yield the path of each page that links to another one, with that."""
        for path in self.documents:
            for plain in json.loads(self._links.find([path])[path])[2]:
                yield path, Lead(*plain)

    def broken(self, moves: Moves) -> Iterator[Broken]:
        """Yield every broken link that is not corrected, with its near misses, in the order of the documents.

        Args:
            moves: the files of the tree.

        """
        near = NearMisses(moves.listing)
        for path in self.documents:
            broken, fragments, *_ = json.loads(self._links.find([path])[path])
            for plain, reason, close in broken:
                found = SiteLink(*plain)
                if moves.corrects(found.uri, reason):
                    continue
                if reason == "fragment":
                    close = near.fragments(found.fragment, self._names_in(path) or frozenset())
                elif reason == "missing" and not close:
                    located = moves.old.locate(found.uri)
                    close = () if located is None else near.files(located.path)
                yield Broken(found, reason, tuple(close))
            for target, plain in fragments:
                found, names = SiteLink(*plain), self._names_in(target)
                if names is not None and not has_fragment(found.fragment, names):
                    yield Broken(found, "fragment", near.fragments(found.fragment, names))

    def _names_in(self, path: str) -> frozenset[str] | None:
        """Return the targets of fragments in a document; None if they are not known."""
        return self._names.of(path) if path in self._names else None


# --- The charsets that the tags of a page name for other files -----------------------------------------
# A file without a declaration is read in the charset of the element, else in the page's (HTML Standard, 8.1.4.2, "fetch
# a classic script"; CSS Syntax 3, 3.2, "environment encoding"). Modules are UTF-8.

_ELEMENTS = frozenset({b"script", b"link", b"a", b"area", b"?xml-stylesheet"})


def _said(tag: StartTag) -> tuple[str, str]:
    """Return the name of the charset and the language that a tag names, "" for none."""
    name = tag.name.rpartition(b":")[2]  # XML has prefixes
    if name not in _ELEMENTS:
        return "", ""
    values = {
        attribute.name: tag.raw[attribute.start - tag.start : attribute.end - tag.start]
        for attribute in tag.attributes()
        if attribute.name in {b"charset", b"type", b"hreflang"}
    }
    if name == b"script" and values.get(b"type", b"").strip().lower() == b"module":
        return "UTF-8", ""
    label = values.get(b"charset")
    charset = None if label is None else known(label.decode("latin-1"))
    language = values.get(b"hreflang", b"").decode("latin-1").strip().lower()
    return "" if charset is None else charset.name, language
