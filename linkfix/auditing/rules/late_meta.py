"""A declaration of the charset that comes too late.

What it does
    Reports an HTML document whose `meta` with the charset is not wholly within the first 1024
    bytes.

Why it is bad
    Browsers look only there before they begin to read. Some begin again when they find it later,
    others go on in the wrong charset.

Example
    A long script or comment before <meta charset="utf-8">

Instead
    <meta charset="utf-8"> as the first element of the head.
"""

from collections.abc import Iterator

from linkfix.auditing.rule import Document
from linkfix.charset.prescan import early_metas

_PRESCAN = 1024


def check_document(document: Document) -> Iterator[str]:
    """Report a declaration in force that is beyond the first 1024 bytes."""
    if document.type != "html" or document.sniffed.step != "meta":
        return
    if not early_metas(document.prefix[:_PRESCAN]):
        name = document.sniffed.charset.name
        yield f"the meta that says {name} is not within the first {_PRESCAN} bytes"
