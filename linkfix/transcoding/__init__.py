"""Transcoding: a document in UTF-8 instead of another charset, its links leading where they led."""

from __future__ import annotations

from linkfix.transcoding.report import Declared, TranscodingReport
from linkfix.transcoding.transcoder import Transcoder

__all__ = ["Declared", "Transcoder", "TranscodingReport"]
