"""Advice on characters that look like others (3987bis, 6.1 b and 8.5; UTS #39)."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from linkfix.deferred import pattern
from linkfix.iri.layout import Layout, Span, read_generic
from linkfix.iri.model import Violation, need, need_text
from linkfix.iri.unicode import ucd, uts46
from linkfix.iri.unicode.delimiter_data import DELIMITERS, LETTERS

_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")
_LABEL: Final = pattern("[^.\u3002\uff0e\uff61]+")
#: Letters, marks and digits in a row, percent-encoding aside.
_WORD: Final = re.compile(r"(?:(?!%[0-9A-Fa-f]{2})[^\W_]|[^\x00-\x7f](?<!\s))+")

#: UTS #39, 5.2: the scripts that one writing system may mix, and Latin with each of them.
_TOGETHER: Final = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
    frozenset({"Latin", "Han", "Hangul"}),
)


@cache
def _runs() -> tuple[list[int], list[str]]:
    from linkfix.iri.unicode.lookalike_data import SCRIPTS

    pairs = [entry.partition(":") for entry in SCRIPTS.split()]
    return [int(start, 16) for start, _, _ in pairs], [name for _, _, name in pairs]


def _script(character: str) -> str:
    """Return the name of a letter's script; empty for what several scripts share."""
    if character.isascii():
        return "Latin" if character.isalpha() else ""
    starts, names = _runs()
    i = bisect_right(starts, ord(character)) - 1
    return names[i] if i >= 0 else ""


def _mixed(text: str) -> str:
    """Return the scripts of a text, if nobody writes them together."""
    scripts = {_script(char) for char in text} - {""}
    is_usual = len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)
    return "" if is_usual else ", ".join(sorted(scripts))


def lookalikes(iri: str) -> tuple[Violation, ...]:
    """Find the parts of an IRI that look like something else.

    Args:
        iri: any text; A-labels are read as U-labels.

    Returns:
        Advice, in the order of the text: ``mixed-script-label`` (UTS #39, 5.2, beyond "highly
        restrictive"), ``ascii-lookalike-label`` (UTS #39, 4: a label without Latin letters that
        looks like one of ASCII only), ``latin-lookalike-label`` (the same with Latin letters beyond ASCII),
        ``mixed-script-word`` (8.5: the same of words in other components), ``delimiter-lookalike`` (6.1 b: a
        character that looks like a delimiter), ``full-width-form`` and ``compatibility-character`` (6.1 b: NFKC
        changes it).

    """
    layout = read_generic(iri)
    found = [*_labels(iri, layout)]
    for component, span in layout.spans():
        found += _in_component(iri, component, span)
    return tuple(sorted(found, key=lambda violation: violation.start))


def _labels(iri: str, layout: Layout) -> Iterator[Violation]:
    if not layout.host:
        return
    for label in _LABEL.finditer(iri, *layout.host):
        try:
            shown = uts46.to_unicode(label[0])
        except uts46.IDNAError:
            continue
        if shown.isascii():
            continue
        if mixed := _mixed(shown):
            message = f"the label mixes the scripts {mixed}"
            yield Violation("mixed-script-label", "host", *label.span(), "UTS #39, 5.2", message)
        elif (seen := skeleton(shown)).isascii():
            is_latin = any(_script(char) == "Latin" for char in shown)
            rule = "latin-lookalike-label" if is_latin else "ascii-lookalike-label"
            message = f"the label looks like {seen!r}"
            yield Violation(rule, "host", *label.span(), "UTS #39, 4", message)


def skeleton(text: str, profile: Literal["ascii", "whole"] = "ascii") -> str:
    """Return what a text looks like, which is the same for texts that look alike (UTS #39, 4).

    Args:
        text: any text.
        profile: ``whole`` for the skeleton of UTS #39, in which ASCII looks alike too (``rn`` and ``m``, ``1`` and ``l``, ``0``
            and ``O``) and what nobody sees is left out; ``ascii`` for the text with the lower-case letters and digits of
            ASCII that its other characters look like, those aside that are written from right to left.

    """
    need(("ascii", "whole"), profile=profile)
    need_text(text=text)
    if profile == "ascii":
        return text if text.isascii() else text.translate(_ascii())
    return ucd.normalize("NFD", ucd.normalize("NFD", text).translate(_skeletons()))


@cache
def _skeletons() -> dict[int, str]:
    """Return the skeletons of code points, in the profile ``whole``."""
    from linkfix.iri.unicode.lookalike_data import SKELETONS, UNSEEN

    whole: dict[int, str] = {}
    for run in UNSEEN.split():
        first, _, last = run.partition("-")
        whole |= dict.fromkeys(range(int(first, 16), int(last or first, 16) + 1), "")
    for group in SKELETONS.split():
        seen, _, points = group.partition(":")
        text = "".join(chr(int(point, 16)) for point in seen.split("+"))
        whole |= dict.fromkeys((int(point, 16) for point in points.split(",")), text)
    return whole


@cache
def _ascii() -> dict[int, str]:
    """Return the letters and digits of ASCII that code points look like."""
    from linkfix.iri.unicode.lookalike_data import ASCII

    return {ord(char): plain for plain, chars in ASCII.items() for char in chars}


_DELIMITERS: Final = {char: looks for looks, chars in DELIMITERS.items() for char in chars}
_DELIMITER: Final = re.compile(f"[{''.join(map(re.escape, _DELIMITERS))}]")


def _in_component(iri: str, component: str, span: Span) -> Iterator[Violation]:
    """Find words of several scripts (3987bis, 8.5; each is a component of its own), and characters that look like others."""
    for word in _WORD.finditer(iri, *span) if component != "host" else ():
        if not word[0].isascii() and (mixed := _mixed(word[0])):
            message = f"the word mixes the scripts {mixed}"
            yield Violation("mixed-script-word", component, *word.span(), "3987bis, 8.5", message)
    for found in _DELIMITER.finditer(iri, *span):
        if component == "host" or found[0] not in LETTERS:
            message = f"it looks like the delimiter {_DELIMITERS[found[0]]!r}"
            yield Violation(
                "delimiter-lookalike", component, *found.span(), "3987bis, 6.1 b", message
            )
    for found in _NOT_ASCII.finditer(iri, *span):
        plain = ucd.normalize("NFKC", found[0])
        if plain != ucd.normalize("NFC", found[0]):
            wide = ucd.east_asian_width(found[0]) in "FH"
            rule = "full-width-form" if wide else "compatibility-character"
            message = f"it is easily taken for {plain!r}"
            yield Violation(rule, component, *found.span(), "3987bis, 6.1", message)
