"""An empty segment in a path.

What it does
    Reports two slashes in a row within a path, unless a colon comes before them as in an archived
    link.

Why it is bad
    To a server it may be the same as one slash or another name. Relative references inside the page
    it leads to are resolved one step short.

Example
    <a href="http://example.org//index.html">

Instead
    <a href="http://example.org/index.html">, if the server has it so.
"""

from linkfix.auditing.parts import segments
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each slash too many."""
    if subject.value.count("//") == 0:
        return
    end = subject.layout.path[1]
    for first, last, leading in segments(subject):
        if (
            first == last
            and last < end
            and not leading
            and subject.value[first - 2 : first - 1] != ":"
        ):
            yield Hit(first, first + 1, "an empty segment in the path")
