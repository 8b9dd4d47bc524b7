"""A second base element.

What it does
    Reports each `base` element with an `href` after the first.

Why it is bad
    Only the first one counts to a browser; other readers use the last, or each for what follows
    it.

Example
    <base href="/a/"> … <base href="/b/">

Instead
    One base element.
"""

from linkfix.auditing.rule import Document, Hit, Hits, Subject, Watcher


class _Bases(Watcher):
    """Count the base elements of a document."""

    def __init__(self) -> None:
        self._seen = False

    def check(self, subject: Subject, document: Document) -> Hits:
        del document
        if subject.link.sets_base:
            if self._seen:
                yield Hit(0, len(subject.value), "only the first base element counts")
            self._seen = True


watch = _Bases
