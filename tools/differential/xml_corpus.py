"""Rewrite real XML documents, and let expat, libxml2 and an independent mapping judge every difference.

    nice python tools/differential/xml_corpus.py FOLDER [FOLDER ...] [--dirt] [--jobs 2] [--seconds 20] [--unknown 60]

Every file that begins like XML is read, once by its content; so are the members of ZIP archives (OpenDocument, OOXML,
EPUB) and files that gzip compressed. Each is rewritten to URIs and to IRIs. Printed are: how many documents are
well-formed for expat and for libxml2 (lxml) before, and no longer after; infosets that differ outside of values (Canonical
XML, with the new values replaced by the old ones); new values that are not what an independent mapping makes of the old
ones: LEIRIs by 3987bis, 7.1 and 3.6, Web Addresses by ada-url. Besides, values that look like links and that linkfix does
not list, counted by their names, each with the reason that judged.toml has for it. Every fault is printed with its file, and
makes the exit status 1.

With --dirt, characters that a URI cannot have are appended to links first: at most 40 links of a document.
"""

from __future__ import annotations

import argparse
import codecs
import gzip
import hashlib
import io
import random
import re
import signal
import sys
import tomllib
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.parsers import expat

from lxml import etree

import linkfix
from linkfix.links import Kind, LinkStream

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from differential.mapping import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.links import Link

__all__ = ["differences", "documents", "examine", "judgements", "reason_for", "unknown_links"]

#: The counts that are to be 0.
GRAVE = [
    f"{to}: {what}"
    for to in ("uri", "iri")
    for what in (
        "no longer well-formed for expat",
        "no longer well-formed for libxml2",
        "infoset differs outside of values",
        "new values by no mapping",
    )
]
#: What a link may be spoilt with.
DIRT = (" é", "%zz", "ü{x}|", "%C3%A9", "[1]", "日本?q=日本", "#é #", "\\", "^`", "%E2%82%AC", "~")
BIGGEST = 30_000_000
_XML_START = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\0\t\n\r ]*<\0*[?!A-Za-z]|\x4c\x6f\xa7\x94"
)
_HTML_START = re.compile(
    rb"[\xef\xbb\xbf\t\n\r ]*<(?:!doctype[\t\n\r ]+html|html)(?![^>]*xhtml)", re.IGNORECASE
)
_LABEL = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"'>]+)")


# --- The readers of XML ---------------------------------------------------------------------------------


def expat_reads(data: bytes) -> bool | None:
    """Return whether a document is well-formed for expat; None if expat does not know its charset."""
    parser = expat.ParserCreate()
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        return None if error.code == 18 else False  # XML_ERROR_UNKNOWN_ENCODING
    except (ValueError, LookupError, UnicodeDecodeError):
        return None
    return True


