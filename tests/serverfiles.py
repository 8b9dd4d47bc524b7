"""Read one file of a server, as the site reads all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkfix.server.apache import Folder, Folders
from linkfix.server.redirects.files import read_configuration

if TYPE_CHECKING:
    from linkfix.server.redirects.rules import Redirect, Source

__all__ = ["read_redirects"]


@dataclass(frozen=True)
class _Root:
    """The redirects of the root of a site (`Source`)."""

    folder: Folder

    def find(self, uri: str) -> Redirect | None:
        return Folders({".htaccess": self.folder}).redirect(uri, "", lambda _: "/")


def read_redirects(data: bytes, name: str, site: str) -> Source:
    """Return the redirects of a file; raise the first error."""
    source, said = read_configuration(data, name, site)
    for problem in said.problems:
        raise problem
    return _Root(said.own) if source is None else source
