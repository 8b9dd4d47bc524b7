"""A link that readers do not agree on.

What it does
    Reports the part of a link that Chromium, Firefox, WebKit and the URL Standard read differently, and names the
    target of each. These are: drive letters with a bar, hosts of `file:`, backslashes with schemes unknown to
    browsers; characters of host names, if their mapping changed between versions of Unicode; control characters at
    the end of a fragment; schemes with a parser of their own in a browser; four pairs of octets in Big5; fragments alone
    that end in a space, or are not ASCII and in SVG or a style sheet.

Why it is bad
    The link leads to different places. `linkfix rewrite` leaves it where a change would move it for one reader.

Example
    <a href="file:///C|/plan.html">, <a href="http://GROẞ.example/">

Instead
    Write the place that is meant as all readers read it: file:///C:/plan.html, http://gross.example/.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri import disputes
from linkfix.policy.violation_data import NAMED
from linkfix.rewriting.spelling import renames


def check(subject: Subject) -> Hits:
    """Report the place in front of each disputed part, since other rules may be about its characters."""
    if subject.policy.syntax_of(subject.link) == "web":
        for dispute in disputes(subject.value, base=subject.base):
            yield Hit(dispute.start, dispute.start, dispute.message)
        for problem in subject.conversion.problems:
            if problem.rule == "decoder-disputed":
                yield Hit(problem.start, problem.end, problem.message)
        if renames(subject.link, subject.conversion.text):
            yield Hit(0, 0, NAMED.message)
