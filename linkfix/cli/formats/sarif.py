"""Findings as SARIF 2.1.0 (OASIS), with byte offsets, written one by one."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING, Any, TextIO
from urllib.parse import quote

import linkfix
from linkfix.auditing import rules
from linkfix.auditing.baseline import fingerprint
from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.output import escape, json_text
from linkfix.iri import Conversion
from linkfix.links.position import Position
from linkfix.rewriting.spelling import spell

if TYPE_CHECKING:
    from collections import Counter

    from linkfix.auditing import Finding, Rule
    from linkfix.cli.formats import Summary
    from linkfix.errors import LinkfixError

__all__ = ["Writer"]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}


class Writer(BaseWriter):
    """Write one run, result by result."""

    separator = ",\n"

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self._index = {rule.code: index for index, rule in enumerate(rules())}
        self._problems: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Write the tool and its rules."""
        driver = {
            "name": "linkfix",
            "version": linkfix.__version__,
            "rules": [_rule(rule) for rule in rules()],
        }
        self.out.write(
            f'{{"$schema": {json_text(_SCHEMA)}, "version": "2.1.0", "runs": [{{'
            f'"tool": {{"driver": {json_text(driver)}}}, "columnKind": "unicodeCodePoints", "results": [\n'
        )

    def render(self, file: str, finding: Finding) -> str:
        """Return the result of a finding."""
        return json_text(self._result(file, finding))

    def _result(self, file: str, finding: Finding) -> dict[str, Any]:
        link = finding.link
        region = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "byteOffset": finding.start,
            "byteLength": finding.end - finding.start,
        }
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
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(file)},
                        "region": region,
                    }
                }
            ],
            "partialFingerprints": {"linkfix/v1": fingerprint(file, finding)},
            "properties": properties,
        }
        if (replacement := _replacement(finding)) is not None:
            change = {"artifactLocation": {"uri": _uri(file)}, "replacements": [replacement]}
            description = {"text": "what a rewrite makes of the link"}
            result["fixes"] = [{"description": description, "artifactChanges": [change]}]
        return result

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Record why a document could not be processed."""
        if error is not None:
            place = {"physicalLocation": {"artifactLocation": {"uri": _uri(file)}}}
            self._problems.append(
                {
                    "level": "error",
                    "message": {"text": escape(str(error))},
                    "locations": [place],
                }
            )

    def end(self, summary: Summary) -> None:
        """Write how the run went."""
        invocation = {
            "executionSuccessful": not summary.failed,
            "toolExecutionNotifications": self._problems,
        }
        self.out.write(f'\n], "invocations": [{json_text(invocation)}]}}]}}\n')


def _replacement(finding: Finding) -> dict[str, Any] | None:
    """Return the replacement of a link (SARIF 2.1.0, 3.57), None without a suggestion.

    The region and the new content are there as text, and as bytes since the document may not be in UTF-8.
    """
    link = finding.link
    if link is None or finding.suggestion is None:
        return None
    new = spell(link, Conversion(finding.suggestion, finding.edits, (), ok=True))
    if new is None:
        return None
    end = Position(link.charset)
    end.line, end.column = link.line, link.column
    end.advance(link.raw, 0, len(link.raw), link.state)
    return {
        "deletedRegion": {
            "startLine": link.line,
            "startColumn": link.column,
            "endLine": end.line,
            "endColumn": end.column,
            "byteOffset": link.start,
            "byteLength": link.end - link.start,
        },
        "insertedContent": {
            "text": link.charset.decode(new, link.state),
            "binary": base64.b64encode(new).decode("ascii"),
        },
    }


def _rule(rule: Rule) -> dict[str, Any]:
    title, _, rest = rule.page.partition("\n")
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": title},
        "help": {"text": f"{title}\n{rest}\n\nSource\n    {rule.section}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _uri(file: str) -> str:
    """Return the name of a file as a relative reference or a file URI; standard input keeps its name."""
    path = quote(os.fsencode(file))
    return f"file://{path}" if path.startswith("/") else path
