"""JSON in scripts: find the strings of a text, with their spans and their names.

The grammar is that of RFC 8259. Of a text that is not JSON, the strings before the first error are returned. Only the
strings that the caller needs are decoded.
"""

import re
from collections.abc import Iterator, Sequence

from linkfix.markup.layers import Layer, Spelled, spell

_ESCAPE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u([0-9a-fA-F]{4})|\\([\"\\/bfnrt])"
)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def _unescape(match: re.Match[str]) -> tuple[str, int]:
    high, low, single, short = match.groups()
    if high:
        pair = bytes.fromhex(high + low).decode("utf-16-be")
        return pair, len(match[0])
    if single:
        return chr(int(single, 16)), len(match[0])
    return _SHORT.get(short, short), len(match[0])


def _read(source: str) -> Spelled:
    return spell(source, _ESCAPE, _unescape)


def _reference(char: str) -> str:
    octets = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{octets[i]:02x}{octets[i + 1]:02x}" for i in range(0, len(octets), 2))


#: RFC 8259, 7.
JSON_STRING = Layer(
    "JSON string",
    _read,
    {
        **{number: f"\\u{number:04x}" for number in range(0x20)},
        **str.maketrans({'"': '\\"', "\\": "\\\\"}),
    },
    _reference,
)

_TOKEN = re.compile(
    r'[ \t\n\r]*(?:"((?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+)"|([\[\]{}:,])|[^\s\[\]{}:,"]+)'
)


def strings(text: str) -> Iterator[tuple[Sequence[str], int, int, bool]]:
    """Yield the strings of a JSON text.

    Args:
        text: code points.

    Returns:
        For each string its path, which is the names of the members around it, the half-open span of its spelling
        between the quotes, and whether it is a name, which is then the last one of its path. The path is one list, which
        changes with the next string.

    """
    path: list[str] = []
    #: For each open object the length of the path around it; for each open array -1.
    opened: list[int] = []
    position = 0
    expects_name = False
    while match := _TOKEN.match(text, position):
        position = match.end()
        mark = match[2]
        if mark in {"{", "["}:
            expects_name = mark == "{"
            opened.append(len(path) if expects_name else -1)
        elif mark in {"}", "]"} and opened:
            if (length := opened.pop()) >= 0:
                del path[length:]
            expects_name = False
        elif mark == ",":
            expects_name = bool(opened) and opened[-1] >= 0
        elif match[1] is not None:
            if expects_name:
                path[opened[-1] :] = [_read(match[1]).value]
            yield path, *match.span(1), expects_name
            expects_name = False
