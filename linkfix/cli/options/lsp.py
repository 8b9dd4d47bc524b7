"""The settings of ``linkfix lsp``."""

from __future__ import annotations

from linkfix.cli.options import documents
from linkfix.cli.options.rules import OwnRules, rules_option
from linkfix.cli.options.sites import ServingOptions
from linkfix.cli.options.table import base_option, group, settings


@settings
class LspOptions:
    """The settings of ``linkfix lsp``.

    Attributes:
        base: The address of the first folder of the editor.

    """

    base: str | None = base_option(documents.folder_address)
    index: tuple[str, ...] = documents.index_option()
    select: tuple[str, ...] = rules_option("--select", "The rules in force.  [default: ALL]")
    ignore: tuple[str, ...] = rules_option("--ignore", "Rules that are not in force.")
    own: OwnRules = group(OwnRules)
    serving: ServingOptions = group(ServingOptions)
