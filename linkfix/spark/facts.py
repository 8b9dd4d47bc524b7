"""What the rules across documents need of a WARC file, in one pass: rows of four kinds.

=========  ==================================================================================================
capture    a record with a response: what was asked for, and its status
name       a target of fragments in a captured page
link       a link that leads to another place, for the rules about missing targets and fragments
spelling   the first link with a value in a folder, for the rules about spellings of one target
=========  ==================================================================================================

URIs are compared without their fragment, in the normal form of their scheme (`linkfix.auditing.targets.normal_form`); that
is the column ``key``. ``record`` is the number of the document in its WARC file: the order of the crawl.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO

import pyarrow as pa

from linkfix.arrow.schemas import Results
from linkfix.auditing import Auditor, Rule, select
from linkfix.auditing.facts import Facts, from_plain
from linkfix.auditing.files import FileWatcher
from linkfix.auditing.finding import fields_of
from linkfix.auditing.rule import FileProblem
from linkfix.auditing.site import judged_key
from linkfix.auditing.targets import normal_form, without_scheme
from linkfix.charset import Charset
from linkfix.errors import LinkfixError
from linkfix.files.access import open_document
from linkfix.iri.reference import fragment_of, without_fragment
from linkfix.jobs.failures import contained, salvaged
from linkfix.links.fragments import has_fragment, names_of
from linkfix.spark.files import Archive, Reading
from linkfix.warc import Head, Record
from linkfix.warc.records import all_records, source_of

#: The rules: a target that is missing, a fragment that is, spellings of one target with the form that these share.
MISSING, FRAGMENT = "TGT001", "TGT005"
SPELLINGS = {"SIT001": normal_form, "SIT004": without_scheme}
RULES = {each.code: each for each in select([MISSING, FRAGMENT, *SPELLINGS])}
#: How many values of a WARC file are known, so that their spellings are rows once; others are rows again.
_MOST_KNOWN = 100_000
#: The types of records that have captured something (WARC 1.1, 6); a revisit has what another record has.
_CAPTURES = frozenset(["response", "resource", "conversion", "revisit"])
_NAMING = frozenset(["html", "xhtml"])
_STRINGS = ("kind", "file", "archive", "url", "key", "host", "fragment", "target", "plain")

#: The rows: `FACTS` has the columns of a finding about a link as well.
FACTS = pa.schema(
    [
        *[(name, pa.string()) for name in _STRINGS],
        ("record", pa.int64()),
        ("offset", pa.int64()),
        ("status", pa.int64()),
        ("named", pa.bool_()),
        ("names", pa.list_(pa.string())),
        *[(name, pa.int64()) for name in ("line", "column", "start", "end", "first", "last")],
        *[(name, pa.string()) for name in ("rule", "element", "attribute", "value", "error")],
    ]
)


class _Asked:
    """Files of a site of which every target is asked for, and none is known (`linkfix.auditing.files.Files`)."""

    def problem(self, uri: str, charset: Charset) -> FileProblem | None:
        """Return that a target of HTTP is missing, which `linkfix.spark.targets` judges."""
        del charset
        return FileProblem("missing") if uri.startswith(("http:", "https:")) else None


def facts_of(
    file: Archive, reading: Reading, counts: Counter[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the facts of a WARC file; a damaged record is a row with an ``error`` besides."""
    results = Results(FACTS)
    totals: Counter[str] = Counter() if counts is None else counts
    try:
        with contained(), open_document(file.path) as source:
            for row in _rows(source, file.name, reading, totals):
                yield from results.add((), {"archive": file.name, **row})
    except LinkfixError as error:
        totals["failed"] += 1
        error.file = None
        row = {"kind": "error", "file": file.name, "archive": file.name, "error": str(error)}
        yield from results.add((), row)
    yield from results.rest()


