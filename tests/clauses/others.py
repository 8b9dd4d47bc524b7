"""Clauses of the four other source documents, and of what has been published since."""

from __future__ import annotations

from functools import partial

from linkfix import iri
from linkfix.charset import lookup
from linkfix.iri.unicode.uts46 import to_ascii

from .model import audited, deviates, done, link, partly, readable, refused, rewritten, rules, uri

same = iri.equivalent


def _in(charset: str, text: str) -> str:
    return uri(f"/?{text}", query_encoder=lookup(charset).encode)


WEBER = (
    done("4.1", "space, CR, LF and tab are trimmed", lambda: iri.steps.web_address_to_iri(" \t\r\n/x \n").text == "/x"),
    deviates("4.1", "no other white space is", "C0 controls too (URL Standard, 4.4)", lambda: [iri.steps.web_address_to_iri(t).text for t in ("\x0c/x", "\u2003/x")] == ["/x", "\u2003/x"]),
    done("4.2", "a list is split at blocks of spaces", lambda: ["one  two"[a:b] for a, b in iri.steps.split_list("one  two")] == ["one", "two"]),
    done("4.2", "a single reference: each space is %20", lambda: uri("/a  b") == "/a%20%20b"),
    done("4.2", "or the blocks are removed", lambda: iri.typed("/a \n b", blanks="remove") == "/ab"),
    done("4.3", "transcoded to Unicode", lambda: iri.steps.from_octets(b"\xe9", "latin-1") == "é"),
    done("4.4", "numeric character references are the markup's", lambda: (link("<a href='htt&#x0070;://h/'>"), iri.parse("htt&#x0070;://x").scheme) == (["http://h/"], None)),
    done("5.1", "without a colon there is no scheme", lambda: iri.parse("a/b").scheme is None),
    done("5.1", "a scheme begins with a letter and has letters, digits, + - .", lambda: [iri.parse(t).scheme for t in ("1a:b", "a_b:c", "a+b-c.1:x")] == [None, None, "a+b-c.1"]),
    done("5.2", "the authority ends at / ? # or the end", lambda: [iri.parse(f"//h{t}").host for t in ("", "/", "?", "#")] == ["h"] * 4),
    done("5.2.1", "userinfo goes up to the first @", lambda: (iri.parse("http://a@b@c/").userinfo, uri("http://a@b@c/")) == ("a", "http://a%40b@c/")),
    done("5.2.2", "the host goes up to the last colon", lambda: iri.parse("http://h:80:81/").port == "81"),
    done("5.2.2", "an IP literal, an IPv4 address or a name", lambda: iri.parse("http://[::1]:80/").host == "[::1]"),
    done("5.2.2", "IDNA2008, or UTS #46, or IDNA2003", lambda: [to_ascii("faß.de", "uts46"), to_ascii("faß.de", "2008"), to_ascii("faß.de", "2003")] == ["xn--fa-hia.de", "xn--fa-hia.de", "fass.de"]),
    done("5.2.2", "labels become A-labels", lambda: uri("http://é.x/") == "http://xn--9ca.x/"),
    done("5.2.2", "names without DNS stay in Unicode", lambda: [iri.convert("http://servé/é", to="uri", local_names=names).text for names in ([], ["servé"])] == ["http://xn--serv-epa/%C3%A9", "http://servé/%C3%A9"]),
    done("5.2.3", "a port that is no number is invalid", lambda: refused("http://h:x/") == "port-invalid"),
    done("5.3", "the path goes up to ? or #; what URIs forbid is encoded", lambda: uri("/é a|?") == "/%C3%A9%20a%7C?"),
    done("5.3", "/ and backslash", lambda: uri("/a\\b") == "/a/b"),
    done("5.4", "the query goes up to #", lambda: uri("/?é &?=/#x") == "/?%C3%A9%20&?=/#x"),
    done("5.5", "the fragment goes to the end", lambda: uri("#é?/x") == "#%C3%A9?/x"),
    done("6.1", "http: the query in the charset of the document", lambda: _in("windows-1252", "ä") == "/?%E4"),
    done("6.2", "javascript is a program", lambda: (uri("javascript:a(1)"), refused("javascript:a b")) == ("javascript:a(1)", "scheme-opaque")),
    done("6.3", "mailto", lambda: uri("mailto:a@b?subject=é") == "mailto:a@b?subject=%C3%A9" and "SCH012" in audited("mailto:a")),
    done("6.4", "data", lambda: uri("data:,é b") == "data:,%C3%A9%20b"),
    done("7", "a backslash is encoded or a slash", lambda: uri("http://h\\a?b\\c") == "http://h/a?b%5Cc"),
    done("7.1", "a valid URI from an IRI", "tests/iri/test_conversion.py::test_every_result_is_valid"),
)  # fmt: skip