def tree_of(data: bytes) -> Any:
    """Return the root element as libxml2 reads it; None if the document is not well-formed."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, LookupError):
        return None


def _nodes(root: Any) -> Iterator[Any]:
    first = root
    while first.getprevious() is not None:
        first = first.getprevious()
    while first is not None:
        yield from first.iter()
        first = first.getnext()


def _canonical(root: Any) -> bytes:
    tree = root.getroottree()
    try:
        return bytes(etree.tostring(tree, method="c14n"))
    except etree.C14NError:  # of references to entities
        return bytes(etree.tostring(tree, encoding="utf-8", xml_declaration=False))


def differences(old: Any, new: Any) -> tuple[list[tuple[str, str, str]], str]:
    """Compare two trees, and give the new one the values of the old one.

    Returns:
        The values that differ (their place, the old and the new one), and what else differs, or "".

    """
    values: list[tuple[str, str, str]] = []
    ours, theirs = [*_nodes(old)], [*_nodes(new)]
    if len(ours) != len(theirs):
        return [], f"{len(ours)} nodes, then {len(theirs)}"
    for one, other in zip(ours, theirs, strict=True):
        if one.tag != other.tag:
            return values, f"{one.tag} became {other.tag}"
        if one.text != other.text:
            values.append((str(one.tag), one.text or "", other.text or ""))
            if isinstance(one.tag, str) or one.tag is etree.PI:
                other.text = one.text
        if isinstance(one.tag, str):
            for name, value in one.attrib.items():
                there = other.attrib.get(name)
                if there is not None and there != value:
                    values.append((f"{one.tag}@{name}", value, there))
                    other.attrib[name] = value
    if _canonical(old) != _canonical(new):
        return values, "Canonical XML differs"
    infos = [root.getroottree().docinfo for root in (old, new)]
    if infos[0].doctype != infos[1].doctype or infos[0].encoding != infos[1].encoding:
        values.append(("!DOCTYPE", infos[0].doctype, infos[1].doctype))
    return values, ""


# --- Links in no table ----------------------------------------------------------------------------------

_LINK = re.compile(
    r"""\s*(?:
        (?:https?|ftp|file|irc|news|nntp|git|svn|ssh|ldap)://\S+ | mailto:\S+@\S+ | www\.\S+\.\S+ | (?:help|ghelp|info|man|yelp|apt|app):[\w/.#-]+
        | (?:\.\.?/)+[\w%.~/-]*[\w/](?:[?\#]\S*)?
        | [\w%~-]+(?:/[\w%.~-]+)*\.(?:html?|xhtml|xml|page|docbook|xsl|xsd|rng|dtd|css|js|svgz?|png|jpe?g|gif|webp|pdf|txt|php|ogg|ogv|mp[34]|odt|ui|dita(?:map)?)(?:[?\#]\S*)?
    )\s*""",
    re.VERBOSE,
)  # fmt: skip


def unknown_links(root: Any, links: Iterable[Link]) -> Counter[tuple[str, str]]:
    """Count the values that look like links and are no link of linkfix, by their names."""
    known = {link.value.strip() for link in links}
    joined = None
    found: Counter[tuple[str, str]] = Counter()
    for node in root.iter(etree.Element):
        values = [(f"{node.tag}@{name}", value) for name, value in node.attrib.items()]
        if len(node) == 0:
            values.append((str(node.tag), node.text or ""))
        for name, value in values:
            if 3 < len(value) < 2000 and value.strip() not in known and _LINK.fullmatch(value):
                joined = joined if joined is not None else "\n".join(known)
                if value.strip() not in joined:
                    found[name, value.strip()[:80]] += 1
    return found


def judgements() -> list[tuple[str, str]]:
    """Return the patterns of names in judged.toml, each with the reason why linkfix passes over them."""
    text = Path(__file__).with_name("judged.toml").read_text("utf-8")
    return [(name, row["reason"]) for row in tomllib.loads(text)["judged"] for name in row["names"]]


def reason_for(name: str, judged: list[tuple[str, str]]) -> str:
    """Return the reason for a name, as `unknown_links` returns it; "" if nobody judged it."""
    return next((reason for pattern, reason in judged if fnmatchcase(name, pattern)), "")


# --- One document ---------------------------------------------------------------------------------------


@dataclass
class Result:
    """The figures of one document, and its faults."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: str = ""


class _TooLongError(Exception):
    pass


def _spoilt(data: bytes, links: list[Link], seed: int) -> bytes:
    """Append dirt to links of a document."""
    source = random.Random(seed)
    wanted = [
        link
        for link in links
        if link.kind in {Kind.SINGLE, Kind.LIST, Kind.PAIRS}
        and not link.fixed
        and len(link.layers) == 1
    ]
    wanted = sorted(source.sample(wanted, min(40, len(wanted))), key=lambda link: link.start)
    found = _LABEL.match(data.lstrip(b"\xef\xbb\xbf"))
    codec = found[1].decode("latin-1") if found else "utf-8"
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        codec = "utf-16-le" if data[:1] == b"\xff" else "utf-16-be"
    pieces, position = [], 0
    for link in wanted:
        if link.end < position:
            continue
        dirt = source.choice(DIRT)
        pieces += [data[position : link.end], dirt.encode(codec, "xmlcharrefreplace")]
        position = link.end
    return b"".join(pieces) + data[position:]


def _links(data: bytes, name: str) -> list[Link]:
    stream = LinkStream(type="xml", name=name)
    return stream.feed(data) + stream.close()


def examine(name: str, data: bytes, *, dirt: bool) -> Result:
    """Rewrite a document in both directions, and compare."""
    result = Result()
    count = result.counts
    count["documents"] += 1
    try:
        links = _links(data, name)
        if dirt:
            data = _spoilt(data, links, len(data))
            links = _links(data, name)
    except linkfix.LinkfixError as error:
        wf = expat_reads(data), tree_of(data) is not None
        count["refused by linkfix"] += 1
        if wf[0] is not False and wf[1]:
            count["refused by linkfix alone"] += 1
            result.refused = f"{name}: {error}"
        return result
    except (LookupError, UnicodeError):
        count["cannot be spoilt"] += 1
        return result
    by_expat, root = expat_reads(data), tree_of(data)
    count["links"] += len(links)
    count["well-formed for expat"] += by_expat is True
    count["of a charset that expat lacks"] += by_expat is None
    count["well-formed for libxml2"] += root is not None
    if root is not None and not dirt:
        result.unknown = unknown_links(root, links)
    found = _LABEL.match(data.lstrip(b"\xef\xbb\xbf"))
    encoding = found[1].decode("latin-1") if found else "utf-8"
    try:
        codecs.lookup(encoding)
    except LookupError:
        encoding = "utf-8"
    for to in ("uri", "iri"):
        _rewritten(result, name, data, to, by_expat, root is not None, encoding)
    return result


def _rewritten(
    result: Result,
    name: str,
    data: bytes,
    to: Literal["uri", "iri"],
    by_expat: bool | None,
    by_libxml2: bool,
    encoding: str,
) -> None:
    count, faults = result.counts, result.faults
    policy = linkfix.Policy(to, xml=linkfix.links.settings.XMLSettings(signed=True))
    rewriter = linkfix.Rewriter(policy=policy, source=linkfix.Source(type="xml", name=name))
    new = rewriter.whole(data)
    count[f"{to}: links left though not valid"] += rewriter.report.kept
    if new == data:
        return
    count[f"{to}: changed documents"] += 1
    again = linkfix.Rewriter(policy=policy, source=linkfix.Source(type="xml", name=name)).whole(new)
    if again != new:
        faults.append(f"{name}: --to {to}: a second rewrite changes more")
    if by_expat and not expat_reads(new):
        count[f"{to}: no longer well-formed for expat"] += 1
        faults.append(f"{name}: --to {to}: expat refuses it now")
    if not by_libxml2:
        return
    before, after = tree_of(data), tree_of(new)
    if after is None:
        count[f"{to}: no longer well-formed for libxml2"] += 1
        faults.append(f"{name}: --to {to}: libxml2 refuses it now")
        return
    values, other = differences(before, after)
    if other:
        count[f"{to}: infoset differs outside of values"] += 1
        faults.append(f"{name}: --to {to}: {other}")
    for place, old, value in values:
        how = judge(old, value, encoding)
        count[f"{to}: new values by {how}" if how else f"{to}: new values by no mapping"] += 1
        if not how:
            faults.append(f"{name}: --to {to}: {place}: {old[:300]!a} became {value[:300]!a}")


# --- All documents --------------------------------------------------------------------------------------


def documents(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the XML documents of a file, with their names."""
    if path.is_symlink() or not path.is_file() or not 0 < path.stat().st_size <= BIGGEST:
        return
    data = path.read_bytes()
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                if member.file_size <= BIGGEST and not member.flag_bits & 1:
                    yield from _document(f"{path}!{member.filename}", archive.read(member))
        return
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as stream:
            data = stream.read(BIGGEST)
    yield from _document(str(path), data)


def _document(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    if (
        _XML_START.match(data)
        and not _HTML_START.match(data)
        and not name.endswith((".htm", ".html"))
    ):
        yield name, data


def _work(task: tuple[str, bool, float]) -> list[tuple[str, bytes, Result]]:
    path, dirt, seconds = task
    done: list[tuple[str, bytes, Result]] = []

    def stop(*_: object) -> None:
        raise _TooLongError

    signal.signal(signal.SIGALRM, stop)
    try:
        for name, data in documents(Path(path)):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            try:
                result = examine(name, data, dirt=dirt)
            except _TooLongError:
                result = Result(Counter(["documents", "too slow"]), [f"{name}: over {seconds} s"])
            except Exception as error:  # noqa: BLE001 (a fault, to be counted)
                result = Result(Counter(["documents", "exceptions"]), [f"{name}: {error!r}"])
            signal.setitimer(signal.ITIMER_REAL, 0)
            done.append((name, hashlib.sha256(data).digest(), result))
    except (
        OSError,
        zipfile.BadZipFile,
        RuntimeError,
        EOFError,
        NotImplementedError,
        _TooLongError,
        ValueError,
    ):
        pass
    return done


def main() -> int:
    """Examine all documents, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--dirt", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each document")
    parser.add_argument("--unknown", type=int, default=60, help="how many names to print")
    parser.add_argument("--faults", type=int, default=200, help="how many faults to print")
    options = parser.parse_args()
    files = sorted(str(path) for folder in options.folders for path in folder.rglob("*"))
    tasks = [(path, options.dirt, options.seconds) for path in files]
    seen = set[bytes]()
    counts: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    in_documents: Counter[str] = Counter()
    examples: dict[str, str] = {}
    faults: list[str] = []
    refused: list[str] = []
    with Pool(options.jobs) as pool:
        for done in pool.imap_unordered(_work, tasks, chunksize=16):
            for name, digest, result in done:
                if digest in seen:
                    continue
                seen.add(digest)
                counts.update(result.counts)
                faults += result.faults
                refused += [result.refused] if result.refused else []
                for (place, value), number in result.unknown.items():
                    unknown[place] += number
                    examples.setdefault(place, f"{value!a} in {name}")
                in_documents.update({place for place, _ in result.unknown})
    for fault in faults[: options.faults]:
        print(fault)
    print("\nrefused by linkfix alone:")
    print("\n".join(refused[: options.faults]))
    print("\nlike links, and in no table: values, documents, name, example, reason")
    judged = judgements()
    reasons = {place: reason_for(place, judged) for place in unknown}
    # Names that nobody judged come first.
    ranked = sorted(unknown.most_common(), key=lambda pair: bool(reasons[pair[0]]))
    for place, number in ranked[: options.unknown]:
        reason = reasons[place] or "NOT JUDGED"
        print(f"{number:8,} {in_documents[place]:7,}  {place}  {examples[place]}  [{reason}]")
    unjudged = sum(not reason for reason in reasons.values())
    print(f"{sum(unknown.values()):8,}  in all, of {len(unknown):,} names")
    print(f"{unjudged:8,}  names that nobody judged\n")
    for what in ("refused by linkfix alone", "exceptions", "too slow", *GRAVE):
        counts.setdefault(what, 0)
    for what, number in sorted(counts.items()):
        print(f"{number:10,}  {what}")
    print(f"{len(faults):10,}  faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
