"""A document converted to UTF-8, in chunks."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sources import with_source

from linkfix.transcoding import Transcoder, TranscodingReport

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["transcoded"]


def transcoded(
    source: bytes, cuts: Iterable[int] = (), **settings: Any
) -> tuple[bytes, TranscodingReport]:
    """The document in UTF-8, fed in the chunks that the cuts make; losses are accepted unless the settings say no."""
    transcoder = Transcoder(**with_source({"accept_losses": True} | settings))
    edges = [0, *cuts, len(source)]
    done = b"".join(transcoder.feed(source[start:end]) for start, end in pairwise(edges))
    return done + transcoder.close(), transcoder.report
