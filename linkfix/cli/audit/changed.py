"""What an audit with ``--changed`` looks at: documents that differ from a revision, and links to files that are gone.

Input: the documents of a run. Output: for each document whether it differs, and otherwise a view of the files of its site
in which only those files are missing that the revision had. Where every document differs, all rules are in force.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from linkfix.cli.options.table import Command
from linkfix.cli.output import complain
from linkfix.errors import LimitExceededError, LinkfixError, MoveError, UnreadableError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from linkfix.auditing import Rule
    from linkfix.auditing.rule import FileProblem
    from linkfix.charset import Charset
    from linkfix.cli.batch import Batch
    from linkfix.cli.options.reading import AuditOptions
    from linkfix.files.revisions import Changes
    from linkfix.files.tree import Found
    from linkfix.migration.moving import SiteMove
    from linkfix.server.server import Server
    from linkfix.server.targets import TargetFiles

_OPTION = "--changed"
_HEAD = "HEAD"
#: How many renamed files and folders are named.
_NAMED = 10
#: How many renamed files and folders there may be whose links `--fix` rewrites.
_PLANNED = 50
#: The beginnings of the codes of the rules for documents that do not differ.
_CODES = "TGT"


class AuditCommand(Command):
    """A command in which ``--changed`` alone means ``--changed=HEAD``: it never takes a path for its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        end = args.index("--") if "--" in args else len(args)
        options = [f"{_OPTION}={_HEAD}" if each == _OPTION else each for each in args[:end]]
        return super().parse_args(ctx, options + args[end:])


def changes_of(
    paths: Sequence[str], batch: Batch, options: AuditOptions, roots: Sequence[str]
) -> Changes | None:
    """Return what differs from a revision, None without one; leave out the documents that need no audit.

    Args:
        paths: the arguments of the command.
        batch: the documents.
        options: of the command.
        roots: the folders that are audited.

    """
    if options.changed is None:
        return None
    if not paths or "-" in paths:
        raise click.UsageError("--changed needs files; standard input is in no repository.")
    from linkfix.files.revisions import changes_since

    folders = [options.document.root] if options.document.root else [*roots]
    sizes = {found.path: found.size for found in batch.documents}
    try:
        changes = changes_since(options.changed, folders, sizes, complain, batch.limits)
    except (LimitExceededError, UnreadableError, WorkerError):
        raise
    except LinkfixError as error:
        raise click.UsageError(str(error)) from None
    if not options.quiet:
        for folder in folders:
            _say_renamed(changes, folder)
    is_all = all(differs(changes, found) for found in batch.documents)
    changes = replace(changes, is_all=is_all)
    if not changes.gone:
        batch.documents = [found for found in batch.documents if differs(changes, found)]
    return changes


def _say_renamed(changes: Changes, folder: str) -> None:
    """Name the files of a folder that were renamed, and the command that rewrites the links to them."""
    root = os.path.realpath(folder)
    renamed = []
    for old, new in changes.renamed():
        paths = [os.path.relpath(path, root) for path in (old, new)]
        if not any(path.startswith("../") for path in paths):
            renamed.append(paths)
    for paths in renamed[:_NAMED]:
        complain(
            f"renamed; to rewrite the links: {shlex.join(['linkfix', 'mv', '--after', '--root', folder, *paths])}"
        )
    if len(renamed) > _NAMED:
        complain(f"renamed: … and {len(renamed) - _NAMED:,} more")


def differs(changes: Changes, found: Found) -> bool:
    """Return whether a document differs from the revision."""
    return os.path.realpath(found.path) in changes.changed


def of_documents(
    rules: Sequence[Rule], changes: Changes | None, found: Found | None = None
) -> list[Rule]:
    """Return the rules in force for a document; those that compare documents need all of a site.

    Args:
        rules: that were chosen.
        changes: what differs; None where all documents are audited.
        found: the document; None for one that differs.

    """
    if changes is None or changes.is_all:
        return [*rules]
    single = [rule for rule in rules if rule.compare is None and rule.pages is None]
    is_whole = found is None or differs(changes, found)
    return single if is_whole else [rule for rule in single if rule.code.startswith(_CODES)]


class Renamed:
    """What was renamed in a site: where links to it lead now.

    Args:
        server: of the site as it is.
        changes: what differs from the revision.

    """

    def __init__(self, server: Server, changes: Changes) -> None:
        self._server = server
        root = os.path.realpath(server.listing.root)
        pairs = [tuple(os.path.relpath(path, root) for path in pair) for pair in changes.renamed()]
        inside = [pair for pair in pairs if not any(path.startswith("../") for path in pair)]
        #: A plan has a list of all files, so that only some are made.
        self._pairs = inside if len(inside) <= _PLANNED else []
        self._plans: dict[tuple[str, ...], SiteMove | None] = {}

    def goal(self, uri: str, old: str, new: str) -> str:
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

    def _plan(self, pair: tuple[str, ...]) -> SiteMove | None:
        from linkfix.migration.moving import plan_links

        if pair not in self._plans:
            try:
                self._plans[pair] = plan_links(self._server, *pair)
            except MoveError:  # the old path has another file now, say
                self._plans[pair] = None
        return self._plans[pair]


class ChangedFiles:
    """The files of a site, of which some are gone (`linkfix.facts.join.SiteFiles`).

    Args:
        files: of the site as it is.
        gone: real paths of files that are gone, each with its new path; "" for none.
        renamed: where links to renamed files lead.
        only: whether a link has a problem only if it leads to one of them.

    """

    def __init__(
        self, files: TargetFiles, gone: Mapping[str, str], renamed: Renamed, *, only: bool
    ) -> None:
        self._files = files
        self._renamed = renamed
        self._gone = gone
        self._only = only
        self._root = os.path.realpath(files.server.listing.root)

    def problem(self, uri: str, charset: Charset, path: str = "") -> FileProblem | None:
        """Return what is wrong with a target; its new path is the near miss of a file that was renamed."""
        problem = self._files.problem(uri, charset, path)
        if problem is None or problem.what in {"fragment", "redirected", "own"}:
            return None if self._only else problem
        for old in _paths(self._files.server, uri):
            new = self._gone.get(os.path.join(self._root, old))  # noqa: PTH118 - bytes in names
            if new is not None:
                if not new:
                    return problem
                near = os.path.relpath(new, self._root)
                return problem._replace(near=(near,), goal=self._renamed.goal(uri, old, near))
        return None if self._only else problem

    def path(self, uri: str, charset: Charset) -> str:
        """Return the path of the file of a target (`TargetFiles.path`)."""
        return self._files.path(uri, charset)

    def newly_linked(self) -> list[str]:
        """Return the paths to which links lead (`TargetFiles.newly_linked`)."""
        return self._files.newly_linked()


def _paths(server: Server, uri: str) -> Iterator[str]:
    """Yield the paths of the files that the server may have had for a URI."""
    located = server.address.locate(server.at_home(uri.partition("#")[0]))
    if located is not None:
        yield located.path
        for name in server.listing.indices(located.path):
            yield f"{located.path}/{name}".lstrip("/")
        yield f"{located.path}.html"
