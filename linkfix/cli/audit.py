"""``linkfix audit``: what is wrong with the links of documents."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.documents import STANDARD_INPUT, each, opened
from linkfix.cli.options import document_options, paths_argument, policy_from, policy_options
from linkfix.cli.output import complain, escape, json_line, write
from linkfix.site.files import chunks

if TYPE_CHECKING:
    from linkfix.auditing import Finding

__all__ = ["command"]


def _text(file: str, finding: Finding) -> None:
    place = f"{file}:{finding.line}:{finding.column}"
    write(escape(f"{place}: {finding.severity} {finding.code} {finding.name}: {finding.message}"))
    link = finding.link
    if link is None:
        return
    before, marked, after = (
        escape(part)
        for part in (
            link.value[: finding.first],
            link.value[finding.first : finding.last],
            link.value[finding.last :],
        )
    )
    write(f"    {before}{marked}{after}")
    write(f"    {' ' * len(before)}{'^' * max(1, len(marked))}")
    if finding.suggestion is not None:
        write(f"    rewrite: {escape(finding.suggestion)}")


def _jsonl(file: str, finding: Finding) -> None:
    link = finding.link
    write(
        json_line(
            {
                "file": file,
                "line": finding.line,
                "column": finding.column,
                "start": finding.start,
                "end": finding.end,
                "rule": finding.code,
                "name": finding.name,
                "severity": str(finding.severity),
                "message": finding.message,
                "section": finding.section,
                "element": link.element if link else None,
                "attribute": link.attribute if link else None,
                "value": link.value if link else None,
                "first": finding.first,
                "last": finding.last,
                "suggestion": finding.suggestion,
            }
        )
    )


@click.command("audit")
@paths_argument
@click.option(
    "--format",
    "output",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="How findings are listed.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "advice", "never"]),
    default="error",
    show_default=True,
    help="The least severity that makes the exit status 1.",
)
@document_options
@policy_options
@click.pass_context
def command(
    ctx: click.Context, /, paths: tuple[str, ...], output: str, fail_on: str, **options: Any
) -> None:
    """Report what is wrong with the links of documents, and what a rewrite would make of them.

    With no PATH, or -, standard input is read. `linkfix rules ID` explains a finding.
    """
    from linkfix.auditing import Auditor, Severity

    put = _text if output == "text" else _jsonl
    policy = policy_from(options)
    counts: Counter[str] = Counter()
    failing = False

    def take(name: str, findings: list[Finding]) -> None:
        nonlocal failing
        for finding in findings:
            put(name, finding)
            counts[str(finding.severity)] += 1
            failing |= fail_on != "never" and finding.severity.at_least(Severity(fail_on))

    def work(path: str) -> None:
        name = STANDARD_INPUT if path == "-" else path
        auditor = Auditor(
            policy,
            type=None if options["type"] == "auto" else options["type"],
            charset=options["charset"],
            base=options["base"],
            name=name,
        )
        with opened(path) as source:
            for data in chunks(source):
                take(name, auditor.feed(data))
        take(name, auditor.close())
        counts["links"] += auditor.links
        counts["documents"] += 1

    status = each(paths, work)
    if output == "text":
        complain(
            f"{counts['documents']} documents, {counts['links']} links: {counts['error']} errors, "
            f"{counts['warning']} warnings, {counts['advice']} pieces of advice"
        )
    ctx.exit(status or int(failing))
