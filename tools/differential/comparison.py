"""Compare `linkfix.iri.equivalent` with ada-url: no pair that ada-url serializes alike may be different.

    python tools/differential/comparison.py [--pairs N] [--seed N]

Both members of a pair are put together from spellings of the same components, now and then of others. Prints how many
pairs ada-url serializes alike and what `equivalent` says of them on each rung, then every fault; a fault makes the
exit status 1. An independent check of the other side: what `equivalent` calls equivalent on the rung ``url`` is alike,
and on the rungs ``syntax`` and ``scheme`` alike but for what RFC 3986, 6.2.2, calls the same. Pairs of fifteen other
schemes are put together from spellings of which the RFC of the scheme says whether they are the same: no pair of the
same things may be different, and no pair of different things equivalent.
"""

from __future__ import annotations

import argparse
import random
import runpy
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ada_url

from linkfix.iri import equivalent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.iri.compare.comparison import Rung

__all__ = ["faults", "faults_of_schemes", "href", "pairs"]

#: Spellings of one thing in a row each; of each component one row is chosen, and a spelling for each member.
SCHEMES = (
    *(("http:", "HTTP:", " http:", "ht\ttp:", "Http:"), ("https:", "HTTPS:"), ("ws:", "WS:")),
    *(("file:", "FILE:"), ("ftp:", "Ftp:"), ("foo:", "FOO:"), ("ldap:", "LDAP:"), ("mailto:",)),
    *(("tel:", "TEL:"), ("urn:", "URN:"), ("data:", "Data:"), ("javascript:",), ("geo:",)),
    *(("sip:", "SIP:"), ("xmpp:",), ("news:",), ("cid:",), ("about:",), ("coap:",)),
)
SLASHES = (("//", "\\\\", "/\\", "//\n"), ("//", "/", "", "////"), ("/", "/./", "\\"), ("",))
USERS = (
    ("",),
    ("", "@", ":@"),
    ("u@", "u:@"),
    ("u:p@", "u:p@"),
    ("é@", "%C3%A9@"),
    ("a@b@", "a%40b@"),
)
HOSTS = (
    *(("h.example", "H.EXAMPLE", "%68.example", "h.ex\tample", "h。example"), ("h.example.",)),
    *(("bücher.example", "xn--bcher-kva.example", "B%C3%BCcher.example", "bu\u0308cher.example"),),
    *(("127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1."),),
    *(
        ("[::1]", "[0:0:0:0:0:0:0:1]", "[::0:1]", "[::0.0.0.1]"),
        ("faß.example", "xn--fa-hia.example"),
    ),
    *(("",), ("localhost", "LOCALHOST", ""), ("a b",), ("C:", "c|"), ("a*b", "a%2Ab"), ("é*",)),
)
PORTS = (
    ("", ":", ":80", ":0080"),
    (":443", ""),
    (":21", ":021"),
    (":8080", ":08080"),
    (":389", ""),
)
PATHS = (
    *(("", "/", "/.", "/a/.."), ("/a/b", "/a/./b", "/a/x/../b", "/a/%2e/b", "\\a\\b", "/a/\nb")),
    *(("/é", "/%C3%A9", "/%c3%a9"), ("/~", "/%7E"), ("/a b", "/a%20b"), ("/|", "/%7C"), ("/100%",)),
    *(("/C:/x", "/C|/x", "/c:/x"), ("//x", "/.//x", "/a/..//x"), ("/A", "/a"), ("a@h", "a@H")),
    *(("+1-2", "+12"), ("1,2", "1.0,2"), ("x:y", "X:y"), (",A", ",%41"), ("a ", "a")),
    *(('/"', "/%22"), ("/^", "/%5E"), ("/\ud800", "/\ufffd"), ("/e\u0301", "/é"), ("x/../y", "y")),
)
QUERIES = (
    ("",),
    ("?", ""),
    ("?q=é", "?q=%C3%A9"),
    ("?a'b", "?a%27b"),
    ("?a b", "?a%20b"),
    ("?\\",),
)
FRAGMENTS = (
    ("",),
    ("#", ""),
    ("#f", "#f\x1f", "#f"),
    ("#a b", "#a%20b"),
    ("#é", "#%C3%A9"),
    ("#a#b",),
)
ALL = (SCHEMES, SLASHES, USERS, HOSTS, PORTS, PATHS, QUERIES, FRAGMENTS)
LEVELS: tuple[Rung, ...] = ("syntax", "url", "scheme", "protocol")
#: By scheme its components; a component is rows, and the spellings in a row name the same thing, those of two rows do not.
_MAIL: Any = (
    (("joe", "%6Aoe", "j%6fe"), ("ann", "a%6En"), ("bob+x",)),
    (("@example.org", "@EXAMPLE.org", "@ex%61mple.org"), ("@xn--99zt52a.example", "@納豆.example")),
)
_SERVER: Any = (("//h.example", "//H.example", "//%68.example"), ("//[::1]", "//[0:0::1]"))
_DIGITS: Any = (("12345", "1-2345", "(12)3.45"), ("12346", "1234-6"), ("99",))
_PLACES: Any = (("1,2", "1.0,2", "1,2.00"), ("1,3", "1.00,3"), ("-1,2", "-1.0,2.0"), ("1,2,0",))
_BYTES: Any = ((",ab", ",a%62"), (",ac", ",%61c"), (";base64,YWI=", ";BASE64,YWI%3D"))
SCHEME_COMPONENTS: dict[str, Any] = {
    "mailto": (
        *_MAIL,
        (("",), ("?subject=a", "?SUBJECT=a"), ("?cc=a@h.example", "?CC=a@H.example")),
    ),
    "tel": (_DIGITS, (("", ""), (";ext=1-2", ";EXT=12"), (";a=1;b=2", ";B=2;A=1"))),
    "sip": (*_MAIL, (("", ";x=1"), (":5060",), (";transport=tcp", ";Transport=TCP"), (";ttl=1",))),
    "sips": (
        *_MAIL,
        (("", ";lr"), (";maddr=h.example", ";MADDR=H.example"), ("?a=1&b=2", "?B=2&a=1")),
    ),
    "urn": (
        (("uuid:", "UUID:", "Uuid:"), ("oid:", "OID:")),
        (("a1", "A1"), ("a2", "A2")),
        (("", "?=q", "#f"),),
    ),
    "geo": (_PLACES, (("", ";crs=WGS84", ";CRS=wgs84"),), (("",), (";u=5", ";u=5.0"), (";u=6",))),
    "data": ((("", "text/plain"), ("text/html", "TEXT/html")), _BYTES),
    "news": ((("a.b", "%61.b"), ("a.c",), ("1@h.example", "%31@h.example")),),
    "nntp": (
        _SERVER,
        (("", ":119", ":", ":0119"), (":120", ":0120")),
        (("/a", "/%61"), ("/b", "/%62")),
    ),
    "cid": ((("a@h", "%61@h"), ("b@h", "%62@h"), ("a%25@h",), ("a%2F@h", "a%2f@h")),),
    "mid": ((("a@h", "%61@h"), ("b@h", "%62@h")), (("",), ("/p@h", "/%70@h"), ("/q@h",))),
    "xmpp": (*_MAIL, (("",), ("/r", "/%72"), ("/s",), ("?message", "?mess%61ge"))),
    "ldap": (
        _SERVER,
        (("", ":389"), (":390",)),
        (("/o=a", "/o=%61"), ("/o=b", "/o=%62"), ("", "/")),
    ),
    "coap": (
        _SERVER,
        (("", ":5683", ":"), (":1",)),
        (("", "/", "/."), ("/a", "/x/../a"), ("/A",), ("/a?",)),
    ),
    "tag": ((("h,2001:a",), ("h,2001:%61",), ("h,2001:A",), ("H,2001:a",)),),
}
_NORMAL_HREF: Any = runpy.run_path(str(Path(__file__).with_name("normal_forms.py")))["href"]


def pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of texts, the same ones for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        one, other = "", ""
        for component in ALL:
            row = rng.choice(component)
            one += rng.choice(row)
            other += rng.choice(row if rng.random() < 0.97 else rng.choice(component))
        yield one, other


def href(text: str) -> str | None:
    """Return what ada-url serializes, None for failure."""
    scalar = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    try:
        return ada_url.URL(scalar).href
    except ValueError:
        return None


def faults(count: int, seed: int, outcomes: Counter[str]) -> Iterator[str]:
    """Yield the faults of pairs, and count the outcomes of equal ones."""
    for one, other in pairs(count, seed):
        left, right = href(one), href(other)
        alike = left is not None and left == right
        outcomes["pairs"] += 1
        outcomes["alike"] += alike
        for level in LEVELS:
            found = equivalent(one, other, level=level)
            if alike:
                outcomes[f"{level}: {found.outcome}"] += 1
                if level == "url":
                    standard = equivalent(one, other, level=level, reader="webkit")
                    outcomes["url: equivalent for WebKit"] += standard.outcome == "equivalent"
                if found.outcome == "different":
                    yield f"{one!r} and {other!r} are {left}, and different on {level}: {found.reason}"
            elif found.outcome == "equivalent" and one != other:
                is_special = (left or right or "").startswith(("http", "ws", "ftp", "file"))
                if level == "url" or (is_special and _NORMAL_HREF(one) != _NORMAL_HREF(other)):
                    yield f"{one!r} and {other!r} are {left} and {right}, and equivalent on {level}"
            back = equivalent(other, one, level=level)
            if (back.outcome, back.rung) != (found.outcome, found.rung):
                yield f"{one!r} and {other!r} on {level}: {found} there, {back} back"


def faults_of_schemes(count: int, seed: int, outcomes: Counter[str]) -> Iterator[str]:
    """Yield the faults of pairs whose RFC says whether they are the same, and count the outcomes."""
    rng = random.Random(seed)
    for _ in range(count):
        scheme = rng.choice(list(SCHEME_COMPONENTS))
        one, other, are_same = f"{scheme}:", f"{rng.choice((scheme, scheme.upper()))}:", True
        for component in SCHEME_COMPONENTS[scheme]:
            row = rng.choice(component)
            others = row if rng.random() < 0.8 else rng.choice(component)
            are_same &= row is others
            one += rng.choice(row)
            other += rng.choice(others)
        found = equivalent(one, other)
        outcomes[f"{'the same' if are_same else 'not the same'}: {found.outcome}"] += 1
        if found.outcome == ("different" if are_same else "equivalent"):
            yield f"{one!r} and {other!r} are {found.outcome}: {found.reason}"


def main() -> int:
    """Compare pairs and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    outcomes = Counter[str]()
    wrong = 0
    for found in (faults, faults_of_schemes):
        for fault in found(options.pairs, options.seed, outcomes):
            wrong += 1
            print(fault)
    for name, number in outcomes.items():
        print(f"{number:8,}  {name}")
    print(f"{wrong:8,}  faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
