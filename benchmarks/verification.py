"""What it costs to verify rewritten documents, and how many of them pass.

    python benchmarks/verification.py FOLDER [--limit N]

Every document of a folder is rewritten with absolute links, so that nearly all of them change, and
compared with the new one. Rewriting and comparing are timed apart, in processor time.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from pathlib import Path

import linkfix
import linkfix.iri
from linkfix.files.tree import documents
from linkfix.policy import Policy
from linkfix.verifying import Settings, verify


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=5000)
    arguments = parser.parse_args()
    found = [each for each in documents([str(arguments.folder)]) if each.type != "css"]
    random.Random(1).shuffle(found)
    policy = Policy(style="absolute")
    rewriting = comparing = 0.0
    octets = changed = refused = 0
    differences: list[str] = []
    for each in found[: arguments.limit]:
        data, base = Path(each.path).read_bytes(), f"http://site.example/{each.relative}"
        out = io.BytesIO()
        started = time.process_time()
        try:
            linkfix.rewrite(data, out, policy=policy, base=linkfix.iri.steps.iri_to_uri(base).text)
        except linkfix.LinkfixError:
            refused += 1
            continue
        rewriting += time.process_time() - started
        if out.getvalue() == data:
            continue
        changed += 1
        octets += len(data)
        started = time.process_time()
        settings = Settings(
            policy=policy, source=linkfix.Source(base=linkfix.iri.steps.iri_to_uri(base).text)
        )
        difference = verify(data, out.getvalue(), settings)
        comparing += time.process_time() - started
        if difference is not None:
            differences.append(f"{each.path}: {difference}")
    print(
        f"{min(len(found), arguments.limit):,} documents, {refused:,} refused, {changed:,} changed"
    )
    print(f"{octets / 1e6:.1f} MB of changed documents")
    print(f"rewriting all  {rewriting:7.1f} s")
    print(f"comparing      {comparing:7.1f} s, {octets / 1e6 / comparing:.1f} MB/s")
    print(f"{len(differences):,} with a difference")
    print("\n".join(differences[:20]))


if __name__ == "__main__":
    main()
