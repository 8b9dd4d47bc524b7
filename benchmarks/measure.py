"""One program over a list of documents, in a process of its own.

    python benchmarks/measure.py TASK PROGRAM SECONDS < PATHS

Reads paths, one a line, and writes a `Sample` as JSON. It goes on until SECONDS of processor time
are spent on the work itself: reading a file and looking at the result do not count.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
import warnings
from dataclasses import asdict, dataclass, field
from pathlib import Path

from programs import TASKS
from work import Done


@dataclass(slots=True)
class Sample:
    """The result of one run of one program. Each list has an entry for each document done.

    Attributes:
        octets: the lengths of the documents.
        cpu: processor time in seconds.
        wall: elapsed time in seconds.
        links: how many links were read, in all.
        changed: how many were changed, in all.
        unchanged: documents without a changed link.
        same: how many of these were reproduced byte for byte.
        errors: documents that the program gave up on.
        peak: resident memory at its highest, in megabytes.

    """

    octets: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    links: int = 0
    changed: int = 0
    unchanged: int = 0
    same: int = 0
    errors: int = 0
    peak: float = 0.0


def peak() -> float:
    """Resident memory of this process at its highest, in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux ru_maxrss counts what the process was forked from
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text("ascii"))
        if found is not None:
            return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(task: str, name: str, seconds: float, paths: list[Path]) -> Sample:
    warnings.simplefilter("ignore")  # BeautifulSoup's, of XHTML
    make = next(program.make for program in TASKS[task] if program.name == name)
    if make is None:
        raise SystemExit(f"{name} is measured by a script of its own")
    work = make()
    work(paths[0].read_bytes(), str(paths[0]))  # loads what is loaded when it is first needed
    sample = Sample()
    spent = 0.0
    for path in paths:
        document = path.read_bytes()
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            done = work(document, str(path))
        except Exception as error:  # noqa: BLE001 - whatever a peer raises, the others go on
            print(f"{name}: {path}: {error}", file=sys.stderr)
            sample.errors += 1
            done = Done(0)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        sample.octets.append(len(document))
        sample.cpu.append(cpu)
        sample.wall.append(wall)
        sample.links += done.links
        sample.changed += done.changed
        if done.output is not None and not done.changed:
            sample.unchanged += 1
            sample.same += done.output == document
        spent += cpu
        if spent > seconds:
            break
    sample.peak = peak()
    return sample


if __name__ == "__main__":
    paths = [Path(line) for line in sys.stdin.read().splitlines()]
    print(json.dumps(asdict(measure(sys.argv[1], sys.argv[2], float(sys.argv[3]), paths))))
