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
    "display": iri.display,
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
    (_BIS, "2.2", "the three kinds"): (Example("violations", "?#", []), Example("violations", ":", ["colon-in-first-segment"])),
    (_BIS, "2.2", "reserved and unreserved"): (Example("to_uri", "/!$&'()*+,;=:@", "/!$&'()*+,;=:@"), Example("to_uri", "/`{|}", "/%60%7B%7C%7D")),
    (_BIS, "3.1", "the same for Web"): (Example("to_uri", "/\u212b", "/%E2%84%AB"), Example("to_uri", "/\u0301", "/%CC%81")),
    (_BIS, "3.1", "input from paper"): (Example("typed", "/\u212b", "/\xc5"), Example("typed", "\u0301", "\u0301")),
    (_BIS, "3.2", "components, of relative"): (Example("path", "//h", ""), Example("userinfo", "//a:b@c@d", "a:b")),
    (_BIS, "3.4", "UseSTD3ASCIIRules"): (Example("to_uri", "http://_a_.é/", "http://_a_.xn--9ca/"), Example("refused", "http://a<b.é/", "host-forbidden-character")),
    (_BIS, "3.4", "no other host is"): (Example("to_uri", "http://xn--/", "http://xn--/"), Example("refused", "http://\u2100.x/", "host-forbidden-character")),
    (_BIS, "3.4", "a percent-encoded host"): (Example("to_uri", "http://%41.example/", "http://a.example/"), Example("refused", "http://a%00b/", "host-forbidden-character")),
    (_BIS, "3.5", "characters that the charset"): (Example("rewrite in windows-1252", "/?&#x20AC;", "/?%80"), Example("rewrite in windows-1252", "/?&#x2A07;&amp;x", "/?%26%2310759%3B&amp;x")),
    (_BIS, "3.6", "the whole of"): (Example("to_uri", "//ü@é.x?ß#", "//%C3%BC@xn--9ca.x?%C3%9F#"), Example("to_uri", "HTTP://É@[::1]:/\\ ?\\", "HTTP://%C3%89@[::1]://%20?%5C")),
    (_BIS, "4.1", "stored in logical"): (Example("to_uri", "/א/b", "/%D7%90/b"), Example("to_uri", "/\u202eabc", "/%E2%80%AEabc")),
    (_BIS, "4.1", "rendered as in"): (Example("display", "/%D7%90", "\u202a/א\u202c"), Example("display", "/א\u202c\u202e", "\u202a/א%E2%80%AC%E2%80%AE\u202c")),
    (_BIS, "4.1", "where nothing is"): (Example("display", "", ""), Example("display", "/\u2067x", "/%E2%81%A7x")),
    (_BIS, "4.2", "labels of the host"): (Example("bidi_violations", "http://אב.גד/", False), Example("bidi_violations", "http://אבc.example/", True)),
    (_BIS, "4.2", "names and values"): (Example("bidi_violations", "?א=", False), Example("bidi_violations", "?א=1א", True)),
    (_BIS, "4.2", "else the component"): (Example("to_uri", "/a/אa/b", "/a/%D7%90a/b"), Example("to_iri", "/%D7%90a", "/אa")),
    (_BIS, "5.1", "relative references are"): (Example("equivalent", ("", ""), "equivalent"), Example("equivalent", ("//h/a", "//h/b"), "unknown")),
    (_BIS, "5.3.2.2", "IRIs in Unicode"): (Example("equivalent", ("http://h/\u212b", "http://h/\xc5"), "different"), Example("equivalent", ("http://h/%CC%81", "http://h/\u0301"), "equivalent")),
    (_BIS, "5.3.2.2", "no third party"): (Example("rewrite in windows-1252", "/e&#x301;", "/e%CC%81"), Example("rewrite in windows-1252", "/&#x3CC;&#x1F79;", "/%CF%8C%E1%BD%B9")),
    (_BIS, "5.3.2.3", "~user, %7euser"): (Example("equivalent", ("http://h/%7E%7e", "http://h/~~"), "equivalent"), Example("equivalent", ("http://h/%257E", "http://h/%7E"), "different")),
    (_BIS, "5.3.2.3", "the original form"): (Example("to_uri", "http://h:80/./%7E", "http://h:80/./%7E"), Example("to_uri", "http://h:080/%2E%2E", "http://h:080/%2E%2E")),
    (_BIS, "5.3.3", "default ports of"): (Example("equivalent", ("ldap://h:0389", "ldap://h/"), "equivalent"), Example("equivalent", ("coap://h:80/a", "coap://h/a"), "unknown")),
    (_BIS, "5.3.3", "empty delimiters are"): (Example("equivalent", ("http://h/a?", "http://h/a"), "different"), Example("equivalent", ("http://h/?#", "http://h/?"), "different")),
    (_BIS, "5.3.3", "a fragment that"): (Example("equivalent", ("http://h#", "http://h/#"), "equivalent"), Example("equivalent", ("http://h/#%23", "http://h/##"), "equivalent")),
    (_BIS, "5.3.3", "an IDN is validated"): (Example("equivalent", ("http://é.example/", "http://É.example/"), "equivalent"), Example("equivalent", ("http://\u0378.example/", "http://\u0379.example/"), "unknown")),
    (_BIS, "6.1 a", "software does not"): (Example("violations", "/\u0378", []), Example("violations", "/\ufdd0\ufffe", ["non-character"])),
    (_BIS, "6.4", "r%C3%A9sum%C3%A9.html has"): (Example("to_iri", "/%c3%a9", "/é"), Example("to_iri", "/%C3%A9%C3", "/%C3%A9%C3")),
    (_BIS, "7.1", "no rule for"): (Example("leiri_to_iri", "%[]", "%[]"), Example("leiri_to_iri", "/a#b#c", "/a#b#c")),
    (_BIS, "7.1", "the restriction on"): (Example("leiri_to_iri", "/\u200e", "/%E2%80%8E"), Example("leiri_to_iri", "http://h/\u202eא", "http://h/%E2%80%AEא")),
    (_BIS, "7.2 step 1", "nothing else goes"): (Example("web_address_to_iri", "\x0b/a\x0c", "/a"), Example("web_address_to_iri", "\ufeff/a", "\ufeff/a")),
    (_BIS, "7.2 step 3", "href-ucschar"): (Example("web_address_to_iri", "/\x7f", "/%7F"), Example("web_address_to_iri", "/\ud800", "/%EF%BF%BD")),
    (_BIS, "12", "# % [ ]"): (Example("to_uri", "/%[", "/%25%5B"), Example("to_uri", "#%]#[", "#%25%5D%23%5B")),
    (_BIS, "13.2.2", "components are encoded"): (Example("to_uri", "//é?é", "//xn--9ca?%C3%A9"), Example("to_uri", "http://é:80é/", "refused: port-invalid")),
    (_BIS, "A.2 to A.4", "%uHHHH and labels"): (Example("to_uri", "/%u", "/%25u"), Example("to_uri", "/%u0041%41", "/%25u0041%41")),
    (_WEBER, "4.1", "space, CR, LF"): (Example("web_address_to_iri", "\r\n", ""), Example("web_address_to_iri", " \t a \t ", "a")),
    (_WEBER, "4.1", "no other white"): (Example("web_address_to_iri", "\u2028/", "\u2028/"), Example("web_address_to_iri", "\x85/a", "%C2%85/a")),
    (_WEBER, "4.2", "a single reference"): (Example("to_uri", "a b?c d#e f", "a%20b?c%20d#e%20f"), Example("refused", "http://a b", "host-forbidden-character")),
    (_WEBER, "5.1", "without a colon"): (Example("scheme", "", None), Example("scheme", "http：//h", None)),
    (_WEBER, "5.2.2", "labels become"): (Example("to_uri", "http://É.X/", "http://xn--9ca.x/"), Example("refused", "http://\u0301.x/", "idna-invalid")),
    (_WEBER, "5.3", "/ and backslash"): (Example("to_uri", "a\\..\\b", "a/../b"), Example("to_uri", "#\\", "#%5C")),
    (_WEBER, "6.3", "mailto"): (Example("to_uri", "mailto:é@b", "mailto:%C3%A9@b"), Example("to_uri", "mailto:a@b?body=\n", "mailto:a@b?body=")),
    ("iuc19", "2", "no guess is"): (Example("to_iri", "/%FF", "/%FF"), Example("to_iri", "/%C3%A9%FF", "/%C3%A9%FF")),
    ("iuc19", "2", "a as %61"): (Example("to_iri", "/%41%5A", "/AZ"), Example("to_iri", "/%2541", "/%2541")),
    ("iuc19", "3", "sequences that are"): (Example("to_iri", "/a%CC%81%CC%81", "/a%CC%81%CC%81"), Example("to_iri", "/%E2%84%AB", "/%E2%84%AB")),
    ("url-i18n", "2.1", "no delimiter beyond"): (Example("path", "∕？", "∕？"), Example("scheme", "http։//h", None)),
    ("url-i18n", "2.3 step 3", "UTF-8, then"): (Example("to_uri", "/\u07ff\u0800", "/%DF%BF%E0%A0%80"), Example("to_uri", "/\uffff", "/%EF%BF%BF")),
    ("url-i18n", "2.3", "octets of a"): (Example("to_uri", "/%e6", "/%e6"), Example("to_uri", "/%E6%", "/%E6%25")),
    ("url-i18n", "2.4", "strictly legal"): (Example("to_iri", "/%C2%80", "/%C2%80"), Example("to_iri", "/%F8%88%80%80%80", "/%F8%88%80%80%80")),
    ("url-i18n", "2.4", "characters that are"): (Example("to_iri", "/%E3%80%80", "/%E3%80%80"), Example("to_iri", "/%EF%BB%BF", "/%EF%BB%BF")),
    ("url-i18n", "4.2", "controls of display"): (Example("typed", "\u200e/\u200f", "/"), Example("typed", "java\u202escript:x", "javascript:x")),
    ("comparison", "2", "equivalent, different"): (Example("equivalent", ("", "#"), "different"), Example("equivalent", ("http://[/", "http://]/"), "unknown")),
    ("comparison", "4.2.1", "case"): (Example("equivalent", ("HTTP://H/%c3", "http://h/%C3"), "equivalent"), Example("equivalent", ("http://U@h/", "http://u@h/"), "different")),
    ("comparison", "4.2.3", "percent-encoding"): (Example("equivalent", ("http://h/%2d", "http://h/-"), "equivalent"), Example("equivalent", ("http://h/%2F", "http://h/%252F"), "different")),
    ("comparison", "4.2.4", "dot segments"): (Example("equivalent", ("http://h/a/..", "http://h/"), "equivalent"), Example("equivalent", ("http://h/../../a", "http://h/a"), "equivalent")),
    ("since", "RFC 8089", "file:/x and"): (Example("equivalent", ("FILE:/x", "file:///x"), "equivalent"), Example("equivalent", ("file:///C|/", "file:///C:/"), "unknown")),
    ("since", "RFC 8141", "equivalence of URNs"): (Example("equivalent", ("URN:EX:a?=b", "urn:ex:a"), "equivalent"), Example("equivalent", ("urn:example:a%2Fb", "urn:example:a/b"), "unknown")),
    ("since", "RFC 3966", "equivalence of"): (Example("equivalent", ("tel:+1-2.3(4)", "tel:+1234"), "equivalent"), Example("equivalent", ("tel:+1", "tel:+2"), "different")),
    ("since", "RFC 5870", "equivalence of places"): (Example("equivalent", ("geo:1,180", "geo:1,-180"), "equivalent"), Example("equivalent", ("geo:1,2", "geo:1.0,2.00"), "equivalent")),
}  # fmt: skip
