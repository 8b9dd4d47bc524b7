"""Edge cases and hostile input for the clauses, written from the sources before the code was asked.

The check of a clause is its typical example. A clause is named by its document, its section and how its demand begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from linkfix import iri

from .model import link, readable, refused, rewritten, rules, uri


@dataclass(frozen=True, slots=True)
class Example:
    """A call of a function of one argument with its result."""

    call: str
    argument: Any
    result: Any


def _same(pair: tuple[str, str]) -> str:
    return iri.equivalent(*pair).outcome


#: What is called, by the name in docs/clauses.md.
CALLS: dict[str, Callable[[Any], object]] = {
    "links": link,
    "to_uri": uri,
    "to_iri": readable,
    "refused": refused,
    "violations": rules,
    "rewrite in windows-1252": lambda text: rewritten(text, charset="windows-1252"),
    "resolve": lambda text: iri.resolve("http://example.org/a/b", text),
    "path": lambda text: iri.parse(text).path,
    "scheme": lambda text: iri.parse(text).scheme,
    "userinfo": lambda text: iri.parse(text).userinfo,
    "normalize": iri.normalize,
    "scheme of normalize": lambda text: iri.parse(iri.normalize(text)).scheme,
    "equivalent": _same,
    "leiri_to_iri": lambda text: iri.steps.leiri_to_iri(text).text,
    "web_address_to_iri": lambda text: iri.steps.web_address_to_iri(text).text,
    "find": lambda text: [text[found.start : found.end] for found in iri.find(text)],
    "bidi_violations": lambda text: bool(iri.bidi_violations(text)),
    "path_to_uri": iri.path_to_uri,
    "typed": iri.typed,
}

_BIS, _WEBER = "3987bis", "weber"
#: For a clause an edge case and a hostile one.
EXAMPLES: dict[tuple[str, str, str], tuple[Example, Example]] = {
    (_BIS, "1.2 c", "schemes that restrict"): (Example("to_iri", "URN:a:%c3%a9", "URN:a:%c3%a9"), Example("to_iri", "data:text/html,%3Cb%3E%E2%80%AE", "data:text/html,%3Cb%3E%E2%80%AE")),
    (_BIS, "1.4", "a character reference"): (Example("links", "<a href='/&#x42F'>", ["/Я"]), Example("links", "<a href='/&#x110000;&#0;'>", ["/\ufffd\ufffd"])),
    (_BIS, "2.1", "IRIs extend URIs"): (Example("violations", "http://h/\U0001fae9", []), Example("violations", "http://h/\u202e", ["bidi-formatting"])),
    (_BIS, "2.1", "what holds of URIs"): (Example("resolve", "../../../ö", "http://example.org/ö"), Example("resolve", "//é/../x", "http://é/x")),
    (_BIS, "2.1", "no character beyond ASCII"): (Example("path", "a／b？c＃d", "a／b？c＃d"), Example("path", "http：//h", "http：//h")),
    (_BIS, "2.2", "isegment-nz-nc"): (Example("to_uri", "./a:b", "./a:b"), Example("to_uri", "java\tscript:alert(1)", "refused: scheme-opaque")),
    (_BIS, "2.2", "iuserinfo"): (Example("violations", "http://@h/", []), Example("to_uri", "http://a@b@h/", "http://a%40b@h/")),
    (_BIS, "2.2", "ireg-name holds no"): (Example("to_uri", "http://%C3%89.example.org/", "http://xn--9ca.example.org/"), Example("refused", "http://%2F/", "host-forbidden-character")),
    (_BIS, "2.2", "ifragment may hold"): (Example("to_uri", "#", "#"), Example("to_uri", "/a##", "/a#%23")),
    (_BIS, "2.2", "iprivate stands in"): (Example("to_uri", "?\U000f0000", "?%F3%B0%80%80"), Example("violations", "/\U0010fffd", ["private-use"])),
    (_BIS, "2.2", "the first match wins"): (Example("to_uri", "http://1.2.3.255/", "http://1.2.3.255/"), Example("refused", "http://0x7f.1.2.3.4/", "ipv4-invalid")),
    (_BIS, "2.2", "a port has digits"): (Example("to_uri", "http://h:/", "http://h:/"), Example("refused", "http://h:８０/", "port-invalid")),
    (_BIS, "2.2", "IP literals"): (Example("violations", "http://[::ffff:1.2.3.4]/", []), Example("refused", "http://[::1/", "ip-literal-invalid")),
    (_BIS, "2.2", "no zone identifiers"): (Example("violations", "http://[fe80::1]/", []), Example("refused", "http://[fe80::1%eth0]/", "ip-literal-invalid")),
    (_BIS, "3.1", "the charset of the document"): (Example("rewrite in windows-1252", "/?%E4", "/?%E4"), Example("rewrite in windows-1252", "/?&#x44F;", "/?%26%231103%3B")),
    (_BIS, "3.3", "what URIs do not allow"): (Example("to_uri", "/\x7f\x80", "/%7F%C2%80"), Example("to_uri", '/<script>"', "/%3Cscript%3E%22")),
    (_BIS, "3.3", "upper-case hexadecimal"): (Example("to_uri", "/%ff\xff", "/%ff%C3%BF"), Example("to_uri", "/\U0010ffff", "/%F4%8F%BF%BF")),
    (_BIS, "3.3", "a valid URI stays"): (Example("to_uri", "", ""), Example("to_uri", "http://h/%00%2e%2e%2f", "http://h/%00%2e%2e%2f")),
    (_BIS, "3.3", "defined for every"): (Example("to_uri", "/\U00010000", "/%F0%90%80%80"), Example("to_uri", "/\udc00\ud800x", "/%EF%BF%BD%EF%BF%BDx")),
    (_BIS, "3.4", "each label of ireg-name"): (Example("to_uri", "http://a.é./", "http://a.xn--9ca./"), Example("refused", "http://a\u200db.é/", "idna-invalid")),
    (_BIS, "3.4", "U+002E separates"): (Example("to_uri", "http://a｡é/", "http://a.xn--9ca/"), Example("to_uri", "http://１２７。0。0。1/", "http://127.0.0.1/")),
    (_BIS, "3.4", "where the host fails"): (Example("refused", "http://", "host-missing"), Example("refused", "http://a b/", "host-forbidden-character")),
    (_BIS, "3.4", "a host inside a query"): (Example("to_uri", "/?http://é/", "/?http://%C3%A9/"), Example("to_uri", "/#@é:80", "/#@%C3%A9:80")),
    (_BIS, "3.5", "the query of http"): (Example("rewrite in windows-1252", "?€", "?%80"), Example("rewrite in windows-1252", "/?ä&#x1F600;", "/?%E4%26%23128512%3B")),
    (_BIS, "3.5", "no other component"): (Example("rewrite in windows-1252", "/ä#ä", "/%C3%A4#%C3%A4"), Example("rewrite in windows-1252", "//ä.x/?ä", "//xn--4ca.x/?%E4")),
    (_BIS, "3.7 step 1", "reserved characters"): (Example("to_iri", "/%3a%40", "/%3a%40"), Example("to_iri", "/a%2F..%2Fb", "/a%2F..%2Fb")),
    (_BIS, "3.7 step 2", "so do % and"): (Example("to_iri", "/%25%32%35", "/%2525"), Example("to_iri", "/%00%0d%0a", "/%00%0d%0a")),
    (_BIS, "3.7 step 2", "unreserved characters"): (Example("to_iri", "/%7e%5f", "/~_"), Example("to_iri", "javascript%3aalert(1)", "javascript%3aalert(1)")),
    (_BIS, "3.7 step 3", "what is no legal UTF-8"): (Example("to_iri", "/%F4%8F%BF%BD", "/%F4%8F%BF%BD"), Example("to_iri", "/%ED%A0%80%ED%B0%80", "/%ED%A0%80%ED%B0%80")),
    (_BIS, "3.7 step 4", "what 2.2, 4.1"): (Example("to_iri", "/%E2%80%8B", "/%E2%80%8B"), Example("to_iri", "/%F3%A0%80%A0", "/%F3%A0%80%A0")),
    (_BIS, "3.7 step 6", "A-labels become"): (Example("to_iri", "http://xn--zca.de/", "http://ß.de/"), Example("to_iri", "http://xn--pple-43d.com/", "http://\u0430pple.com/")),
    (_BIS, "3.7", "no other charset"): (Example("to_iri", "/%A4", "/%A4"), Example("to_iri", "/%E9%C3%A9", "/%E9%C3%A9")),
    (_BIS, "4.1", "no IRI holds LRM"): (Example("to_uri", "/\u200f", "/%E2%80%8F"), Example("refused", "http://a\u202eb/", "idna-invalid")),
    (_BIS, "4.2", "extensions of names"): (Example("bidi_violations", "/אב/ab", False), Example("bidi_violations", "/אבgpj.exe", True)),
    (_BIS, "5.2", "escapes of the carrier"): (Example("links", "<a href=/&eacute>", ["/é"]), Example("links", "<a href='/?a&copy=1&lt=2'>", ["/?a&copy=1&lt=2"])),
    (_BIS, "5.3.2.1", "hexadecimal digits"): (Example("normalize", "/%c3%a9/%e9", "/é/%E9"), Example("normalize", "/%%34a", "/%254a")),
    (_BIS, "5.3.2.1", "scheme and host in"): (Example("normalize", "HTTP://H/%68ttp://X/", "http://h/http://X/"), Example("scheme of normalize", "%68ttp://evil.example/", None)),
    (_BIS, "5.3.2.1", "other components have"): (Example("equivalent", ("http://h/?a", "http://h/?A"), "different"), Example("equivalent", ("http://h/%C3%A9", "http://h/%C3%89"), "different")),
    (_BIS, "5.3.2.3", "unreserved characters are"): (Example("equivalent", ("http://h/a%2Fb", "http://h/a/b"), "different"), Example("equivalent", ("http://h/%25", "http://h/%%325"), "different")),
    (_BIS, "5.3.2.4", "dot segments"): (Example("normalize", "http://h/a/./b/..//c", "http://h/a//c"), Example("normalize", "http://h/%2e%2E/%2e/x", "http://h/x")),
    (_BIS, "5.3.3", "four forms of"): (Example("equivalent", ("https://h:443", "https://h/"), "equivalent"), Example("equivalent", ("http://h:443/", "https://h/"), "different")),
    (_BIS, "5.3.3", "IP addresses in other"): (Example("equivalent", ("http://0x7f.1/", "http://127.0.0.1/"), "equivalent"), Example("equivalent", ("http://[::7f00:1]/", "http://127.0.0.1/"), "different")),
    (_BIS, "5.3.3", "résumé and xn--rsum-bpad"): (Example("equivalent", ("http://RÉSUMÉ.example.org/", "http://xn--rsum-bpad.example.org/"), "equivalent"), Example("equivalent", ("http://r\u00e9sum\u0435.example.org/", "http://résumé.example.org/"), "different")),
    (_BIS, "5.3.3", "IDNs elsewhere"): (Example("equivalent", ("mailto:?to=u@bücher.example", "mailto:u@xn--bcher-kva.example"), "equivalent"), Example("equivalent", ("mailto:u%40bücher.example", "mailto:u@bücher.example"), "different")),
    (_BIS, "6.4", "the result is valid"): (Example("to_iri", "http://h:65535/", "http://h:65535/"), Example("refused", "http://h:65536/", "port-out-of-range")),
    (_BIS, "6.5", "relative IRIs are"): (Example("resolve", "", "http://example.org/a/b"), Example("resolve", "////é", "http:////é")),
    (_BIS, "7.1", "leiri-ucschar"): (Example("leiri_to_iri", "/%zz", "/%zz"), Example("leiri_to_iri", "/\n\U0010fffd", "/%0A%F4%8F%BF%BD")),
    (_BIS, "7.2", "space, CR, LF"): (Example("web_address_to_iri", "\x00\x1f/a\x20", "/a"), Example("web_address_to_iri", " \t\n ", "")),
    (_BIS, "7.2 step 2", "href-strip"): (Example("web_address_to_iri", "/\t", "/"), Example("web_address_to_iri", "htt\np://h/", "http://h/")),
    (_BIS, "7.2 step 4", "% without two"): (Example("web_address_to_iri", "/%4", "/%254"), Example("web_address_to_iri", "/%%41", "/%25%41")),
    (_BIS, "7.2 step 5", "a backslash"): (Example("to_uri", "/?\\", "/?%5C"), Example("to_uri", "/\\h\\..\\x", "//h/../x")),
    (_BIS, "8.2", "full-width input"): (Example("typed", "\u3000é", "é"), Example("typed", "ｊａｖａｓｃｒｉｐｔ：１", "javascript:1")),
    (_BIS, "8.3", "what is found"): (Example("find", "http://h/é。", ["http://h/é"]), Example("find", "http://a.com/x,http://b.com/", ["http://a.com/x", "http://b.com/"])),
    (_BIS, "8.4", "URIs from names"): (Example("path_to_uri", "/a?b#c%", "file:///a%3Fb%23c%25"), Example("path_to_uri", "/\x00\n", "file:///%00%0A")),
    (_BIS, "10", "overlong UTF-8"): (Example("to_iri", "/%F0%80%80%AF", "/%F0%80%80%AF"), Example("to_iri", "/%C0%AE%C0%AE/", "/%C0%AE%C0%AE/")),
    (_WEBER, "5.1", "a scheme begins"): (Example("scheme", "a+b:", "a+b"), Example("scheme", "١:b", None)),
    (_WEBER, "5.2.1", "userinfo goes up"): (Example("userinfo", "http://@h", ""), Example("to_uri", "http://a@b@c@d/", "http://a%40b%40c@d/")),
    (_WEBER, "5.2.3", "a port that is"): (Example("to_uri", "http://h:000080/", "http://h:000080/"), Example("refused", "http://h:-1/", "port-invalid")),
    (_WEBER, "5.3", "the path goes up"): (Example("to_uri", "/~'", "/~'"), Example("to_uri", "/a\x00b", "/a%00b")),
    (_WEBER, "5.4", "the query goes up"): (Example("to_uri", "?#", "?#"), Example("to_uri", "?[]", "?%5B%5D")),
    (_WEBER, "5.5", "the fragment goes"): (Example("to_uri", "#?/", "#?/"), Example("to_uri", "#[`]", "#%5B%60%5D")),
    (_WEBER, "6.2", "javascript is"): (Example("to_uri", "JavaScript:a(1)", "JavaScript:a(1)"), Example("refused", " javascript:a(1)", "scheme-opaque")),
    (_WEBER, "6.4", "data"): (Example("to_uri", "data:,%", "data:,%25"), Example("refused", "data:,a\nb", "data-newline-disputed")),
    (_WEBER, "7", "a backslash is"): (Example("to_uri", "http:\\\\h", "http://h"), Example("to_uri", "\\\\h\\x", "//h/x")),
}  # fmt: skip
