"""Every character of every legacy encoding, in the queries of links, in a real browser."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest

from linkfix.charset import Charset, lookup, names

from .hard import HardDocument
from .judge import assert_moves_nothing

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = pytest.mark.browser

LEGACY = [name for name in names(xml=False) if not lookup(name).is_unicode]
#: How many characters stand in one link.
CHUNK = 128


def characters(charset: Charset) -> list[str]:
    """Every character that the encoder has, beyond ASCII; of the planes beyond the first a sample."""
    found = []
    planes = itertools.chain(
        range(0xA0, 0xD800), range(0xE000, 0x10000), range(0x10000, 0x110000, 61)
    )
    for char in map(chr, planes):
        try:
            charset.encode(char)
        except UnicodeEncodeError:
            continue
        found.append(char)
    return found


def lacking(charset: Charset, count: int) -> list[str]:
    """A sample of the characters that the encoder lacks."""
    chance = random.Random(charset.name)
    found: list[str] = []
    while len(found) < count:
        char = chr(
            chance.choice((chance.randrange(0xA0, 0xD800), chance.randrange(0x10000, 0x110000)))
        )
        try:
            charset.encode(char)
        except UnicodeEncodeError:
            found.append(char)
        else:
            if charset.name == "gb18030":
                break
    return found


def page(charset: Charset) -> bytes:
    """A page with those characters in queries, as themselves where the decoder gives them back."""

    def spelled(char: str) -> bytes:
        # Before a character reference and after every character, ISO-2022-JP is in ASCII again.
        return charset.encode(char) if charset.encodable(char) else b"&#%d;" % ord(char)

    every = characters(charset) + lacking(charset, 200)
    links = [
        b'<a href="/?' + b"".join(map(spelled, every[at : at + CHUNK])) + b'">x</a>\n'
        for at in range(0, len(every), CHUNK)
    ]
    return b"<!doctype html><title>x</title>\n" + b"".join(links)


@pytest.mark.nightly
@pytest.mark.parametrize("name", LEGACY)
def test_every_character_of_an_encoding(browser: Browser, name: str) -> None:
    charset = lookup(name)
    body = page(charset)
    document = HardDocument(name, body, "text/html", name, changes=True)
    assert_moves_nothing(browser, document)