IUC = (
    *(
        done("table 1", f"März in {charset}", partial(lambda c, e: _in(c, "März") == f"/?{e}", charset, octets))
        for charset, octets in (("utf-8", "M%C3%A4rz"), ("iso-8859-1", "M%E4rz"), ("macintosh", "M%8Arz"))
    ),
    *(
        done("table 2", f"{octets} as an IRI", partial(lambda o, t: readable(o) == t, octets, text))
        for octets, text in (("March", "March"), ("M%C3%A4rz", "März"), ("M%E4rz", "M%E4rz"), ("M%8Arz", "M%8Arz"))
    ),
    done("2", "no guess is made on the way back", lambda: readable("M%8Arz") == "M%8Arz"),
    done("2", "a as %61, % as %25", lambda: readable("%61%25") == "a%25"),
    done("2", "%uHHHH is no syntax", lambda: "ENC005" in audited("/%u00E4")),
    done("3", "a page in ISO 8859-1 writes E4 for ä", lambda: rewritten("/M%C3%A4rz", "iri", "iso-8859-1") == "/M\xe4rz"),
    deviates("3", "unallocated code points stay encoded", "in hosts they do; in paths 3987bis, 3.7 decodes them, and the audit advises", lambda: "UNI009" in audited("/\u0378")),
    done("3", "sequences that are not normalized stay encoded", lambda: readable("/e%CC%81") == "/e%CC%81"),
    deviates("3", "formatting, spaces and compatibility characters stay encoded", "compatibility characters are decoded as 3987bis, 3.7 says, and the audit advises", lambda: readable("/%E2%80%AE%E2%80%83") == "/%E2%80%AE%E2%80%83"),
    deviates("3", "XLink escapes all but # % [ ]", "brackets and a stray % are escaped too, for a valid URI", lambda: uri('é <>"{}|^`[]%', syntax="leiri") == "%C3%A9%20%3C%3E%22%7B%7D%7C%5E%60%5B%5D%25"),
    done("4", "forms submit in the charset of the page", "tests/transcoding/test_transcoder.py::test_what_is_reported"),
    deviates("4", "percent-encoded domain names", "3987bis, 3.4 forbids them: accepted, never produced", lambda: uri("http://%E7%B4%8D%E8%B1%86.example.org/") == "http://xn--99zt52a.example.org/"),
    done("5", "HTML, XHTML, XML, SVG, Atom and CSS in sixteen encodings", "tests/browser/test_charsets.py"),
    done("5", "control cases in US-ASCII", lambda: rewritten("/March") == "/March"),
)  # fmt: skip

