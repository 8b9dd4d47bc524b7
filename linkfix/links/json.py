"""Find the links of JSON documents: web app manifests, JSON Feed, JSON-LD.

A published table says which members are links; a document is of the kind that its name or its members show. Only the string
itself is spelled anew. All are Web Addresses in UTF-8 (Web Application Manifest; JSON Feed 1.1; JSON-LD 1.1).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.css import StyleSheet
from linkfix.links.html.embedded import HTML_IN_JSON, OUTERMOST, urls
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.link import Kind, Link
from linkfix.links.scope import Scope
from linkfix.links.value import Target, Value
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.json import JSON_STRING, strings

#: Web Application Manifest, 1, with the members that others add to it: paths of members that are URLs. `id` is an
#: identifier, and the `url` of protocol_handlers a template.
_MANIFEST = frozenset(
    ["start_url", "scope", "icons.src", "screenshots.src", "shortcuts.url", "shortcuts.icons.src", "share_target.action",
     "file_handlers.action", "file_handlers.icons.src", "related_applications.url", "note_taking.new_note_url", "serviceworker.src"]
)  # fmt: skip
#: JSON Feed 1.1, "Top-level" and "Items"; author is of version 1.
_FEED = frozenset(
    ["home_page_url", "feed_url", "next_url", "icon", "favicon", "hubs.url", "items.url", "items.external_url", "items.image",
     "items.banner_image", "items.attachments.url"]
    + [f"{of}{author}.{name}" for of in ("", "items.") for author in ("author", "authors") for name in ("url", "avatar")]
)  # fmt: skip
_HTML_OF_FEED = "items.content_html"
_IS_FEED = re.compile(r'"version"\s*:\s*"https://jsonfeed\.org/version/')
_IS_LINKED_DATA = re.compile(r'"@context"\s*:')


class JSONDocument(StyleSheet):
    """Find the links of a JSON document; the arguments, the buffer and the limit are those of a style sheet."""

    def __init__(self, builder: Builder, scope: Scope, limit: int = MAX_TAG) -> None:
        super().__init__(builder, scope, limit)
        self._finder = HTMLFinder(builder, None, scope)
        self.embedded: Counter[str] = self._finder.embedded

    def _found(self, value: Value) -> Iterator[Batch | Link]:
        text = value.slot.value
        if _IS_LINKED_DATA.search(text) and not _IS_FEED.search(text):
            for first, last, *_ in urls("application/ld+json", text):
                yield from self._link(value, first, last, "json-ld")
            return
        table = _FEED if _IS_FEED.search(text) else _MANIFEST
        for path, first, last in strings(text):
            name = ".".join(path)
            if name in table:
                yield from self._link(value, first, last, name)
            elif name == _HTML_OF_FEED and table is _FEED:
                inside = OUTERMOST._replace(kind=HTML_IN_JSON, query="utf-8")
                slot = value.slot.part(first, last, JSON_STRING)
                yield from self._finder.document(value, slot, inside)

    def _link(self, value: Value, first: int, last: int, name: str) -> Iterator[Link]:
        if self._scope.allows_name(name):
            part = value.slot.part(first, last, JSON_STRING)
            yield value.link(part, Target(name, "", "", "json"), Kind.DATA_BLOCK, "utf-8")
