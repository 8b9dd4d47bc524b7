"""Charsets: labels, sniffing, the Encoding Standard's decoders and encoders, and the ASCII view."""

from .labels import known, label_of, lookup, named, names
from .model import Charset, Missing, View
from .sniff import (
    PREFIX,
    PRESCAN,
    Declaration,
    Sniffed,
    Step,
    declaration_end,
    declared_charset,
    sniff,
)

__all__ = [
    "PREFIX", "PRESCAN", "Charset", "Declaration", "Missing", "Sniffed", "Step", "View", "declaration_end",
    "declared_charset", "known", "label_of", "lookup", "named", "names", "sniff",
]  # fmt: skip
