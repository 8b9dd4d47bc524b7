"""The time of ``linkfix --version``, as a ratio to ``python -c pass`` in the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 21


def seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    commands = {
        "python -c pass": ["-c", "pass"],
        "linkfix --version": ["-m", "linkfix", "--version"],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):  # interleaved, so that both have the same machine
        for name, arguments in commands.items():
            taken[name].append(seconds(arguments))
    medians = {name: statistics.median(values) for name, values in taken.items()}
    for name, median in medians.items():
        print(f"{name:20} {median * 1000:7.1f} ms (median of {RUNS})")
    bare, linkfix = medians.values()
    print(f"{'ratio':20} {linkfix / bare:7.1f}")


if __name__ == "__main__":
    main()
