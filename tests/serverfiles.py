"""Read one file of a server, as the site reads all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.server.apache import Folders
from linkfix.server.redirects.files import read_configuration

if TYPE_CHECKING:
    from linkfix.server.redirects.rules import Source

__all__ = ["read_redirects"]


def read_redirects(data: bytes, name: str, site: str) -> Source:
    """Return the redirects of a file; raise the first error."""
    source, said = read_configuration(data, name, site)
    for problem in said.problems:
        raise problem
    folders = Folders({".htaccess": said.own})
    return source or (lambda uri: folders.redirect(uri, "", lambda _: "/"))
