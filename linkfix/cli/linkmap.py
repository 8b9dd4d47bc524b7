"""Link maps: read one, report what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from linkfix.cli.output import complain, number
from linkfix.errors import LinkMapError
from linkfix.files.access import given_content

if TYPE_CHECKING:
    from linkfix.cli.options.links import MapOptions
    from linkfix.policy import LinkMap
    from linkfix.sites.results import Sums

#: How many rules that were never used are named.
_NAMED = 20


def target_from(options: MapOptions, site: str | None) -> LinkMap | None:
    """Read the link map that the options name.

    Args:
        options: the map, and the style of references.
        site: absolute IRI that relative rules are resolved against; None for none.

    Returns:
        The map, None for none. Where it cannot be used, messages say why and the command ends.

    """
    path = options.map_path
    if options.style != "keep" and site is None:
        raise click.UsageError(f"--{options.style} needs --base, the address of the document.")
    if path is None:
        if options.unmatched_path is not None:
            raise click.UsageError("--unmatched needs --map, whose rules links are held against.")
        return None
    from linkfix.policy import LinkMap

    try:
        text = _read(path)
        return LinkMap.parse(
            text,
            format="toml" if path.lower().endswith(".toml") else "csv",
            name=path,
            level=options.map_level,
            site=site,
        )
    except LinkMapError as error:
        for each in (error, *error.others):
            complain(each)
        raise click.exceptions.Exit(2) from None


def _read(path: str) -> str:
    try:
        data = given_content(path)
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}", param_hint="--map") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise LinkMapError(
            "the map is not in UTF-8",
            hint="save it in UTF-8",
            file=path,
            line=before.count(b"\n") + 1,
            offset=error.start,
        ) from None


def say_what_was_mapped(link_map: LinkMap, name: str, sums: Sums) -> None:
    """Report how many links a map changed, and the rules that matched none."""
    unused = link_map.unused()
    for rule in unused[:_NAMED]:
        place = name if rule.line is None else f"{name}:{rule.line}"
        complain(f"{place}: this rule was never used: {rule.old} ({rule.kind})")
    if len(unused) > _NAMED:
        complain(f"{name}: {len(unused) - _NAMED} more rules were never used")
    complain(
        f"{name}: {number(sums.mapped, 'link')} mapped, {sums.unmatched:,} matched no rule; "
        f"{len(unused)} of {len(link_map.rules)} rules were never used; documents: {sums.documents:,}"
    )
