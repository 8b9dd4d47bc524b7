"""An xml:base where browsers ignore it.

What it does
    Reports `xml:base` on elements of XHTML, SVG and MathML, except in feeds: feed readers follow it there.

Why it is bad
    XML readers resolve the links inside against it, browsers do not: each follows them to another
    place.

Example
    <g xml:base="/icons/"><image xlink:href="a.png"/></g>

Instead
    Write the links so that they need no xml:base: <image xlink:href="/icons/a.png"/>
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.links.link import WEB_NAMESPACES, XML_BASE


def check(subject: Subject) -> Hits:
    """Report an xml:base on an element that browsers show."""
    link = subject.link
    if link.attribute == XML_BASE and link.namespace in WEB_NAMESPACES and not link.place.feed:
        yield Hit(0, len(subject.value), "browsers do not follow xml:base")
