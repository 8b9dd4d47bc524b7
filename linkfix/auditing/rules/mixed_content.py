"""Content that is fetched without encryption into an encrypted page.

What it does
    Reports http links of images, scripts, frames, media, objects and forms in a document whose base
    is https. Say --base where the document does not.

Why it is bad
    Browsers block it, or fetch it over https instead, which may fail.

Example
    <script src="http://example.org/a.js"> in https://example.org/

Instead
    <script src="https://example.org/a.js">, or a relative reference.
"""

from collections.abc import Callable

from linkfix.auditing.rule import Document, Hit, Hits, Subject

#: Elements that fetch what they link to, or send a form there.
_FETCHED = frozenset({
    "img", "image", "script", "iframe", "frame", "audio", "video", "source", "track", "embed", "object", "input",
    "form", "button", "feImage", "use", "style",
})  # fmt: skip
#: Attributes of theirs that are followed by hand only.
_NOT_FETCHED = frozenset({"cite", "longdesc"})


def _is_by_http(value: str) -> bool:
    return value.startswith("http:")


def _needed(document: Document) -> Callable[[str], bool] | None:
    """Need the links by http in a document by https."""
    return _is_by_http if document.base[:6] == "https:" else None


def check(subject: Subject) -> Hits:
    """Report the scheme of what is fetched."""
    if subject.value[:5].lower() != "http:":
        return
    link = subject.link
    fetched = link.element in _FETCHED and link.attribute not in _NOT_FETCHED
    if fetched and subject.base is not None and subject.base.startswith("https:"):
        yield Hit(0, 5, "fetched without encryption into an encrypted page")
