"""A document whose declarations of the charset disagree.

What it does
    Reports a byte order mark, a transport charset, a `meta` or an XML declaration that contradicts the
    one in force.

Why it is bad
    Which one rules differs between HTML and XML and between readers; text and links come out right
    for some of them only.

Example
    <?xml version="1.0" encoding="ISO-8859-1"?>, sent with the charset windows-1251

Instead
    Declare the charset once, or each time the same.
"""

from collections.abc import Iterator

from linkfix.auditing.rule import Document

_STEPS = {
    "bom": "byte order mark",
    "label": "transport charset",
    "meta": "meta",
    "xml-declaration": "XML declaration",
    "charset-rule": "@charset",
    "pattern": "pattern of the first bytes",
}


def check_document(document: Document) -> Iterator[str]:
    """Report each declaration that says otherwise."""
    sniffed, charset = document.sniffed, document.sniffed.charset
    name = charset.name if charset.iana is None else charset.iana.name
    for step, label, _ in sniffed.disagreements:
        yield f"the {_STEPS.get(step, step)} says {label}, but the document is read as {name}"
