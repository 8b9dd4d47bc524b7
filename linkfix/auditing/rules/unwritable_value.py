"""A value that a rewrite leaves, because its bytes are not the link's own.

What it does
    Reports a link that is no URI and is not written in the document: its characters are from an entity of the
    internal subset, from a default value of a DTD, or from a value without quotes in XML that was mended. So is one in a
    style or an import map where a Content-Security-Policy in the page has hashes of such text.

Why it is bad
    `linkfix rewrite` leaves such a link, because to change the entity or the default would change other places too, and
    because browsers ignore text that has another hash.

Example
    <!DOCTYPE rss [<!ENTITY home "http://example.org/café">]> … <link>&home;</link>

Instead
    Change the entity to http://example.org/caf%C3%A9, or write the link without it.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.links.html.hashes import HASHED


def check(subject: Subject) -> Hits:
    """Report the whole value of a link that a rewrite would change if it could."""
    link = subject.link
    why = link.fixed or (HASHED if link.place.hashed else "")
    if why and subject.policy.applies(link) and subject.conversion.edits:
        yield Hit(0, len(subject.value), f"a rewrite leaves it: {why}")