def _rows(
    source: BinaryIO, name: str, reading: Reading, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a WARC file but for ``archive``."""
    rules = [
        RULES[MISSING],
        replace(RULES[FRAGMENT], watch=partial(FileWatcher, "missing")),
        *(RULES[code] for code in SPELLINGS),
    ]
    known: set[str] = set()
    number = 0
    for record in all_records(source, name):
        captured = _capture(record)
        documents = [each for each in (record.head, record if record.type else None) if each]
        for document in documents:
            number += 1
            place = {"file": document.name, "record": number, "offset": document.offset}
            rows = _Document(document, reading, rules, known)
            yield from ({**place, **row} for row in rows.read(counts))
            if document is record and captured is not None and rows.names is not None:
                captured["named"] = True
                for one in rows.names:
                    yield {"kind": "name", "key": captured["key"], "fragment": one}
        record.frame.finish()
        if captured is not None:
            yield captured
        if record.type is None and record.frame.error is not None:
            counts["failed"] += 1
            yield {"kind": "error", "file": record.name, "error": record.frame.error.message}


def _capture(record: Record) -> dict[str, Any] | None:
    """Return the row of a record that has captured something; None for another one."""
    if record.kind not in _CAPTURES or record.base is None:
        return None
    status = record.status or 200
    key = _key(record.base)
    return {"kind": "capture", "file": record.name, "url": record.base, "key": key, "host": _host(key),
            "status": status, "named": False}  # fmt: skip


class _Document:
    """The links of one document, and the targets of fragments in it.

    Attributes:
        names: the targets of fragments; None where they are not known.

    """

    def __init__(
        self, document: Record | Head, reading: Reading, rules: list[Rule], known: set[str]
    ) -> None:
        self.names: set[str] | None = None
        self._document = document
        self._source = source_of(document, charset=reading.charset, base=reading.base)
        self._facts = Facts(keeps_places=True)
        self._reading, self._rules, self._known = reading, rules, known

    def read(self, counts: Counter[str]) -> Iterator[dict[str, Any]]:
        """Yield the rows of its links; the last one is an error if it cannot be read."""
        try:
            with contained():
                auditor = self._auditor()
                for findings in salvaged(auditor, self._document.chunks(), auditor.end):
                    yield from self._links(findings)
        except LinkfixError as error:
            counts["failed"] += 1
            error.file = None
            yield {"kind": "error", "error": str(error)}
            return
        counts["documents"] += 1
        counts["links"] += auditor.links
        if auditor.type in _NAMING:
            self.names = set(auditor.names or ())

    def _auditor(self) -> Auditor:
        return Auditor(
            self._reading.policy,
            rules=self._rules,
            facts=self._facts,
            files=_Asked(),
            source=self._source,
        )

    def _links(self, findings: list[Any]) -> Iterator[dict[str, Any]]:
        for finding in findings:
            target, fragment = without_fragment(finding.target), fragment_of(finding.target)
            if finding.code == FRAGMENT and has_fragment(fragment, ()):
                continue  # every page has the place, if there is one at all
            key = _key(target)
            row = fields_of(finding)
            yield {"kind": "link", "url": self._source.base, "key": key, "host": _host(key), "fragment": fragment,
                   "names": names_of(fragment), "target": finding.target, **row}  # fmt: skip
        for link in self._facts.taken()[1]:
            each = from_plain(link)
            value = judged_key(each.directory, each.value)
            if each.is_compared and each.resource is not None and value not in self._known:
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known.add(value)
                yield {"kind": "spelling", "url": self._source.base, "value": value, "target": each.resource,
                       "start": each.link.start, "plain": json.dumps(link)}  # fmt: skip


def _key(uri: str) -> str:
    """Return an absolute URI without its fragment, in its normal form."""
    whole = without_fragment(uri)
    return normal_form(whole) or whole


def _host(key: str) -> str:
    """Return the host of a key, with its port."""
    return key.partition("://")[2].partition("/")[0].rpartition("@")[2]
