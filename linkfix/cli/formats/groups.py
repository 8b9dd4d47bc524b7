"""Findings in groups: one line for each cause, rule, file or target, with the first place and the numbers.

Workers send one record for each finding (`render`); this process counts them (`put`), and writes the groups at the end, the
worst and largest first. Memory grows with the number of groups, not of findings.
"""

import json
import re
import shlex
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TextIO

import click

from linkfix.auditing import Finding, Severity, rules
from linkfix.cli.formats import BaseWriter
from linkfix.cli.output import csv_row, escape, has_colours, number, shown_row, styled
from linkfix.sites.auditing import AuditTotals
from linkfix.sites.lines import json_line

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.ADVICE: "cyan"}
_FIELDS = ("severity", "findings", "documents", "rules", "first")
_RULE_FIELDS = ("rule", "name", "severity", "findings", "documents")
#: What a message says of further places in the same link.
_MORE = re.compile(r" \(\d+ more in this link\)$", re.ASCII)
#: How many groups are written where nobody asked for groups.
_WORST = 10


@dataclass(slots=True)
class _Group:
    """Findings that have something in common.

    Attributes:
        text: what they have in common.
        first: the place of the first, as ``file:line:column``.
        rules: how many there are by the codes of their rules.
        files: in how many documents they are.
        last: the document of the last one.

    """

    text: str
    first: str
    rules: Counter[str] = field(default_factory=Counter)
    files: int = 0
    last: str = ""


class Writer(BaseWriter):
    """Write one line for each group.

    Args:
        out: where it writes to.
        form: one of `linkfix.cli.formats.GROUPED`.
        by: a choice of ``--group-by`` but ``none``.
        is_brief: whether to write the worst groups only, and how to see more.

    """

    separator = "\n"

    def __init__(self, out: TextIO, form: str, by: str, *, is_brief: bool = False) -> None:
        super().__init__(out)
        self._form = form
        self._by = by
        self._is_brief = is_brief
        self._groups: dict[str, _Group] = {}
        self._rules = {rule.code: rule for rule in rules()}
        self._corrections = 0

    def render(self, file: str, finding: Finding) -> str:
        """Return a finding as a record: file, place, code, what its group has in common, and whether there is a suggestion."""
        place = f"{file}:{finding.line}:{finding.column}"
        return json.dumps(
            [file, place, finding.code, self._common(file, finding), finding.suggestion is not None]
        )

    def _common(self, file: str, finding: Finding) -> str:
        """Return what a finding has in common with its group."""
        if self._by == "rule":
            return finding.code
        if self._by == "file":
            return file
        if self._by == "target":
            return finding.target or ("" if finding.link is None else finding.link.value)
        parts = f"{finding.code} {finding.name}", finding.target, _MORE.sub("", finding.message)
        return ": ".join(filter(None, parts))

    def put(self, file: str, piece: bytes) -> None:
        """Count the findings of a piece."""
        for record in piece.splitlines():
            file, place, code, common, has_suggestion = json.loads(record)
            group = self._groups.get(common)
            if group is None:
                group = self._groups[common] = _Group(common, place)
            group.rules[code] += 1
            group.files += group.last != file
            group.last = file
            self._corrections += has_suggestion

    def end(self, totals: AuditTotals) -> None:
        """Write the groups, the worst first; of rules the most frequent first."""
        groups = sorted(self._groups.values(), key=self._rank)
        shown = groups[:_WORST] if self._is_brief else groups
        if self._form == "csv":
            self.out.write(csv_row(_RULE_FIELDS if self._by == "rule" else (self._by, *_FIELDS)))
        for group in shown:
            self.out.write(self._text(group) if self._form == "text" else self._record(group))
        if self._is_brief and groups:
            self.out.write(self._advice(len(groups) - len(shown)))

    def _severity(self, group: _Group) -> Severity:
        return min((self._rules[code].severity for code in group.rules), key=lambda each: each.rank)

    def _rank(self, group: _Group) -> tuple[int, int, str]:
        is_rule = self._by == "rule"
        worst = 0 if is_rule else self._severity(group).rank
        return worst, -group.rules.total(), group.text if is_rule else ""

    def _record(self, group: _Group) -> str:
        """Return a group for machines."""
        counts = str(self._severity(group)), group.rules.total(), group.files
        if self._by == "rule":
            values: tuple[object, ...] = group.text, self._rules[group.text].name, *counts
            row = dict(zip(_RULE_FIELDS, values, strict=True))
        else:
            values = group.text, *counts, " ".join(group.rules), group.first
            row = dict(zip((self._by, *_FIELDS), values, strict=True))
        if self._form == "csv":
            return shown_row(row.values())
        return json_line(row, names=("file", "first")) + "\n"

    def _text(self, group: _Group) -> str:
        """Return the line of a group for people."""
        severity, count = self._severity(group), group.rules.total()
        documents = number(group.files, "document")
        if self._by == "rule":
            name = self._rules[group.text].name
            return f"{count:>9,}  {group.text}  {severity!s:<7}  {name}, in {documents}\n"
        findings = number(count, "finding")
        by_rule = ", ".join(
            f"{self._rules[code].name} {n:,}" for code, n in group.rules.most_common()
        )
        if self._by == "file":
            return f"{escape(group.text)}: {self._shown(severity)}: {findings}: {by_rule}\n"
        rest = f": {by_rule}" if self._by == "target" else ""
        line = f"{escape(group.first)}: {self._shown(severity)} {escape(group.text)}{rest}"
        return f"{line}; {findings} in {documents}\n"

    def _shown(self, severity: Severity) -> str:
        """Return a severity, in colour on a terminal."""
        return styled(severity, f"bold {_COLOURS[severity]}") if has_colours(self.out) else severity

    def _advice(self, more: int) -> str:
        """Return how to list the other groups and every finding, and what mends them."""
        lines = ["every finding: --group-by none"]
        if more:
            lines.insert(0, f"{number(more, 'other cause')}: --group-by cause")
        if self._corrections:
            findings = number(self._corrections, "finding")
            lines.append(f"{findings} with a correction: --diff shows it, --fix writes it")
            paths = click.get_current_context().params["paths"]
            if paths and "-" not in paths:  # a file can be replaced
                words = ["linkfix", "audit", "--fix", *sys.argv[sys.argv.index("audit") + 1 :]]
                lines.append(f"  {escape(shlex.join(words))}")
        return "".join(f"\n  {line}" for line in lines) + "\n"
