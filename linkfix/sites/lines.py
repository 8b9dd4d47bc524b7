"""Records as lines of JSON: what jobs and commands list, one record a line."""

import os
from collections.abc import Iterable
from typing import Any

from linkfix.deferred import pattern

#: CI runners execute a line that begins with "::" (GitHub Actions), and "##[" (its older form) and "##vso[" (Azure
#: Pipelines) anywhere. One character of each is escaped.
COMMAND = pattern(r"(?m)^\s*(:)(?=:)|#(#)(?=[A-Za-z]*\[)")
_SURROGATE = pattern("[\ud800-\udfff]")
#: An octet of a file name that is not UTF-8 (PEP 383).
_OCTET = pattern("[\udc80-\udcff]")


def name_text(name: str) -> str:
    """Return a file name with octets that are not UTF-8 percent-encoded."""
    return _OCTET.sub(lambda match: f"%{ord(match[0]) - 0xDC00:02X}", name)


def json_line(record: dict[str, Any], *, names: Iterable[str] = ("file",)) -> str:
    """Return a record as one line of JSON in ASCII, in which every string is well-formed Unicode.

    Args:
        record: strings, numbers, lists and dictionaries by name.
        names: the fields with file names. Octets of a name that are not UTF-8 are percent-encoded, and one
            more field, its name ending in ``_octets``, has all octets in hex.

    """
    octets = {}
    for name in names:
        text = record.get(name)
        if isinstance(text, str) and _SURROGATE.search(text):
            octets[name] = name_text(text)
            octets[f"{name}_octets"] = os.fsencode(text).hex()
    return json_text(record | octets)


def json_text(value: Any, separators: tuple[str, str] | None = None) -> str:
    """Return a value as JSON in ASCII; a lone surrogate becomes U+FFFD (RFC 7493, 2.1)."""
    import json

    text = json.dumps(value, ensure_ascii=True, separators=separators)
    if "\\ud" in text:
        text = json.dumps(_well_formed(value), ensure_ascii=True, separators=separators)
    return COMMAND.sub(r"#\\u0023", text) if "##" in text else text


def _well_formed(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(each) for key, each in value.items()}
    return [_well_formed(each) for each in value] if isinstance(value, list | tuple) else value
