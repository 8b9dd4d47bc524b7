"""Build the wheel and the source package twice and compare them byte for byte; check what is in them.

    python tools/release.py [--out DIR] [--lock] [--advisories] [--site URL]

Both builds are made from copies of the files that git tracks, in different folders, with different dates, umasks and time
zones; SOURCE_DATE_EPOCH gives the date of what is built (the date of the last commit, unless it is set). `--lock` writes
`requirements.lock` anew, and `--advisories` asks for known advisories about what it names, and ends with an error where one of
these cannot be judged; both need a network. `--site` is the public address of the project, which the packages name in place of
the reserved one; without it they are not for an upload.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
#: What stands in pyproject.toml for the address that `--site` names.
RESERVED = "https://linkfix.example/"


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command and return its output; its errors end the program."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    return done.stdout


def date() -> str:
    """Return the date of the last commit, in seconds since 1970, or the one that is set."""
    return os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct").strip()


def copy(folder: Path, when: int, site: str) -> None:
    """Copy what git tracks, with other dates than the checkout has, and the address of the project."""
    for name in run("git", "ls-files", "-z").split("\0"):
        if name and (ROOT / name).exists():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
            if name == "pyproject.toml":
                target.write_text(target.read_text("utf-8").replace(RESERVED, site), "utf-8")
            os.utime(target, (when, when))


def build(
    out: Path, epoch: str, site: str, *, when: int, umask: int, zone: str
) -> dict[str, bytes]:
    """Build both packages in a folder of its own and return them by name."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.umask(umask)
        try:
            copy(Path(folder), when, site)
            out.mkdir(parents=True, exist_ok=True)
            command = [
                sys.executable,
                "-m",
                "hatchling",
                "build",
                "-t",
                "sdist",
                "-t",
                "wheel",
                "-d",
                str(out),
            ]
            run(
                *command,
                cwd=Path(folder),
                SOURCE_DATE_EPOCH=epoch,
                TZ=zone,
                PYTHONHASHSEED=str(umask),
            )
        finally:
            os.umask(before)
    return {path.name: path.read_bytes() for path in sorted(out.glob("linkfix-*"))}


def main() -> int:
    """Build, compare, check; 1 if two builds differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--lock", action="store_true", help="write requirements.lock anew")
    parser.add_argument(
        "--advisories",
        action="store_true",
        help="ask for known advisories about what the lock names",
    )
    parser.add_argument("--site", default=RESERVED, help="the public address of the project")
    given = parser.parse_args()
    site = given.site.rstrip("/") + "/"
    if given.lock:
        command = [
            sys.executable,
            "-m",
            "piptools",
            "compile",
            "--quiet",
            "--generate-hashes",
            "--allow-unsafe",
        ]
        command += [
            "--strip-extras",
            "--no-emit-index-url",
            "--no-emit-options",
            "--no-emit-find-links",
            "--no-annotate",
        ]
        run(*command, "--no-header", "--upgrade", "--output-file", LOCK, "pyproject.toml")
    if given.advisories:
        print(
            run(
                sys.executable,
                "-m",
                "pip_audit",
                "--strict",
                "--disable-pip",
                "--require-hashes",
                "--requirement",
                LOCK,
            )
        )
    epoch = date()
    shutil.rmtree(given.out, ignore_errors=True)
    first = build(given.out, epoch, site, when=1_000_000_000, umask=0o022, zone="UTC")
    with tempfile.TemporaryDirectory() as other:
        second = build(Path(other), epoch, site, when=1_700_000_000, umask=0o077, zone="Asia/Tokyo")
    for name, data in first.items():
        same = second.get(name) == data
        print(
            f"{hashlib.sha256(data).hexdigest()}  {name}: two builds {'are the same' if same else 'DIFFER'}"
        )
    if first != second or len(first) != 2:
        return 1
    packages = [given.out / name for name in first]
    print(run(sys.executable, "-m", "twine", "check", "--strict", *packages).strip())
    print(run(sys.executable, "-m", "check_wheel_contents", *given.out.glob("*.whl")).strip())
    if site == RESERVED:
        print(
            f"The packages name {RESERVED}, which is reserved: before an upload, --site says the address."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
