"""The folders that are audited, for the rules about files: which file a link means, and where a document is.

Input: a document of a folder. Output: the files of its site, and its place there. Without ``--base`` the address of
a site is made up. Only the process that judges the documents lists a folder.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from linkfix.auditing.base import made_up
from linkfix.cli.output import complain
from linkfix.files.paths import relative, split_packed
from linkfix.server.addresses import SiteAddress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.auditing import Rule
    from linkfix.cli.options.reading import AuditOptions
    from linkfix.files.tree import Found
    from linkfix.policy import Policy
    from linkfix.server.targets import TargetFiles

#: The beginnings of the codes of the rules about files.
_CODES = "TGT"


class Trees:
    """The folders of a run.

    Args:
        options: of the command.
        policy: how documents are read.
        roots: the folders that are audited, in order.

    """

    def __init__(self, options: AuditOptions, policy: Policy, roots: Sequence[str]) -> None:
        self._options = options
        self._policy = policy
        self._numbers = {root: number for number, root in enumerate(roots)}
        self._files: dict[str, TargetFiles] = {}

    def has_files(self, found: Found, rules: Sequence[Rule]) -> bool:
        """Return whether the files of a document's site are known: not those of a document that was named itself.

        Args:
            found: the document.
            rules: the rules in force.

        """
        document = self._options.document
        root, _ = self.place(found)
        is_known = bool(root) and (document.base is None or bool(document.root))
        return is_known and any(rule.code.startswith(_CODES) for rule in reversed(rules))

    def location(self, found: Found, rules: Sequence[Rule]) -> str | None:
        """Return the URI of the place of a document in its site, if no base is known and the files are."""
        root, path = self.place(found)
        if self._options.document.base is not None or not self.has_files(found, rules):
            return None
        return self._address(root).document(path)

    def _address(self, root: str) -> SiteAddress:
        base, site = self._options.document.base, self._options.document.root
        if base is None:
            return SiteAddress(made_up(self._numbers.get(root, 0)))
        address = SiteAddress.at(base)
        inside = relative(root, site) if site and split_packed(root) else None
        if inside in {None, os.curdir}:
            return address
        # a container in the folder whose address is known
        return SiteAddress(address.uri(inside or "", is_folder=True))

    def place(self, found: Found) -> tuple[str, str]:
        """Return the root of a document's site, "" for none, and its path there."""
        root = self._options.document.root
        if root and split_packed(found.root) is None:
            path = relative(found.path, root)
            if path is not None:
                return root, path
        return found.root, found.relative

    def files(self, root: str) -> TargetFiles:
        """Return the files of a folder; list it the first time."""
        if root not in self._files:
            document = self._options.document
            from linkfix.server.server import server_of
            from linkfix.server.targets import TargetFiles

            server = server_of(root, self._address(root), self._options.served(), complain)
            self._files[root] = TargetFiles(
                server,
                self._policy,
                document.charset,
                None if document.type == "warc" else document.kind,
                follows_temporary=self._options.fix_temporary,
            )
        return self._files[root]
