"""A plugin of MkDocs: the links of the built site are rewritten, and the site is audited.

A finding is a warning of MkDocs, which ``mkdocs build --strict`` ends with; advice is information.
"""

from __future__ import annotations

import logging
from typing import Literal, cast

from mkdocs.config import base, config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin

from linkfix.plugins.built import finish

_log = logging.getLogger("mkdocs.plugins.linkfix")


class Settings(base.Config):  # type: ignore[no-untyped-call]
    """The settings: what links become (``uri``, ``iri``), and whether the site is audited."""

    to = config_options.Optional(config_options.Choice(("uri", "iri")))
    audit = config_options.Type(bool, default=True)


class Plugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """The plugin."""

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Process the site that was built."""
        settings = self.config
        to = cast('Literal["uri", "iri"] | None', settings.to)
        for is_bad, text in finish(
            config.site_dir, config.site_url or None, to, audit=settings.audit
        ):
            _log.log(logging.WARNING if is_bad else logging.INFO, text)
