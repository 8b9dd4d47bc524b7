"""linkfix: find, audit and rewrite the links of HTML and XML documents, byte for byte."""

from __future__ import annotations

__version__ = "0.1.0"
