"""Names from standards that no table of links has: public identifiers, attributes without case, members of JSON."""

#: HTML standard, 14.2: the public identifiers for which browsers define the named character references of HTML.
XHTML = frozenset(
    f"-//{name}//EN"
    for name in (
        "W3C//DTD XHTML 1.0 Transitional",
        "W3C//DTD XHTML 1.1",
        "W3C//DTD XHTML 1.0 Strict",
        "W3C//DTD XHTML 1.0 Frameset",
        "W3C//DTD XHTML Basic 1.0",
        "W3C//DTD XHTML 1.1 plus MathML 2.0",
        "W3C//DTD XHTML 1.1 plus MathML 2.0 plus SVG 1.1",
        "W3C//DTD MathML 2.0",
        "WAPFORUM//DTD XHTML Mobile 1.0",
        "WAPFORUM//DTD XHTML Mobile 1.1",
        "WAPFORUM//DTD XHTML Mobile 1.2",
    )
)
#: HTML Standard, 4.16.2: the attributes of HTML elements whose values are compared without regard to ASCII case.
CASELESS = frozenset(
    [
        "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked",
        "clear", "codetype", "color", "compact", "declare", "defer", "dir", "direction",
        "disabled", "enctype", "face", "frame", "hreflang", "http-equiv", "lang", "language",
        "link", "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap",
        "readonly", "rel", "rev", "rules", "scope", "scrolling", "selected", "shape", "target",
        "text", "type", "valign", "valuetype", "vlink"
    ]
)  # fmt: skip

#: schema.org: the properties whose values are URLs. ``@id`` and ``@type`` are identity tokens.
SCHEMA_ORG = frozenset(
    [
        "url", "image", "logo", "sameAs", "contentUrl", "embedUrl", "thumbnailUrl", "thumbnail",
        "discussionUrl", "downloadUrl", "installUrl", "item", "license", "mainEntityOfPage",
        "mapUrl", "hasMap", "menu", "photo", "replyToUrl", "screenshot", "significantLink",
        "target", "ticketToken", "trackingUrl", "unnamedSourcesPolicy", "urlTemplate"
    ]
)  # fmt: skip

#: schema.org: the values of these may be URI Templates (RFC 6570).
SCHEMA_ORG_TEMPLATES = frozenset({"target", "urlTemplate"})

#: Web Application Manifest, 1, with the members that others add to it: paths of members that are URLs. `id` is an
#: identifier, and the `url` of protocol_handlers a template.
MANIFEST = frozenset(
    ["start_url", "scope", "icons.src", "screenshots.src", "shortcuts.url", "shortcuts.icons.src", "share_target.action",
     "file_handlers.action", "file_handlers.icons.src", "related_applications.url", "note_taking.new_note_url", "serviceworker.src"]
)  # fmt: skip
#: JSON Feed 1.1, "Top-level" and "Items"; author is of version 1.
FEED = frozenset(
    ["home_page_url", "feed_url", "next_url", "icon", "favicon", "hubs.url", "items.url", "items.external_url", "items.image",
     "items.banner_image", "items.attachments.url"]
    + [f"{of}{author}.{name}" for of in ("", "items.") for author in ("author", "authors") for name in ("url", "avatar")]
)  # fmt: skip
