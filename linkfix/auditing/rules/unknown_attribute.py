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
from linkfix.auditing.rule import Hit
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from linkfix.auditing.rule import Occurrence, SiteWatcher

SEVERITY = Severity.ADVICE
SECTION = "linkfix, docs/xml.md"
UNKNOWN = True

#: The most names that are remembered; documents can invent unlimited ones.
_MOST = 1000


class _Names:
    """Remember the names of unknown attributes, and report each once."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def check(self, occurrence: Occurrence) -> Iterator[Hit]:
        """Report the first value of an unknown attribute."""
        link = occurrence.link
        name = f"{link.element}@{link.attribute}"
        if link.kind is Kind.UNKNOWN and name not in self._known and len(self._known) < _MOST:
            self._known.add(name)
            yield Hit(0, len(link.value), f"no table has {name}, whose value looks like a link")

    def prepare(self, _targets: list[str], *, are_normal: bool) -> dict[str, str]:
        """Return nothing: links are known (`SiteWatcher.prepare`)."""
        del are_normal
        return {}

    def commit(self, _new: dict[str, str]) -> None:
        """Remember nothing (`SiteWatcher.commit`)."""


def watch_site(accepted: Set[str]) -> SiteWatcher:
    """Watch all documents of a run."""
    del accepted
    return _Names()
