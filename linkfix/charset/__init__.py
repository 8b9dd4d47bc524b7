"""Charsets: labels, sniffing, the Encoding Standard's decoders and encoders, and the ASCII view."""

from __future__ import annotations

from .labels import lookup, named, names
from .model import Charset, Missing
from .sniff import PREFIX, Declaration, Sniffed, Step, sniff
from .view import View

__all__ = [
    "PREFIX",
    "Charset",
    "Declaration",
    "Missing",
    "Sniffed",
    "Step",
    "View",
    "lookup",
    "named",
    "names",
    "sniff",
]
