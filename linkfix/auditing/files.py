"""The files that links mean: what the rules about them have in common.

Input: a link, and `Files`, which knows the site. Output: a finding if the target of the link is no file, or no place in it.
The audit itself opens no file.
"""

from collections.abc import Callable

from linkfix.auditing.base import LOCAL
from linkfix.auditing.rule import Document, FileProblem, Subject
from linkfix.iri.quick import ORDINARY
from linkfix.iri.resolution import base_url
from linkfix.links import Kind, Link

#: The attribute of XML catalogs that has the beginning of addresses (XML Catalogs 1.1, 6.5.5).
_BEGINNING = "rewritePrefix"
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


def is_followed(subject: Subject) -> bool:
    """Return whether somebody follows a link, and it may lead out of its document."""
    link = subject.link
    is_left = link.fixed and link.kind is not Kind.MEMBER  # a name has a file all the same
    apart = link.kind in _NAMES or link.sets_base or link.sets_inner_base or is_left
    return not apart and _reference(subject)[:1] not in LOCAL


def leaves(document: Document, subject: Subject) -> bool:
    """Return whether a link has more steps up than its document has folders, where no base is known."""
    return _leaves(document, _reference(subject)) and subject.target is not None


def _reference(subject: Subject) -> str:
    """Return the value of a link as a URI reference."""
    value = subject.value
    return value if ORDINARY.fullmatch(value) else subject.conversion.text


def _leaves(document: Document, reference: str) -> bool:
    is_local = ".." in reference and not document.base
    return is_local and base_url(document.site_base).is_left_by(reference)


def problem_of(subject: Subject, document: Document) -> FileProblem | None:
    """Return what is wrong with any link; None for one that nobody follows."""
    if document.files is None or not is_followed(subject):
        return None
    found = _problem(document, _reference(subject), subject.target)
    return found if found is not None and is_wrong(found, subject.link) else None


def is_wrong(problem: FileProblem, link: Link) -> bool:
    """Return whether what a target lacks is a fault of a link: one that names a folder needs no index."""
    names_folder = link.attribute == _BEGINNING or link.kind is Kind.MEMBER
    return problem.what != "no-index" or not names_folder


def _problem(document: Document, reference: str, target: str | None) -> FileProblem | None:
    """Return what is wrong with a link; `reference` is its value as a URI reference."""
    if document.files is None or target is None:
        return None
    if _leaves(document, reference):
        return FileProblem("outside")
    return document.files.problem(target, document.sniffed.charset)
