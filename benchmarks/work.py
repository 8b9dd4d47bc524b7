"""The work of a measured program on a document, and on each link.

A *work* is called with the bytes of one document and its name, and returns a result. The peers pass every link to
`Fixer.fix`, a minimal URL repair; linkfix has its own engine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

#: The attributes and elements for programs without a list of links.
LINKS: dict[str, list[str]] = json.loads(Path(__file__).with_name("links.json").read_bytes())
_URI = re.compile(r"(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*+")


@dataclass(frozen=True, slots=True)
class Done:
    """The result of one document.

    Attributes:
        links: how many links were read.
        changed: how many of them got another value.
        output: the new document; None if it was not requested.

    """

    links: int
    changed: int = 0
    output: bytes | None = None


Work: TypeAlias = Callable[[bytes, str], Done]


class Fixer:
    """Counts its arguments, and percent-encodes those that are no URI."""

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
