"""A link that is no IRI reference.

What it does
    Reports every character or part of a link that the grammar of IRI references does not allow,
    unless a rule of its own is about it. A relative reference that has no base to be resolved
    against is no fault of the link: REF005 is about the base.

Why it is bad
    Browsers mend such links, each XML processor, feed reader and link checker in its own way. What
    one follows another may cut off or refuse.

Example
    <a href="ftp://me@home@example.org/"> (two @)

Instead
    <a href="ftp://me%40home@example.org/">, which `linkfix rewrite` writes. It leaves alone what it
    cannot make valid.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.compare.classes_data import CLASSES

#: What has a rule of its own.
_ELSEWHERE = frozenset({
    *CLASSES,
    "stray-percent", "space", "control-character", "bidi-formatting", "second-fragment", "bracket", "delimiter",
    "colon-in-first-segment", "private-use", "tag", "special", "non-character", "host-percent-encoded",
    "unwise-character", "base-dependent", "base-opaque", "scheme-opaque", "charset-guessed", "charset-disputed",
    "white-space-alone", "white-space-before-fragment", "white-space-run", "data-white-space", "query-charset-disputed", "decoder-disputed",
})  # fmt: skip

#: What a value has in which the grammar finds something else: an authority, or a surrogate.
_OTHERS = re.compile("//|[\ud800-\udfff]")


def check(subject: Subject) -> Hits:
    """Report departures from the grammar, and failures, that no other rule is about."""
    for violation in subject.violations if _OTHERS.search(subject.value) else ():
        if violation.rule not in _ELSEWHERE:
            yield Hit(violation.start, violation.end, f"{violation.message} ({violation.rule})")
    if not subject.conversion.ok:
        for problem in subject.conversion.problems:
            if problem.component not in {"host", "port"} and problem.rule not in _ELSEWHERE:
                yield Hit(problem.start, problem.end, f"{problem.message} ({problem.rule})")
