"""Markup: HTML tokens and XML events with spans, and the character references in values."""
