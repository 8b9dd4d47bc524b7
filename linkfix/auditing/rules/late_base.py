"""A base element that comes too late.

What it does
    Reports a `base` element with an `href` that is not before all other links of the document.

Why it is bad
    HTML asks for it. Links that a browser has fetched by then were resolved without it, and other readers differ about
    the links before it.

Example
    <link rel="stylesheet" href="a.css"><base href="/b/">

Instead
    <base href="/b/"><link rel="stylesheet" href="a.css">
"""

from linkfix.auditing.rule import Document, Hit, Hits, Subject, Watcher


class _Order(Watcher):
    """Look at the base elements."""

    def check(self, subject: Subject, document: Document) -> Hits:
        if subject.link.sets_base and document.links:
            yield Hit(0, len(subject.value), "links come before this base element")


watch = _Order
