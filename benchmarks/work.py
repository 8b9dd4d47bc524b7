"""What a measured program does with a document, and what is done with each link.

A *work* takes the bytes of one document and its name, and says what it did. The peers give every link to
`Fixer.fix`, the least that a URL repair can be, where linkfix has its own engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

#: The attributes and elements that programs look at which are no parsers of links.
LINKS: dict[str, list[str]] = json.loads(Path(__file__).with_name("links.json").read_bytes())
_URI = re.compile(r"(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+")


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one document.

    Attributes:
        links: how many were looked at.
        changed: how many of them were given another value.
        output: the document afterwards; None where none was asked for.

    """

    links: int
    changed: int = 0
    output: bytes | None = None


Work: TypeAlias = Callable[[bytes, str], Done]


class Fixer:
    """Counts what it is given, and percent-encodes what is no URI."""

    def __init__(self) -> None:
        self.links = 0
        self.changed = 0

    def fix(self, value: str) -> str:
        self.links += 1
        if _URI.fullmatch(value):
            return value
        new = quote(value, safe="-._~:/?#@!$&'()*+,;=%")
        self.changed += new != value
        return new

    def done(self, output: bytes | None = None) -> Done:
        return Done(self.links, self.changed, output)
