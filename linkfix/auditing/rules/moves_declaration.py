"""A link that a rewrite leaves, because the declaration of the charset would move.

What it does
    Reports a link before the charset declaration of an HTML document, if a rewrite of it and of the links
    before it would move the declaration out of the first 1,024 bytes, or another one into them.

Why it is bad
    Browsers look for the declaration in the first 1,024 bytes. Past them another charset applies to the whole page.
    So `linkfix rewrite` leaves such a link as it is.

Example
    <link rel="next" href="日本.html"> and 990 bytes more before <meta charset="utf-8">

Instead
    <meta charset="utf-8"> as the first element of the head; then every link can be rewritten.
"""

from dataclasses import replace

from linkfix.auditing.rule import Document, Hit, Hits, Subject, Watcher
from linkfix.policy import Policy
from linkfix.rewriting.border import MOVES_DECLARATION, Border
from linkfix.rewriting.spelling import spelled


class _Rewrite:
    """A rewrite of the first bytes of a document, which is followed but not written."""

    def __init__(self, policy: Policy, document: Document) -> None:
        self._policy = policy
        self._border = Border(document.prefix, document.sniffed)

    def leaves(self, subject: Subject) -> bool:
        """Return whether the rewrite leaves the next link for the sake of the declaration."""
        link, policy, border = subject.link, self._policy, self._border
        if border.beyond(link.start) or not policy.applies(link):
            return False
        new, _ = spelled(policy, link, policy.convert(link, subject.base))
        if new is None:
            return False
        if not border.allows(link.start, link.end, new):
            return True
        border.write(link.start, link.end, new)
        return False


class _Rewrites(Watcher):
    """Follow a rewrite to URIs and one to IRIs."""

    def __init__(self) -> None:
        self._rewrites: list[_Rewrite] | None = None

    def check(self, subject: Subject, document: Document) -> Hits:
        if document.type != "html":
            return
        if self._rewrites is None:
            policies = (subject.policy, replace(subject.policy, to="iri"))
            self._rewrites = [_Rewrite(policy, document) for policy in policies]
        leaving = [rewrite for rewrite in self._rewrites if rewrite.leaves(subject)]
        if leaving:
            yield Hit(0, len(subject.value), f"a rewrite leaves it: {MOVES_DECLARATION}")


watch = _Rewrites
