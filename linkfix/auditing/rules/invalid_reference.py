"""A link that is no IRI reference.

What it does
    Reports every character or part of a link that the grammar of IRI references does not allow,
    unless a rule of its own is about it.

Why it is bad
    Browsers mend such links, each XML processor, feed reader and link checker in its own way. What
    one follows another may cut off or refuse.

Example
    <a href="/a|b?c={d}">

Instead
    <a href="/a%7Cb?c=%7Bd%7D">, which `linkfix rewrite` writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.rule import Subject

SEVERITY = Severity.ERROR
SECTION = "draft-ietf-iri-3987bis-01, 2.2"

#: What has a rule of its own.
ELSEWHERE = frozenset({"stray-percent", "space", "control-character", "bidi-formatting"})


def check(subject: Subject) -> Iterator[Hit]:
    """Report departures from the grammar, and failures, that no other rule is about."""
    for violation in subject.violations:
        text = subject.value[violation.start : violation.end]
        backslashes = not text.strip("\\")
        replacements = subject.link.malformed and not text.strip("\ufffd")
        if violation.rule not in ELSEWHERE and not backslashes and not replacements:
            yield Hit(violation.start, violation.end, f"{violation.message} ({violation.rule})")
    if not subject.conversion.ok:
        for problem in subject.conversion.problems:
            if problem.component not in {"host", "port"}:
                yield Hit(problem.start, problem.end, f"{problem.message} ({problem.rule})")
