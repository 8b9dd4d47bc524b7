"""Extracting: the links of a document and where they lead."""

from __future__ import annotations

from linkfix.extracting.extractor import Extractor

__all__ = ["Extractor"]
