"""Texts that look enough like links for every branch of the engine to be met."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.charset import lookup

PIECES = (
    *("http:", "https:", "HTTP:", "ftp:", "file:", "ws:", "wss:", "foo:", "mailto:", "javascript:"),
    *("data:", "urn:", "tel:", "C|", "C:", "/", "//", "\\", ".", "..", "%2e", "%2E%2e", "%", "%4"),
    *("%41", "%43", "%3A", "%2F", "%00", "%7C", "%u1234", "%C3%A9", "%e2%80%ae", "%CC%81", "%FF"),
    *(
        "%C0%AF",
        "%ED%A0%80",
        "%F0%9F%98%80",
        "%E3%80%80",
        "é",
        "e",
        "\u0301",
        "ß",
        "日本",
        "\u200e",
    ),
    *("\ufeff", "\u3000", "\xa0", "\x85", "\ue000", "\U000e0041", "\ufdd0", "\ud800", "\x00"),
    *("\n", "\t", " ", "@", ":", "80", "99999", "?", "#", "[", "]", "[::1]", "::1", "|", "^", "`"),
    *("{", "}", "<", ">", '"', "'", "a", "b", "xn--", "xn--mnchen-3ya", "host", "example.com"),
    *("1.2.3.4", "0x7f", "256", "&", "=", "+", ";", ",", "~", "_", "-", "a:b", "*", "!", "$", "("),
    *("\uff0e", "\uff0f", "\u2025", "\u0660", "א", "ا", "localhost", "\u00ad", "\u200d", "\x7f"),
    *("\U0001f600", "\x1f", "\U0001fffe", "\ufffd", "\uffff"),
)
STARTS = (
    *(
        "",
        "",
        "",
        "http://",
        "https:/",
        "//",
        "file://",
        "foo://",
        "ftp:",
        "http://host/",
        "file:/",
    ),
    *("/", "?", "foo:/", "mailto:", "http://user@", " http://a/"),
)
#: Every assigned character, controls and lone surrogates included.  Which unassigned ones a host may
#: hold depends on how young the tables are.
CHARACTERS = st.characters(exclude_categories=["Cn"])

#: Bases of every kind; None for one that is not known.
BASES = (
    *(None, "http://h/d/f?q", "https://h/", "file:///d/f", "file:///C:/a/b", "file://host/x"),
    *("file:///C:", "file:///a/b/..", "file:///"),
    *("foo://h/a/b", "foo:/a", "foo:op", "mailto:x", "ftp://h/x/y", "ws://h/q", "about:blank"),
)

links = st.builds(
    lambda start, pieces: start + "".join(pieces),
    st.sampled_from(STARTS),
    st.lists(st.one_of(st.sampled_from(PIECES), CHARACTERS), max_size=9),
)
bases = st.sampled_from(BASES)
targets = st.sampled_from(("uri", "iri"))
syntaxes = st.sampled_from(("web", "leiri", "iri"))
#: None for UTF-8; a charset with gaps, one with ASCII trail bytes, one with states.
encoders = st.sampled_from(
    (None, *(lookup(label).encode for label in ("windows-1252", "shift_jis", "iso-2022-jp")))
)

#: Bases that stand for all that an unknown base may be.
UNKNOWN = ("http://h/d/f?q", "https://g/x")
#: For properties of short texts.
many = settings(max_examples=examples(400), deadline=None)
