"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# How long something takes is for benchmarks/ to say; a busy machine must fail no test.
settings.register_profile("linkfix", settings.default, deadline=None)
settings.load_profile("linkfix")
