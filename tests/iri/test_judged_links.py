"""Links in texts of seven languages, judged by a reader of the text before the code was asked (`judged_links.tsv`).

The texts are from README files, documents and message catalogs (the translations of po files) of Debian's packages, cut
around a reference. Of personal mail addresses there are none.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from linkfix.iri import find

ROWS = [
    tuple(row)
    for row in csv.reader(
        Path(__file__).with_name("judged_links.tsv").read_text("utf-8").splitlines(),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
]
#: Why `find` ends a link elsewhere than the reader of the text.
REASONS = {
    "letters": "UTS #58: letters of every script are part of a link, so a word behind it needs a space",
    "placeholder": "RFC 3986, 3.2: no host has [:port] or [user@], and a port has digits; it is no reference yet",
    "scheme": "IANA has no such scheme",
    "entity": "in plain text &gt; is no character reference, and & is part of a link (UTS #58)",
    "mail": "UTS #58, Link_Email: an apostrophe, a bar and letters are part of a mail address",
    "slash": "a scheme behind a slash is inside of another reference (UTS #58)",
    "user": "UTS #58: http and https with a user name are no links",
}


def judged(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """Return a text without its marks, and what they enclose."""
    text, spans = "", []
    for part in re.split("⸠", marked):
        inside, mark, after = part.partition("⸡")
        if mark:
            spans.append((len(text), len(text) + len(inside)))
        text += inside + after
    return text, spans


def test_three_hundred_references_of_seven_languages() -> None:
    assert sum(len(judged(row[2])[1]) for row in ROWS) >= 300
    assert {row[0] for row in ROWS} == {"ar", "he", "ja", "ko", "ru", "th", "zh"}
    assert {row[3] for row in ROWS} == {"", *REASONS}


@pytest.mark.parametrize(("language", "package", "marked", "reason"), ROWS)
def test_links_end_where_the_reader_ends_them(
    language: str, package: str, marked: str, reason: str
) -> None:
    text, expected = judged(marked)
    found = [link[:2] for link in find(text)]
    assert (found == expected) == (not reason), f"{language}, {package}"


@pytest.mark.parametrize("marked", [row[2] for row in ROWS if row[3]])
def test_no_text_of_the_sentence_is_ever_rewritten(marked: str) -> None:
    """Only what is certain is; of ASCII nothing changes."""
    text, expected = judged(marked)
    for link in find(text):
        if link[:2] not in expected and link.certainty == "certain":
            assert text[link.start : link.end].isascii()
