"""The files that links mean: what the rules about them have in common.

Input: a link, and `Files`, which knows the site. Output: a finding if the link leads to no file, or to no place in it.
The audit itself opens no file. A rule is a watcher, since the answer depends on the document and on its site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.base import LOCAL, shown
from linkfix.auditing.rule import Document, FileProblem, Hit, Problem, Subject
from linkfix.iri.ordinary import ORDINARY
from linkfix.iri.resolution import base_url
from linkfix.links import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


#: Kinds of links that nobody follows.
_NAMES = frozenset({Kind.IDENTITY, Kind.HASH_NAME})


def doubtful(document: Document) -> Callable[[str], bool] | None:
    """Need the links whose targets have a problem; none where no files are known (`Rule.needs`)."""
    if document.files is None:
        return None
    target_of = base_url(document.site_base).target

    def is_doubtful(value: str) -> bool:
        return value[:1] not in LOCAL and _problem(document, value, target_of(value)) is not None

    return is_doubtful


class FileWatcher:
    """Report the links with one problem.

    Args:
        what: the problem; None to report nothing, so that only the targets of links become known.
        message: about each link; near misses are added.

    """

    def __init__(self, what: Problem | None, message: str = "") -> None:
        self._what = what
        self._message = message

    def check(self, subject: Subject, document: Document) -> Iterator[Hit]:
        """Yield a finding if the target of the link has one of the problems."""
        last, found = document.checked
        if last is not subject:  # the rules about files check a link one after the other
            found = _problem_of(subject, document)
            document.checked = (subject, found)
        if found is not None and found.what == self._what:
            message = self._message
            if found.to and found.what != "redirected":
                message += "; it is redirected"
            if found.to not in {"", "?"}:
                message += f" to {shown(found.to)}"
            if found.is_temporary:
                message += " for the time being"
            if found.near:
                message += f"; near: {' or '.join(found.near)}"
            yield Hit(0, len(subject.value), message, shown(subject.target or ""), found.goal)

    def finish(self, document: Document) -> Iterator[tuple[Subject, Hit]]:
        """Yield nothing: each link is known at once."""
        del document
        return iter(())


def _problem_of(subject: Subject, document: Document) -> FileProblem | None:
    """Return what is wrong with any link; None for one that nobody follows."""
    link, value = subject.link, subject.value
    apart = link.kind in _NAMES or link.sets_base or link.sets_inner_base or link.fixed
    if document.files is None or apart:
        return None
    reference = value if ORDINARY.fullmatch(value) else subject.conversion.text
    return None if reference[:1] in LOCAL else _problem(document, reference, subject.target)


def _problem(document: Document, reference: str, target: str | None) -> FileProblem | None:
    """Return what is wrong with a link; `reference` is its value as a URI reference."""
    if document.files is None or target is None:
        return None
    if (
        ".." in reference
        and not document.base
        and base_url(document.site_base).is_left_by(reference)
    ):
        return FileProblem("outside")
    return document.files.problem(target, document.sniffed.charset, document.path)
