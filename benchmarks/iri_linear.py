"""Time every function of `linkfix.iri` on hostile input of two sizes: twice the input, twice the time.

    python benchmarks/iri_linear.py [--units N]

Each input repeats a unit that could be slow in some part of the engine. Printed are the slowest input of each
function, its time at N and at 2 N units, and the ratio. A ratio above 2.6 of more than 50 ms is measured again at 2 N
and 4 N units; if it is above 2.6 there too, the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Literal

from linkfix import iri

if TYPE_CHECKING:
    from collections.abc import Callable

#: The largest ratio that counts as linear.
MOST = 2.6
#: The repeated units, each with a prefix.
UNITS = (
    *(("/", "a/"), ("/", "../"), ("/", "%2e%2e/"), ("/", "%C3%A9"), ("/", "%CC%81"), ("/", "\\")),
    *(
        ("/e", "\u0301\u0316"),
        ("/e", "\u0f73"),
        ("/", "%"),
        ("/", "é "),
        ("/", "\ud800"),
        ("/", "#"),
    ),
    *(
        ("http://", "a."),
        ("http://", "é."),
        ("http://", "xn--"),
        ("http://", "@"),
        ("http://", ":"),
    ),
    *(
        ("http://", "["),
        ("http://[", "::"),
        ("http://", "1."),
        ("http://", "%41"),
        ("http://", "0"),
    ),
    *(("", "\t"), ("", " "), ("", "a:"), ("file:///", "C|/"), ("foo:", "\\"), ("mailto:", "a@b,")),
    *(
        ("mailto:?", "to=a@b&"),
        ("tel:", "-1;a=1"),
        ("urn:isbn:", "-1"),
        ("data:", ";a=b"),
        ("geo:", "1,"),
    ),
    *(
        ("sip:", ";a=b@"),
        ("xmpp:", "@/"),
        ("news:", "%41"),
        ("javascript:", "\n"),
        ("/", "{a}"),
        ("/", "{"),
    ),
    *(("/", "אa."), ("http://h/", ")"), ("http://h/", "http://"), ("?", "&é="), ("/", "\u2215а")),
)


def _template(text: str) -> object:
    try:
        return iri.Template.parse(text).expand({"a": "é"})
    except iri.TemplateError:
        return None


def _converted_template(text: str) -> object:
    try:
        return iri.Template.parse(text).to_uri()
    except iri.TemplateError:
        return None


def _path(text: str) -> object:
    try:
        return iri.uri_to_path(f"file:///{text}")
    except ValueError:
        return None


def _address(path: str, flavour: Literal["posix", "windows"]) -> object:
    try:
        return iri.path_to_uri(path, flavour)
    except ValueError:
        return None


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "bidi_violations": iri.bidi_violations,
    "comparison_form": iri.comparison_form,
    "convert to uri": lambda text: iri.convert(text, to="uri"),
    "convert to iri": lambda text: iri.convert(text, to="iri"),
    "convert, normalized": lambda text: iri.convert(text, to="iri", normalize="scheme", nfc=True),
    "convert, local names": lambda text: iri.convert(text, to="uri", local_names=[".local"]),
    "convert, legacy query": lambda text: iri.convert(
        text, to="uri", query_encoder=lambda query: query.encode("cp1252")
    ),
    "decode_dot_segments": iri.decode_dot_segments,
    "display": lambda text: iri.display(text, "components", repertoire=str.isascii),
    "disputes": iri.disputes,
    "equivalent": lambda text: iri.equivalent(text, text + "a", base="http://h/"),
    "find": iri.find,
    "from_octets": lambda text: iri.steps.from_octets(
        text.encode("utf-8", "replace"), "utf-8", nfc=True
    ),
    "iri_to_uri": iri.steps.iri_to_uri,
    "leiri_to_iri": iri.leiri_to_iri,
    "lookalikes": iri.lookalikes,
    "normalize": iri.normalize,
    "parse": iri.parse,
    "parse_url": lambda text: iri.URL.parse(text, "http://h/"),
    "path_to_uri": lambda text: _address(f"/{text}", "posix"),
    "path_to_uri, Windows": lambda text: _address(f"C:\\{text}", "windows"),
    "relativize": lambda text: iri.relativize("http://h/a/b", "http://h/" + text),
    "remove_dot_segments": iri.remove_dot_segments,
    "resolve": lambda text: iri.resolve("http://h/a/b", text),
    "skeleton": iri.skeleton,
    "split_list": iri.steps.split_list,
    "typed": lambda text: iri.typed(text, blanks="remove"),
    "uri_to_iri": iri.uri_to_iri,
    "uri_to_iri_steps": iri.uri_to_iri_steps,
    "uri_to_path": _path,
    "violations": iri.violations,
    "web_address_to_iri": iri.web_address_to_iri,
    "within": lambda text: iri.steps.within(text, str.isascii),
    "Template": _template,
    "Template.to_uri": _converted_template,
}


def seconds(function: Callable[[str], object], text: str) -> float:
    """Return the processor time of a call, the least of three; each has a text of its own, as some are remembered."""
    taken = []
    for number in range(3):
        own = f"{text}{number}"
        start = time.process_time()
        function(own)
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> int:
    """Print the slowest input of each function."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--units", type=int, default=20_000)
    units = parser.parse_args().units
    failed = False
    for name, function in FUNCTIONS.items():
        worst = (0.0, 0.0, "", "")
        for start, unit in UNITS:
            once = seconds(function, start + unit * units)
            twice = seconds(function, start + unit * (2 * units))
            if twice > 0.05 and twice > MOST * once:
                once, twice = (seconds(function, start + unit * (n * units)) for n in (2, 4))
                if twice > MOST * once:
                    failed = True
                    print(f"{name}: {start!r} + {unit!r}: {once:.3f} s, {twice:.3f} s")
                continue
            worst = max(worst, (twice, once, start, unit))
        twice, once, start, unit = worst
        print(
            f"{name:24}{once:8.3f} s{twice:8.3f} s{twice / max(once, 1e-9):6.1f}  {start!r} + {unit!r}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
