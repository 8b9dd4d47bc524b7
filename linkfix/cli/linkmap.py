"""Options of link maps, and of how links are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.output import complain, number
from linkfix.errors import LinkMapError
from linkfix.files.access import given_content
from linkfix.server.addresses import SiteAddress

if TYPE_CHECKING:
    from linkfix.cli.rewrite.sums import Sums
    from linkfix.policy import LinkMap
    from linkfix.rewriting import Outcome

#: How many rules that were never used are named.
_NAMED = 20

_STYLES = {
    "absolute": "Write links within the site with scheme and host.",
    "relative": "Write links within the site relative to their document.",
    "root-relative": "Write links within the site as paths from its root.",
}


def map_options(function: Any) -> Any:
    """Add the options for a link map and the style of references."""
    for style, help_ in reversed(_STYLES.items()):
        function = click.option(
            f"--{style}", "style", flag_value=style, multiple=True, callback=_only_one, help=help_
        )(function)
    function = click.option(
        "--unmatched",
        "unmatched_path",
        type=click.Path(),
        metavar="FILE",
        help="Write one line of JSON for each link that no rule of the map is for.",
    )(function)
    function = click.option(
        "--map-level",
        type=click.Choice(["simple", "syntax", "scheme"]),
        default="scheme",
        show_default=True,
        help="How links are compared with the rules of the map.",
    )(function)
    return click.option(
        "--map",
        "map_path",
        type=click.Path(),
        metavar="FILE",
        help="Lead links elsewhere, as the rules in a CSV or TOML file say.",
    )(function)


def _only_one(_: click.Context, __: click.Parameter, styles: tuple[str, ...] | str) -> str:
    """Return the style that the options name; ``keep`` for none."""
    if isinstance(styles, str):  # click calls this for each option of the same name
        return styles
    if len(set(styles)) > 1:
        names = " and ".join(f"--{style}" for style in dict.fromkeys(styles))
        raise click.UsageError(f"{names} exclude each other.")
    return styles[0] if styles else "keep"


def target_from(options: dict[str, Any], site: str | None = None) -> LinkMap | None:
    """Read the link map that the options name.

    Args:
        options: those of `map_options` and ``base``.
        site: absolute IRI that relative rules are resolved against; None for the base.

    Returns:
        The map, None for none. Where it cannot be used, messages say why and the command ends.

    """
    path = options["map_path"]
    base = site or options["base"]
    if site is None and base is not None and options["root"] is not None:
        base = SiteAddress.at(base).root
    if options["style"] != "keep" and base is None:
        raise click.UsageError(f"--{options['style']} needs --base, the address of the document.")
    if path is None:
        if options["unmatched_path"] is not None:
            raise click.UsageError("--unmatched needs --map, whose rules links are held against.")
        return None
    from linkfix.policy import LinkMap

    try:
        text = _read(path)
        return LinkMap.parse(
            text,
            format="toml" if path.lower().endswith(".toml") else "csv",
            name=path,
            level=options["map_level"],
            site=base,
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


def unmatched_record(name: str, outcome: Outcome) -> dict[str, Any] | None:
    """Return the record of a link without a rule in the map; None for other links."""
    if not outcome.unmatched:
        return None
    link = outcome.link
    return {
        "file": name,
        **link.where(),
        "value": link.value,
        "resolved": outcome.resolved,
    }


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
