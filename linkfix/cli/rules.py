"""``linkfix rules``: the catalogue of the audit's rules."""

from __future__ import annotations

import click

from linkfix.cli.output import write

__all__ = ["command"]


@click.command("rules")
@click.argument("ids", metavar="[ID]...", nargs=-1)
def command(ids: tuple[str, ...]) -> None:
    """List the rules of the audit, or explain those named by code or name."""
    from linkfix.auditing import rule, rules

    if not ids:
        for entry in rules():
            write(f"{entry.code}  {entry.severity:<8}{entry.name:<24}{entry.page.splitlines()[0]}")
        return
    for name in ids:
        found = rule(name)
        if found is None:
            raise click.BadParameter(
                f"there is no rule {name!r}; `linkfix rules` lists them all", param_hint="ID"
            )
        write(f"{found.code} {found.name} ({found.severity})\n")
        write(found.page)
        write(f"\nSource\n    {found.section}\n")
