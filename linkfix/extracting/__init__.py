"""Extracting: the links of a document, resolved."""

from __future__ import annotations

from linkfix.extracting.extractor import Extractor

__all__ = ["Extractor"]
