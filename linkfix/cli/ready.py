"""What every worker of ``linkfix audit`` needs, loaded once in the process that workers are forked from."""

from __future__ import annotations

import gc

import linkfix.cli.examining
import linkfix.cli.group  # noqa: F401 - what a worker of the command line loads first
from linkfix.auditing import Auditor

__all__: list[str] = []

# The first audit loads the rules, and makes the patterns that all others use too.
_auditor = Auditor(type="html")
_auditor.feed(b"<meta charset=utf-8><a href=x>")
_auditor.close()

# All this stays: workers need not look at it again for what has gone, nor have a copy of it for that.
gc.freeze()
