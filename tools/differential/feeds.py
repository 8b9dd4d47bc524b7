"""Compare what relative links of feeds resolve to with feedparser, on its own tests.

    python tools/differential/feeds.py FOLDER

FOLDER is ``tests/wellformed`` of feedparser's source package. Read are its tests of bases: ``base/*.xml`` and
``*/relative_uri*.xml``. feedparser parses each file, and every relative reference that it resolves is recorded with the
result. linkfix must list the same reference with the same URL. The document's URL is the ``Content-Location`` that a
test names, else a made-up one. Prints how many agree, and each that does not, with the section that speaks against it; a
difference without such a section is a fault, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import feedparser
from feedparser.mixin import _FeedParserMixin
from feedparser.urls import RelativeURIResolver

import linkfix
from linkfix.iri import comparison_form
from linkfix.iri.steps import iri_to_uri

__all__ = ["by_feedparser", "by_linkfix"]

_HEADER = re.compile(r"^Header:\s*Content-Location:\s*(\S+)", re.MULTILINE)
_URL = "http://127.0.0.1:8097/tests/feed.xml"
#: By the names of the tests, why linkfix does not resolve a link as feedparser does.
EXCEPTIONS = {
    "*_id_base_*": "RFC 4287, 4.2.6: an id is an IRI, not a reference, and compared as a string",
    "*_base64_base_*": "RFC 4287, 4.1.3.3: base64 is another document; its links are not written in this one",
    "http_item_fullitem_*": "RSS 2.0, Extending RSS: an element that it does not define is in a namespace",
    "http_item_body_*": "RSS 2.0, Extending RSS: an element that it does not define is in a namespace",
    "cdf_*": "XML Base, 3: an attribute BASE is none; and CDF is not in the tables",
    "malformed_base.xml": "RFC 9110, 4.2.1: an http URI with an empty host is invalid",
}

#: References with the normal form of what they resolve to.
Resolved = Counter[tuple[str, str]]


def _note(found: Resolved, reference: str, target: str) -> None:
    reference = reference.strip()
    if not urlsplit(reference).scheme:
        found[reference, comparison_form(iri_to_uri(target).text)] += 1


def by_feedparser(document: bytes, base: str) -> Resolved:
    """The relative references that feedparser resolves, with the results."""
    found: Resolved = Counter()
    of_element, of_html = _FeedParserMixin.resolve_uri, RelativeURIResolver.resolve_uri

    def in_element(self: Any, uri: str) -> str:
        target: str = of_element(self, uri)
        _note(found, uri, target)
        return target

    def in_html(self: Any, uri: str) -> str:
        target: str = of_html(self, uri)
        _note(found, uri, target)
        return target

    headers = {"content-location": base, "content-type": "application/xml"}
    with (
        patch.object(_FeedParserMixin, "resolve_uri", in_element),
        patch.object(RelativeURIResolver, "resolve_uri", in_html),
    ):
        feedparser.parse(document, response_headers=headers)
    return found


def by_linkfix(document: bytes, base: str) -> Resolved:
    """The relative references that linkfix lists, with what they resolve to."""
    found: Resolved = Counter()
    for link in linkfix.extract(document, type="xml", base=base):
        if link.kind != "identity" and link.resolved is not None:
            _note(found, link.value, link.resolved)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="tests/wellformed of feedparser's source package")
    folder = parser.parse_args().folder
    paths = sorted({*folder.glob("base/*.xml"), *folder.glob("*/relative_uri*.xml")})
    links = agreed = faults = 0
    for path in paths:
        document = path.read_bytes()
        header = _HEADER.search(document.decode("utf-8", "replace"))
        base = header[1] if header else _URL
        theirs = by_feedparser(document, base)
        missing = theirs - by_linkfix(document, base)
        links += theirs.total()
        agreed += theirs.total() - missing.total()
        reason = next((why for name, why in EXCEPTIONS.items() if fnmatch(path.name, name)), "")
        for reference, target in missing.elements():
            print(f"{path.relative_to(folder)}: {reference} is {target}: {reason or 'a fault'}")
            faults += not reason
    print(f"{agreed} of {links} relative links in {len(paths)} files, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
