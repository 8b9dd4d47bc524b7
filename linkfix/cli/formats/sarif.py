"""Findings as SARIF 2.1.0 (OASIS), with byte offsets, written one by one; the results that one run cannot take are in further runs."""

import base64
import os
import re
from collections import Counter
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any, TextIO
from urllib.parse import quote

import linkfix
from linkfix.auditing import Finding, Rule, rules
from linkfix.auditing.baseline import fingerprint
from linkfix.cli.formats import BaseWriter
from linkfix.cli.output import escape
from linkfix.cli.rules import CONCERNS, OWN, section
from linkfix.errors import LinkfixError
from linkfix.files.paths import UNLISTED, scheme_of
from linkfix.iri import Conversion
from linkfix.links import Link
from linkfix.links.builder import Position
from linkfix.rewriting.spelling import spell
from linkfix.sites.auditing import AuditTotals
from linkfix.sites.lines import json_text

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}
#: The severities that code scanning shows.
_SHOWN = {"error": "error", "warning": "warning", "advice": "recommendation"}
#: The most results that code scanning takes in one run; more are written as further runs.
_MOST_RESULTS = 25_000
#: Where the sources of the rules are published, by the beginning of their names.
_SOURCES = {
    "draft-ietf-iri-3987bis-01": "https://datatracker.ietf.org/doc/html/draft-ietf-iri-3987bis-01",
    "HTML Standard": "https://html.spec.whatwg.org/",
    "URL Standard": "https://url.spec.whatwg.org/",
    "Encoding Standard": "https://encoding.spec.whatwg.org/",
    "Mixed Content": "https://www.w3.org/TR/mixed-content/",
    "Subresource Integrity": "https://www.w3.org/TR/sri-2/",
    "Unicode Standard": "https://www.unicode.org/versions/latest/",
    "XML 1.0": "https://www.w3.org/TR/xml/",
}
_NUMBERED = re.compile(r"(RFC|UTS #|UAX #) ?(\d+)")


