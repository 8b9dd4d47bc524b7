"""The settings of ``linkfix audit``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import click

from linkfix.cli.options.documents import (
    DocumentOptions,
    PathOptions,
    TreeOptions,
    output_option,
    quiet_option,
    verify_option,
)
from linkfix.cli.options.links import LinkOptions, normalize_option
from linkfix.cli.options.rules import OwnRules, RuleChoice
from linkfix.cli.options.serving import ServingOptions
from linkfix.cli.options.table import Where, choice, file_option, flag, group, option

if TYPE_CHECKING:
    from linkfix.server.serving import Serving


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """The settings of the command."""

    inputs: PathOptions = group(PathOptions)
    output: Literal["text", "jsonl", "sarif", "github", "junit", "csv", "html"] = choice(
        "How findings are written.", "text", "--format"
    )
    output_path: str | None = output_option()
    rules: RuleChoice = group(RuleChoice)
    own: OwnRules = group(OwnRules)
    exit_zero: bool = flag("Exit with 0 whatever is found; the same as --fail-on never.")
    group_by: Literal["none", "cause", "rule", "file", "target"] | None = choice(
        "Write groups of findings, as text, jsonl or csv. Without it a terminal shows the worst causes.",
        None,
    )
    statistics: bool = flag("Write how many findings each rule has; the same as --group-by rule.")
    baseline_path: str | None = option(
        "Leave out the findings that are in this file.",
        "--baseline",
        type=click.Path(dir_okay=False),
        metavar="FILE",
    )
    write_baseline: bool = flag(
        "Write the findings to the --baseline file instead.", where=Where.LINE
    )
    cache: str | None = file_option(
        "Keep results in this file, and audit only documents that have changed since.",
        dir_okay=False,
    )
    fix: bool = flag(
        "Rewrite in place the links for which there is a suggestion.", where=Where.LINE
    )
    fix_temporary: bool = flag(
        "Follow temporary redirects too in suggestions, not only those for good."
    )
    diff: bool = flag(
        "Write what --fix would change as a diff for `patch`, no findings.", where=Where.LINE
    )
    normalize: Literal["none", "syntax", "scheme"] = normalize_option("suggestions are")
    changed: str | None = option(
        "Audit the documents that differ from a revision of git (HEAD), and the links to files that are gone.",
        metavar="[=REF]",
    )
    serving: ServingOptions = group(ServingOptions)
    verify: bool = verify_option()
    quiet: bool = quiet_option("Say nothing but findings and errors.")
    tree: TreeOptions = group(TreeOptions)
    document: DocumentOptions = group(DocumentOptions)
    links: LinkOptions = group(LinkOptions)

    def served(self) -> Serving:
        """Return how the server maps URLs to files."""
        return self.serving.serving(self.document.index)

    @property
    def grouping(self) -> str | None:
        """What findings are grouped by; None where nobody said it."""
        return "rule" if self.statistics else self.group_by
