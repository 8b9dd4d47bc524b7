"""The settings of ``linkfix audit``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from linkfix.cli.options import documents
from linkfix.cli.options.links import LinkOptions, normalize_option
from linkfix.cli.options.operands import Parsed
from linkfix.cli.options.rules import OwnRules, RuleChoice
from linkfix.cli.options.sites import ServingOptions
from linkfix.cli.options.table import Where, choice, flag, group, option, settings

if TYPE_CHECKING:
    from linkfix.files.cache import Cache


def _cache(path: str) -> Cache:
    from linkfix.files.cache import Cache

    return Cache(path)


@settings
class AuditOptions:
    """The settings of ``linkfix audit``.

    Attributes:
        output: How findings are written.
        exit_zero: Exit with 0 whatever is found; the same as --fail-on never.
        group_by: Write groups of findings, as text, jsonl or csv. Without it a terminal shows the worst
            causes.
        statistics: Write how many findings each rule has; the same as --group-by rule.
        baseline_path: Leave out the findings that are in this file.
        write_baseline: Write the findings to the --baseline file instead.
        cache: Keep results in this file, and audit only documents that have changed since.
        fix: Rewrite in place the links for which there is a suggestion.
        fix_temporary: Follow temporary redirects too in suggestions, not only those for good.
        diff: Write what --fix would change as a diff for `patch`, no findings.
        changed: Audit the documents that differ from a revision of git (HEAD), and the links to files that
            are gone.
        quiet: Say nothing but findings and errors.

    """

    inputs: documents.PathOptions = group(documents.PathOptions)
    output: Literal["text", "jsonl", "sarif", "github", "junit", "csv", "html"] = choice(
        "text", "--format"
    )
    output_path: str | None = documents.output_option()
    rules: RuleChoice = group(RuleChoice)
    own: OwnRules = group(OwnRules)
    exit_zero: bool = flag()
    group_by: Literal["none", "cause", "rule", "file", "target"] | None = choice(None)
    statistics: bool = flag()
    baseline_path: str | None = option(
        "--baseline", type=click.Path(dir_okay=False), metavar="FILE"
    )
    write_baseline: bool = flag(where=Where.LINE)
    cache: Cache | None = option(where=Where.LINE, type=Parsed(_cache), metavar="FILE")
    fix: bool = flag(where=Where.LINE)
    fix_temporary: bool = flag()
    diff: bool = flag(where=Where.LINE)
    normalize: Literal["none", "syntax", "scheme"] = normalize_option("suggestions are")
    changed: str | None = option(metavar="[=REF]")
    serving: ServingOptions = group(ServingOptions)
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)

    @property
    def grouping(self) -> str | None:
        """What findings are grouped by; None where nobody said it."""
        return "rule" if self.statistics else self.group_by
