"""A value that looks like a link, in an attribute that no table has.

What it does
    Reports attributes of XML whose values look like links (`http://…`, `mailto:…`, `www.…`), if neither a table of
    linkfix nor a schema knows the attribute. Each name is reported once in a run, at its first value.

Why it is bad
    It is not: the value can be a name, such as that of a namespace. If it is a link, linkfix passes it over.

Example
    <item xmlns="urn:example:own" page="http://example.org/käse"/>

Instead
    If it is a link, say `--link item@page`, or `--schema` with the schema of the vocabulary. `linkfix extract --unknown` lists
    every such value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit, SiteWatcher
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.memory import Memory
    from linkfix.auditing.occurrence import Occurrence

SEVERITY = Severity.ADVICE
SECTION = "linkfix, docs/xml.md"
UNKNOWN = True


class _Names:
    """Remember the names of unknown attributes, and report each once."""

    def __init__(self, memory: Memory) -> None:
        self._known = memory.table()

    def check(self, occurrence: Occurrence) -> Iterator[Hit]:
        """Report the first value of an unknown attribute."""
        link = occurrence.link
        name = f"{link.element}@{link.attribute}"
        if link.kind is Kind.UNKNOWN and self._known.new([name]):
            self._known.add({name: ""})
            yield Hit(0, len(link.value), f"no table has {name}, whose value looks like a link")

    def prepare(self, _targets: list[str], *, are_normal: bool) -> dict[str, str]:
        """Return nothing: links are known (`SiteWatcher.prepare`)."""
        del are_normal
        return {}

    def commit(self, _new: dict[str, str]) -> None:
        """Remember nothing (`SiteWatcher.commit`)."""


def watch_site(memory: Memory) -> SiteWatcher:
    """Watch all documents of a run."""
    return _Names(memory)
