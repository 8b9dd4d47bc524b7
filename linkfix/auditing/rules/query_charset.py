"""A query whose octets depend on the charset of the document.

What it does
    Reports characters beyond ASCII in the query of a link in a document that is not in a Unicode
    charset.

Why it is bad
    Such a query is sent in the charset of the document, everything else of the link in UTF-8. The
    link asks for something else as soon as the page is converted to UTF-8 or copied to another
    page.

Example
    <meta charset="shift_jis"> … <a href="?q=空">

Instead
    <a href="?q=%8B%F3">, which asks for the same from any page and is what `linkfix rewrite`
    writes. In style sheets, in feeds, OPML and XInclude, and with some schemes, readers and standards
    disagree on the charset; there the link is left as it is, unless you say which was meant
    (`--query-charset document|LABEL`).
"""

from linkfix.auditing.parts import NOT_ASCII, query_span
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the part of the query that the charset of the document decides about."""
    charset = subject.policy.charset(subject.link)
    span = None if charset is None else query_span(subject.value)
    if charset is not None and span is not None:
        found = NOT_ASCII.search(subject.value, *span)
        if found is None:
            return
        disputed = any(p.rule == "query-charset-disputed" for p in subject.conversion.problems)
        message = f"this part of the query is sent in {charset.name}"
        if disputed:
            message = (
                f"readers disagree whether this part of the query is in {charset.name} or UTF-8"
            )
        yield Hit(*found.span(), message)
