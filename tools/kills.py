"""Kill commands that write at random moments, resume them, and compare the results.

For each kill: a fresh tree, a command, SIGKILL of the parent, of one child or of the whole group after a random
part of the time that the undisturbed command takes. Then each document is the old bytes or the new, or it is
*torn*; missing ones are *lost*. The command goes on as its messages say; where it comes to no end, that is a *dead end*, and
where the tree is another than the undisturbed one, it is *different*.

    python tools/kills.py --count 300 --seed 1 --jobs 2
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

#: A page has links to others, since `move` changes only such.
LINKS = b"<a href='../3/3.html'>x</a><a href='../0/0.html'>y</a>"
DIRTY = b"<meta charset=windows-1252><p>%s<a href='/a b?%d'>x</a>"
LINKFIX = [sys.executable, "-m", "linkfix"]
OWN = ".linkfix-"


@dataclass(frozen=True)
class Command:
    """A command that writes.

    Attributes:
        arguments: with ``old`` for the tree and ``new`` for another folder.
        result: the folder that it writes, from the scratch folder.
        resumes: whether it has --resume.
        moves: a folder in the tree that it renames, and its new path; "" for none.

    """

    arguments: tuple[str, ...]
    result: str = "old"
    resumes: bool = True
    moves: tuple[str, str] = ("", "")

    def renamed(self, path: str) -> str:
        """Return the path of a file after the command."""
        old, new = self.moves
        return new + path.removeprefix(old) if old and path.startswith(f"{old}/") else path


COMMANDS = {
    "in place": Command(("rewrite", "-q", "-i", "old")),
    "to a folder": Command(("rewrite", "-q", "-o", "new", "old"), "new"),
    "fix": Command(("audit", "-q", "--fix", "--fail-on", "never", "old"), resumes=False),
    "migrate": Command(("migrate", "-q", "old", "new"), "new"),
    "move": Command(("mv", "-q", "--root", "old", "3", "x/y"), moves=("3", "x/y")),
    "archive": Command(("rewrite", "-q", "-i", "old/a.warc"), resumes=False),
}


def make(folder: Path, name: str) -> None:
    """Make the tree that a command works on."""
    (folder / "old").mkdir()
    if name == "archive":
        body = b"".join(
            b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:%032d>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            b"WARC-Target-URI: http://a.example/%d\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
            % (number, number, len(page), page)
            for number in range(400)
            for page in [DIRTY % (b"x" * 2000, number)]
        )
        (folder / "old" / "a.warc").write_bytes(body)
        return
    for number in range(120):
        path = folder / "old" / str(number % 7) / f"{number}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(DIRTY % (b"x" * 500, number) + LINKS)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a tree by path, without those of linkfix."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(OWN)
    }


def children(process: int) -> list[int]:
    """Return the identifiers of the children of a process."""
    try:
        tasks = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in tasks.split()]


def start(command: Command, folder: Path, jobs: int, *more: str) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own."""
    return subprocess.Popen(
        [*LINKFIX, command.arguments[0], "-j", str(jobs), *more, *command.arguments[1:]],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def kill(process: subprocess.Popen[bytes], chance: random.Random) -> str:
    """Kill the parent, a child or all, and wait until nobody is left of them."""
    own = children(process.pid)
    whom = chance.choice(["parent", "all", *["child"] * bool(own)])
    try:
        if whom == "all":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            os.kill(chance.choice(own) if whom == "child" else process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate(timeout=120)
    return whom


def undisturbed(name: str, jobs: int) -> tuple[dict[str, bytes], dict[str, bytes], float]:
    """Return the tree before and after an undisturbed command, and its time in seconds."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make(folder, name)
        before = files(folder / "old")
        begun = time.monotonic()
        process = start(COMMANDS[name], folder, jobs)
        process.communicate(timeout=300)
        assert process.returncode in (0, 1), process.returncode
        return before, files(folder / COMMANDS[name].result), time.monotonic() - begun


def go_on(name: str, folder: Path, jobs: int, after: dict[str, bytes]) -> bool:
    """Follow the messages of a command until it is done; return whether it ends.

    A run that was killed after its summary has no journal any more: it is complete.
    """
    command = COMMANDS[name]
    resume = command.resumes
    for _ in range(4):
        process = start(command, folder, jobs, *["--resume"] * resume)
        said = process.communicate(timeout=300)[1]
        if process.returncode in (0, 1):
            return True
        if b"without --resume" in said or b"no unfinished run" in said:
            if files(folder / command.result) == after:
                return True
            resume = False
        elif b"--resume" in said:
            resume = True
    print(name, said.decode(errors="replace"), file=sys.stderr)
    return False


def run(count: int, seed: int, jobs: int, names: list[str]) -> Counter[str]:
    """Kill commands in turn; return how often what happened."""
    chance = random.Random(seed)
    sums: Counter[str] = Counter(
        dict.fromkeys(["kills", "too late", "torn", "lost", "dead ends", "different"], 0)
    )
    known = {name: undisturbed(name, jobs) for name in names}
    for number in range(count):
        name = names[number % len(names)]
        command, (before, after, seconds) = COMMANDS[name], known[name]
        folder = Path(tempfile.mkdtemp())
        try:
            make(folder, name)
            process = start(command, folder, jobs)
            time.sleep(chance.uniform(0.1, 1) * seconds)
            ended = process.poll() is not None
            sums["too late" if ended else "kills"] += 1
            if ended:
                process.communicate()
            else:
                sums[f"of {kill(process, chance)}"] += 1
            old, new = files(folder / "old"), files(folder / command.result)
            paths = {command.renamed(path): path for path in before}
            sums["lost"] += len(paths.keys() - {command.renamed(path) for path in old})
            sums["torn"] += sum(
                data
                not in (
                    before.get(paths.get(command.renamed(path), ""))
                    if command.result == "old"
                    else None,
                    after.get(command.renamed(path)),
                )
                for path, data in new.items()
            )
            sums["dead ends"] += not go_on(name, folder, jobs, after)
            sums["different"] += files(folder / command.result) != after
            sums["left"] += sum(path.name.startswith(OWN) for path in folder.rglob("*"))
        finally:
            shutil.rmtree(folder)
    return sums


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--commands", nargs="*", default=[*COMMANDS], choices=[*COMMANDS])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sums = run(options.count, options.seed, options.jobs, options.commands)
    text = ", ".join(f"{name}: {number}" for name, number in sums.items())
    print(json.dumps(sums) if options.json else text)
    return int(any(sums[name] for name in ("torn", "lost", "dead ends", "different")))


if __name__ == "__main__":
    sys.exit(main())
