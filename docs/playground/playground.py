"""What the playground asks of linkfix, in Pyodide. It answers in JSON, which the page shows as text."""

from __future__ import annotations

import difflib
import json
import sys
from importlib import import_module

# There is no unicodedata2 for WebAssembly; the module of Python has the same functions, for the Unicode of that Python.
sys.modules.setdefault("unicodedata2", import_module("unicodedata"))

import linkfix  # noqa: E402
from linkfix.charset import lookup, names  # noqa: E402
from linkfix.iri.unicode.ucd import VERSION  # noqa: E402


def charsets() -> list[str]:
    """Return the names of the charsets that a page can be in."""
    return sorted(names(xml=False), key=str.lower)


def about() -> str:
    """Return what this page is, with what it does otherwise than an installed linkfix."""
    return (
        f"linkfix {linkfix.__version__} on Python {sys.version.split()[0]}. Characters of hosts are those of Unicode {VERSION}; "
        "an installed linkfix has 17.0.0. Schemas and trees, which need lxml, are not here."
    )


def _shown(data: bytes) -> list[str]:
    text = "".join(
        chr(byte) if 0x20 <= byte < 0x7F or byte == 0x0A else f"\\x{byte:02x}" for byte in data
    )
    return text.split("\n")


def look(document: str, charset: str, to: str, base: str) -> str:
    """Return the links of a document, the findings of the audit, and the changes of a rewrite."""
    try:
        source = lookup(charset).encode(document, missing=lambda char: f"&#{ord(char)};".encode())
        where = {"base": base or None}
        links = [
            (
                link.line,
                f"{link.element}@{link.attribute}",
                link.value,
                link.resolved or "" if base else "",
            )
            for link in linkfix.extract(source, **where)
        ]
        findings = [
            (each.line, f"{each.code} {each.name}", each.message)
            for each in linkfix.audit(source, **where)
        ]
        new = linkfix.rewrite(source, to=to, **where)
        diff = [
            *difflib.unified_diff(_shown(source), _shown(new), "before", "after", lineterm="", n=0)
        ]
        state = f"{len(links)} links, {len(findings)} findings; {len(source)} bytes before, {len(new)} after."
    except linkfix.LinkfixError as error:
        links, findings, diff, state = [], [], [], f"{error}"
    return json.dumps({"links": links, "findings": findings, "diff": diff, "state": state})
