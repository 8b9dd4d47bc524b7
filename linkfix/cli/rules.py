"""``linkfix rules``: the catalogue of the audit's rules."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import TYPE_CHECKING

import click

from linkfix.cli.options.rules import RulesOptions, known_rules
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import write

if TYPE_CHECKING:
    from linkfix.auditing import Rule

#: The meaning of the first letters of a code.
CONCERNS = {
    "SYN": "Syntax",
    "ENC": "Percent-encoding and charsets",
    "DEL": "White space and delimiters",
    "HST": "Hosts",
    "UNI": "Characters",
    "BID": "Right-to-left text",
    "SCH": "Schemes, ports and user information",
    "PTH": "Paths",
    "REF": "References and bases",
    "SIT": "Links across documents",
    "TGT": "Files and fragments",
    "DOC": "Documents",
}

#: What JSON says of a rule.
_FIELDS = ("code", "name", "severity", "section", "page")
#: What rules are about that linkfix has not.
OWN = "Own rules"

_HEAD = """\
# The rules of the audit

<!-- Written by `linkfix rules --format markdown`; change the modules of the rules. -->

An **error** is a link that no grammar of IRIs allows or no browser follows, or whose bytes are lost; a
**warning** one that some readers get wrong or that was hardly meant; **advice** is what could be better.
"""


@made_command("rules", RulesOptions)
def command(ctx: click.Context, options: RulesOptions) -> int:
    """List the rules of the audit, or explain those named by code or name.

    The beginning of a code, such as ENC, lists the rules of one concern. In Markdown and JSON, every page is written where no rule
    is named.
    """
    from linkfix.auditing import select

    ids, output = known_rules(options.ids, "ID"), options.output
    chosen = select(ids)
    if output == "markdown":
        write(markdown(chosen).rstrip("\n"))
    elif output == "json":
        write(json.dumps([_record(entry) for entry in chosen], indent=1))
    elif ids and len(chosen) <= len(ids):
        for entry in chosen:
            write(f"{entry.code} {entry.name} ({entry.severity})\n")
            write(entry.page)
            write(f"\nSource\n    {entry.section}\n")
    else:
        for entry in chosen:
            title = entry.page.splitlines()[0]
            write(f"{entry.code}  {entry.severity:<8}{entry.name:<25}{title}")
    return 0


def _record(entry: Rule) -> dict[str, str]:
    return {name: str(getattr(entry, name)) for name in _FIELDS}


def markdown(entries: list[Rule]) -> str:
    """Write the pages of rules as one Markdown document."""
    parts = [_HEAD]
    for concern, group in groupby(entries, key=lambda entry: entry.code[:3]):
        parts.append(f"## {CONCERNS.get(concern, OWN)}\n")
        parts += [section(entry) for entry in group]
    return "\n".join(parts)


def section(entry: Rule) -> str:
    """Write the page of a rule as a section in Markdown."""
    title, _, rest = entry.page.partition("\n\n")
    lines = [f"### {entry.code} {entry.name}\n", f"*{entry.severity}* · {_plain(title)}\n"]
    for block in rest.split("\n\n"):
        heading, _, text = block.partition("\n")
        body = [line.strip() for line in text.splitlines()]
        if heading == "Example":
            lines += [f"**{heading}**\n", "```text", *body, "```\n"]
        else:
            lines.append(f"**{heading}.** {_plain(' '.join(body))}\n")
    lines.append(f"**Source.** {entry.section}\n")
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Escape the characters of Markdown's markup in a text; what is in backticks stays as it is."""
    pieces = re.split("(`[^`]*`)", text)
    return "".join(
        piece if index % 2 else re.sub(r"([<*_\[\]#])", r"\\\1", piece)
        for index, piece in enumerate(pieces)
    )
