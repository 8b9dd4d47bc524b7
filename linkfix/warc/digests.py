"""The labelled digests of WARC records: ``sha1:`` and a value in base 32, mostly (WARC 1.1, 5.8)."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from typing import Any

from linkfix.errors import UnreadableError

_HEX = re.compile(r"[0-9A-Fa-f]*")


class Digest:
    """A digest to be computed as another was: by the same algorithm, written in the same way.

    Args:
        label: the other, as the field of a record has it.

    Raises:
        UnreadableError: an algorithm that is not known, or no digest.

    """

    def __init__(self, label: str) -> None:
        self._algorithm, _, value = label.partition(":")
        if not (label.isascii() and label.isprintable()):
            raise UnreadableError(f"the digest {label!r} is damaged")
        try:
            self._hash: Any = hashlib.new(
                self._algorithm.lower().replace("-", ""), usedforsecurity=False
            )
            self._hash.digest()  # an algorithm with results of any length needs one (TypeError)
        except (TypeError, ValueError) as error:
            raise UnreadableError(
                f"the digest {label!r} has an algorithm that linkfix does not know"
            ) from error
        self._write = _encoder(value, self._hash.digest_size)

    def update(self, data: bytes) -> None:
        """Add the next bytes."""
        self._hash.update(data)

    def __str__(self) -> str:
        return f"{self._algorithm}:{self._write(self._hash.digest())}"


def _encoder(value: str, size: int) -> Callable[[bytes], str]:
    """Return the encoder of digests that fits one of `size` bytes: base 16, 32 or 64."""
    if len(value) == 2 * size and _HEX.fullmatch(value):
        lower = value == value.lower()
        return lambda digest: digest.hex() if lower else digest.hex().upper()
    if len(value.rstrip("=")) == -(-size * 4 // 3):
        safe = "-" in value or "_" in value
        write: Callable[[bytes], bytes] = base64.urlsafe_b64encode if safe else base64.b64encode
    else:
        write = base64.b32encode

    def encode(digest: bytes) -> str:
        text = write(digest).decode("ascii")
        text = text if value.endswith("=") else text.rstrip("=")
        return text.lower() if write is base64.b32encode and value.islower() else text

    return encode
