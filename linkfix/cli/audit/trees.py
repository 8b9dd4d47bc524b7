"""The folders that are audited, for the rules about files: which file a link means, and where a document is.

Input: a document of a folder. Output: the files of its site, and its place there. Without ``--base`` the address of
a site is made up. Each process lists a folder when its first document asks for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from linkfix.auditing.base import made_up
from linkfix.cli.output import complain
from linkfix.files.paths import relative, split_packed
from linkfix.server.addresses import SiteAddress
from linkfix.server.server import server_of
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linkfix.auditing import Rule
    from linkfix.cli.options.audit import AuditOptions
    from linkfix.files.tree import Found
    from linkfix.policy import Policy

#: The beginnings of the codes of the rules about files.
_CODES = "TGT"


class Trees:
    """The folders of a run.

    Args:
        options: of the command.
        policy: how documents are read.
        roots: the folders that are audited, in order.
        known: returns the targets of fragments in the document at a path, None if they must be read; None for no such
            knowledge.

    """

    def __init__(
        self,
        options: AuditOptions,
        policy: Policy,
        roots: Sequence[str],
        known: Callable[[str], Iterable[str] | None] | None = None,
    ) -> None:
        self._known = known
        self._options = options
        self._policy = policy
        self._numbers = {root: number for number, root in enumerate(roots)}
        self._files: dict[str, TargetFiles] = {}

    def of(self, found: Found, rules: Sequence[Rule]) -> tuple[TargetFiles | None, str | None, str]:
        """Return the files of a document's site, the URI of its place there if no base is known, and its path there.

        Args:
            found: the document.
            rules: the rules in force.

        Returns:
            Nothing for a document that was named itself, and where no rule is about files.

        """
        root, path = self.place(found)
        if not root or not any(rule.code.startswith(_CODES) for rule in reversed(rules)):
            return None, None, ""
        base, site = self._options.document.base, self._options.document.root
        if base is None:
            address = SiteAddress(made_up(self._numbers.get(root, 0)))
            return self._files_of(root, address), address.document(path), path
        address = SiteAddress.at(base)
        inside = relative(root, site) if site and split_packed(root) else None
        if inside not in {None, os.curdir}:  # a container in the folder whose address is known
            address = SiteAddress(address.uri(inside or "", is_folder=True))
        return self._files_of(root, address) if site else None, None, path

    def home(self, root: str) -> str:
        """Return the path of the page that the server shows for a root, "" if there is none or the root is not known."""
        files = self._files.get(root)
        return "" if files is None else files.home

    def newly_linked(self, found: Found) -> list[str] | None:
        """Return `TargetFiles.newly_linked` of a document's site; None where no rule is about files."""
        files = self._files.get(self.place(found)[0])
        return None if files is None else files.newly_linked()

    def add_names(self, found: Found, names: Iterable[str]) -> None:
        """Add the targets of fragments in a document that has been audited: they need not be read again."""
        root, path = self.place(found)
        if root in self._files:
            self._files[root].add_names(path, names)

    def place(self, found: Found) -> tuple[str, str]:
        """Return the root of a document's site, "" for none, and its path there."""
        root = self._options.document.root
        if root and split_packed(found.root) is None:
            path = relative(found.path, root)
            if path is not None:
                return root, path
        return found.root, found.relative

    def _files_of(self, root: str, address: SiteAddress) -> TargetFiles:
        """Return the files of a folder; list it the first time."""
        if root not in self._files:
            document = self._options.document
            server = server_of(root, address, self._options.served(), complain)
            self._files[root] = TargetFiles(
                server,
                self._policy,
                document.charset,
                self._known,
                None if document.type == "warc" else document.kind,
                follows_temporary=self._options.fix_temporary,
            )
        return self._files[root]
