"""Every example and rule of the URI and IRI documents, as transcribed in the public data."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conformance_data import conformance

from linkfix import iri
from linkfix.iri.unicode import ucd, uts46

FILES = (
    "draft-ietf-iri-3987bis-01",
    "draft-ietf-iri-comparison-02",
    "draft-masinter-url-i18n-07",
    "draft-weber-iri-guidelines-01",
    "duerst-iuc19-iri-tables",
    "rfc3986-normalization",
    "rfc3986-resolution",
)
#: Operations that are no business of the engine, with the reason.
NOT_OURS = {
    "bidi-display-controls": "3987bis, 4.1 replaces the marks around every delimiter",
    "bidi-visual-order": "done by the Unicode bidirectional algorithm; see test_bidi.py",
    "character-groups": "for the reader",
    "character-notation": "for the reader",
    "citation-note": "for the reader",
    "extract-from-text": "links in running text",
    "grammar-note": "for the reader",
    "octet-notation": "for the reader",
    "rule": "for the reader",
    "serialize-into-document": "of the rewriter",
    "unescape-markup": "of the markup layers",
}
#: Examples that are deliberately decided otherwise: (file, section, operation, input).
EXCEPTIONS = {
    (
        "draft-masinter-url-i18n-07",
        "2.3",
        "iri-to-uri",
        "http://www.example.org/re\u0301sume\u0301.html",
    ): ("the older draft normalizes to NFC; 3987bis, 5.3.2.2 forbids that"),
    ("draft-masinter-url-i18n-07", "2.3", "iri-to-uri", "http://www.example.org/a b<c>"): (
        "the older draft leaves an invalid URI; 3987bis, 3.3 percent-encodes"
    ),
    (
        "draft-masinter-url-i18n-07",
        "2.4",
        "uri-to-iri",
        "http://www.example.org/%41%7Ea%2F%C3%A9",
    ): ("the older draft decodes %80 and higher only; 3987bis, 3.7 unreserved ASCII as well"),
    ("draft-masinter-url-i18n-07", "3.1 a", "is-iri", "http://ex\u00e4mple.com/"): (
        "the older draft has no internationalized host names"
    ),
    (
        "draft-masinter-url-i18n-07",
        "3.1 g",
        "is-iri",
        "http://www.example.org/re\u0301sume\u0301.html",
    ): ("the older draft demands NFC; 3987bis, 5.3.2.2 recommends it"),
}


def examples() -> list[Any]:
    found = []
    for name in FILES:
        path = conformance("rfc", f"{name}.json")
        for i, example in enumerate(json.loads(path.read_text("utf-8"))):
            if example["operation"] in NOT_OURS:
                continue
            found.append(
                pytest.param(
                    name,
                    example,
                    marks=pytest.mark.conformance,
                    id=f"{name}-{i}-{example['operation']}",
                )
            )
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "example" in metafunc.fixturenames:
        try:
            metafunc.parametrize(("name", "example"), examples())
        except pytest.skip.Exception as reason:
            mark = pytest.mark.skip(reason=str(reason))
            metafunc.parametrize(("name", "example"), [pytest.param("", {}, marks=mark)])


def encoder(charset: str | None) -> iri.QueryEncoder | None:
    charset = iri.steps.href_charset(charset)
    return None if charset == "utf-8" else lambda text: text.encode(charset)


def mapped(value: Any) -> str:
    if isinstance(value, dict):
        found = iri.steps.iri_to_uri(value["iri"], query_encoder=encoder(value["document_charset"]))
    else:
        found = iri.steps.iri_to_uri(value)
    assert found.ok, found.problems
    return found.text


def path_part(text: str) -> str:
    return "http://example.com/" + text


def of_path(text: str) -> str:
    return text.removeprefix("http://example.com/")


def decoded(value: Any) -> str:
    if isinstance(value, str):
        return value
    return iri.steps.from_octets(
        bytes.fromhex(value["octets_hex"]), value["charset"], nfc=value.get("nfc")
    )


def parsed(text: str) -> dict[str, str | None]:
    reference = iri.parse(text)
    return {
        "scheme": reference.scheme,
        "authority": reference.authority,
        "path": reference.path,
        "query": reference.query,
        "fragment": reference.fragment,
    }


def weber(component: str, text: str) -> dict[str, str | None]:
    """One of the parsing steps of weber, 5: a component and what is left for the next step."""
    if component in {"path", "query", "fragment"}:
        uri = iri.parse(mapped(text))
        parts = {
            "path": uri.path,
            "query": None if uri.query is None else f"?{uri.query}",
            "fragment": None if uri.fragment is None else f"#{uri.fragment}",
        }
        cut = {"path": "[?#].*", "query": "#.*", "fragment": "(?!)"}[component]
        found = re.search(cut, text)
        rest = {} if component == "fragment" else {"rest": found[0] if found else ""}
        return {component: parts[component], **rest}
    if component == "scheme":
        scheme = iri.parse(text).scheme
        return {"scheme": scheme, "rest": text[len(scheme) + 1 :] if scheme else text}
    if component == "authority":
        authority = iri.parse(text).authority
        return {
            "authority": authority,
            "rest": text[2 + len(authority) :] if authority is not None else text,
        }
    reference = iri.parse(f"//{text}")
    if component == "userinfo":
        userinfo = reference.userinfo
        return {"userinfo": userinfo, "rest": text[len(userinfo) + 1 :] if userinfo else text}
    if component == "host":
        return {"host": reference.host, "rest": text[len(reference.host or "") :]}
    rules = {violation.rule for violation in iri.violations(f"//example.com{text}")}
    return {"port": None if "port-invalid" in rules else reference.port}


def run(operation: str, value: Any) -> Any:
    """What the engine makes of an example's input."""
    match operation:
        case "decode-document-octets" | "misdecode" | "preprocess-transcode" | "transcode":
            return decoded(value)
        case "decode-octet":
            return iri.steps.from_octets(bytes.fromhex(value["octet"]), value["charset"])
        case "encode-original":
            octets = value["original"].encode(value["charset"])
            uri = "".join(chr(o) if chr(o).isalnum() and o < 128 else f"%{o:02X}" for o in octets)
            return {
                "octets": octets.hex(" ").upper(),
                "uri": uri,
                "iri": iri.steps.uri_to_iri(uri).text,
            }
        case "equivalent:protocol":
            redirects = {value[0]: value[1]}
            without = iri.equivalent(*value, level="protocol")
            assert without.outcome == "unknown"
            redirected = iri.equivalent(*value, level="protocol", redirects=redirects)
            assert redirected.rung == "protocol"
            return redirected.outcome == "equivalent"
        case "equivalent:simple" | "equivalent:syntax" | "equivalent:scheme":
            level: Any = operation.partition(":")[2]
            first, *others = map(decoded, value)
            return all(
                iri.equivalent(first, other, level=level).outcome == "equivalent"
                for other in others
            )
        case "host-to-ascii":
            try:
                return uts46.to_ascii(value, "2008")
            except uts46.IDNAError:
                return {"failure": True}
        case "host-to-unicode":
            return uts46.to_unicode(value)
        case "href-charset":
            return iri.steps.href_charset(value)
        case "iri-to-uri" | "iri-to-uri-must-not":
            return mapped(value)
        case "is-iri":
            return not iri.violations(value)
        case "is-nfc":
            return ucd.is_nfc(value)
        case "is-uri":
            return not iri.violations(value, syntax="uri")
        case "leiri-to-iri":
            return iri.steps.leiri_to_iri(value).text
        case "normalize-scheme":
            return iri.normalize(value, "scheme")
        case "normalize-syntax":
            return iri.normalize(value, "syntax")
        case "not-percent-encoding" | "percent-decode":
            return of_path(iri.steps.uri_to_iri(path_part(value)).text).replace("%25", "%")
        case "parse":
            return parsed(value)
        case "parse-host":
            return iri.parse(value).host
        case "percent-encode" | "percent-encode-component" | "percent-encode-utf8":
            return of_path(mapped(path_part(value)))
        case "preprocess-single-space" | "web-address-preprocess":
            return iri.steps.web_address_to_iri(value).text
        case "preprocess-split":
            return [value[start:end] for start, end in iri.steps.split_list(value)]
        case "preprocess-trim":
            (start, _), *_, (_, end) = [*iri.steps.split_list(value)] * 2
            return value[start:end]
        case "remove-dot-segments":
            return iri.steps.remove_dot_segments(value)
        case "resolve" | "resolve-strict":
            return iri.resolve(value["base"], value["reference"])
        case "resolve-non-strict":
            return iri.resolve(value["base"], value["reference"], strict=False)
        case "uri-to-iri":
            return iri.steps.uri_to_iri(value).text
        case "uri-to-iri-steps":
            return list(iri.steps.uri_to_iri_steps(value))
        case "uri-to-iri-without-idna":
            return iri.steps.uri_to_iri(value, idna=None).text
        case "bidi-component-rules":
            rtl = str.maketrans({chr(c): chr(c - ord("A") + 0x5D0) for c in range(65, 91)})
            return not iri.bidi_violations(value.translate(rtl))
    raise AssertionError(f"no counterpart for {operation}")


def test_example(name: str, example: dict[str, Any]) -> None:
    operation, value, expected = example["operation"], example["input"], example["expected"]
    if operation.startswith("parse-") and name.startswith("draft-weber"):
        found: Any = weber(operation.removeprefix("parse-"), value)
    elif operation == "parse" and name.startswith("draft-weber"):
        reference = iri.parse(mapped(value))
        found = {key: getattr(reference, key) for key in expected}
    else:
        found = run(operation, value)
    if expected is None:
        return  # the document leaves the result open; that there is one is what counts
    if isinstance(value, str) and (name, example["section"], operation, value) in EXCEPTIONS:
        assert found != expected, "an exception that is none any more"
        return
    if operation == "encode-original":
        found = {key: found[key] for key in expected}
    if operation.endswith("must-not"):
        assert found != expected
    elif isinstance(expected, list) and not isinstance(found, list):
        assert found in expected
    else:
        assert found == expected


def test_everything_left_out_is_in_the_data() -> None:
    operations = {
        example["operation"]
        for name in FILES
        for example in json.loads(conformance("rfc", f"{name}.json").read_text("utf-8"))
    }
    assert operations >= NOT_OURS.keys()
