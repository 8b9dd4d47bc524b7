"""``linkfix spark``: parse the options, start the job, sum up its results."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.formats import Summary
from linkfix.cli.options.operands import PathOrURL
from linkfix.cli.options.policy import (
    absolute,
    charset_option,
    default_charset_option,
    normalize_option,
    policy_from,
    policy_options,
    to_option,
)
from linkfix.cli.options.rule_options import rule_options
from linkfix.cli.options.settings import settings_option
from linkfix.cli.output import complain, number

if TYPE_CHECKING:
    from linkfix.spark import Done

#: For each work, the options that it has and others have not.
_OWN = {
    "extract": {"form", "by", "largest", "split"},
    "audit": {"form", "by", "largest", "split", "select", "ignore", "fail_on"},
    "rewrite": {"to", "normalize"},
    "targets": {"fail_on"},
}
_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE


@click.command("spark")
@click.argument("work", type=click.Choice([*_OWN]), metavar=f"[{'|'.join(_OWN)}]")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--output",
    type=PathOrURL(writes=True, file_okay=False),
    required=True,
    metavar="DIR",
    help="The folder for new files, which every machine of the cluster must have, or its URL.",
)
@click.option(
    "--master",
    metavar="URL",
    help="Where Spark runs, as local[4] or spark://host:7077.  [default: all cores of this machine]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "jsonl"]),
    default="parquet",
    show_default=True,
    help="How links and findings are written.",
)
@click.option(
    "--by",
    type=click.Choice(["host", "file"]),
    default="host",
    show_default=True,
    help="Parquet files in one folder for each host, or one for each WARC file.",
)
@click.option(
    "--largest",
    type=click.IntRange(1, 2047),
    default=256,
    show_default=True,
    metavar="MIB",
    help="The largest document whose links or findings are listed, since it is in memory as a whole.",
)
@click.option(
    "--split",
    type=click.IntRange(min=1),
    default=2048,
    show_default=True,
    metavar="MIB",
    help="Divide larger WARC files between several tasks.",
)
@rule_options
@to_option
@normalize_option
@default_charset_option
@charset_option
@click.option(
    "--base",
    metavar="IRI",
    callback=absolute,
    help="The address of documents whose record has none.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@policy_options
@settings_option
@click.pass_context
def command(
    ctx: click.Context, /, work: str, paths: tuple[str, ...], output: str, **options: Any
) -> None:
    """Extract, audit or rewrite the links of the WARC files of a crawl, or check their targets, with Apache Spark.

    A PATH is a WARC file, a folder, or a pattern like 'crawl/**/*.warc.gz'. Without --master all cores of this machine
    work. Links and findings are written as tables, new WARC files beside each other. A run that was
    stopped or killed goes on when it is started again: what is done is not done twice.

    It needs `pip install 'linkfix[spark]'`, and Java 17 or newer or `pip install 'linkfix[java]'`.
    """
    _check(ctx, work)
    try:
        from linkfix.spark import (
            Form,
            Reading,
            rewrite_warc,
            session,
            write_findings,
            write_links,
            write_targets,
        )
    except ImportError as error:
        raise click.UsageError(str(error)) from None

    policy = policy_from(options, normalize=options["normalize"])
    largest, split = (options[name] * 1024 * 1024 for name in ("largest", "split"))
    reading = Reading(policy, options["charset"], options["base"], largest, split)
    form = Form(options["form"], options["by"])
    started = time.monotonic()
    with session(options["master"]) as spark:
        if work == "rewrite":
            done = rewrite_warc(spark, paths, output, to=options["to"], reading=reading)
        elif work == "targets":
            *done, found = write_targets(spark, paths, output, reading=reading)
        elif work == "extract":
            done = write_links(spark, paths, output, reading=reading, form=form)
        else:
            rules = {name: options[name] for name in ("select", "ignore")}
            done = write_findings(spark, paths, output, reading=reading, form=form, **rules)
    total = Counter[str](found.counts if work == "targets" else ())
    for each in done:
        total.update(each.counts)
        for text in each.errors:
            complain(text)
    if not options["quiet"]:
        complain(_summary(work, total, done) + f" ({time.monotonic() - started:.0f} s)")
    ctx.exit(3 if total["failed"] else int("fail_on" in _OWN[work] and _has_failed(total, options)))


def _check(ctx: click.Context, work: str) -> None:
    """Refuse options of another work on the command line."""
    for name in set().union(*_OWN.values()) - _OWN[work]:
        if ctx.get_parameter_source(name) is _COMMAND_LINE:
            option = next(each for each in ctx.command.params if each.name == name)
            raise click.UsageError(f"{option.opts[0]} is not for {work}.")


def _has_failed(total: Counter[str], options: dict[str, Any]) -> bool:
    from linkfix.auditing import Severity

    if options["fail_on"] == "never":
        return False
    least = Severity(options["fail_on"])
    return any(total[each] and each.at_least(least) for each in Severity)


def _summary(work: str, total: Counter[str], done: list[Done]) -> str:
    """Return the totals as one line."""
    before = sum(each.before for each in done)
    text = number(len(done), "WARC file")
    if before:
        text += f", {before:,} of them done before"
    if "fail_on" in _OWN[work]:
        summary = Summary(
            total["documents"],
            total["failed"],
            total["links"],
            suppressed=total["suppressed"],
            counts=Counter({name: total[name] for name in ("error", "warning", "advice")}),
        )
        return f"{text}: {summary}"
    text += f": {number(total['documents'], 'document')}, {number(total['links'], 'link')}"
    if work == "rewrite":
        text += f", {total['changed']:,} rewritten"
    if total["failed"]:
        text += f"; besides, {number(total['failed'], 'document')} could not be processed"
    return text
