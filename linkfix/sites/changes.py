"""What an audit of changes looks at: documents that differ from a revision, and links to files that are gone.

Input: the files of a site, and what differs from a revision. Output: a view of these files in which, for documents that do not
differ, only those are missing that the revision had.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkfix.errors import MoveError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.auditing.rule import FileProblem
    from linkfix.charset import Charset
    from linkfix.files.revisions import Changes
    from linkfix.migration.moving import SiteMove
    from linkfix.server.targets import TargetFiles

#: How many renamed files and folders there may be whose links a fix rewrites: a plan has a list of all files.
_PLANNED = 50


@dataclass(frozen=True, slots=True)
class Renamed:
    """What was renamed in a folder since a revision; links to it may have the old paths.

    Attributes:
        folder: its path.
        paths: the old path of each file or folder from there, and the new one.

    """

    folder: str
    paths: tuple[tuple[str, str], ...]


def renamed_in(folder: str, changes: Changes) -> Renamed:
    """Return what was renamed in a folder."""
    root = os.path.realpath(folder)
    pairs = [
        (os.path.relpath(old, root), os.path.relpath(new, root)) for old, new in changes.renamed()
    ]
    inside = (pair for pair in pairs if not any(path.startswith("../") for path in pair))
    return Renamed(folder, tuple(inside))


class ChangedFiles:
    """The files of a site, of which some are gone (`linkfix.facts.join.SiteFiles`).

    Args:
        files: of the site as it is.
        changes: what differs from the revision.
        only: whether a link has a problem only if it leads to a file that is gone.

    """

    def __init__(self, files: TargetFiles, changes: Changes, *, only: bool) -> None:
        self._files, self._server = files, files.server
        self._gone, self._only = changes.gone, only
        self._root = os.path.realpath(self._server.listing.root)
        pairs = renamed_in(self._root, changes).paths
        self._pairs = pairs if len(pairs) <= _PLANNED else ()
        self._plans: dict[tuple[str, str], SiteMove | None] = {}
        self.path: Callable[[str, Charset], str] = files.path
        self.newly_linked: Callable[[], list[str]] = files.newly_linked

    def problem(self, uri: str, charset: Charset, path: str = "") -> FileProblem | None:
        """Return what is wrong with a target; its new path is the near miss of a file that was renamed."""
        problem = self._files.problem(uri, charset, path)
        if problem is None or problem.what in {"fragment", "redirected", "own"}:
            return None if self._only else problem
        for old in self._paths(uri):
            new = self._gone.get(os.path.join(self._root, old))  # noqa: PTH118 - bytes in names
            if new is not None:
                if not new:
                    return problem
                near = os.path.relpath(new, self._root)
                return problem._replace(near=(near,), new_target=self._target(uri, old, near))
        return None if self._only else problem

    def _paths(self, uri: str) -> Iterator[str]:
        """Yield the paths of the files that the server may have had for a URI."""
        server = self._server
        located = server.address.locate(server.at_home(uri.partition("#")[0]))
        if located is not None:
            yield located.path
            for name in server.listing.indices(located.path):
                yield f"{located.path}/{name}".lstrip("/")
            yield f"{located.path}.html"

    def _target(self, uri: str, old: str, new: str) -> str:
        """Return the URI under which the server has a file now, as `linkfix mv --after` finds it; "" for none.

        Args:
            uri: absolute, of a link to the file at its old path.
            old: that path.
            new: the path that the file has now.

        """
        from linkfix.charset import lookup
        from linkfix.iri.resolution import without_dots

        whole = without_dots(uri)
        for pair in self._pairs:
            if old == pair[0] or old.startswith(f"{pair[0]}/"):
                plan = self._plan(pair)
                target = None if plan is None else plan.target(whole)
                answer = None if target is None else self._server.answer(target, lookup("utf-8"))
                if target is not None and answer is not None and answer.path == new:
                    return target
        return ""

    def _plan(self, pair: tuple[str, str]) -> SiteMove | None:
        from linkfix.migration.moving import plan_links

        if pair not in self._plans:
            try:
                self._plans[pair] = plan_links(self._server, *pair)
            except MoveError:  # the old path has another file now, say
                self._plans[pair] = None
        return self._plans[pair]
