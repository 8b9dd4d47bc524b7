"""Settings of a test, with those that describe the document in one `Source`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from linkfix import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIELDS = frozenset(field.name for field in fields(Source))


def with_source(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a consumer of links."""
    known = {name: value for name, value in settings.items() if name in _FIELDS}
    rest = {name: value for name, value in settings.items() if name not in _FIELDS}
    return {**rest, "source": Source(**known)}
