"""An extension of Sphinx: the links of the built pages are rewritten, and they are audited.

A finding is a warning of Sphinx, which ``sphinx-build -W`` ends with; advice is information.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util import logging

from linkfix.plugins.built import finish

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add ``linkfix_to`` (``uri``, ``iri``), ``linkfix_audit`` and ``linkfix_base``, the address of the site."""
    app.add_config_value("linkfix_to", None, "", (str, type(None)))
    app.add_config_value("linkfix_audit", True, "", (bool,))
    app.add_config_value("linkfix_base", None, "", (str, type(None)))
    app.connect("build-finished", _finished)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _finished(app: Sphinx, error: Exception | None) -> None:
    config = app.config
    if error is not None or app.builder.format != "html":
        return
    base = config.linkfix_base or getattr(config, "html_baseurl", "") or None
    for is_bad, text in finish(
        str(app.outdir), base, config.linkfix_to, audit=config.linkfix_audit
    ):
        if is_bad:
            _log.warning(text, type="linkfix")
        else:
            _log.info(text)
