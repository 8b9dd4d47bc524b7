"""Check what holds of every normal form and key, and hold normal forms against ada-url.

    python tools/differential/normal_forms.py [--texts N] [--seed N]

Texts are put together from pieces, stray percent signs among them. For each one, and for another spelling of it: a normal
form has the scheme of the reference, leads where the reference leads for ada-url and for every reader, and is its own
normal form; keys are equal exactly where `equivalent` says so, whose answer is no truth value; and where readers do not
agree on one of the two, the outcome is unknown.
Printed is every fault; a fault makes the exit status 1.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from typing import TYPE_CHECKING

import ada_url

from linkfix.iri import comparison_form, disputes, equivalent, normalize, parse
from linkfix.iri.compare.comparison import BROWSERS, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.iri.compare.comparison import Comparison, Rung
    from linkfix.iri.compare.normalization import Level

__all__ = ["faults", "faults_of", "spelled_otherwise", "texts"]

STARTS = (
    *("http://h/", "http://", "HTTP://H.example", "https:", "file:///", "file://h", "foo://h", ""),
    *("/", "mailto:a@", "ftp://h", "data:,", "urn:x:", "tel:+1", "//h/", "xmpp:", "coap://h"),
)
PIECES = (
    *("http:", "HTTP:", "%68ttp:", "java%73cript:", "https:", "file:", "foo:", "mailto:", "//"),
    *("/", "\\", "h", "H.Example", "é", "%C3%A9", "xn--9ca", ".", "..", "%2e", "%", "%2", "%32"),
    *("%34", "%41", "%7E", "~", "e", "a", "5", "F", ":", ":80", "%3A", "?", "#", "&", "=", "'"),
    *("|", "%7C", " ", "\t", "[", "]", "[::1]", "@", "u@", "%2F", "ß", "%FF", "C|", "C:", "1.2"),
    *("0x7f", "*", '"', "\x1f", "\u1c8a", "\u0301"),
)
SPECIAL = frozenset({"http", "https", "ftp", "file", "ws", "wss"})
LEVELS: tuple[Level, ...] = ("syntax", "scheme")
RUNGS: tuple[Rung, ...] = ("syntax", "url", "scheme")

_AUTHORITY = re.compile("[a-z]+://[^/?#]*")
_STRAY = re.compile("%(?![0-9A-Fa-f]{2})")
_OCTET = re.compile("%[0-9A-Fa-f]{2}")
_NOT_URI = re.compile(r'[|^\[\]{}"`\\]')


def texts(count: int, seed: int) -> Iterator[str]:
    """Yield texts, the same ones for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield rng.choice(STARTS) + "".join(rng.choices(PIECES, k=rng.randint(0, 7)))


def spelled_otherwise(text: str, rng: random.Random) -> str:
    """Return a text that may be another spelling of a text, or another reference."""
    return rng.choice(
        (
            normalize(text),
            normalize(text, "scheme", to="uri"),
            text.replace("%41", "A"),
            f" {text} ",
            text.upper(),
            text + rng.choice(PIECES),
            text.replace("é", "%C3%A9"),
        )
    )


def href(text: str) -> str | None:
    """Return what ada-url serializes, without what RFC 3986, 6.2.2 and 3.5, calls the same; None for failure."""
    try:
        url = ada_url.URL(text)
    except ValueError:
        return None
    start, mark, fragment = url.href.partition("#")
    authority = _AUTHORITY.match(start)
    head = authority.end() if authority else 0
    before = _OCTET.sub(_decoded, start[:head])
    text = before + _written(start[head:]) + mark + _written(fragment).replace("#", "%23")
    return ada_url.URL(text).href  # without the dot segments that were encoded


def _written(text: str) -> str:
    text = _NOT_URI.sub(lambda found: f"%{ord(found[0]):02X}", _STRAY.sub("%25", text))
    return _OCTET.sub(_decoded, text)


def _decoded(found: re.Match[str]) -> str:
    char = chr(int(found[0][1:], 16))
    return char if char.isascii() and (char.isalnum() or char in "-._~") else found[0].upper()


def faults_of(text: str, other: str) -> Iterator[str]:
    """Yield the faults of a text, and of its comparison with another one."""
    reading = read(text)
    is_agreed = reading.iri is not None and not reading.doubt
    there = href(text) if is_agreed and parse(text.strip().lower()).scheme in SPECIAL else None
    for level in LEVELS:
        for to in ("uri", "iri"):
            form = normalize(text, level, to="uri" if to == "uri" else "iri")
            if normalize(form, level, to="uri" if to == "uri" else "iri") != form:
                yield f"{text!a} is {form!a}, which has another normal form ({level}, {to})"
            if not is_agreed:
                if form != text:
                    yield f"{text!a} is {form!a}, though readers do not agree on it"
            elif (parse(form).scheme or "") != (parse(reading.iri or "").scheme or "").lower():
                yield f"{text!a} is {form!a}, which has another scheme"
            elif there is not None and href(form) != there:
                yield f"{text!a} is {form!a}, which is {href(form)!a} and not {there!a} ({level}, {to})"
    for reader in (None, *BROWSERS) if is_agreed else ():
        found = equivalent(text, normalize(text, "scheme"), reader=reader)
        if found.outcome != "equivalent":
            yield f"{text!a} and its normal form are {found.outcome} for {reader}: {found.reason}"
    for rung in RUNGS:
        found = equivalent(text, other, level=rung)
        if not _is_refused(found):
            yield f"what {text!a} and {other!a} are is a truth value"
        are_equal = comparison_form(text, rung) == comparison_form(other, rung)
        if are_equal != (found.outcome == "equivalent"):
            yield f"{text!a} and {other!a} are {found.outcome}, keys equal: {are_equal} ({rung})"
        is_disputed = text != other and (_is_disputed(text) or _is_disputed(other))
        if found.outcome != "unknown" and is_disputed:
            yield f"{text!a} and {other!a} are disputed, and {found.outcome} ({rung})"


def _is_refused(found: Comparison) -> bool:
    try:
        return bool(found) and False
    except TypeError:
        return True


def _is_disputed(text: str) -> bool:
    # No browser follows coap:.
    return bool(disputes(text)) and not text.strip().lower().startswith("coap:")


def faults(count: int, seed: int) -> Iterator[str]:
    """Yield the faults of generated texts."""
    rng = random.Random(seed)
    for text in texts(count, seed):
        yield from faults_of(text, spelled_otherwise(text, rng))


def main() -> int:
    """Check texts and print the faults."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for fault in faults(options.texts, options.seed):
        wrong += 1
        print(fault)
    print(f"{options.texts:,} texts, {wrong:,} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
