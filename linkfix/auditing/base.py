"""What the audit knows of base URLs: normal ones, local links, and addresses that are made up."""

from functools import lru_cache

from linkfix.deferred import pattern
from linkfix.iri import comparison_form
from linkfix.iri.quick import ORDINARY
from linkfix.iri.resolution import BaseURL

#: How links inside a document begin.
LOCAL = frozenset({"", "#", "?"})
#: The addresses of folders whose address is not known; no document has links to them.
_MADE_UP = pattern(r"http://folder-[0-9]+\.invalid(?=/)")


@lru_cache(maxsize=1024)
def is_normal(base: BaseURL) -> bool:
    """Return whether every ordinary value resolves to a target in the normal form of its scheme (3987bis, 5.3.3)."""
    folder = base.directory
    return base.root > 0 and (is_ordinary_target(folder) or comparison_form(folder) == folder)


def is_ordinary_target(target: str) -> bool:
    """Return whether an absolute URI of http, https or a local file is an ordinary value.

    It is then in the normal form of its scheme (3987bis, 5.3.3).
    """
    local = target.removeprefix("file://") if target.startswith("file:///") else target
    return ORDINARY.fullmatch(local) is not None


def made_up(number: int) -> str:
    """Return an address for a folder of a run whose address is not known."""
    return f"http://folder-{number}.invalid/"


def shown(message: str) -> str:
    """Return a message with paths in place of URIs that are `made_up`."""
    return _MADE_UP.sub("", message)
