"""Kill processes of Spark in the middle of a job, and compare the files with those of the command line.

    python tools/differential/spark_kills.py [--records 400] [--times 1] [--tables]

``linkfix spark rewrite`` runs on ``local-cluster[2,1,1024]``. An executor is killed with SIGKILL, then in another run a Python
worker of one, then the driver, which is started again. No file may be missing, half or different. The exit status is 1
for a difference. With --tables it is ``linkfix spark extract --by file``, compared with a run in which nothing is killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from spark_processes import executors, files_in, holders, rewritten, start, wait_for, write_large

__all__ = ["MASTER", "run"]

MASTER = "local-cluster[2,1,1024]"


def run(
    victim: str, paths: list[str], target: Path, expected: dict[str, bytes], work: tuple[str, ...]
) -> str:
    """Kill one process of a run; return what is wrong, "" for nothing."""
    with start(paths, target, MASTER, *work) as driver:
        wait_for(lambda: holders(target, driver.pid) and executors(driver.pid), 300)
        if victim == "executor":
            os.kill(executors(driver.pid)[0], signal.SIGKILL)
        elif victim == "worker":
            os.kill(holders(target, driver.pid)[0], signal.SIGKILL)
        else:
            wait_for(lambda: files_in(target), 300)
            driver.kill()
        status = driver.wait()
    if victim == "driver":
        wait_for(lambda: not holders(target, driver.pid), 300)
        there = files_in(target)
        if not there.items() <= expected.items():
            return "a file at the target is half or different"
        print(f"  {len(there)} of {len(expected)} files are there, all whole")
        with start(paths, target, MASTER, *work) as driver:
            status = driver.wait()
    if status:
        return f"the exit status is {status}"
    return "" if files_in(target) == expected else "the files are different"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, default=400)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--tables", action="store_true")
    arguments = parser.parse_args()
    work = ("extract", "--by", "file") if arguments.tables else ("rewrite",)
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "crawl")
        folder.mkdir()
        paths = write_large(folder, 6, arguments.records)
        if arguments.tables:
            with start(paths, Path(scratch, "old"), MASTER, *work) as undisturbed:
                undisturbed.wait()
            expected = files_in(Path(scratch, "old"))
        else:
            expected = rewritten(paths, Path(scratch, "old"))
        for victim in ("executor", "worker", "driver") * arguments.times:
            target = Path(scratch, "new")
            problem = run(victim, paths, target, expected, work)
            print(f"{victim} killed: {problem or 'all files are the same'}", flush=True)
            wrong += bool(problem)
            shutil.rmtree(target)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
