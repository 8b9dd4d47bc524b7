"""The settings of each command; those of ``iri`` and ``rules`` are beside their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from linkfix.cli.options import documents
from linkfix.cli.options.links import (
    LinkOptions,
    MapOptions,
    base_option,
    normalize_option,
    to_option,
)
from linkfix.cli.options.operands import PathOrURL, label
from linkfix.cli.options.rules import OwnRules, RuleChoice, rules_option
from linkfix.cli.options.serving import RedirectOptions, ServingOptions
from linkfix.cli.options.table import (
    Where,
    argument,
    choice,
    file_option,
    flag,
    group,
    number,
    option,
    patterns_option,
    settings,
)

if TYPE_CHECKING:
    from linkfix.server.labels import Labels
    from linkfix.server.serving import Serving


@settings
class ExtractOptions:
    """The settings of ``linkfix extract``.

    Attributes:
        output: How links are listed.
        unknown: List instead the values that look like links in attributes that no table has.
        readable: Show values and URIs for people: with as little percent-encoding as links in text allow.
        quiet: Say nothing but links and errors.

    """

    inputs: documents.PathOptions = group(documents.PathOptions)
    output: Literal["text", "jsonl", "csv"] = choice("text", "--format")
    unknown: bool = flag()
    readable: bool = flag()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)


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
    cache: str | None = file_option(dir_okay=False)
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

    def served(self) -> Serving:
        """Return how the server maps URLs to files."""
        return self.serving.serving(self.document.index)

    @property
    def grouping(self) -> str | None:
        """What findings are grouped by; None where nobody said it."""
        return "rule" if self.statistics else self.group_by


@settings
class GraphOptions:
    """The settings of ``linkfix graph``.

    Attributes:
        output: How the graph is written; csv has the links only.
        broken: Write only links that lead nowhere.
        orphans: Write only the documents that no other document links to.
        base: The address of the folder.
        quiet: Say nothing but errors.

    """

    paths: tuple[str, ...] = argument(
        metavar="PATH...", nargs=-1, required=True, type=PathOrURL(exists=True, file_okay=False)
    )
    output: Literal["jsonl", "csv", "graphml", "dot"] = choice("jsonl", "--format")
    output_path: str | None = documents.output_option()
    broken: bool = flag()
    orphans: bool = flag()
    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    serving: ServingOptions = group(ServingOptions)
    charset: str | None = documents.charset_option()
    default_charset: str | None = documents.default_charset_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    links: LinkOptions = group(LinkOptions)


@settings
class VerifyOptions:
    """The settings of ``linkfix verify``.

    Attributes:
        transcoded: The new documents are in UTF-8, and name it where the old ones named another charset.
        urls: Compare no documents; ask NEW for the old addresses in a sitemap, an access log, a list, or
            the folder OLD.
        ask: Ask the server at this address over HTTP, instead of the model of NEW: http://127.0.0.1:8000
        rate: Ask at most so often in a second; another machine is asked only if this is said.
        quiet: Write no summary.

    """

    old: str = argument(type=PathOrURL())
    new: str = argument(type=PathOrURL())
    transcoded: bool = flag()
    urls: str | None = option(where=Where.LINE, type=click.Path(exists=True), metavar="FILE")
    ask: str | None = option(where=Where.LINE, metavar="URL")
    rate: int = number("N", 0, 0, where=Where.LINE)
    serving: ServingOptions = group(ServingOptions)
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    map: MapOptions = group(MapOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)


#: For each work, the options that it has and others have not.
OWN = {
    "extract": {"form", "by", "largest", "split"},
    "audit": {"form", "by", "largest", "split", "select", "ignore", "fail_on"},
    "rewrite": {"to", "normalize"},
    "targets": {"fail_on"},
}


@settings
class SparkOptions:
    """The settings of ``linkfix spark``.

    Attributes:
        output: The folder for new files, which every machine of the cluster must have, or its URL.
        master: Where Spark runs, as local[4] or spark://host:7077.  [default: all cores of this machine]
        form: How links and findings are written.
        by: Parquet files in one folder for each host, or one for each WARC file.
        largest: The largest document whose links or findings are listed, since it is in memory as a whole.
        split: Divide larger WARC files between several tasks.
        base: The address of documents whose record has none.
        quiet: Say nothing but errors.

    """

    work: Literal["extract", "audit", "rewrite", "targets"] = argument(
        type=click.Choice([*OWN]), metavar=f"[{'|'.join(OWN)}]"
    )
    paths: tuple[str, ...] = argument(metavar="PATH...", nargs=-1, required=True, type=click.Path())
    output: str = option(
        *("-o", "--output"),
        where=Where.LINE,
        type=PathOrURL(writes=True, file_okay=False),
        required=True,
        metavar="DIR",
    )
    master: str | None = option(where=Where.LINE, metavar="URL")
    form: Literal["parquet", "jsonl"] = choice("parquet", "--format")
    by: Literal["host", "file"] = choice("host")
    largest: int = number("MIB", 256, 1, 2047)
    split: int = number("MIB", 2048, 1, where=Where.FILE)
    rules: RuleChoice = group(RuleChoice)
    to: Literal["uri", "iri"] = to_option()
    normalize: Literal["none", "syntax", "scheme"] = normalize_option()
    default_charset: str | None = documents.default_charset_option()
    charset: str | None = documents.charset_option()
    base: str | None = base_option()
    quiet: bool = documents.quiet_option()
    links: LinkOptions = group(LinkOptions)


@settings
class LspOptions:
    """The settings of ``linkfix lsp``.

    Attributes:
        base: The address of the first folder of the editor.

    """

    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    select: list[str] = rules_option("--select", "The rules in force.  [default: ALL]")
    ignore: list[str] = rules_option("--ignore", "Rules that are not in force.")
    own: OwnRules = group(OwnRules)
    serving: ServingOptions = group(ServingOptions)


@settings
class RewriteOptions:
    """The settings of ``linkfix rewrite``.

    Attributes:
        in_place: Replace each file, whole or not at all, if it changes.
        output: Write the new documents to a folder, in which the folders of the old ones are mirrored.
        backup: With --in-place: keep the old bytes under the name with SUFFIX, if they change.
        dry_run: Write nothing; list the files that would change.
        diff: Write nothing but a diff for `patch`.
        resume: Go on with a run over files that was stopped or killed.
        journal: Where what is done is noted, for --resume.  [default: beside the documents]
        report_path: Write one line of JSON for each link that was changed.
        quiet: Say nothing about what was done.

    """

    inputs: documents.PathOptions = group(documents.PathOptions)
    to: Literal["uri", "iri"] = to_option()
    in_place: bool = flag(*("-i", "--in-place"), where=Where.LINE)
    output: str | None = option(
        *("-o", "--output"),
        where=Where.LINE,
        type=PathOrURL(writes=True, file_okay=False),
        metavar="DIR",
    )
    backup: str | None = option(where=Where.LINE, metavar="SUFFIX")
    dry_run: bool = flag(where=Where.LINE)
    diff: bool = flag(where=Where.LINE)
    resume: bool = flag(where=Where.LINE)
    journal: str | None = file_option(dir_okay=False)
    report_path: str | None = file_option("--report")
    normalize: Literal["none", "syntax", "scheme"] = normalize_option()
    quiet: bool = documents.quiet_option()
    verify: bool = documents.verify_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    map: MapOptions = group(MapOptions)
    document: documents.DocumentOptions = group(documents.DocumentOptions)
    links: LinkOptions = group(LinkOptions)


@settings
class MvOptions:
    """The settings of ``linkfix mv``.

    Attributes:
        root: The root of the site, in which OLD and NEW are.  [default: the current folder]
        base: The address of the root.
        dry_run: Change nothing; list the files that would change.
        diff: Change nothing; write a diff of the documents.
        after: OLD has become NEW already: rewrite the links, move nothing.
        resume: Go on with a move that was stopped or killed.
        report_path: Write one line of JSON for each link that was changed.
        quiet: Say nothing but what is wrong.

    """

    old: str = argument(type=click.Path())
    new: str = argument(type=click.Path())
    root: str | None = option(where=Where.SITE, metavar="DIR")
    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    serving: ServingOptions = group(ServingOptions)
    charset: str | None = documents.charset_option()
    default_charset: str | None = documents.default_charset_option()
    redirect: RedirectOptions = group(RedirectOptions)
    dry_run: bool = flag(where=Where.LINE)
    diff: bool = flag(where=Where.LINE)
    after: bool = flag(where=Where.LINE)
    resume: bool = flag(where=Where.LINE)
    report_path: str | None = file_option("--report")
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    tree: documents.TreeOptions = group(documents.TreeOptions)
    links: LinkOptions = group(LinkOptions)


def _labels(values: tuple[str, ...]) -> Labels:
    from linkfix.server.labels import Labels

    return Labels.parse(values)


def _labels_option(name: str) -> Any:
    return option(name, multiple=True, parse=_labels, metavar="[PATTERN=]LABEL")


def _extensions(values: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for value in values:
        old, equals, new = value.partition("=")
        good = equals and all(len(each) > 1 and each[0] == "." for each in (old, new))
        if not good or "/" in value or "\0" in value:
            raise ValueError(f"{value!r} is not like .htm=.html")
        if old.lower() in found:
            raise ValueError(f"{old} is renamed twice")
        found[old.lower()] = new
    return found


def _utf_8(value: str) -> str:
    from linkfix.charset import lookup

    if lookup(value).name != "UTF-8":
        raise ValueError(
            f"{value} is no charset to migrate to; HTML has to be in UTF-8 (HTML Standard, 4.2.5.4)"
        )
    return value


def _root(value: str | None) -> str | None:
    from linkfix.server.addresses import SiteAddress

    return None if value is None else SiteAddress.at(value).root


@settings
class MigrateOptions:
    """The settings of ``linkfix migrate``.

    Attributes:
        charset: The charset of the new documents.
        to: Rewrite all links to canonical URIs or readable IRIs; otherwise only those that have to.
        base: The address of the folder SRC.
        extensions: Give files another extension, as .htm=.html.
        names: The charset that names on disk are in; they become UTF-8.
        headers: The charset in the Content-Type headers of the old server.
        fix_case: Correct links that reach a file by other case.
        unescape: Write characters as themselves that were references.
        forms: Let forms go on being submitted in the old charset, or leave them as they are.
        exclude: Leave files and folders behind, by patterns as in .gitignore.
        copy: Copy these files as they are, although they look like documents: *.inc, templates/.
        parts: Files that pages include: they get no declaration, and are in the charset of the
            pages.  [default: *.inc, *.ssi, and what <!--#include --> names]
        pages: Migrate these files too, although a server runs code in them, as *.php: markup and text; the code
            stays, in the new charset.
        decisions_path: Take the charsets of pages that declare none from this file; write into it what is to be
            decided, with the evidence.
        accept: Go on although something needs a decision.
        accept_guesses: Write pages in UTF-8 whose charset was guessed; otherwise they are copied.
        accept_losses: Write files with octets that are malformed in their charset, which become U+FFFD;
            otherwise they are copied.
        hard_link: Make hard links of files that do not change.
        resume: Go on with a migration that was stopped or killed.
        dry_run: Do everything but write the new tree.
        report_path: Write what was done and found as lines of JSON.
        quiet: Say nothing but errors.

    """

    source: str = argument(metavar="SRC", type=PathOrURL(exists=True, file_okay=False))
    target: str = argument(metavar="DST", type=PathOrURL(writes=True))
    charset: str = option(
        type=label(), default="utf-8", show_default=True, parse=_utf_8, metavar="utf-8"
    )
    to: Literal["uri", "iri"] | None = choice(None)
    base: str | None = base_option(parse=_root)
    map: MapOptions = group(MapOptions)
    extensions: dict[str, str] = option(
        "--rename", multiple=True, parse=_extensions, metavar=".OLD=.NEW"
    )
    names: Labels = _labels_option("--rename-charset")
    headers: Labels = _labels_option("--source-charset")
    default_charset: str | None = documents.default_charset_option()
    fix_case: bool = flag()
    unescape: bool = flag()
    forms: Literal["pin", "leave"] = choice("pin")
    redirect: RedirectOptions = group(RedirectOptions)
    exclude: tuple[str, ...] = patterns_option()
    index: tuple[str, ...] = documents.index_option()
    copy: tuple[str, ...] = patterns_option()
    serving: ServingOptions = group(ServingOptions)
    parts: tuple[str, ...] = patterns_option("--part")
    pages: tuple[str, ...] = patterns_option("--page")
    decisions_path: str | None = file_option("--decisions", dir_okay=False)
    accept: bool = flag(where=Where.LINE)
    accept_guesses: bool = flag(where=Where.LINE)
    accept_losses: bool = flag(where=Where.LINE)
    hard_link: bool = flag(where=Where.LINE)
    work: documents.JobOptions = group(documents.JobOptions)
    resume: bool = flag(where=Where.LINE)
    dry_run: bool = flag(where=Where.LINE)
    report_path: str | None = file_option("--report", dir_okay=False)
    verify: bool = documents.verify_option()
    quiet: bool = documents.quiet_option()
    links: LinkOptions = group(LinkOptions)
