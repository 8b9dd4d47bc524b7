"""Settings for all tests."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile

from hypothesis import settings

# Timings belong in benchmarks/; a busy machine must fail no test. The same commit gives the same result;
# `pytest --hypothesis-profile=nightly` searches anew.
settings.register_profile("linkfix", settings.default, deadline=None, derandomize=True)
settings.register_profile("nightly", settings.default, deadline=None, print_blob=True)
settings.load_profile("linkfix")

# The key of caches is made there.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="linkfix-state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)

# A shell ignores SIGINT for what it runs in the background, and nohup ignores SIGHUP; Python and its
# children inherit that. Tests send these signals.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
