"""A link that is empty where there must be one.

What it does
    Reports empty links in attributes for which HTML asks for a valid non-empty URL: sources of
    scripts, images, frames and media, links in the head. Not of forms: an empty `action` means the page itself in every browser.

Why it is bad
    The address of the page itself is meant by it, so a browser may fetch the page again as an image
    or a script.

Example
    <img src="">

Instead
    Leave the attribute out, or the element.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.links.link import WEB_NAMESPACES
from linkfix.policy.bases import C0_OR_SPACE

_NON_EMPTY = {
    *(("img", "src"), ("script", "src"), ("iframe", "src"), ("frame", "src"), ("embed", "src")),
    *(("audio", "src"), ("video", "src"), ("video", "poster"), ("source", "src"), ("track", "src")),
    *(("input", "src"), ("object", "data"), ("link", "href")),
}


def check(subject: Subject) -> Hits:
    """Report an empty link in one of those attributes."""
    link = subject.link
    needed = (link.element, link.attribute) in _NON_EMPTY and link.namespace in WEB_NAMESPACES
    if needed and not subject.value.strip(C0_OR_SPACE):
        what = "white space alone" if subject.value else "empty"
        yield Hit(0, len(subject.value), f"{link.attribute} of {link.element} is {what}")
