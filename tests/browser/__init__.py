"""What a browser makes of a document: headless Chromium as the judge of links."""

from __future__ import annotations
