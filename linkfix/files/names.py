"""The names of linkfix's own files in a tree: temporary files and journals."""

from __future__ import annotations

import os
import re

from linkfix.deferred import pattern

#: What these names begin with.
OWN_PREFIX = ".linkfix-"
_TEMPORARY = pattern(rf"{re.escape(OWN_PREFIX)}[0-9a-f]{{16}}\.tmp")


def is_own(path: str) -> bool:
    """Return whether a name in a path is reserved for linkfix's own files, in any letter case."""
    return any(name.startswith(OWN_PREFIX) for name in path.lower().split("/"))


def is_temporary(name: str) -> bool:
    """Return whether a file name has the form of linkfix's temporary files."""
    return _TEMPORARY.fullmatch(name) is not None


def temporary_name() -> str:
    """Return a name for a temporary file that no other file has."""
    return f"{OWN_PREFIX}{os.urandom(8).hex()}.tmp"
