"""linkfix: find, audit and rewrite the links of HTML and XML documents, byte for byte.

>>> import linkfix
>>> page = '<meta charset="shift_jis"><a href="/検索?q=空">'.encode("shift_jis")
>>> linkfix.rewrite(page, to="uri")
b'<meta charset="shift_jis"><a href="/%E6%A4%9C%E7%B4%A2?q=%8B%F3">'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkfix import iri, trees
    from linkfix.auditing import Auditor, Finding
    from linkfix.auditing.own import rule
    from linkfix.errors import (
        ArgumentError,
        JournalError,
        LimitExceededError,
        LinkfixError,
        LinkMapError,
        LossError,
        MigrationError,
        MoveError,
        NoDocumentError,
        NotWellFormedError,
        SignedDocumentError,
        UnknownCharsetError,
        UnreadableError,
        UnsupportedCharsetError,
        VerificationError,
    )
    from linkfix.extracting import Extractor
    from linkfix.library import TextEdit, audit, edits, extract, rewrite, transcode, verify
    from linkfix.links import Kind, Link, LinkStream
    from linkfix.policy import Keep, LinkMap, Policy, Source
    from linkfix.rewriting import Outcome, Report, Rewriter
    from linkfix.sites.auditing import audit_site
    from linkfix.sites.comparing import verify_site
    from linkfix.sites.graphs import graph
    from linkfix.sites.migrating import migrate
    from linkfix.sites.moving import move
    from linkfix.sites.rewriting import rewrite_site
    from linkfix.transcoding import Transcoder, TranscodingReport
    from linkfix.verifying import Difference
    from linkfix.version import __version__ as __version__

__all__ = [
    "ArgumentError", "Auditor", "Difference", "Extractor", "Finding", "JournalError", "Keep", "Kind",
    "LimitExceededError", "Link", "LinkMap", "LinkMapError", "LinkStream", "LinkfixError", "LossError", "MigrationError",
    "MoveError", "NoDocumentError",
    "NotWellFormedError", "Outcome", "Policy", "Report", "Rewriter", "SignedDocumentError", "Source", "TextEdit", "Transcoder",
    "TranscodingReport", "UnknownCharsetError", "UnreadableError", "UnsupportedCharsetError", "VerificationError",
    "audit", "audit_site", "edits", "extract", "graph", "iri", "migrate", "move", "rewrite", "rewrite_site", "rule", "transcode",
    "trees", "verify", "verify_site",
]  # fmt: skip

_matched = re.match("(?:a|b(?=c))*+", "ab")
if _matched is None or _matched.end() != 1:
    raise ImportError(
        "the possessive quantifiers of this Python are wrong (CPython issue 100061), so that linkfix would miss links; "
        "use Python 3.11.5 or newer"
    )

#: Where each public name lives; loaded when it is first asked for, so that starting is quick.
_HOMES = {
    "auditing": "Auditor Finding",
    "auditing.own": "rule",
    "errors": "ArgumentError JournalError LimitExceededError LinkMapError LinkfixError LossError MigrationError MoveError"
    " NoDocumentError NotWellFormedError SignedDocumentError UnknownCharsetError UnreadableError UnsupportedCharsetError VerificationError",
    "extracting": "Extractor",
    "library": "TextEdit audit edits extract rewrite transcode verify",
    "links": "Kind Link LinkStream",
    "policy": "Keep LinkMap Policy Source",
    "rewriting": "Outcome Report Rewriter",
    "sites.auditing": "audit_site",
    "sites.comparing": "verify_site",
    "sites.graphs": "graph",
    "sites.migrating": "migrate",
    "sites.moving": "move",
    "sites.rewriting": "rewrite_site",
    "transcoding": "Transcoder TranscodingReport",
    "verifying": "Difference",
    "version": "__version__",
}
#: Modules that programs use by their names.
_MODULES = ("iri", "trees")


def __getattr__(name: str) -> object:
    from linkfix.deferred import members

    return members(__name__, _HOMES, *_MODULES)(name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__"})
