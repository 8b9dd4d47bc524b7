"""Options that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.policy import Policy

__all__ = ["Label", "document_options", "paths_argument", "policy_from", "policy_options"]


class Label(click.ParamType[str]):
    """A charset label that is known; refused at once where it is not."""

    name = "label"

    def __init__(self, *also: str) -> None:
        self._also = also

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give the label, or fail as a wrong option does."""
        from linkfix.charset import lookup
        from linkfix.errors import LinkfixError

        label = str(value)
        if label in self._also:
            return label
        try:
            lookup(label, xml=True)
        except LinkfixError as error:
            self.fail(str(error), param, ctx)
        return label


def _apply(decorators: list[Callable[[Any], Any]], function: Any) -> Any:
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def paths_argument(function: Any) -> Any:
    """Add the documents: any number of paths, none or ``-`` for standard input."""
    return click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())(function)


def document_options(function: Any) -> Any:
    """Add the options that say what a document is."""
    return _apply(
        [
            click.option(
                "--type",
                "type",
                type=click.Choice(["html", "xhtml", "xml", "auto"]),
                default="auto",
                show_default=True,
                help="What the documents are.",
            ),
            click.option(
                "--charset",
                type=Label(),
                metavar="LABEL",
                help="The charset that the transport gives (as in an HTTP header).",
            ),
            click.option(
                "--base", metavar="IRI", help="What relative references are resolved against."
            ),
        ],
        function,
    )


def policy_options(function: Any) -> Any:
    """Add the options that say how links are read."""
    return _apply(
        [
            click.option(
                "--syntax",
                type=click.Choice(["auto", "web", "leiri", "iri"]),
                default="auto",
                show_default=True,
                help="How values are read; auto: Web Addresses in HTML, SVG and MathML, else LEIRIs.",
            ),
            click.option(
                "--query-charset",
                type=Label("document"),
                default="document",
                show_default=True,
                metavar="document|LABEL",
                help="The charset that queries are mapped to octets with.",
            ),
            click.option(
                "--idna",
                type=click.Choice(["uts46", "2008", "2003"]),
                default="uts46",
                show_default=True,
                help="The profile for host names.",
            ),
            click.option(
                "--nfc/--no-nfc",
                default=None,
                help="Normalize values to NFC first; otherwise only LEIRIs of legacy charsets.",
            ),
        ],
        function,
    )


def policy_from(options: dict[str, Any], **settings: Any) -> Policy:
    """Make the policy that the shared options and the settings of a command ask for."""
    from linkfix.policy import Policy

    names = ("syntax", "query_charset", "idna", "nfc")
    return Policy(**{name: options[name] for name in names}, **settings)
