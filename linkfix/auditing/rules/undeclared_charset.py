"""A document that does not declare its charset.

What it does
    Reports an HTML document without any declaration of its charset: no byte order mark, no `meta`, and no
    `--charset` on the command line.

Why it is bad
    Browsers guess from what they see, and guess differently from one version of a page to the
    next. The query of every link with other than ASCII characters depends on the guess.

Example
    <html><head><title>Übersicht</title></head>

Instead
    <html><head><meta charset="utf-8"> … in the first 1024 bytes, or the charset in the
    Content-Type header (say it to linkfix with --charset).
"""

from collections.abc import Iterator

from linkfix.auditing.rule import Document
from linkfix.markup.detect import is_type_map


def check_document(document: Document) -> Iterator[str]:
    """Report an HTML document whose charset had to be guessed."""
    is_page = document.type == "html" and not is_type_map(document.prefix)
    if is_page and not document.sniffed.declared:
        yield f"no charset is declared; read as {document.sniffed.charset.name}"
