"""Say whether two documents lead to the same places, link by link.

Two addresses count as the same if they are equal after the percent-encoding normalization of
RFC 3986, 6.2.2: a browser leaves characters literal that no URI may hold (``|``, a stray ``%``, a
second ``#``), and a valid URI has to percent-encode them.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from .harness import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .harness import Attribute, Browser, Node, Tree

__all__ = ["assert_same_destinations", "differences", "is_link", "is_link_text", "normalize"]

UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
SUB_DELIMS = frozenset("!$&'()*+,;=")
AUTHORITY = UNRESERVED | SUB_DELIMS | frozenset(":@[]")
PATH = UNRESERVED | SUB_DELIMS | frozenset(":@/")
QUERY = PATH | frozenset("?")

#: RFC 3986, appendix B, on an absolute URL.
PARTS = re.compile(
    r"(?P<scheme>[^:/?#]+):(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:\#(?P<fragment>.*))?",
    re.DOTALL,
)

#: Attributes whose value is a link or a list of links, on whatever element; local names.
LINK_ATTRIBUTES = frozenset(
    [
        "action",
        "altimg",
        "archive",
        "background",
        "cite",
        "codebase",
        "data",
        "definitionURL",
        "dynsrc",
        "formaction",
        "href",
        "icon",
        "imagesrcset",
        "longdesc",
        "lowsrc",
        "manifest",
        "ping",
        "pluginspage",
        "pluginurl",
        "poster",
        "profile",
        "src",
        "srcdoc",
        "srcset",
        "style",
        "uri",
        "url",
    ]
)
#: What tells that the content of a meta element has a link in it.
METADATA = re.compile(
    r"http-equiv=refresh|(property|name)=.*(og|article|book|music|video|twitter|al):.*|name=(msapplication-.*|thumbnail)"
    r"|(property|name)=(\w*citation_.*|parsely-.*|sailthru.*|eprints.*|identifier-url|dc(terms)?\.identifier.*)|itemprop=.+",
    re.IGNORECASE,
)
#: The attributes of SVG's animations that have values of the attribute that they animate.
ANIMATED = frozenset(["by", "from", "to", "values"])
#: SVG's presentation attributes, whose values are CSS.
PRESENTATION = frozenset(
    [
        *("clip-path", "color-profile", "cursor", "fill", "filter", "marker", "marker-end"),
        *("marker-mid", "marker-start", "mask", "stroke"),
    ]
)
#: XML elements whose text is a link: Atom (RFC 4287), RSS 2.0, the Comment API.
LINK_ELEMENTS = frozenset(
    ["commentRSS", "commentRss", "comments", "docs", "guid", "icon", "link", "logo", "uri", "url"]
)
HTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"


def normalize(url: str) -> str:
    """Percent-encode what RFC 3986 does not allow where it stands, and bring escapes to one form.

    Hexadecimal digits become upper case and percent-encoded unreserved characters are decoded.
    """
    parts = PARTS.fullmatch(url)
    assert parts, f"not an absolute URL: {url!r}"
    text = parts["scheme"] + ":"
    for mark, name, allowed in (
        ("//", "authority", AUTHORITY),
        ("", "path", PATH),
        ("?", "query", QUERY),
        ("#", "fragment", QUERY),
    ):
        if parts[name] is not None:
            text += mark + _normalize_component(parts[name], allowed)
    return text


def _normalize_component(text: str, allowed: frozenset[str]) -> str:
    def one(match: re.Match[str]) -> str:
        if match["hex"]:
            character = chr(int(match["hex"], 16))
            return character if character in UNRESERVED else match[0].upper()
        if match[0] in allowed:
            return match[0]
        return "".join(f"%{octet:02X}" for octet in match[0].encode("utf-8", "surrogatepass"))

    return re.sub(r"%(?P<hex>[0-9A-Fa-f]{2})|.", one, text, flags=re.DOTALL)


def is_link(node: Node, name: str) -> bool:
    """Return whether an attribute of an element may hold a link."""
    if name == "content" and node.name == "meta":
        return any(METADATA.fullmatch(f"{each.name}={each.value}") for each in node.attributes)
    if node.namespace == SVG and name in PRESENTATION:
        return True
    if node.namespace == SVG and node.name in {"animate", "set"} and name in ANIMATED:
        return any(each.name == "attributeName" for each in node.attributes)
    if name == "value" and node.name == "param":
        return any(other.name == "valuetype" for other in node.attributes)
    return name.rpartition(":")[2] in LINK_ATTRIBUTES


def is_link_text(node: Node) -> bool:
    """Return whether the text of an element may be a link."""
    return node.name == "style" or (node.namespace != HTML and node.name in LINK_ELEMENTS)


def differences(
    before: Tree, after: Tree, changed_only_in: Callable[[Node, str], bool] = is_link
) -> list[str]:
    """Say what a rewrite did to a document that it must not do; an empty list is a good one.

    The elements, their attributes and their texts must be the same. A value may be different where
    ``changed_only_in(element, attribute name)`` allows it, as long as it leads to the same place.
    """
    found = [
        f"{what}: {old!r} became {new!r}"
        for what, old, new in (
            ("document charset", before.charset, after.charset),
            ("base", normalize(before.base), normalize(after.base)),
        )
        if old != new
    ]
    for number, (old, new) in enumerate(zip_longest(before.nodes, after.nodes)):
        if old is None or new is None or _shape(old) != _shape(new):
            change = f"{old and _shape(old)} became {new and _shape(new)}"
            return [*found, f"element {number}: {change}"]
        problems = _node_differences(old, new, changed_only_in)
        found += [f"element {number} <{old.name}> {problem}" for problem in problems]
    return found


def _shape(node: Node) -> tuple[int, str | None, str, list[str]]:
    return node.depth, node.namespace, node.name, [each.name for each in node.attributes]


def _node_differences(
    old: Node, new: Node, changed_only_in: Callable[[Node, str], bool]
) -> Iterator[str]:
    for before, after in zip(old.attributes, new.attributes, strict=True):
        if before.value == after.value:
            continue
        change = f"@{before.name}: {before.value!r} became {after.value!r}"
        if not changed_only_in(old, before.name):
            yield f"{change}, and it is no link"
        elif not _same_urls(before, after):
            yield f"{change}, which moves it from {before.urls} to {after.urls}"
    if len(old.styles) != len(new.styles) or not all(map(_same_url, old.styles, new.styles)):
        yield f"style: moves from {old.styles} to {new.styles}"
    if old.text != new.text:
        change = f"text: {old.text!r} became {new.text!r}"
        if not is_link_text(old):
            yield f"{change}, and it is no link"
        elif not _same_url(old.text_url, new.text_url):
            yield f"{change}, which moves it from {old.text_url} to {new.text_url}"


def _same_urls(before: Attribute, after: Attribute) -> bool:
    return len(before.urls) == len(after.urls) and all(map(_same_url, before.urls, after.urls))


def _same_url(before: str | None, after: str | None) -> bool:
    """Compare two resolutions; a link that the browser cannot parse leads nowhere."""
    if before is None or after is None:
        return before is after
    return normalize(before) == normalize(after)


def assert_same_destinations(
    browser: Browser,
    original: Page,
    rewritten: bytes,
    *,
    name: str = "",
    changed_only_in: Callable[[Node, str], bool] = is_link,
) -> None:
    """Load a document before and after a rewrite, served alike, and fail if a link has moved."""
    changed = Page(rewritten, original.content_type, original.path, original.scripting)
    before, after = browser.load([original, changed])
    problems = differences(before, after, changed_only_in)
    assert not problems, "\n".join([f"{name or original.path}:", *problems])
