"""A baseline: the known findings of a site, so that only new ones count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from linkfix.auditing.finding import Finding
from linkfix.errors import LinkfixError

_VERSION = 1


def fingerprint(file: str, finding: Finding) -> str:
    """Return a fingerprint of a finding that does not depend on its position in the document.

    Args:
        file: name of the document.
        finding: of that document.

    Returns:
        32 hexadecimal digits, a hash of the file, the rule and the link. Lines and offsets are not part of it, so
        that other changes of the document do not matter.

    """
    link = finding.link
    parts = (
        [file, finding.code, finding.message]
        if link is None
        else [file, finding.code, link.element, link.attribute, link.value]
    )
    import hashlib

    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]


class Baseline:
    """Known findings, each with its number.

    Args:
        counts: the number of known findings with each fingerprint.

    """

    def __init__(self, counts: Counter[str] | None = None) -> None:
        self._counts = Counter[str]() if counts is None else counts
        self._met = Counter[str]()
        self._added = Counter[str]()

    def anew(self) -> Baseline:
        """Return a baseline with the same findings, none of them counted yet."""
        return Baseline(self._counts)

    def known(self) -> list[tuple[str, int]]:
        """Return the fingerprints of the known findings with their numbers, sorted."""
        return sorted(self._counts.items())

    def is_known(self, file: str, finding: Finding) -> bool:
        """Count a finding; return whether it is known, and not counted more often than it is known."""
        if not self._counts or (key := fingerprint(file, finding)) not in self._counts:
            return False
        self._met[key] += 1
        return self._met[key] <= self._counts[key]

    def add(self, fingerprints: Iterable[str]) -> None:
        """Add findings for `text`, by their fingerprints."""
        self._added.update(fingerprints)

    def text(self) -> str:
        """Return the added findings as the text of a baseline file."""
        known = dict(sorted(self._added.items()))
        return json.dumps({"linkfix-baseline": _VERSION, "findings": known}, indent=1) + "\n"

    @classmethod
    def read(cls, text: str | bytes) -> Baseline:
        """Read the text of a baseline file.

        Raises:
            LinkfixError: it is no baseline.

        """
        try:
            data = json.loads(text)
            if data["linkfix-baseline"] != _VERSION:
                raise LinkfixError(
                    f"a baseline of version {data['linkfix-baseline']!r}, which is not known",
                    hint="write it anew with --write-baseline",
                )
            return cls(Counter({str(key): int(n) for key, n in data["findings"].items()}))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise LinkfixError(
                "this is no baseline", hint="write one with --write-baseline"
            ) from None
