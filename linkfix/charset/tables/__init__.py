"""Tables of facts, made by tools/charset/generate.py; each is loaded when it is first needed."""

from __future__ import annotations
