"""Verification: read a document before and after a change, and compare the two readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.deferred import members

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.verifying.readers import is_available, load
    from linkfix.verifying.trees import Difference
    from linkfix.verifying.verifier import Settings, verify

__all__ = ["Difference", "Settings", "is_available", "load", "verify"]

__getattr__: Callable[[str], object] = members(
    __name__, {"trees": "Difference", "readers": "is_available load", "verifier": "Settings verify"}
)
