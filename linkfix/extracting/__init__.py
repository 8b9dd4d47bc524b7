"""Extracting: the links of a document, resolved."""

from linkfix.extracting.extractor import Extractor

__all__ = ["Extractor"]
