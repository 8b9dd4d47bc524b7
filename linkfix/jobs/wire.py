"""Frames: the form in which a worker answers its parent through a pipe.

A frame is its kind (one byte), the length of its payload in bytes (eight bytes, big endian) and the payload:
raw bytes, or text or JSON in UTF-8, in which lone surrogates stay as they are (names of files have some).
An event is one frame: it arrives whole, or not at all where the worker dies. Nothing in a frame is ever
executed or imported, whatever a document puts in it.
"""

import struct
from collections.abc import Iterator
from typing import Any, TypeAlias

#: What the work on a document yields: bytes, or plain data that JSON can express.
Event: TypeAlias = "bytes | dict[str, Any] | list[Any]"
#: The kind and the payload of a frame.
Frame: TypeAlias = tuple[bytes, bytes]

#: An event of the present document: raw bytes, or plain data.
BYTES, PLAIN = b"b", b"p"
#: Text that the work wrote to standard error.
TEXT = b"t"
#: The present document is done, or failed with the error in the payload; the next one of the batch follows.
DONE, FAILED = b"d", b"f"
#: The commit of the batch begins.
COMMITTING = b"s"

_HEAD = struct.Struct(">cQ")


def frame(kind: bytes, payload: bytes = b"") -> bytes:
    """Return one frame."""
    return _HEAD.pack(kind, len(payload)) + payload


def framed(event: Event) -> bytes:
    """Return the frame of an event as bytes."""
    return frame(*frame_of(event))


def frame_of(event: Event) -> Frame:
    """Return the frame of an event."""
    return (BYTES, event) if isinstance(event, bytes) else (PLAIN, plain(event))


def plain(data: dict[str, Any] | list[Any]) -> bytes:
    """Return the payload of plain data."""
    import json

    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def value(kind: bytes, payload: bytes) -> Any:
    """Return what a frame carries: bytes, text, or plain data."""
    if kind == BYTES:
        return payload
    import json

    text = payload.decode("utf-8", "surrogatepass")
    return text if kind == TEXT else json.loads(text)


class Decoder:
    """Parse a stream of bytes into frames."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Read the next bytes; yield the kind and the payload of each frame that they complete."""
        buffer = self._buffer
        buffer += data
        while len(buffer) >= _HEAD.size:
            kind, length = _HEAD.unpack_from(buffer)
            end = _HEAD.size + length
            if len(buffer) < end:
                return
            payload = bytes(buffer[_HEAD.size : end])
            del buffer[:end]
            yield kind, payload
