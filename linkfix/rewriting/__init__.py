"""Rewriting: how what a link becomes is spelled in its place, and the splice."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkfix.deferred import members

if TYPE_CHECKING:
    from linkfix.rewriting.rewriter import Outcome, Report, Rewriter

__all__ = ["Outcome", "Report", "Rewriter"]

__getattr__: Callable[[str], object] = members(__name__, {"rewriter": "Outcome Report Rewriter"})
