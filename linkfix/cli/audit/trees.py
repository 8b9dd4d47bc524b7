"""The folders that are audited, for the rules about files: which file a link means, and where a document is.

Input: a document of a folder. Output: the files of its site, and its place there. Without ``--base`` the address of
a site is made up. Each process lists a folder when its first document asks for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from linkfix.auditing.base import made_up
from linkfix.site.addresses import SiteAddress
from linkfix.site.listing import survey
from linkfix.site.server import Server
from linkfix.site.targets import TargetFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linkfix.auditing import Rule
    from linkfix.policy import Policy
    from linkfix.site.tree import Found

__all__ = ["Trees"]

#: The beginnings of the codes of the rules about files.
_CODES = "TGT"


class Trees:
    """The folders of a run.

    Args:
        options: of the command: ``base``, ``root``, ``index``, ``served``, ``clean_urls``, ``charset``.
        policy: how documents are read.
        roots: the folders that are audited, in order.

    """

    def __init__(self, options: dict[str, Any], policy: Policy, roots: Sequence[str]) -> None:
        self._options = options
        self._policy = policy
        self._numbers = {root: number for number, root in enumerate(roots)}
        self._files: dict[str, TargetFiles] = {}

    def of(self, found: Found, rules: Sequence[Rule]) -> tuple[TargetFiles | None, str | None]:
        """Return the files of a document's site, and the URI of its place there if no base is known.

        Args:
            found: the document.
            rules: the rules in force.

        Returns:
            Nothing for a document that was named itself, and where no rule is about files.

        """
        base, root = self._options["base"], self._options["root"] or found.root
        if not root or not any(rule.code.startswith(_CODES) for rule in reversed(rules)):
            return None, None
        if base is not None:
            address = SiteAddress.at(base)
            return self._files_of(root, address) if self._options["root"] else None, None
        number = self._numbers.get(root, 0)
        address = SiteAddress(made_up(number))
        return self._files_of(root, address), address.uri(found.relative)

    def add_names(self, found: Found, names: Iterable[str]) -> None:
        """Add the targets of fragments in a document that has been audited: they need not be read again."""
        root = self._options["root"]
        files = self._files.get(root or found.root)
        if files is not None:
            path = found.relative if root is None else os.path.relpath(found.path, root)
            files.add_names(path, names)

    def _files_of(self, root: str, address: SiteAddress) -> TargetFiles:
        """Return the files of a folder; list it the first time."""
        if root not in self._files:
            options = self._options
            listing = survey(root)
            listing.index_names = (*options["index"], *listing.index_names)
            server = Server(
                listing, address, served=options["served"], clean_urls=options["clean_urls"]
            )
            self._files[root] = TargetFiles(server, self._policy, options["charset"])
        return self._files[root]
