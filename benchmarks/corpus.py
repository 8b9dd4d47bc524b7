"""Documents for measurements: generated, or selected from folders of real ones.

    python benchmarks/corpus.py make TARGET [--mix MIX] [--size MB]
    python benchmarks/corpus.py draw TARGET SOURCE... [--size MB] [--most KB]

`make` writes pages in the likeness of a manual: navigation lists, prose, tables, code, a script and a
style sheet. `draw` copies pages of real folders, one of each folder in turn, until there is enough.
Both give the same documents whenever they are run.
"""

from __future__ import annotations

import argparse
import itertools
import random
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

FEEDS = Path(__file__).with_name("feeds.toml")

HTML_SUFFIXES = frozenset({".html", ".htm"})
XML_SUFFIXES = frozenset(
    {".xml", ".xhtml", ".xht", ".svg", ".rss", ".atom", ".rdf", ".dbk", ".docbook", ".xsl"}
)
SEED = 3987


@dataclass(frozen=True, slots=True)
class Mix:
    """What the pages of a made-up site are like.

    Attributes:
        charsets: that the pages are written in, in turn.
        words: that prose and link texts are made of.
        segments: that links are made of.
        dirty: share of the links that are no valid URI.
        prose: sentences between one list of links and the next.

    """

    charsets: tuple[str, ...]
    words: str
    segments: str
    dirty: float
    prose: int


LATIN = (
    "the value of this option is read when a server starts and may be set for each folder in turn "
    "see also which module gives an error if it has no default every request that matches one rule"
)
RUSSIAN = (
    "значение этого параметра читается при запуске сервера и может быть задано для каждой папки"
)
JAPANESE = "この 値は 起動の 際に 読まれ、 各フォルダに 設定 できます。 詳しくは 次の 章を 参照 して ください。"
NAMES = "index intro install config reference modules api search glossary release-notes faq about"

MIXES = {
    "clean": Mix(("utf-8",), LATIN, NAMES, 0.0, 12),
    "dense": Mix(("utf-8",), LATIN, NAMES, 0.0, 1),
    "legacy": Mix(("shift_jis", "windows-1251"), LATIN, NAMES, 0.1, 8),
    "dirty": Mix(("utf-8",), LATIN + " café naïve", NAMES + " résumé 日本語 a|b 100% [x]", 0.5, 6),
}
#: What the words and the segments of a charset's own language add to a mix.
LANGUAGES = {
    "shift_jis": (JAPANESE, "検索 目次 ソフト"),
    "windows-1251": (RUSSIAN, "поиск оглавление"),
}

PAGE = """<!DOCTYPE html>
<html>
<head>
<meta charset="{charset}">
<title>{title}</title>
<link rel="stylesheet" href="../_static/classic.css" type="text/css">
<link rel="next" title="{title}" href="{link}">
<script src="../_static/jquery.js"></script>
<style>
div.body {{ background: url("../_static/back.png") no-repeat; color: #222 }}
div.body > p {{ margin: 0 0 1em; }}
</style>
</head>
<body>
"""
SCRIPT = """<script>
/* <![CDATA[ */
for (var i = 0; i < links.length && i << 2 < 400; i++) {
  document.write('<a href="' + links[i].url + '">' + links[i].name + "</a>");
}
/* ]]> */
</script>
"""
CODE = (
    '<pre class="programlisting">&lt;Directory "/srv/www"&gt;\n    Options <em>+Indexes</em>\n'
    "    Require ip 192.0.2.0/24   # &amp; others\n&lt;/Directory&gt;\n</pre>\n"
)


