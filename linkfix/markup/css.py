"""CSS: find the URLs of a style sheet, with their layers of spelling.

The tokens are those of CSS Syntax Level 3, section 4. Of the grammar above the tokens only the URLs are parsed:
``url(…)`` with or without quotes, the string of ``@import``, and the strings directly inside ``image-set(…)`` and
``src(…)`` (CSS Values 4, 4.5; CSS Images 4, 2.4). A style sheet is read whole, in linear time.
"""

import re
from collections.abc import Iterator

from linkfix.markup.layers import Layer, Spelled, spell

# 4.3.7 "Consume an escaped code point"; 4.3.5: an escaped line end in a string is no character.
_ESCAPE = re.compile(
    r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\r\f])?|(\r\n|[\n\r\f])|([\s\S])|\Z)|\0"
)


def _unescape(match: re.Match[str]) -> tuple[str, int] | None:
    number, line_end, char = match.groups()
    if number:
        point = int(number, 16)
        known = 0 < point < 0xD800 or 0xDFFF < point <= 0x10FFFF
        return (chr(point) if known else "\ufffd"), len(match[0])
    if line_end:
        return "", len(match[0])
    return (char or "\ufffd"), len(match[0])


def _read(source: str) -> Spelled:
    return spell(source, _ESCAPE, _unescape)


def _hexadecimal(char: str) -> str:
    return f"\\{ord(char):x} "  # the space ends the number and is no part of the value


def _escapes(chars: str) -> dict[int, str]:
    return str.maketrans({char: f"\\{char}" for char in chars})


CSS_DOUBLE = Layer("double-quoted CSS string", _read, _escapes('"\\'), _hexadecimal)
CSS_SINGLE = Layer("single-quoted CSS string", _read, _escapes("'\\"), _hexadecimal)
CSS_URL = Layer("unquoted CSS url()", _read, _escapes("\"'()\\ "), _hexadecimal)
#: The layer of each token that may be a URL.
_LAYERS = {"url": CSS_URL, "double": CSS_DOUBLE, "single": CSS_SINGLE}
#: How the names of built-in behaviors begin (``behavior: url(#default#VML)``): they name code of the browser.
_BEHAVIOR = "#default#"

_SPACE = r"[ \t\n\r\f]"
_HEX = rf"\\[0-9a-fA-F]{{1,6}}+(?:\r\n|{_SPACE})?+"
_VALID = rf"(?:{_HEX}|\\[^\n\r\f])"
# 4.3.5 "Consume a string token"; an unescaped line end makes it a bad one, which ends there.
_IN_DOUBLE = rf'(?:[^"\\\n\r\f]|{_HEX}|\\(?:\r\n|[\s\S]))*+'
_IN_SINGLE = rf"(?:[^'\\\n\r\f]|{_HEX}|\\(?:\r\n|[\s\S]))*+"
_DOUBLE = rf'"({_IN_DOUBLE})("|\\?\Z)'
_SINGLE = rf"'({_IN_SINGLE})('|\\?\Z)"
_BROKEN = rf"""["](?:{_IN_DOUBLE})|['](?:{_IN_SINGLE})"""


def _letter(char: str) -> str:
    """Return a pattern for a letter after F, as itself or escaped, in either case."""
    numbers = f"{ord(char):x}|{ord(char.upper()):x}"
    return rf"(?:\\?+{char}|\\0{{0,4}}+(?:{numbers})(?:\r\n|{_SPACE})?+)"


_URL = "".join(map(_letter, "url")) + r"\("
#: 4.3.6 "Consume a url token", the good case; quotes, parentheses and controls make it bad.
_BARE = rf"{_URL}{_SPACE}*+((?:[^\"'()\\\x00-\x20\x7f]|{_VALID})++){_SPACE}*+(?:\)|\Z)"
_BAD = rf"{_URL}{_SPACE}*+(?![\"']|{_SPACE})(?:[^)\\]|\\[\s\S])*+\)?"
# 4.3.9 "Check if three code points would start an ident sequence", 4.3.11 "Consume an ident
# sequence"; names contain characters beyond ASCII. A hash and the unit of a number are names as well.
_WORD = r"[^\x00-,./:-@\[-\^`{-\x7f]"
_NAME_PART = rf"(?:{_WORD}|{_VALID})*+"
_NAME = rf"(?:--|-?(?:[^\x00-@\[-\^`{{-\x7f]|{_VALID})){_NAME_PART}"
_TOKEN = re.compile(
    rf"(?P<comment>/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))"
    rf"|(?P<double>{_DOUBLE})|(?P<single>{_SINGLE})|(?P<broken>{_BROKEN})"
    rf"|(?P<url>{_BARE})|(?P<bad>{_BAD})"
    rf"|(?P<function>{_NAME}\()|@(?P<at>{_NAME})|(?P<name>{_NAME}|[#0-9]{_NAME_PART})"
    rf"|(?P<mark>[(){{}}\[\];])",
    re.IGNORECASE | re.ASCII,
)
#: Functions whose strings are URLs.
_URL_FUNCTIONS = frozenset({"url(", "src(", "image-set(", "-webkit-image-set("})
#: Whole tokens without escapes that are no URLs, and after which no string is a URL.
_SKIPPED = re.compile(
    rf"(?:[\x00-!$-&(-,.:-?\[\]^`{{-\x7f]++"
    rf"|(?!(?:{'|'.join(map(re.escape, sorted(_URL_FUNCTIONS)))})){_WORD}++(?!\\)"
    rf"|\#{_WORD}*+(?!\\)|@(?![in\\]){_WORD}*+(?!\\)"
    r"|/(?!\*)|/\*(?:[^*]++|\*(?!/))*+\*/"
    rf"|\"{_IN_DOUBLE}\"|'{_IN_SINGLE}')*+",
    re.IGNORECASE | re.ASCII,
)


def _name_of(spelling: str) -> str:
    return _read(spelling).value.lower()


def urls(text: str) -> Iterator[tuple[int, int, Layer, bool]]:
    """Yield the URLs of a style sheet, or of a list of declarations.

    Args:
        text: code points.

    Returns:
        For each URL the half-open span of its spelling without quotes, its layer, and whether a style sheet is
        imported from it.

    """
    #: For each open function or bracket, from the first function of URLs on, whether its strings are URLs.
    functions: list[bool] = []
    importing = naming = False
    position = 0
    while True:
        if not (functions or importing or naming):
            skipped = _SKIPPED.match(text, position)
            position = position if skipped is None else skipped.end()
        match = _TOKEN.search(text, position)
        if match is None:
            return
        position = match.end()
        kind = match.lastgroup
        if naming:  # the URL of a @namespace is a name and no link
            naming = match[0] != ";"
        elif kind in _LAYERS:
            start, end = match.span(match.re.groupindex[kind] + 1)
            is_url = kind == "url" or importing or (functions and functions[-1])
            if is_url and text[start : start + len(_BEHAVIOR)].lower() != _BEHAVIOR:
                yield start, end, _LAYERS[kind], importing
        elif kind == "function":
            is_of_urls = _name_of(match[0]) in _URL_FUNCTIONS
            if functions or is_of_urls:
                functions.append(is_of_urls)
            importing = importing and is_of_urls
            continue
        elif kind == "mark":
            if match[0] in "([{":
                if functions:
                    functions.append(False)
            elif match[0] != ";" and functions:
                functions.pop()
        importing = kind == "comment" and importing
        if kind == "at":
            name = _name_of(match["at"])
            importing, naming = name == "import", name == "namespace"