class Writer(BaseWriter):
    """Write runs of at most `_MOST_RESULTS` results, result by result."""

    separator = ",\n"

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self._index = {rule.code: index for index, rule in enumerate(rules())}
        self._problems: list[dict[str, Any]] = []
        self._runs = 0
        self._results = 0

    def begin(self) -> None:
        """Write the tool and its rules."""
        self.out.write(f'{{"$schema": {json_text(_SCHEMA)}, "version": "2.1.0", "runs": [')
        self._begin_run()

    def _begin_run(self) -> None:
        """Write a run up to its results."""
        driver = {
            "name": "linkfix",
            "version": linkfix.__version__,
            "rules": [_rule(rule) for rule in rules()],
        }
        self._runs += 1
        self._results = 0
        self._has_findings = False
        # Code scanning tells runs of the same tool apart by this identifier (SARIF 2.1.0, 3.17.2).
        run: dict[str, Any] = (
            {} if self._runs == 1 else {"automationDetails": {"id": f"linkfix/{self._runs}/"}}
        )
        run |= {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
        self.out.write(f'{json_text(run)[:-1]}, "results": [\n')

    def put(self, file: str, piece: bytes) -> None:
        """Write results; begin another run where the present one is full."""
        separator = self.separator.encode()
        results = piece.split(separator)
        while results:
            if self._results == _MOST_RESULTS:
                self.out.write("\n]},\n")
                self._begin_run()
            some = results[: _MOST_RESULTS - self._results]
            super().put(file, separator.join(some))
            self._results += len(some)
            results = results[len(some) :]

    def render(self, file: str, finding: Finding) -> str:
        """Return the result of a finding."""
        return json_text(self._result(file, finding))

    def _result(self, file: str, finding: Finding) -> dict[str, Any]:
        link = finding.link
        region = {"startLine": finding.line, "startColumn": finding.column}
        if link is not None:
            region |= _end(link)
        region |= {"byteOffset": finding.start, "byteLength": finding.end - finding.start}
        text = finding.message if link is None else f"{finding.message}: {link.value}"
        properties = {"section": finding.section}
        if link is not None:
            properties |= {"element": link.element, "attribute": link.attribute}
        if finding.suggestion is not None:
            properties["rewrite"] = finding.suggestion
        result = {
            "ruleId": finding.code,
            "ruleIndex": self._index[finding.code],
            "level": _LEVELS[finding.severity],
            "message": {"text": escape(text)},
            "locations": [
                {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}, "region": region}}
            ],
            "partialFingerprints": {"linkfix/v1": fingerprint(file, finding)},
            "properties": properties,
        }
        # The region and the new content are there as text, and as bytes since the document may not be in UTF-8 (3.57).
        if (new := _new(finding)) is not None:
            replacement = {"deletedRegion": region, "insertedContent": new}
            change = {"artifactLocation": {"uri": _uri(file)}, "replacements": [replacement]}
            description = {"text": "what a rewrite makes of the link"}
            result["fixes"] = [{"description": description, "artifactChanges": [change]}]
        return result

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Record why a document, or a folder, could not be processed."""
        if error is not None:
            place = {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}}}
            notification = {"level": "error", "message": {"text": escape(str(error))}}
            self._problems.append(notification | ({"locations": [place]} if file else {}))

    def end(self, totals: AuditTotals) -> None:
        """Write how the run went."""
        invocation = {
            "executionSuccessful": not self._problems,
            "toolExecutionNotifications": self._problems,
        }
        self.out.write(f'\n], "invocations": [{json_text(invocation)}]}}]}}\n')


def _new(finding: Finding) -> dict[str, str] | None:
    """Return the new content in place of a link; None without a suggestion."""
    link = finding.link
    if link is None or finding.suggestion is None:
        return None
    new = spell(link, Conversion(finding.suggestion, finding.edits, (), ok=True))
    if new is None:
        return None
    text = link.charset.decode(new, link.state)
    return {"text": text, "binary": base64.b64encode(new).decode("ascii")}


def _end(link: Link) -> dict[str, int]:
    """Return the place after the last character of a link: a line, and a column in code points, from 1."""
    end = Position(link.charset)
    end.line, end.column = link.line, link.column
    end.advance(link.raw, 0, len(link.raw), link.state)
    return {"endLine": end.line, "endColumn": end.column}


def _rule(rule: Rule) -> dict[str, Any]:
    title, _, rest = rule.page.partition("\n\n")
    what = " ".join(line.strip() for line in rest.partition("\n\n")[0].splitlines()[1:])
    described: dict[str, Any] = {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": title},
        "fullDescription": {"text": what or title},
        "help": {
            "text": f"{title}\n\n{rest}\n\nSource\n    {rule.section}",
            "markdown": section(rule),
        },
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["links", CONCERNS.get(rule.code[:3], OWN).lower()],
            "problem.severity": _SHOWN[rule.severity],
        },
    }
    page = (
        _documentation() and CONCERNS.get(rule.code[:3]) and f"{_documentation()}rules/{rule.code}/"
    )
    address = page or _source(rule.section)
    return described | {"helpUri": address} if address else described


@cache
def _documentation() -> str:
    """Return the address of the documentation that the installed package names; "" for none, or a reserved one."""
    try:
        named = [each.partition(", ") for each in metadata("linkfix").get_all("Project-URL", [])]
    except PackageNotFoundError:
        return ""
    return next(
        (url for name, _, url in named if name == "Documentation" and ".example/" not in url), ""
    )


def _source(section: str) -> str:
    """Return where the first source of a rule is published; "" if it is not known."""
    if numbered := _NUMBERED.match(section):
        kind, number = numbered.groups()
        if kind == "RFC":
            return f"https://www.rfc-editor.org/rfc/rfc{number}"
        return f"https://www.unicode.org/reports/tr{number}/"
    return next((uri for name, uri in _SOURCES.items() if section.startswith(name)), "")


def _uri(file: str) -> str:
    """Return the name of a file as a relative reference or a file URI; standard input keeps its name.

    The name of a remote file becomes a URI: of HTTP it is one, of others the names of objects are percent-encoded.
    """
    if (scheme := scheme_of(file)) in UNLISTED:
        return quote(file, safe="/:?&=%#[]@!$'()*+,;~")
    if scheme:
        return quote(file, safe="/:@!$&'()*+,;=~")
    # SARIF 2.1.0, 3.10.1: in the normal form of RFC 3986
    path = quote(os.fsencode(file.removeprefix("./")))
    return f"file://{path}" if path.startswith("/") else path
