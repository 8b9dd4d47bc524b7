"""Verification: read a document before and after a change, and compare the two readings."""

from __future__ import annotations

from .difference import Difference
from .verifier import Settings, is_available, load, verify

__all__ = ["Difference", "Settings", "is_available", "load", "verify"]
