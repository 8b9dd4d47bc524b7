"""I1 (docs/decisions.md) on references that are put together at random; hypothesis shrinks those that move.

The choice is the same on every run, since the judge has faults of its own. What Chromium reads
otherwise than the URL Standard is left out: ``*`` in a host label that is not ASCII, a drive letter
with ``|`` (on Linux), backslashes and hosts under schemes that are not special.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import examples

from .hard import CHARSETS, Charset, HardDocument, quoted
from .judge import assert_moves_nothing

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = pytest.mark.browser

#: What references are made of: delimiters, escapes, hosts, and characters that are not what they seem.
PIECES = st.sampled_from(
    [
        *"/?#@:[]!$&'()+,;=-._~ %\\\"<>^`{}a0",
        *("//", "\\\\", "..", "%2e", "%2E%2e", "%", "%2", "%25", "%zz", "%41", "%c3%a9", "%C3%A9"),
        *("%83%5C", "%FF", "%00", "%20", "%E2%80%AE", "%F0%9F%98%80", "&amp;", "&copy", "&copy=", "&#38;"),
        *("\t", "\n", "\r\n", "\x01", "\x0b", "\x7f", "\u00a0", "\u3000", "\u2028", "\u200e", "\u202e"),
        *("\u00ad", "\u200b", "\u200d", "\ufeff", "\ufffd", "\u0301", "e\u0301", "\ue000", "\U0001f600"),
        *("é", "ß", "İ", "ſ", "K", "Ａ", "。", "．", "％", "＃", "／", "½", "℀", "ﬁ", "表", "ソ", "中", "한", "я"),
        *("ш", "א", "ب", "ก", "ำ", "・", "·", "١", "127.0.0.1", "0x7f.1", "::1", "www.example.com"),
        *("xn--", "xn--9ca", "80", ":443", ":99999", "user:pw@", "http:", "h\nttps:"),
    ]
)  # fmt: skip
#: What they begin with: enough to reach every part of every kind of reference.
STARTS = st.sampled_from(
    [
        *("", "", "", "/", "?", "/p?", "#", "//", "../", "\\\\", "http://", "https://", "http:", "HTTP:/"),
        *("http://a.example/", "http://a.example/?", "http://a.example/#", "ftp://a.example/", "ftp://"),
        *("http://user:", "wss://a.example/", "mailto:x", "data:,", "javascript:x", "urn:x", "tel:0", "foo:x"),
    ]
)  # fmt: skip
REFERENCES = st.builds(
    lambda start, pieces: start + "".join(pieces), STARTS, st.lists(PIECES, max_size=9)
)
BASES = st.sampled_from(
    [
        *("", "", "", "http://b.example/x/y?z#f", "https://b.example", "ftp://b.example/x/", "HTTP:x/"),
        *("wss://b.example/x/", "/base/é/", "//c.example/d/", "?é", "mailto:x", "data:,x", "http://["),
    ]
)  # fmt: skip


@settings(
    max_examples=examples(15),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    charset=st.sampled_from(list(CHARSETS.values())),
    base=BASES,
    references=st.lists(REFERENCES, min_size=40, max_size=60),
)
def test_references(browser: Browser, charset: Charset, base: str, references: list[str]) -> None:
    head = "" if charset.codec.startswith("utf-16") else f"<meta charset={charset.label}>"
    if base:
        head += f"<base href={quoted(base)}>"
    links = "\n".join(f"<a href={quoted(reference)}>x</a>" for reference in references)
    document = HardDocument("random", charset.encode(head + links), changes=None)
    assert_moves_nothing(browser, document)
