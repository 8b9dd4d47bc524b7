"""The links in data blocks: JSON-LD, import maps and speculation rules inside ``script``."""

from __future__ import annotations

from collections.abc import Iterator

from linkfix.markup.layers import Layer

#: schema.org: the properties whose values are URLs. ``@id`` and ``@type`` are identity tokens.
_SCHEMA_ORG = frozenset(
    [
        "url", "image", "logo", "sameAs", "contentUrl", "embedUrl", "thumbnailUrl", "thumbnail",
        "discussionUrl", "downloadUrl", "installUrl", "item", "license", "mainEntityOfPage",
        "mapUrl", "hasMap", "menu", "photo", "replyToUrl", "screenshot", "significantLink",
        "target", "ticketToken", "trackingUrl", "unnamedSourcesPolicy", "urlTemplate"
    ]
)  # fmt: skip

#: schema.org: the values of these may be URI Templates (RFC 6570).
_TEMPLATES = frozenset({"target", "urlTemplate"})

#: The types of scripts with links (HTML 4.12.1, 8.1.6.2; Speculation Rules, 2; JSON-LD 1.1, 7).
TYPES = frozenset({"application/ld+json", "importmap", "speculationrules"})


def urls(type: str, text: str) -> Iterator[tuple[int, int, Layer, bool]]:
    """Yield the links in a data block.

    Args:
        type: type of the script, in lower case, one of `TYPES`.
        text: code points.

    Returns:
        For each link its half-open span between the quotes, its layer, and whether braces make it a URI Template
        (schema.org, EntryPoint).

    """
    from linkfix.markup.json import JSON_STRING, strings

    for path, first, last in strings(text):
        name = path[-1] if path else ""
        if type == "importmap":
            is_url = bool(path) and path[0] in {"imports", "scopes"}
        elif type == "speculationrules":
            is_url = name == "urls"
        else:
            is_url = name in _SCHEMA_ORG
        if is_url:
            yield first, last, JSON_STRING, name in _TEMPLATES