class Writer:
    """Makes the parts of pages, all that is chance drawn from one seeded source."""

    def __init__(self, mix: Mix, charset: str, seed: object) -> None:
        self._chance = random.Random(f"{SEED} {seed}")
        words, segments = LANGUAGES.get(charset, ("", ""))
        self._mix = mix
        self._sections = 0
        self._words = (words or mix.words).split()
        self._clean = NAMES.split()
        self._dirty = (segments or mix.segments).split()

    def words(self, least: int, most: int) -> str:
        return " ".join(self._chance.choices(self._words, k=self._chance.randint(least, most)))

    def link(self) -> str:
        """A link as written between the quotes of an attribute."""
        pick = self._chance
        dirty = pick.random() < self._mix.dirty
        names = self._dirty if dirty else self._clean
        path = "/".join(pick.choices(names, k=pick.randint(1, 3))) + ".html"
        start = pick.choices(
            ("", "../", "/manual/", "http://www.example.org/", "#"), (9, 5, 2, 3, 6)
        )
        if start == ["#"]:
            fragment = pick.choice(names) if dirty else f"s{pick.randint(1, self._sections + 1)}"
            return f"#{fragment}"
        query = (
            f"?id={pick.randrange(999)}&amp;q={pick.choice(names)}" if pick.random() < 0.1 else ""
        )
        if dirty and pick.random() < 0.5:
            path = path.replace("/", " \\", 1) if "/" in path else path.replace(".", " .")
        return f"{start[0]}{path}{query}" + (
            f"#s{pick.randrange(99)}" if pick.random() < 0.3 else ""
        )

    def anchor(self) -> str:
        return f'<a class="reference internal" href="{self.link()}">{self.words(1, 4)}</a>'

    def navigation(self) -> str:
        count = self._chance.randint(6, 24)
        items = "".join(f"  <li>{self.anchor()}</li>\n" for _ in range(count))
        return f'<ul class="nav">\n{items}</ul>\n'

    def paragraph(self) -> str:
        pick = self._chance
        text = self.words(30, 70)
        if pick.random() < 0.6:
            text = f"{text} <code>{self.words(1, 2)}</code> ({self.anchor()}), {self.words(5, 30)}"
        return f"<p>{text}.</p>\n"

    def section(self) -> str:
        self._sections += 1
        name = f"s{self._sections}"
        prose = "".join(self.paragraph() for _ in range(self._mix.prose))
        return f'<h2 id="{name}">{self.words(2, 6)}</h2>\n{prose}'

    def table(self) -> str:
        row = "<tr class='odd'><td>{}</td><td align=right>{}</td><td>{}</td></tr>\n"
        rows = (
            row.format(self.anchor(), self._chance.randrange(9999), self.words(3, 12))
            for _ in range(self._chance.randint(3, 12))
        )
        return f'<table border="0">\n{"".join(rows)}</table>\n'

    def figure(self) -> str:
        return (
            f'<p><img src="{self.link()}" width="640" height="480" alt="{self.words(2, 5)}"></p>\n'
        )

    def parts(self) -> Iterator[str]:
        """The parts of the body of a page, without an end."""
        kinds: tuple[Callable[[], str], ...] = (self.section, self.navigation, self.table)
        while True:
            yield from (kind() for kind in kinds)
            yield self.figure() + CODE
            yield "<!-- " + self.words(5, 20) + " -->\n"

    def head(self, charset: str) -> str:
        return PAGE.format(charset=charset, title=self.words(3, 6), link=self.link())