I18N = (
    done("2.1", "no delimiter beyond ASCII", lambda: iri.parse("a¢b").path == "a¢b"),
    deviates("2.2", "the grammar of RFC 2396", "superseded by 3987bis, 2.2", lambda: iri.parse("mailto:a?b").query == "b"),
    deviates("2.3 step 2", "NFC first", "3987bis, 5.3.2.2 forbids it for text in Unicode; --nfc does it", lambda: [uri("/e\u0301", **o) for o in ({}, {"nfc": True})] == ["/e%CC%81", "/%C3%A9"]),
    done("2.3 step 3", "UTF-8, then %HH", lambda: uri("/水") == "/%E6%B0%B4"),
    done("2.3", "octets of a URI are not escaped again", lambda: uri("/%E6%B0%B4") == "/%E6%B0%B4"),
    deviates("2.4", "octets from %80 only", "unreserved ASCII too (3987bis, 3.7)", lambda: readable("/%41%C3%A9") == "/Aé"),
    done("2.4", "strictly legal UTF-8", lambda: iri.steps.uri_to_iri("/%C3%A9%C3").text == "/é%C3"),
    done("2.4", "characters that are unadvisable go back", lambda: readable("/%C2%A0") == "/%C2%A0"),
    deviates("3.1 a", "no host beyond ASCII", "superseded by IDN", lambda: rules("http://é/") == []),
    done("3.1 b", "look-alikes of space, delimiters and unwise characters", lambda: audited("/a\u2003b\u2215c") >= {"DEL002", "HST014"}),
    partly("3.1 c", "what is not simply typed", "ligatures and mathematical letters; not dingbats and symbols", lambda: "UNI003" in audited("/ﬁ𝐀")),
    done("3.1 d", "full width and half width", lambda: "UNI003" in audited("/Ａｱ")),
    done("3.1 e", "controls, swapping and tags", lambda: ["UNI001" in audited("/\x01a"), "BID001" in audited("/a\u202e"), "UNI008" in audited("/\U000e0041")] == [True] * 3),
    done("3.1 f", "private use and surrogates", lambda: "UNI004" in audited("/\ue000")),
    deviates("3.1 g", "NFC is a must", "3987bis recommends it; the audit warns", lambda: "UNI002" in audited("/e\u0301")),
    done("3.1", "a space is %20, U+00A0 is %C2%A0", lambda: [uri("/a x"), uri("/\xa0x")] == ["/a%20x", "/%C2%A0x"]),
    done("3.2", "LRM on both sides of each reserved character", lambda: iri.display("/א/b", "marks") == "\u200e/\u200eא\u200e/\u200eb\u200e"),
    done("3.2", "components from left to right", "tests/iri/test_bidi.py::test_components_stand_from_left_to_right"),
    done("3.3", "relative references", lambda: (iri.resolve("http://h/א/b", "ב"), iri.display("א/b", "marks"), [v.rule for v in iri.bidi_violations("../אb")]) == ("http://h/א/ב", "\u200e\u200eא\u200e/\u200eb\u200e", ["bidi-mixed-direction", "bidi-edge"])),
    done("4.1", "the encoding is defined", lambda: [uri("/é"), uri("/?é", query_encoder=lambda text: text.encode("latin-1")), uri("/\ud800")] == ["/%C3%A9", "/?%E9", "/%EF%BF%BD"]),
    done("4.2", "the URI can be shown", "tests/iri/test_command.py::test_inspect_shows_everything"),
    done("4.2", "controls of display are stripped before resolution", lambda: iri.typed("/\u202aא\u202c") == "/א"),
    done("4.3", "URIs from names of files", lambda: iri.path_to_uri("/é") == "file:///%C3%A9"),
    done("4.5", "nothing is shown that cannot be entered", lambda: iri.display("/я", repertoire=lambda char: char < "\xff") == "/%D1%8F"),
    done("4.6", "several forms of one name", "tests/site/test_renames.py::test_names_become_utf_8"),
    done("4.7", "the native encoding in documents, else references", lambda: rewritten("/%D1%8F", "iri", "iso-8859-1") == "/&#x44F;"),
)  # fmt: skip

