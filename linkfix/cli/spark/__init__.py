"""``linkfix spark``: parse the options, start the job of Apache Spark, sum up its results."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import click

from linkfix.cli.formats import fails, line
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.spark import OWN, SparkOptions
from linkfix.cli.output import complain, number, say
from linkfix.sites.auditing import AuditTotals

if TYPE_CHECKING:
    from linkfix.spark import Done

_COMMAND_LINE = click.core.ParameterSource.COMMANDLINE


@made_command("spark", SparkOptions)
def command(ctx: click.Context, options: SparkOptions) -> int:
    """Extract, audit or rewrite the links of the WARC files of a crawl, or check their targets, with Apache Spark.

    A PATH is a WARC file, a folder, or a pattern like 'crawl/**/*.warc.gz'. Without --master all cores of this machine
    work. Links and findings are written as tables, new WARC files beside each other. A run that was
    stopped or killed goes on when it is started again: what is done is not done twice.

    It needs `pip install 'linkfix[spark]'`, and Java 17 or newer or `pip install 'linkfix[java]'`.
    """
    work, paths, output = options.work, options.paths, options.output
    _check(ctx, work)
    try:
        from linkfix import spark as engine
    except ImportError as error:
        raise click.UsageError(str(error)) from None

    policy = options.links.policy(normalize=options.normalize)
    largest, split = options.largest * 1024 * 1024, options.split * 1024 * 1024
    reading = engine.Reading(policy, options.charset, options.base, largest, split)
    form, rules = engine.Form(options.form, options.by), options.rules
    started = time.monotonic()
    with engine.session(options.master) as spark:
        if work == "rewrite":
            done = engine.rewrite_warc(spark, paths, output, to=options.to, reading=reading)
        elif work == "targets":
            *done, found = engine.write_targets(spark, paths, output, reading=reading)
        elif work == "extract":
            done = engine.write_links(spark, paths, output, reading=reading, form=form)
        else:
            chosen = {"select": rules.select, "ignore": rules.ignore}
            done = engine.write_findings(spark, paths, output, reading=reading, form=form, **chosen)
    total = Counter[str](found.counts if work == "targets" else ())
    for each in done:
        total.update(each.counts)
        for text in each.errors:
            complain(text)
    say(_summary(work, total, done) + f" ({time.monotonic() - started:.0f} s)")
    if total["failed"]:
        return 3
    return int("fail_on" in OWN[work] and fails(total, rules.fail_on))


def _check(ctx: click.Context, work: str) -> None:
    """Refuse options of another work on the command line."""
    for name in set().union(*OWN.values()) - OWN[work]:
        if ctx.get_parameter_source(name) is _COMMAND_LINE:
            option = next(each for each in ctx.command.params if each.name == name)
            raise click.UsageError(f"{option.opts[0]} is not for {work}.")


def _summary(work: str, total: Counter[str], done: list[Done]) -> str:
    """Return the totals as one line."""
    before = sum(each.before for each in done)
    text = number(len(done), "WARC file")
    if before:
        text += f", {before:,} of them done before"
    if "fail_on" in OWN[work]:
        totals = AuditTotals(
            total["documents"],
            total["failed"],
            total["links"],
            suppressed=total["suppressed"],
            counts=Counter({name: total[name] for name in ("error", "warning", "advice")}),
        )
        return f"{text}: {line(totals)}"
    text += f": {number(total['documents'], 'document')}, {number(total['links'], 'link')}"
    if work == "rewrite":
        text += f", {total['changed']:,} rewritten"
    if total["failed"]:
        text += f"; besides, {number(total['failed'], 'document')} could not be processed"
    return text
