"""Whole jobs over the documents of paths: functions that yield events, and print nothing.

Each takes settings, a frozen dataclass, and returns an iterator of frozen dataclasses: `Began`, what it says of each
document, `Done` after each, `Failed` for one that cannot be processed. `Stop.ask` ends it after the present documents; whoever
closes the iterator ends it at once, and nothing is left half written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.deferred import members

if TYPE_CHECKING:
    from linkfix.files.tree import Selection
    from linkfix.jobs.stopping import Stop
    from linkfix.jobs.worker import Limits
    from linkfix.migration.index import Broken
    from linkfix.migration.migration import Decision
    from linkfix.migration.settings import Settings as MigrateSettings
    from linkfix.server.serving import Serving
    from linkfix.sites.batch import Workers
    from linkfix.sites.comparing import Compared, VerifySettings, verify_site
    from linkfix.sites.documents import Sources
    from linkfix.sites.events import Began, Done, Failed, Problem, Stopped
    from linkfix.sites.graphs import GraphLink, GraphSettings, GraphTotals, Node, graph
    from linkfix.sites.migrating import (
        Disputed,
        Guessed,
        Migrated,
        Note,
        Renamed,
        StaleLine,
        Transferred,
        UnusedRule,
        migrate,
    )
    from linkfix.sites.moving import LinksStay, Moved, MoveSettings, Refused, move
    from linkfix.sites.redirects import RedirectTable
    from linkfix.sites.results import Rewritten, Sums
    from linkfix.sites.rewriting import Diff, Totals, rewrite_site
    from linkfix.sites.writing import RewriteSettings

__all__ = [
    "Began", "Broken", "Compared", "Decision", "Diff", "Disputed", "Done", "Failed", "GraphLink", "GraphSettings",
    "GraphTotals", "Guessed", "Limits", "LinksStay", "MigrateSettings", "Migrated", "MoveSettings", "Moved", "Node", "Note",
    "Problem", "RedirectTable", "Refused", "Renamed", "RewriteSettings", "Rewritten", "Selection", "Serving", "Sources",
    "StaleLine", "Stop", "Stopped", "Sums", "Totals", "Transferred", "UnusedRule", "VerifySettings", "Workers", "graph",
    "migrate", "move", "rewrite_site", "verify_site",
]  # fmt: skip

__getattr__ = members(
    __name__,
    {
        "batch": "Limits Selection Stop Workers",
        "comparing": "Compared VerifySettings verify_site",
        "documents": "Sources",
        "events": "Began Done Failed Problem Stopped",
        "graphs": "GraphLink GraphSettings GraphTotals Node Serving graph",
        "migrating": "Broken Decision Disputed Guessed MigrateSettings Migrated Note Renamed StaleLine Transferred UnusedRule migrate",
        "moving": "LinksStay MoveSettings Moved Refused move",
        "redirects": "RedirectTable",
        "results": "Rewritten Sums",
        "rewriting": "Diff Totals rewrite_site",
        "writing": "RewriteSettings",
    },
)
