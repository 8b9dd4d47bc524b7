"""What the plugins of site builders do with a site that they have built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import linkfix
from linkfix.auditing import Severity
from linkfix.files.paths import absolute, relative
from linkfix.sites.audit_job import AuditSettings
from linkfix.sites.auditing import Findings
from linkfix.sites.documents import Sources
from linkfix.sites.events import Failed
from linkfix.sites.writing import RewriteSettings


def audited(folder: str, base: str | None = None) -> Iterator[tuple[Severity, str]]:
    """Yield what an audit of a site finds: how bad it is, and what it is, with its place.

    Args:
        folder: of the site.
        base: its address; None if it is not known.

    """
    settings = AuditSettings(sources=_sources(folder, base))
    for event in linkfix.audit_site([folder], settings):
        if isinstance(event, Failed):
            yield Severity.ERROR, str(event.error)
        elif isinstance(event, Findings):
            for each in event.findings:
                place = f"{relative(event.path, folder)}:{each.line}:{each.column}"
                value = f" ({each.link.value})" if each.link is not None else ""
                yield each.severity, f"{place}: {each.code} {each.message}{value}"


def finish(
    folder: str, base: str | None, to: Literal["uri", "iri"] | None, *, audit: bool
) -> Iterator[tuple[bool, str]]:
    """Rewrite the links of a built site in place, then audit it.

    Args:
        folder: of the site.
        base: its address; None if it is not known.
        to: what links become; None to leave them.
        audit: whether to audit it.

    Yields:
        Whether something is more than advice, and what it is.

    """
    if to is not None:
        settings = RewriteSettings(
            policy=linkfix.Policy(to=to), sources=_sources(folder, base), mode="in-place"
        )
        for event in linkfix.rewrite_site([folder], settings):
            if isinstance(event, Failed):
                yield True, str(event.error)
    for severity, text in audited(folder, base) if audit else ():
        yield severity != "advice", text


def _sources(folder: str, base: str | None) -> Sources:
    return Sources(base=base, root=absolute(folder) if base else None)
