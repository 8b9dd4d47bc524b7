"""What the examples of the clauses call: functions of one argument, named in docs/clauses.md."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import ada_url
from click.testing import CliRunner
from transcodings import transcoded

import linkfix
from linkfix import iri
from linkfix.charset import lookup
from linkfix.cli.group import cli
from linkfix.errors import LinkfixError
from linkfix.iri.unicode.uts46 import IDNAError, to_ascii
from linkfix.links.schemas import load
from linkfix.links.settings import XMLSettings
from linkfix.migration.renames import Names, plan
from linkfix.policy import Policy
from linkfix.server.addresses import SiteAddress
from linkfix.server.headers import Labels
from linkfix.server.listing import Entry, Listing
from linkfix.warc import records

from .model import audited, link, readable, refused, rewritten, rules, uri

__all__ = ["CALLS"]

OLD = "http://old.example/"
XSD = Path(__file__).parents[1] / "links" / "data" / "schemas" / "types.xsd"
WINDOWS = lookup("windows-1252").encode


def _same(arguments: tuple[Any, ...]) -> str:
    one, other, *options = arguments
    return iri.equivalent(one, other, **dict(*options)).outcome


def _rewriter(source: str, to: Any, type: Any, policy: Policy | None = None) -> str:
    rewriter = linkfix.Rewriter(to, policy=policy or Policy(), source=linkfix.Source(type=type))
    return (rewriter.feed(source.encode()) + rewriter.close()).decode()


def _schema(source: str) -> str:
    return _rewriter(source, "uri", "xml", Policy(xml=XMLSettings(schema=load(str(XSD)))))


def _xml_links(source: str) -> list[str] | str:
    try:
        return link(source, type="xml")
    except LinkfixError as error:
        return type(error).__name__


def _ascii(pair: tuple[str, Any]) -> str:
    try:
        return to_ascii(*pair)
    except IDNAError:
        return "refused"


def _url(text: str) -> list[Any] | None:
    url = iri.URL.parse(text)
    names = ("protocol", "host", "port", "pathname", "search", "hash")
    return [getattr(url, name) for name in names] if url else None


def _inspected(text: str) -> tuple[int, str | None, list[str]]:
    found = CliRunner().invoke(cli, ["iri", "inspect", "--format", "jsonl", "--", text])
    line = json.loads(found.stdout)
    return (
        found.exit_code,
        line["uri"],
        sorted({each["rule"] for each in line["problems"] + line["violations"]}),
    )


def _printed(text: str) -> str:
    runner = CliRunner(charset="latin-1")
    return runner.invoke(cli, ["iri", "convert", "--to", "iri", "--", text]).stdout.rstrip("\n")


def _page(pair: tuple[str, str]) -> bool:
    auditor = linkfix.Auditor(source=linkfix.Source(type="html"))
    source = f"<meta charset=utf-8>{pair[1]}".encode()
    found = auditor.feed(source) + auditor.close()
    return pair[0] in {finding.code for finding in found}


def _body(message: tuple[str, bytes]) -> bytes:
    header, body = message
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{header}\r\n\r\n".encode() + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nWARC-Record-ID: <urn:a:b>\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    data = head.encode() + http + b"\r\n\r\n"
    return b"".join(b"".join(each.chunks()) for each in records(BytesIO(data), "a.warc"))


def _transcoded(pair: tuple[str, str]) -> str:
    charset, source = pair
    page = lookup(charset).encode(f'<meta charset="{charset}">{source}')
    done, _ = transcoded(page, type="html")
    return done.decode().removeprefix('<meta charset="utf-8">')


def _name(pair: tuple[str, bytes]) -> str:
    return Names(Labels.parse([pair[0]])).new(os.fsdecode(pair[1]), is_file=True)


def _moved(arguments: tuple[str, list[bytes], str]) -> str | None:
    label, paths, reference = arguments
    entries = {os.fsdecode(path): Entry("file") for path in paths}
    listing, names = Listing("", entries), Names(Labels.parse([label] if label else []), {})
    listing.text = names.text
    moves = plan(listing, SiteAddress.at(OLD), names, None, folds=lambda: False)
    moves.fix_case = not label
    return moves.target(OLD + reference)


def _same_place(text: str) -> bool:
    places = [ada_url.URL(each, "http://example.org/foo/bar").href for each in (text, uri(text))]
    return places[0] == places[1]


def _bidi(text: str) -> list[str]:
    return sorted({found.rule for found in iri.bidi_violations(text)})


#: What is called, by the name in docs/clauses.md.
CALLS: dict[str, Callable[[Any], object]] = {
    "links": link,
    "links of XML": _xml_links,
    "to_uri": uri,
    "to_uri with": lambda pair: uri(pair[0], **pair[1]),
    "to_uri in windows-1252": lambda text: uri(text, query_encoder=WINDOWS),
    "to_uri twice": lambda text: uri(uri(text)),
    "to_iri": readable,
    "to_iri and back": lambda text: uri(readable(text)),
    "iri_to_uri": lambda text: iri.steps.iri_to_uri(text).text,
    "uri_to_iri": lambda text: iri.steps.uri_to_iri(text).text,
    "step 2 of uri_to_iri": lambda text: iri.steps.uri_to_iri_steps(text)[1],
    "uri_to_iri_steps": iri.steps.uri_to_iri_steps,
    "from_octets": lambda pair: iri.steps.from_octets(*pair),
    "href_charset": iri.steps.href_charset,
    "to_ascii": _ascii,
    "refused": refused,
    "violations": rules,
    "violations of RFC 3987": lambda text: [
        found.rule for found in iri.violations(text, syntax="rfc3987")
    ],
    "rewrite in windows-1252": lambda text: rewritten(text, charset="windows-1252"),
    "rewrite in a charset": lambda three: rewritten(three[2], three[1], three[0]),
    "rewrite HTML": lambda source: _rewriter(source, "uri", "html"),
    "rewrite XML": lambda source: _rewriter(source, "uri", "xml"),
    "rewrite by schema": _schema,
    "transcode": _transcoded,
    "resolve": lambda text: iri.resolve("http://example.org/a/b", text),
    "resolve as browsers": lambda pair: iri.resolve(*pair, syntax="web"),
    "same place for ada-url": _same_place,
    "path": lambda text: iri.parse(text).path,
    "scheme": lambda text: iri.parse(text).scheme,
    "authority": lambda text: iri.parse(text).authority,
    "host": lambda text: iri.parse(text).host,
    "userinfo": lambda text: iri.parse(text).userinfo,
    "components": lambda text: list(iri.parse(text)),
    "host_port": lambda text: iri.parse(text).host_port,
    "host_specific": lambda text: iri.parse(text).host_specific,
    "URL": _url,
    "split_list": lambda text: [text[start:end] for start, end in iri.steps.split_list(text)],
    "normalize": iri.normalize,
    "normalize by scheme": lambda text: iri.normalize(text, "scheme"),
    "scheme of normalize": lambda text: iri.parse(iri.normalize(text)).scheme,
    "comparison_form": lambda pair: iri.comparison_form(*pair),
    "equivalent": _same,
    "fragments": lambda pair: (
        iri.equivalent(*pair).resource,
        iri.equivalent(*pair).fragment,
    ),
    "rung": lambda pair: iri.equivalent(*pair).rung,
    "leiri_to_iri": lambda text: iri.steps.leiri_to_iri(text).text,
    "is a LEIRI": lambda text: iri.steps.leiri_to_iri(text).ok,
    "web_address_to_iri": lambda text: iri.steps.web_address_to_iri(text).text,
    "display": iri.display,
    "display as": lambda pair: iri.display(*pair),
    "display in ASCII": lambda text: iri.display(text, repertoire=str.isascii),
    "convert on a Latin-1 terminal": _printed,
    "inspect": _inspected,
    "lookalikes": lambda text: [found.rule for found in iri.lookalikes(text)],
    "audit finds": lambda pair: pair[0] in audited(pair[1]),
    "audit of a page finds": _page,
    "find": lambda text: [text[found.start : found.end] for found in iri.find(text)],
    "bidi_violations": lambda text: bool(iri.bidi_violations(text)),
    "rules of bidi": _bidi,
    "components of mixed direction": lambda text: [
        found.component
        for found in iri.bidi_violations(text)
        if found.rule == "bidi-mixed-direction"
    ],
    "path_to_uri": iri.path_to_uri,
    "path to URI and back": lambda path: iri.uri_to_path(iri.path_to_uri(path)),
    "body of a response": _body,
    "name in UTF-8": _name,
    "target after a move": _moved,
    "expand": lambda pair: iri.Template.parse(pair[0]).expand(pair[1]),
    "typed": iri.typed,
    "typed without blanks": lambda text: iri.typed(text, blanks="remove"),
}
