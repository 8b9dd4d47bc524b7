"""Rewriting: how what a link becomes is spelled in its place, and the splice."""

from linkfix.rewriting.rewriter import Outcome, Report, Rewriter

__all__ = ["Outcome", "Report", "Rewriter"]
