"""The programs that can be measured, by task. The first of each task is the one that others are compared with."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Literal, TypeAlias

import html_peers
import xml_peers
from work import Done, Work

if TYPE_CHECKING:
    from collections.abc import Callable

Type: TypeAlias = Literal["html", "xml"]


@dataclass(frozen=True, slots=True)
class Program:
    """One way to do a task.

    Attributes:
        name: in the table.
        needs: the module that must be installed, or with a ``$`` the command.
        make: returns the work, with everything loaded; None for a script of its own.
        mode: the argument of that script.
        checkout: the folder of another checkout of linkfix; empty for what is installed.

    """

    name: str
    needs: str
    make: Callable[[], Work] | None
    mode: str = ""
    checkout: str = ""

    @property
    def installed(self) -> bool:
        if self.needs.startswith("$"):
            return shutil.which(self.needs[1:]) is not None
        return find_spec(self.needs) is not None


def linkfix_rewrite(type: Type) -> Work:
    import linkfix

    def work(document: bytes, _: str) -> Done:
        out = BytesIO()
        report = linkfix.rewrite(document, out, to="uri", type=type)
        return Done(report.links, report.changed, out.getvalue())

    return work


def linkfix_extract(type: Type) -> Work:
    import linkfix

    return lambda document, _: Done(sum(1 for _ in linkfix.extract(document, type=type)))


def linkfix_audit(type: Type) -> Work:
    import linkfix

    return lambda document, _: Done(0, sum(1 for _ in linkfix.audit(document, type=type)))


REWRITE = [
    Program("linkfix", "linkfix", partial(linkfix_rewrite, "html")),
    Program("lol-html", "lolhtml", partial(html_peers.lolhtml_rewrite, every=False)),
    Program("lol-html, all set", "lolhtml", partial(html_peers.lolhtml_rewrite, every=True)),
    Program("lol-html, no links", "lolhtml", html_peers.lolhtml_bare),
    Program("Bun", "$bun", None, "changed"),
    Program("Bun, all set", "$bun", None, "all"),
    Program("Bun, no links", "$bun", None, "none"),
    Program("selectolax", "selectolax", html_peers.selectolax_rewrite),
    Program("lxml.html", "lxml", html_peers.lxml_rewrite),
    Program("pywb", "pywb", html_peers.pywb_rewrite),
    Program("BeautifulSoup", "bs4", html_peers.soup_rewrite),
    Program("html5lib", "html5lib", html_peers.html5lib_rewrite),
]
EXTRACT = [
    Program("linkfix", "linkfix", partial(linkfix_extract, "html")),
    Program("selectolax", "selectolax", html_peers.selectolax_extract),
    Program("lol-html", "lolhtml", html_peers.lolhtml_extract),
    Program("Bun", "$bun", None, "read"),
    Program("lxml.html", "lxml", html_peers.lxml_extract),
    Program("BeautifulSoup", "bs4", html_peers.soup_extract),
    Program("html5lib", "html5lib", html_peers.html5lib_extract),
]
AUDIT = [
    Program("linkfix audit", "linkfix", partial(linkfix_audit, "html")),
    Program("linkfix rewrite", "linkfix", partial(linkfix_rewrite, "html")),
]
XML_PEERS = [
    Program("lxml iterparse", "lxml", xml_peers.lxml_links),
    Program("lxml iterparse, no links", "lxml", xml_peers.lxml_bare),
    Program("expat", "pyexpat", xml_peers.expat_links),
    Program("expat, no handlers", "pyexpat", xml_peers.expat_bare),
]
TASKS: dict[str, list[Program]] = {
    "rewrite": REWRITE,
    "extract": EXTRACT,
    "audit": AUDIT,
    "fragments": REWRITE,
    "xml-rewrite": [
        Program("linkfix", "linkfix", partial(linkfix_rewrite, "xml")),
        *XML_PEERS,
        Program("lxml iterparse, lxml.html, written", "lxml", xml_peers.lxml_html),
        Program("lxml iterparse, pattern, written", "lxml", xml_peers.lxml_pattern),
    ],
    "xml-extract": [Program("linkfix", "linkfix", partial(linkfix_extract, "xml")), *XML_PEERS],
    "xml-audit": [
        Program("linkfix audit", "linkfix", partial(linkfix_audit, "xml")),
        Program("linkfix rewrite", "linkfix", partial(linkfix_rewrite, "xml")),
    ],
}
