"""The settings of ``linkfix lsp``."""

from __future__ import annotations

from dataclasses import dataclass

from linkfix.cli.options.documents import folder_address, index_option
from linkfix.cli.options.links import base_option
from linkfix.cli.options.rules import OwnRules, rules_option
from linkfix.cli.options.serving import ServingOptions
from linkfix.cli.options.table import group


@dataclass(frozen=True, slots=True, kw_only=True)
class LspOptions:
    """The settings of the command.

    Attributes:
        base: The address of the first folder of the editor.

    """

    base: str | None = base_option(folder_address)
    index: tuple[str, ...] = index_option()
    select: list[str] = rules_option("--select", "The rules in force.  [default: ALL]")
    ignore: list[str] = rules_option("--ignore", "Rules that are not in force.")
    own: OwnRules = group(OwnRules)
    serving: ServingOptions = group(ServingOptions)
