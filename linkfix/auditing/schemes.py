"""The schemes that are registered with IANA (RFC 7595) or in wide use."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def registered() -> frozenset[str]:
    """Return the schemes, in lower case."""
    text = resources.files("linkfix.auditing").joinpath("schemes.toml").read_text("utf-8")
    return frozenset(scheme for names in tomllib.loads(text).values() for scheme in names.split())
