"""Transcoding: convert a document to UTF-8; its links keep their targets."""

from linkfix.transcoding.declaring import Declared, TranscodingReport
from linkfix.transcoding.transcoder import Transcoder

__all__ = ["Declared", "Transcoder", "TranscodingReport"]
