"""Rewrite broken documents until the time is up.

    python tools/fuzz.py [--minutes M] [--seed S] [--case N] [--cases N]

A document is put together from pieces of `samples/` and a list of awkward strings, written in one of
many charsets, has its bytes damaged, and is rewritten to URIs or IRIs, whole and in chunks. Nothing
but a LinkfixError may be raised, and that for any chunks; where there is none, the invariants of
`tests/invariants.py` (docs/decisions.md) hold. A case that breaks one of these is made as small as it gets and printed;
the exit status is then 1. Every case follows from the seed and its number: `--case` runs it alone.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

import fuzzing  # noqa: E402 - found by the line above
from invariants import check, rewritten  # noqa: E402

from linkfix.charset import lookup, names, sniff  # noqa: E402
from linkfix.errors import LinkfixError  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.markup.detect import DocumentType

TYPES: dict[str, DocumentType] = {".html": "html", ".xhtml": "xhtml", ".xml": "xml", ".svg": "xml"}
CHARSETS: dict[DocumentType, tuple[str, ...]] = {
    "html": names(xml=False),
    "xhtml": names(xml=True),
    "xml": names(xml=True),
}
#: Where a document falls into pieces: at markup, and at what divides references.
JOINTS = re.compile(r"(?=[<\"'&])|(?<=[>\"';?#/ ])")
#: What the scanners, the value parsers and the engine treat in a way of its own.
AWKWARD = [
    *"\0\t\n\f\r \"'<>&#;=/\\?%:@[]{}|^`!-,()~\x1b\x7f",
    *("--", "-->", "--!>", "<!--", "<!-->", "<![CDATA[", "]]>", "<?x", "<!DOCTYPE a [", "</", "/>"),
    *("&#", "&#x", "&#x110000;", "&#0;", "&#xD800", "&#128;", "&amp", "&copy", "&copy=", "&notit;"),
    *("<a href=", "<a\nhref='/é?é#é'>", "<img srcset='/é,x 1x, é| 2x(,),y'>", "<a ping='é  é|'>"),
    *("<base href='é/'>", "<base href='data:,'>", "<base href='urn:x'>", "<meta charset=utf-7>"),
    *("<meta http-equiv=refresh content='0;url=\"é|'>", "<object archive='é,é é|' data=é>"),
    *("<style>", "</style>", "@import 'é|';", "<p style='a:url(é|\\e9 \\\n)'>", "url(", "\\000041 "),
    *("image-set('é|' 1x)", "/*", "*/", "@import url(", "<iframe srcdoc='<a href=&quot;é|&quot;>'>"),
    *("<script>", "</script>", "<!--<script>", "<textarea>", "</textarea>", "<title>", "<plaintext>"),
    *("<svg>", "</svg>", "<math>", "<mi>", "<desc>", "<foreignObject>", "<noscript>", "</p>", "<b>"),
    *("<svg><a xlink:href='é|'/>", "<annotation-xml encoding=text/html>", "<template>", "<select>"),
    *(" xml:base='é|/'", " xmlns:x='é'", " xmlns='http://www.w3.org/1999/xhtml'", "<link>é|</link>"),
    *("http:", "https://", "//", "\\\\", "HTTP:\\", "mailto:", "data:,", "javascript:", "file:///C|"),
    *("foo:", "foo://", "ws://", "blob:", "urn:", "é.example", "xn--", "xn--9ca", "Ｗ。", "[::1]", "1."),
    *("user:é@", ":80", ":0x", "..", "/%2e%2E/", "%", "%e", "%E9", "%C3%A9", "%83%5C", "%u1234", "%00"),
    *("é", "ß", "ソ", "表", "中", "한", "я", "א", "ก", "ﬁ", "😀", "\u0301", "\ufeff", "\ufffd", "\ue000"),
    *("\u202e", "\u200d", "\u00ad", "\u2028", "\u3000", "\u00a0", "\u0085", "\U000e0001", "\uffff"),
]  # fmt: skip
#: Octets that decoders stumble over.
OCTETS = [
    *(bytes([octet]) for octet in (0x00, 0x0A, 0x1B, 0x3C, 0x5C, 0x80, 0x81, 0x8E, 0x8F, 0xA0, 0xFF)),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\xd8", b"\xed\xa0\x80", b"\xe3\x81", b"\xc0\xaf"),
    *(b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x1b$", b"\x81\x30\x81\x30", b"\x84\x31\xa4\x37", b"\x8f\xb0"),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """A document, what is said about it, and how it is cut."""

    source: bytes
    type: DocumentType
    charset: str
    to: Literal["uri", "iri"]
    cuts: tuple[list[int], ...]


def seeds() -> list[tuple[DocumentType, list[str]]]:
    """The samples, decoded and in pieces."""
    found = []
    for path in sorted((ROOT / "samples").iterdir()):
        data = path.read_bytes()
        if path.suffix in TYPES:
            sniffed = sniff(data, type="html" if path.suffix == ".html" else "xml", final=True)
            assert sniffed is not None, path
            text = sniffed.charset.decode(data[sniffed.bom :])
            found.append((TYPES[path.suffix], JOINTS.split(text)))
    return found


SEEDS = seeds()
PIECES = [piece for _, pieces in SEEDS for piece in pieces]


def make(seed: int, number: int) -> Case:
    """Make a case, always the same of the same numbers."""
    rng = random.Random(f"{seed}/{number}")
    type, pieces = rng.choice(SEEDS)
    start, length = rng.randrange(len(pieces)), rng.choice([5, 30, 100, len(pieces)])
    # XML that has lost its beginning is not well-formed: only HTML is cut out of the middle.
    pieces = pieces[start : start + length] if type == "html" else list(pieces)
    for _ in range(rng.choice([0, 1, 2, 5, 10])):
        splice(rng, pieces)
    source = write("".join(pieces), charset := rng.choice(CHARSETS[type]))
    for _ in range(rng.choice([0, 0, 1, 3])):
        source = damage(rng, source)
    size = len(source)
    cuts = (
        sorted(rng.choices(range(size + 1), k=rng.randint(1, 5))),
        list(range(rng.randint(1, 7), size, rng.choice([1, 2, 3, 50]))),
    )
    type = rng.choice([type, type, type, type, "html", "xml"])
    return Case(source, type, charset, rng.choice(["uri", "iri"]), cuts)


def splice(rng: random.Random, pieces: list[str]) -> None:
    """Replace some pieces by others, or by awkward strings, or by nothing."""
    start = rng.randint(0, len(pieces))
    end = start + rng.choice([0, 0, 1, 1, 3])
    at = rng.randrange(len(PIECES))
    pieces[start:end] = rng.choice(
        [
            rng.choices(AWKWARD, k=rng.choice([1, 1, 2, 4])),
            PIECES[at : at + rng.choice([1, 3, 10])],
            pieces[start:end] * 2,
            [],
        ]
    )


def write(text: str, label: str) -> bytes:
    """Encode text in a charset; missing characters become character references."""
    charset = lookup(label, xml=True)
    return charset.encode("".join(c if charset.encodable(c) else f"&#{ord(c)};" for c in text))


def damage(rng: random.Random, source: bytes) -> bytes:
    """Insert octets, remove some, change one, or move some."""
    at = rng.randint(0, len(source))
    length = rng.choice([1, 1, 2, 5, 50])
    match rng.randrange(4):
        case 0:
            return source[:at] + rng.choice(OCTETS) + source[at:]
        case 1:
            return source[:at] + source[at + length :]
        case 2:
            return source[:at] + bytes([rng.randrange(256)]) + source[at + 1 :]
        case _:
            moved, rest = source[at : at + length], source[:at] + source[at + length :]
            to = rng.randint(0, len(rest))
            return rest[:to] + moved + rest[to:]


def run(case: Case) -> str:
    """Return what is wrong with a case: "refused" and "" are good answers, others name a fault."""
    said = {"type": case.type, "charset": case.charset}
    try:
        rewritten(case.source, case.to, **said)  # type: ignore[arg-type]
    except LinkfixError as error:
        return _refused_alike(case, type(error))
    except Exception as error:  # noqa: BLE001 - which is what is looked for
        return f"{type(error).__name__}: {error}"
    try:
        check(case.source, case.to, **said, cuts=case.cuts)  # type: ignore[arg-type]
    except Exception as error:  # noqa: BLE001 - likewise
        return f"{type(error).__name__}: {error}"
    return ""


def _refused_alike(case: Case, expected: type[LinkfixError]) -> str:
    for cuts in case.cuts:
        try:
            rewritten(case.source, case.to, type=case.type, charset=case.charset, cuts=cuts)
        except expected:
            continue
        except Exception as error:  # noqa: BLE001 - likewise
            return f"I5: {expected.__name__} for the whole, {type(error).__name__} for {cuts[:5]}"
        return f"I5: {expected.__name__} for the whole, none for {cuts[:5]}"
    return "refused"


def kind(answer: str) -> str:
    """Name the kind of a fault by its first words; "" for a good answer."""
    if answer == "refused":
        return ""
    return ":".join(answer.split(":")[:2])[:40] if answer.startswith("Broken") else answer[:20]


def smaller(case: Case) -> Iterator[Case]:
    """Yield cases with a part of the document left out, large parts first."""
    length = len(case.source) // 2
    while length:
        for at in range(0, len(case.source), length):
            source = case.source[:at] + case.source[at + length :]
            ends = tuple([cut for cut in cuts if cut <= len(source)] for cuts in case.cuts)
            yield replace(case, source=source, cuts=ends)
        length //= 2


def count(case: Case, answer: str) -> dict[str, int]:
    return {"bytes": len(case.source), "refused": answer == "refused"}


def main() -> int:
    options = fuzzing.parser(__doc__ or "").parse_args()
    return fuzzing.Hunt(make, run, kind, smaller, count).go(options)


if __name__ == "__main__":
    sys.exit(main())