def stream(mix: str, size: int, seed: object = "stream") -> Iterator[bytes]:
    """One document of at least `size` bytes, piece by piece; its parts repeat after 400 KB."""
    charset = MIXES[mix].charsets[0]
    writer = Writer(MIXES[mix], charset, seed)
    yield (writer.head(charset) + SCRIPT).encode(charset)
    block: list[bytes] = []
    for part in writer.parts():
        block.append(part.encode(charset))
        if sum(map(len, block)) > min(400_000, size):
            break
    body = b"".join(block)
    for _ in range(size // len(body) + 1):
        yield body
    yield b"</body>\n</html>\n"


def documents(mix: str, size: int, each: int = 30_000) -> Iterator[tuple[str, bytes]]:
    """Pages of about `each` bytes with their names, `size` bytes in all."""
    done = 0
    charsets = itertools.cycle(MIXES[mix].charsets)
    for number, charset in enumerate(charsets):
        if done >= size:
            return
        writer = Writer(MIXES[mix], charset, f"{mix} {number}")
        length = random.Random(f"{SEED} {number}").randint(each // 4, each * 7 // 4)
        text = [writer.head(charset), writer.navigation(), SCRIPT]
        for part in writer.parts():
            text.append(part)
            if sum(map(len, text)) > length:
                break
        data = ("".join(text) + "</body>\n</html>\n").encode(charset)
        done += len(data)
        yield f"{mix}-{number:05}.html", data


def fragments(mix: str, count: int, each: int = 1000) -> Iterator[tuple[str, bytes]]:
    """Pieces of pages of about `each` bytes, as an editor or a template stores them."""
    charset = MIXES[mix].charsets[0]
    writer = Writer(MIXES[mix], charset, "fragments")
    for number in range(count):
        text = ""
        while len(text) < each:
            text += writer.paragraph()
        yield f"fragment-{number:05}.html", text.encode(charset)


@dataclass(frozen=True, slots=True)
class Variant:
    """What the XML documents of all kinds are like.

    Attributes:
        mix: of their links.
        each: how many bytes a document has.
        spoilt: whether one part in the middle has links that are no valid URI.

    """

    mix: str = "clean"
    each: int = 200_000
    spoilt: bool = False


VARIANTS = {
    "clean": Variant(),
    "one dirty link": Variant(spoilt=True),
    "dirty": Variant("dirty"),
    "5 KB": Variant(each=5_000),
}
SPOILT = Mix(("utf-8",), LATIN, "résumé", 1.0, 1)


def kinds() -> dict[str, dict[str, str]]:
    """The kinds of XML documents, each with its parts."""
    found: dict[str, dict[str, str]] = tomllib.loads(FEEDS.read_text("utf-8"))
    return found


def feed(parts: dict[str, str], variant: Variant, seed: object) -> bytes:
    """One XML document of a kind."""
    writer = Writer(MIXES[variant.mix], "utf-8", seed)
    spoiling = Writer(SPOILT, "utf-8", seed)
    pieces, size, is_spoilt = [parts["head"].lstrip()], 0, not variant.spoilt
    while size < variant.each:
        links = writer
        if not is_spoilt and size > variant.each // 2:
            links, is_spoilt = spoiling, True
        html = writer.paragraph() + writer.paragraph() + writer.figure()
        item = parts["item"].format(
            link=links.link(),
            other=writer.link(),
            text=writer.words(20, 60),
            html=html,
            escaped=escape(html),
        )
        pieces.append(item)
        size += len(item)
    return "".join([*pieces, parts["tail"]]).encode()


def feeds(
    size: int, variant: Variant = VARIANTS["clean"], only: Collection[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """News feeds, site maps, manuals, drawings and pages in XML, `size` bytes in all, of all kinds in turn."""
    chosen = {kind: parts for kind, parts in kinds().items() if not only or kind in only}
    done = 0
    for number, kind in enumerate(itertools.cycle(chosen)):
        if done >= size:
            return
        data = feed(chosen[kind], variant, f"{kind} {number}")
        done += len(data)
        yield f"{kind}-{number:05}.xml", data


def write(pages: Iterator[tuple[str, bytes]], target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for name, data in pages:
        (target / name).write_bytes(data)


def found(folder: Path, suffixes: frozenset[str]) -> list[Path]:
    """The documents of a folder, in an order that is by chance but always the same."""
    paths = sorted(
        path for path in folder.rglob("*") if path.suffix.lower() in suffixes and path.is_file()
    )
    random.Random(SEED).shuffle(paths)
    return paths


def draw(sources: list[Path], target: Path, size: int, most: int) -> None:
    """Copy documents of each source in turn, none longer than `most` bytes, `size` bytes in all."""
    left = [
        iter([path for path in found(source, HTML_SUFFIXES) if path.stat().st_size <= most])
        for source in sources
    ]
    done = 0
    turns = itertools.cycle(range(len(sources)))
    empty: set[int] = set()
    while done < size and len(empty) < len(sources):
        turn = next(turns)
        path = next(left[turn], None)
        if path is None:
            empty.add(turn)
            continue
        copy = target / str(turn) / path.relative_to(sources[turn])
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        done += copy.stat().st_size


def main() -> None:
    parser = argparse.ArgumentParser(description="documents to measure with")
    parser.add_argument("command", choices=("make", "draw"))
    parser.add_argument("target", type=Path)
    parser.add_argument("sources", type=Path, nargs="*")
    parser.add_argument("--mix", choices=[*MIXES, "xml"], default="clean")
    parser.add_argument("--size", type=float, default=10, help="megabytes")
    parser.add_argument("--most", type=float, default=400, help="of one page, in kilobytes")
    options = parser.parse_args()
    size = int(options.size * 1e6)
    if options.command == "draw":
        draw(options.sources, options.target, size, int(options.most * 1000))
    else:
        write(feeds(size) if options.mix == "xml" else documents(options.mix, size), options.target)


if __name__ == "__main__":
    main()
