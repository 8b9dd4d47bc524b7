"""Find the links of JSON documents: web app manifests, JSON Feed, JSON-LD.

A published table says which members are links (`linkfix.links.html.embedded.members`); a document is of the kind that its members show.
Only the string itself is spelled anew. All are Web Addresses in UTF-8 (Web Application Manifest; JSON Feed 1.1; JSON-LD 1.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.css import StyleSheet
from linkfix.links.html.embedded import json_type
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.link import Link
from linkfix.links.scope import Scope
from linkfix.links.value import Target, Value
from linkfix.markup.html.tokenizer import MAX_TAG


class JSONDocument(StyleSheet):
    """Find the links of a JSON document; the arguments, the buffer and the limit are those of a style sheet."""

    def __init__(self, builder: Builder, scope: Scope, limit: int = MAX_TAG) -> None:
        super().__init__(builder, scope, limit)
        self._finder = HTMLFinder(builder, None, scope)
        self.embedded: Counter[str] = self._finder.embedded

    def _found(self, value: Value) -> Iterator[Batch | Link]:
        slot = value.slot
        return self._finder.data(json_type(slot.value), value, slot, Target("", "", "", "json"))
