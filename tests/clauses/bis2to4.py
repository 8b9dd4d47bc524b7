"""Clauses of draft-ietf-iri-3987bis-01, sections 1 to 4."""

from __future__ import annotations

from linkfix import iri
from linkfix.charset import lookup
from linkfix.iri.unicode.uts46 import IDNAError, to_ascii

from .model import audited, deviates, done, link, partly, readable, refused, rewritten, rules, uri

LATIN = lookup("windows-1252").encode
BIDI = "tests/iri/test_bidi.py::test_display_gives_the_visual_order_of_the_eleven_examples"


def _fails(domain: str, profile: str) -> bool:
    try:
        to_ascii(domain, "2003" if profile == "2003" else "2008")
    except IDNAError:
        return True
    return False


CLAUSES = (
    done("1.2 a", "a protocol element is designated to carry IRIs", lambda: link("<a href=/é><p title=/é>") == ["/é"]),
    done("1.2 a", "attributes and elements of the type anyURI", "tests/links/test_xml_schemas.py::test_a_value_found_by_schema_is_rewritten"),
    done("1.2 b", "the carrier represents the characters, by references if need be", lambda: rewritten("/%D1%8F", "iri", "iso-8859-1") == "/&#x44F;"),
    done("1.2 c", "schemes that restrict percent-encoding keep it", lambda: [readable(t) for t in ("urn:a:%C3%A9", "data:,%C3%A9")] == ["urn:a:%C3%A9", "data:,%C3%A9"]),
    done("1.4", "a character reference stands for its character", lambda: link("<a href='/&#x42F;'>") == ["/Я"]),
    done("1.4", "octets are written <c9>", lambda: iri.steps.uri_to_iri_steps("/%C9")[1] == "/<c9>"),
    done("2.1", "IRIs extend URIs by characters beyond U+007F", lambda: rules("http://é/é?é#é") == []),
    done("2.1", "what holds of URIs holds of IRIs, resolution among it", lambda: iri.resolve("http://example.org/a/b", "../ö") == "http://example.org/ö"),
    done("2.1", "no character beyond ASCII delimits anything", lambda: iri.parse("a¢b:c").scheme is None),
    done("2.2", "the components of an IRI", lambda: tuple(iri.parse("http://u@h:8/p?q#f")) == ("http", "u", "h", "8", "/p", "q", "f")),
    done("2.2", "the three kinds of IRI references", lambda: [rules(t) for t in ("", "a", "/a", "//a", "?a", "#a", "http://h/")] == [[]] * 7),
    done("2.2", "isegment-nz-nc: no colon in the first segment", lambda: (rules("é:b"), uri("a!b:c")) == (["colon-in-first-segment"], "./a!b:c")),
    done("2.2", "iuserinfo", lambda: (rules("http://é:ü@h/"), rules("http://a b@h/")) == ([], ["space"])),
    done("2.2", "ireg-name holds no percent-encoding", lambda: (rules("http://%C3%A9/"), rules("http://%C3%A9/", "uri")) == (["host-percent-encoded"], [])),
    deviates("2.2", "ifragment may hold another #", "RFC 3986 and RFC 3987 forbid it", lambda: (rules("/a#b#c"), uri("/a#b#c")) == (["second-fragment"], "/a#b%23c")),
    done("2.2", "the ranges of ucschar", "tests/iri/test_character_ranges.py"),
    done("2.2", "iprivate stands in the query alone", lambda: (rules("/\ue000"), rules("?\ue000"), rules("#\ue000")) == (["private-use"], [], ["private-use"])),
    deviates("2.2", "iprivate has tags", "RFC 3987 has them nowhere, and 7.3 advises against them: they are accepted and never written", lambda: (rules("?\U000e0041"), readable("?%F3%A0%81%81")) == ([], "?%F3%A0%81%81")),
    done("2.2", "the first match wins: an IPv4 address before a name", lambda: refused("http://1.2.3.256/") == "ipv4-invalid"),
    done("2.2", "a port has digits only", lambda: (rules("http://h:80/"), rules("http://h:8x/")) == ([], ["port-invalid"])),
    done("2.2", "IP literals", lambda: [rules(f"http://[{t}]/") for t in ("::1", "1:2:3:4:5:6:1.2.3.4", "v1.a", "::1::")] == [[], [], [], ["ip-literal-invalid"]]),
    done("2.2", "no zone identifiers in IP literals", lambda: refused("http://[fe80::1%25en0]/") == "ip-literal-invalid"),
    done("2.2", "reserved and unreserved characters", lambda: rules("/-._~!$&'()*+,;=:@?/?#/?") == []),
    done("3.1", "input in Unicode is not normalized", lambda: iri.steps.from_octets("e\u0301".encode(), "utf-8") == "e\u0301"),
    done("3.1", "input in another charset is converted and put in NFC", lambda: iri.steps.from_octets(b"Vi\xea\xf2t", "windows-1258") == "Việt"),
    deviates("3.1", "the same for Web Addresses", "browsers do not, and no link is to move; --nfc does", lambda: uri("/e\u0301") == "/e%CC%81"),
    done("3.1", "the charset of the document is retained", lambda: rewritten("/ä?ä", charset="windows-1252") == "/%C3%A4?%E4"),
    done("3.1", "input from paper or speech is put in NFC", lambda: iri.typed("/e\u0301") == "/é"),
    done("3.2", "components, of relative references too", lambda: iri.parse("//a@b/c").userinfo == "a"),
    done("3.2", "the components that HTML5 knows", lambda: [getattr(iri.URL.parse("http://u@h:8/p?q#f"), n) for n in ("protocol", "host", "port", "pathname", "search", "hash")] == ["http:", "h:8", 8, "/p", "?q", "#f"]),
    done("3.2", "HOSTSPECIFIC", lambda: iri.parse("http://h/p?q").host_specific == "/p?q"),
    done("3.2", "HOSTPORT, without a default port", lambda: [iri.parse(t).host_port for t in ("http://h:80/", "http://h:81/")] == ["h", "h:81"]),
    done("3.3", "what URIs do not allow is percent-encoded in UTF-8", lambda: iri.steps.iri_to_uri("/ä水\U00010300").text == "/%C3%A4%E6%B0%B4%F0%90%8C%80"),
    done("3.3", "upper-case hexadecimal digits", lambda: iri.steps.iri_to_uri("/ÿ").text == "/%C3%BF"),
    done("3.3", "a valid URI stays as it is", lambda: uri("HTTP://H/%7e?%2f#") == "HTTP://H/%7e?%2f#"),
    done("3.3", "to convert twice is to convert once", "tests/iri/test_conversion.py::test_conversion_is_idempotent"),
    done("3.3", "defined for every sequence of characters", lambda: iri.steps.iri_to_uri("/\ud800").text == "/%EF%BF%BD"),
    done("3.4", "each label of ireg-name by ToASCII", lambda: iri.steps.iri_to_uri("http://résumé.example.org").text == "http://xn--rsum-bpad.example.org"),
    deviates("3.4", "the printed result xn--rsum-bad", "a misprint: 5.3.3 prints xn--rsum-bpad", lambda: iri.steps.iri_to_uri("http://résumé.example.org").text != "http://xn--rsum-bad.example.org"),
    done("3.4", "U+002E separates labels; U+3002, U+FF0E, U+FF61 become it", lambda: uri("http://é。b/") == "http://xn--9ca.b/"),
    done("3.4", "UseSTD3ASCIIRules is false", lambda: uri("http://a_b.é/") == "http://a_b.xn--9ca/"),
    done("3.4", "AllowUnassigned is false", lambda: _fails("\u2c65.example", "2003") and refused("http://\u0378/") in {"host-unassigned", "idna-invalid"}),
    done("3.4", "ToASCII verifies 1 to 63 octets", lambda: [refused(f"http://{name}.x/", idna=idna) for name, idna in (("b" * 63, "2008"), ("b" * 64, "2003"), ("b" * 64, "2008"), ("ä" * 60, "2008"))] == ["", *["idna-invalid"] * 3]),
    done("3.4", "where the host fails the conversion fails", lambda: refused("http://אa.example/") == "idna-invalid"),
    done("3.4", "no other host is substituted", lambda: iri.convert("http://אa.example/", to="uri").text == "http://אa.example/"),
    done("3.4", "no percent-encoded host is produced", lambda: [iri.steps.iri_to_uri(f"{s}://é.x/").text for s in ("http", "foo")] == ["http://xn--9ca.x/", "foo://xn--9ca.x/"]),
    done("3.4", "a host inside a query is no host", lambda: iri.steps.iri_to_uri("http://v.org/?uri=http%3A%2F%2Frésumé.example").text.endswith("=http%3A%2F%2Fr%C3%A9sum%C3%A9.example")),
    done("3.4", "http://www.example.org/red%09rosé#red", lambda: iri.steps.iri_to_uri("http://www.example.org/red%09rosé#red").text == "http://www.example.org/red%09ros%C3%A9#red"),
    done("3.4", "a percent-encoded host in an IRI", lambda: (uri("http://r%C3%A9sum%C3%A9.example.org/"), "HST006" in audited("http://r%C3%A9sum%C3%A9.example.org/")) == ("http://xn--rsum-bpad.example.org/", True)),
    done("3.5", "the query of http in the charset of the document", lambda: iri.steps.iri_to_uri("http://a/?q=ä", query_encoder=LATIN).text == "http://a/?q=%E4"),
    done("3.5", "no other component in it", lambda: iri.steps.iri_to_uri("/ä?ä#ä", query_encoder=LATIN).text == "/%C3%A4?%E4#%C3%A4"),
    deviates("3.5", "no other scheme", "Web Addresses of ftp and file too, as browsers; what browsers do not agree on is left", lambda: [iri.steps.iri_to_uri("ftp://a/?ä", query_encoder=LATIN).text, uri("ftp://a/?ä", query_encoder=LATIN), refused("ws://a/?ä", query_encoder=LATIN)] == ["ftp://a/?%C3%A4", "ftp://a/?%E4", "query-charset-disputed"]),
    done("3.5", "UTF-8 for the charsets of Unicode", lambda: [iri.steps.href_charset(c) for c in ("utf-16", "utf-8", "shift_jis")] == ["utf-8", "utf-8", "shift_jis"]),
    done("3.5", "characters that the charset lacks", lambda: (uri("/?я", query_encoder=LATIN), iri.steps.iri_to_uri("/?я", query_encoder=LATIN).text) == ("/?%26%231103%3B", "/?%D1%8F")),
    done("3.6", "the whole of an IRI", lambda: iri.steps.iri_to_uri("http://ü:ä@é.x:8/ö;ß=1?é&b#é/?").text == "http://%C3%BC:%C3%A4@xn--9ca.x:8/%C3%B6;%C3%9F=1?%C3%A9&b#%C3%A9/?"),
    done("3.7", "the result maps back to the URI", "tests/iri/test_conversion.py::test_uri_to_iri_and_back_is_the_uri"),
    done("3.7 step 1", "reserved characters stay encoded", lambda: iri.steps.uri_to_iri("/%2F%3F%23%5B%40%26").text == "/%2F%3F%23%5B%40%26"),
    done("3.7 step 2", "so do % and what URIs do not allow", lambda: iri.steps.uri_to_iri("/%25%20%3C%7B%00").text == "/%25%20%3C%7B%00"),
    done("3.7 step 2", "unreserved characters are decoded", lambda: iri.steps.uri_to_iri("/%41%7E%61%2D").text == "/A~a-"),
    done("3.7 step 3", "what is no legal UTF-8 is encoded again", lambda: iri.steps.uri_to_iri("/%C0%AF%ED%A0%80%F4%90%80%80%C3").text == "/%C0%AF%ED%A0%80%F4%90%80%80%C3"),
    deviates("3.7 step 3", "legal UTF-8 between other octets is decoded", "in `--to iri` whole runs only, since octets of another charset are UTF-8 by chance; `uri_to_iri` does as printed", lambda: (readable("/%a4%ca%a4"), iri.steps.uri_to_iri("/%a4%ca%a4").text) == ("/%a4%ca%a4", "/%A4ʤ")),
    done("3.7 step 4", "what 2.2, 4.1 and 6.1 exclude is encoded again", lambda: iri.steps.uri_to_iri("/%EE%80%80%E2%80%8E%C2%A0%E3%80%80%EF%BF%BD").text == "/%EE%80%80%E2%80%8E%C2%A0%E3%80%80%EF%BF%BD"),
    done("3.7 step 6", "A-labels become U-labels", lambda: [iri.steps.uri_to_iri("http://xn--99zt52a.example.org/", **o).text for o in ({}, {"idna": None})] == ["http://納豆.example.org/", "http://xn--99zt52a.example.org/"]),
    done("3.7", "no other charset is tried", lambda: readable("http://www.example.org/r%E9sum%E9.html") == "http://www.example.org/r%E9sum%E9.html"),
    done("3.7.1", "the three examples, in six steps each", "tests/iri/test_rfc_examples.py::test_example"),
    deviates("3.7", "%2e in dot segments is decoded", "RFC 3986 and the URL Standard do not agree on what it means", lambda: iri.steps.uri_to_iri("/a/%2e%2e/b").text == "/a/%2e%2e/b"),
    done("4.1", "stored in logical order", lambda: uri("/אב") == "/%D7%90%D7%91"),
    done("4.1", "rendered as in an embedding from left to right", lambda: iri.display("/א") == "\u202a/א\u202c"),
    done("4.1", "or by a higher protocol", lambda: iri.display("/א", "isolate") == "\u2066/א\u2069"),
    done("4.1", "where nothing is written right to left, as it is", lambda: iri.display("http://a/é") == "http://a/é"),
    done("4.1", "no IRI holds LRM, RLM, LRE, RLE, LRO, RLO, PDF", lambda: all(rules(f"/{chr(c)}") == ["bidi-formatting"] for c in (0x200E, 0x200F, *range(0x202A, 0x202F)))),
    done("4.2", "userinfo, name, segments, query and fragment are components", lambda: [v.component for v in iri.bidi_violations("http://aא@h/aא?aא#aא") if v.rule == "bidi-mixed-direction"] == ["userinfo", "path", "query", "fragment"]),
    done("4.2", "labels of the host are", lambda: iri.bidi_violations("http://אב.ab/") == ()),
    done("4.2", "names and values in a query are", lambda: iri.bidi_violations("?אב=ab&ab=אב") == ()),
    done("4.2", "extensions of names are", lambda: iri.bidi_violations("/אב.html") == ()),
    done("4.2 rule 1", "no component mixes directions", lambda: "BID002" in audited("/אaב")),
    done("4.2 rule 2", "a component begins and ends right to left", lambda: audited("/1אב") & {"BID003", "BID004"} != set()),
    done("4.2", "else the component is written as in a URI", lambda: uri("/אa") == "/%D7%90a"),
    done("4.4", "the eleven examples", BIDI),
    done("4.4 examples 8, 9", "numbers at the edge of a component are not allowed", lambda: [v.rule for v in iri.bidi_violations("http://ab.cd.ef/אב1/2גד.html")] == ["bidi-edge", "bidi-edge"]),
    partly("4.4 examples 10, 11", "numbers beside components written right to left are not recommended", "in hosts an error, since IDNA refuses them; in paths no advice", lambda: audited("http://ab.123.אב/") == {"HST001"}),
)  # fmt: skip
