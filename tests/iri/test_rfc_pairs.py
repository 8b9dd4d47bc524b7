"""Pairs of identifiers from the RFCs of their schemes, written before the code was asked (`rfc_pairs.tsv`)."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from linkfix.iri import comparison_form, equivalent

PAIRS = [
    tuple(row)
    for row in csv.reader(
        Path(__file__).with_name("rfc_pairs.tsv").read_text("utf-8").splitlines()[1:],
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
]
#: Pairs on which an RFC decides, and that are unknown all the same.
UNDECIDED = {
    "RFC 8089": 3,  # readers do not agree on hosts of files and on bars of drive letters
    "RFC 6068": 1,  # %2B and + of a mail address
    "RFC 8141": 6,  # a namespace may have rules of its own
    "RFC 5538": 1,  # of nntp, ldap, coap and imap the host, the port and the root are known
    "RFC 4516": 3,
    "RFC 7252": 4,
    "RFC 3501": 1,
    "RFC 5092": 1,
    "RFC 7622": 1,  # resources and queries of xmpp
    "RFC 5122": 1,
}


def test_nothing_is_asserted_wrongly() -> None:
    assert len(PAIRS) >= 200
    wrong, undecided = [], Counter[str]()
    for section, one, other, answer in PAIRS:
        for left, right in ((one, other), (other, one)):
            outcome = equivalent(left, right).outcome
            if outcome not in {answer, "unknown"}:
                wrong.append((section, left, right, outcome))
        undecided[section.partition(",")[0]] += outcome != answer
    assert wrong == []
    assert +undecided == UNDECIDED


def test_keys_are_equal_for_what_is_equivalent() -> None:
    for _, one, other, _ in PAIRS:
        # No form can leave out the parameters of sip.
        if not one.lower().startswith("sip"):
            is_same = equivalent(one, other).outcome == "equivalent"
            assert (comparison_form(one) == comparison_form(other)) == is_same
