"""Compare the tables of schemes with a copy of IANA's registry.

    python tools/iri/check_schemes.py uri-schemes-1.csv

The copy is the CSV file of https://www.iana.org/assignments/uri-schemes/. Printed are the schemes of the registry that
linkfix/auditing/schemes.toml lacks, and the rows of schemes.csv whose status or document is another one there.
The exit status is 1 where there are any.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from linkfix.auditing.schemes import registered

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from iri.make_schemes import rows


def differences(path: Path) -> list[str]:
    """Return what differs, a line for each scheme."""
    with path.open(encoding="utf-8", newline="") as file:
        # A scheme is followed by "(OBSOLETE)" and the like.
        registry = {row["URI Scheme"].split()[0].lower(): row for row in csv.DictReader(file)}
    found = [f"{name}: not in schemes.toml" for name in sorted(registry.keys() - registered())]
    for row in rows():
        name, status = row["scheme"], row["status"]
        if name not in registry:
            if status != "unregistered":
                found.append(f"{name}: {status} in schemes.csv, not in the registry")
            continue
        there = registry[name]
        if there["Status"].lower() != status:
            found.append(f"{name}: {status} in schemes.csv, {there['Status']} in the registry")
        if row["reference"].replace(" ", "") not in there["Reference"]:
            found.append(
                f"{name}: {row['reference']} in schemes.csv, {there['Reference']} in the registry"
            )
    return found


def main() -> int:
    """Print what differs."""
    found = differences(Path(sys.argv[1]))
    print("\n".join(found) or "no difference")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
