"""A document that is not in UTF-8.

What it does
    Reports HTML documents in another charset than UTF-8.

Why it is bad
    HTML asks for UTF-8. In any other charset the query of a link means other octets than its path,
    and depends on its page.

Example
    <meta charset="shift_jis">

Instead
    <meta charset="utf-8">, once the links are rewritten and the document is converted.
"""

from collections.abc import Iterator

from linkfix.auditing.rule import Document


def check_document(document: Document) -> Iterator[str]:
    """Report an HTML document that declares another charset than UTF-8."""
    sniffed = document.sniffed
    if document.type == "html" and sniffed.declared and sniffed.charset.name != "UTF-8":
        yield f"the document is in {sniffed.charset.name}"