COMPARISON = (
    done("2", "equivalent, different or cannot be determined", lambda: [same(*p).outcome for p in (("http://h", "http://h/"), ("http://h/a", "http://h/b"), ("foo:a", "foo:b"))] == ["equivalent", "different", "unknown"]),
    done("2", "several canonical forms, each for a greater set", lambda: [iri.comparison_form("HTTP://A:80/%7e", r) for r in ("simple", "syntax", "scheme")] == ["HTTP://A:80/%7e", "http://a:80/~", "http://a/~"]),
    done("2", "false positives are avoided", "tests/iri/test_comparison.py::test_the_rules_of_schemes"),
    done("2", "false negatives are minimized, and never asserted", "tests/iri/test_comparison.py::test_what_browsers_serialize_alike_is_never_different"),
    done("2", "relative references are resolved first", "tests/iri/test_comparison.py::test_relative_references_are_compared_below_a_base"),
    done("2", "first without the fragments, then the fragments", "tests/iri/test_comparison.py::test_the_outcome_for_the_fragments_stands_apart"),
    done("3", "escapes are undone first", lambda: link("<a href='/&#233;'>") == ["/é"]),
    deviates("3", "encodings of MIME and HTTP are undone", "those of HTTP are; a mail is refused by name, since its parts are documents of their own", "tests/site/warc/test_records.py::test_codings_are_undone"),
    done("4.1", "simple string comparison", lambda: same("http://h/%7E", "http://h/~", level="simple").outcome == "different"),
    done("4.2", "comparison by the syntax", lambda: same("http://h/%7E", "http://h/~", level="syntax").rung == "syntax"),
    done("4.2.1", "case", lambda: same("HTTP://H/%c3", "http://h/%C3").outcome == "equivalent"),
    done("4.2.3", "percent-encoding", lambda: same("http://h/%61", "http://h/a").outcome == "equivalent"),
    done("4.2.4", "dot segments", lambda: same("http://h/a/../b", "http://h/b").outcome == "equivalent"),
    done("4.3", "a missing component and an empty one differ", lambda: same("http://h/?", "http://h/").outcome == "different"),
    done("4.3", "names as U-labels, for legibility", lambda: readable("http://xn--rsum-bpad.example.org/") == "http://résumé.example.org/"),
    done("4.3", "names that are valid U-labels", lambda: "HST003" in audited("http://xn--a/")),
    done("4.4", "comparison by the protocol", lambda: same("http://h/a", "http://h/b", level="protocol", redirects={"http://h/a": "http://h/b"}).rung == "protocol"),
    done("5", "parties that do not agree", lambda: (same("http://faß.de/", "http://fass.de/").outcome, "HST002" in audited("http://faß.de/")) == ("unknown", True)),
)  # fmt: skip

LATER = (
    done("RFC 3986, 5.4", "the examples of resolution", "tests/iri/test_rfc_examples.py::test_example"),
    done("RFC 3987", "a profile of its own", lambda: rules("http://%C3%A9/?\U000e0041") == ["host-percent-encoded"] and [v.rule for v in iri.violations("http://%C3%A9/?\U000e0041", syntax="rfc3987")] == ["tag"]),
    done("RFC 6874, 9844", "zone identifiers", lambda: refused("http://[fe80::1%25a]/") == "ip-literal-invalid"),
    done("URL Standard", "urltestdata: no link moves", "tests/iri/test_web_platform.py::test_links_lead_where_they_led"),
    done("URL Standard", "toascii and IdnaTestV2", "tests/iri/test_web_platform.py"),
    done("URL Standard", "href, origin, protocol, host, pathname, search, hash", "tests/iri/test_url.py::test_the_web_platform_tests"),
    done("URL Standard", "resolution as browsers do it", "tests/iri/test_url.py::test_web_addresses_are_resolved_as_browsers_do"),
    done("URL Standard", "what browsers do not agree on is left", "tests/iri/test_disputed.py::test_no_reference_of_the_table_moves"),
    done("RFC 6570", "templates are recognized", lambda: "SYN007" in audited("{{ url }}")),
    done("RFC 6570", "templates are parsed, expanded and converted", "tests/iri/test_template.py::test_expansion"),
    done("RFC 8089", "forms of file URIs, drive letters and UNC strings", lambda: uri("file:///c:/x y") == "file:///c:/x%20y"),
    done("RFC 8089", "file:/x and file:///x", lambda: same("file:/x", "file:///x").outcome == "equivalent"),
    done("RFC 8089", "paths to URIs and back", "tests/iri/test_filepaths.py::test_a_path_comes_back"),
    done("RFC 6068", "user@%E7%B4%8D%E8%B1%86.example.org", lambda: same("mailto:user@%E7%B4%8D%E8%B1%86.example.org", "mailto:user@xn--99zt52a.example.org").outcome == "equivalent"),
    done("RFC 8141", "equivalence of URNs", lambda: same("urn:x:a?+r#f", "URN:X:a").outcome == "equivalent"),
    done("RFC 3966", "equivalence of telephone numbers", lambda: same("tel:+1-201-555-0123", "tel:+12015550123").outcome == "equivalent"),
    done("RFC 3261", "equivalence of addresses of SIP", lambda: same("sip:a@h;transport=TCP", "sip:a@H;Transport=tcp").outcome == "equivalent"),
    done("RFC 5870", "equivalence of places", lambda: same("geo:90,-22.43;crs=WGS84", "geo:90,46").outcome == "equivalent"),
)  # fmt: skip
