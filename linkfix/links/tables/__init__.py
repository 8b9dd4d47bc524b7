"""The tables of links: TOML, and modules made of it (``tools/make_tables.py``)."""

from __future__ import annotations
