"""Options for XML documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from linkfix.cli.output import complain

if TYPE_CHECKING:
    from linkfix.errors import LinkfixError
    from linkfix.links.settings import XMLSettings

_LIMITS = {
    "token": "The longest tag, comment or link text in bytes.",
    "depth": "The most elements that may be open.",
    "attributes": "The most attributes of one element.",
    "name": "The longest name in code points.",
}


def xml_options(function: Any) -> Any:
    """Add the options that say how XML documents are read."""
    from linkfix.markup.xml.events import Limits

    defaults = Limits()
    for limit, help_ in reversed(_LIMITS.items()):
        function = click.option(
            f"--max-{limit}",
            type=click.IntRange(min=1),
            default=getattr(defaults, limit),
            show_default=True,
            metavar="N",
            help=f"XML: {help_}",
        )(function)
    function = click.option(
        "--recover",
        is_flag=True,
        help="Read XML that is not well-formed leniently, with a message.",
    )(function)
    function = click.option(
        "--signed", is_flag=True, help="Rewrite XML that is signed, which makes signatures invalid."
    )(function)
    function = click.option(
        "--dtd", is_flag=True, help="Read the system identifier of a DOCTYPE as a link."
    )(function)
    function = click.option(
        "--catalog",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="OASIS XML catalog: where the schemas of documents are.",
    )(function)
    return click.option(
        "--schema",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="XML Schema or RELAX NG (XML syntax): every anyURI is a link.",
    )(function)


def xml_settings(options: dict[str, Any]) -> XMLSettings:
    """Make the settings that the options ask for."""
    from linkfix.errors import LinkfixError
    from linkfix.links.settings import XMLSettings
    from linkfix.markup.xml.events import Limits

    schema = catalog = None
    if options["catalog"] or options["schema"]:
        from linkfix.links.schemas import Catalog, load

        try:
            catalog = Catalog(options["catalog"], complain) if options["catalog"] else None
            schema = load(options["schema"], catalog) if options["schema"] else None
        except LinkfixError as error:
            raise click.UsageError(str(error)) from None
    return XMLSettings(
        limits=Limits(**{limit: options[f"max_{limit}"] for limit in _LIMITS}),
        recover=options["recover"],
        on_recover=_say,
        on_schema=complain,
        dtd=options["dtd"],
        signed=options["signed"],
        schema=schema,
        catalog=catalog,
    )


def _say(error: LinkfixError) -> None:
    error.hint = "it was read leniently from there on"
    complain(error)
