"""Fuzz linkfix by coverage: atheris changes inputs until they reach new code.

    pip install atheris        # it has packages for CPython 3.11 to 3.13 on Linux
    python tools/fuzz_coverage.py html|xml|css|text|json|iri [FOLDER] [-max_total_time=60 …]

The first octet of an input chooses the charset, the direction and one cut; the rest is the document, or the reference in UTF-8 for
`iri`. A document must keep the invariants I1 to I5 (docs/decisions.md); a reference must convert to a valid one that converts
to itself. The inputs of `tests/fuzzing/TARGET` are where it begins, and `tests/test_fuzz_corpus.py` runs them in every run of the
tests. New inputs go to FOLDER, by default a temporary one; an input that breaks something is written to the current folder, and
belongs into `tests/fuzzing/TARGET` once it is mended. Options with one dash are those of libFuzzer.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, get_args

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

if TYPE_CHECKING:
    from collections.abc import Callable

CORPUS = ROOT / "tests" / "fuzzing"
CHARSETS = (None, "utf-8", "shift_jis", "iso-2022-jp", "gb18030", "utf-16le", "windows-1251")
#: What no target reaches: files, processes, extras.
APART = tuple(
    f"linkfix.{name}"
    for name in (
        "__main__",
        "arrow",
        "cli",
        "files",
        "jobs",
        "migration",
        "server",
        "sites",
        "spark",
        "warc",
    )
)
TARGETS = ("html", "xml", "css", "text", "json", "iri")


def document(kind: str, data: bytes) -> None:
    """Check the invariants (docs/decisions.md) on a document; what linkfix refuses is no fault."""
    from invariants import check

    from linkfix.errors import LinkfixError
    from linkfix.markup.detect import DocumentType

    assert kind in get_args(DocumentType)
    choice, source = (data[0], data[1:]) if data else (0, b"")
    direction = "iri" if choice & 1 else "uri"
    charset = CHARSETS[(choice >> 1) % len(CHARSETS)]
    cuts = ([len(source) * choice // 256],)
    with suppress(LinkfixError):
        check(source, direction, type=kind, charset=charset, cuts=cuts)  # type: ignore[arg-type]


def reference(data: bytes) -> None:
    """Check that a reference converts to a valid one, which converts to itself."""
    from oracles import is_iri_reference, is_uri_reference

    from linkfix import iri

    text = data[1:].decode("utf-8", "surrogateescape")
    to = "iri" if data[:1] > b"\x7f" else "uri"
    new = iri.convert(text, to=to)  # type: ignore[arg-type]
    if new.ok:
        assert (is_iri_reference if to == "iri" else is_uri_reference)(new.text), (text, new.text)
        assert iri.convert(new.text, to=to).text == new.text, (text, new.text)  # type: ignore[arg-type]


def target(name: str) -> Callable[[bytes], None]:
    """Return the function that checks one input."""
    return reference if name == "iri" else lambda data: document(name, data)


def main() -> None:
    """Begin where the corpus is."""
    import atheris

    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        raise SystemExit(__doc__)
    name, *rest = sys.argv[1:]
    folder = [] if rest and not rest[0].startswith("-") else [tempfile.mkdtemp()]
    with atheris.instrument_imports(include=["linkfix"]):  # what is imported here counts
        for module in walk_packages([str(ROOT / "linkfix")], "linkfix."):
            if not module.name.startswith(APART):
                import_module(module.name)
    atheris.Setup([sys.argv[0], *folder, *rest, str(CORPUS / name)], target(name))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
