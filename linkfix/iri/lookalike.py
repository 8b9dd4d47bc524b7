"""Advice on characters that are easily taken for others (3987bis, 6.1 b and 8.5; UTS #39)."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Final

from linkfix.iri import uts46
from linkfix.iri.layout import read_generic
from linkfix.iri.model import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.iri.layout import Layout

__all__ = ["lookalikes"]

_NOT_ASCII: Final = re.compile("[^\x00-\x7f]")
_LABEL: Final = re.compile("[^.\u3002\uff0e\uff61]+")

#: UTS #39, 5.2: the scripts that one writing system may mix, and Latin with each of them.
_TOGETHER: Final = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
    frozenset({"Latin", "Han", "Hangul"}),
)


@cache
def _runs() -> tuple[list[int], list[str]]:
    from linkfix.iri.lookalike_data import SCRIPTS

    pairs = [entry.partition(":") for entry in SCRIPTS.split()]
    return [int(start, 16) for start, _, _ in pairs], [name for _, _, name in pairs]


def _script(character: str) -> str:
    """Return the name of a letter's script; empty for what several scripts share."""
    if character.isascii():
        return "Latin" if character.isalpha() else ""
    starts, names = _runs()
    i = bisect_right(starts, ord(character)) - 1
    return names[i] if i >= 0 else ""


def lookalikes(iri: str) -> tuple[Violation, ...]:
    """Find what a reader may take for something else.

    Args:
        iri: any text; A-labels are looked at as U-labels.

    Returns:
        Advice, in the order of the text: ``mixed-script-label`` (UTS #39, 5.2, beyond "highly
        restrictive"), ``ascii-lookalike-label`` (UTS #39, 4: a label without Latin letters that
        looks like one of ASCII only), ``full-width-form`` and ``compatibility-character``
        (3987bis, 6.1 b: NFKC changes it).

    """
    layout = read_generic(iri)
    found = [*_labels(iri, layout), *_compatibility(iri, layout)]
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
        scripts = {_script(character) for character in shown} - {""}
        if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
            message = f"the label mixes the scripts {', '.join(sorted(scripts))}"
            yield Violation("mixed-script-label", "host", *label.span(), "UTS #39, 5.2", message)
        elif "Latin" not in scripts and (skeleton := _skeleton(shown)):
            message = f"the label looks like {skeleton!r}"
            yield Violation("ascii-lookalike-label", "host", *label.span(), "UTS #39, 4", message)


def _skeleton(label: str) -> str:
    """Return the ASCII text that a label looks like, or nothing."""
    from linkfix.iri.lookalike_data import LOOKALIKES

    seen = [c if c.isascii() else LOOKALIKES.get(c, "") for c in label]
    return "".join(seen) if all(seen) else ""


def _compatibility(iri: str, layout: Layout) -> Iterator[Violation]:
    spans = {
        "userinfo": layout.userinfo,
        "host": layout.host,
        "path": layout.path,
        "query": layout.query,
        "fragment": layout.fragment,
    }
    for component, span in spans.items():
        if span is None:
            continue
        for found in _NOT_ASCII.finditer(iri, *span):
            plain = unicodedata.normalize("NFKC", found[0])
            if plain == unicodedata.normalize("NFC", found[0]):
                continue
            wide = unicodedata.east_asian_width(found[0]) in "FH"
            rule = "full-width-form" if wide else "compatibility-character"
            message = f"it is easily taken for {plain!r}"
            yield Violation(rule, component, *found.span(), "3987bis, 6.1", message)
