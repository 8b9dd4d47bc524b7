"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# Timings belong in benchmarks/; a busy machine must fail no test.
settings.register_profile("linkfix", settings.default, deadline=None)
settings.load_profile("linkfix")
