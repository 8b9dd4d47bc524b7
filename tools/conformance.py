"""Bring the public conformance suites that the tests read into a cache folder.

Each suite has its files, their SHA-256, and where they are published, in `conformance.toml`: a package of a registry, which pip
or npm brings, or the suite's own repository at a pinned revision. A file that is not the one named is refused, and a suite is in
its place whole or not at all. What is there already is checked and left.

    python tools/conformance.py [--folder DIR] [--source URL] [SUITE…]
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import posixpath
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

MANIFEST = Path(__file__).with_suffix(".toml")
SOURCE = "https://github.com"
#: No file of a suite has more bytes.
MOST = 32 * 1024 * 1024


class RefusedError(Exception):
    """What a source has is not what the manifest names, or it has nothing."""


@dataclass(frozen=True)
class Suite:
    """A row of the manifest."""

    folder: str
    what: str
    #: The SHA-256 of each file by its path in the folder; or that of the list of all (`digest`).
    files: dict[str, str]
    tree: str
    #: Files that only some of its sources have, and no test reads.
    without: tuple[str, ...]
    #: Where its files are in its repository: OWNER/NAME, a commit, and a folder or a ZIP archive with a folder.
    github: str
    revision: str
    under: str
    archive: str
    #: NAME@VERSION or NAME==VERSION, and the folder in the package.
    npm: str
    pip: str
    packed: str


def suites(manifest: Path) -> list[Suite]:
    """Return the rows of the manifest."""
    empty: dict[str, Any] = dict.fromkeys(Suite.__annotations__, "")
    empty |= {"files": {}, "without": ()}
    rows = tomllib.loads(manifest.read_text("utf-8"))["suite"]
    return [Suite(**(empty | row)) for row in rows]


def digest(files: dict[str, str]) -> str:
    """Return the SHA-256 of the sorted lines `SUM  PATH`."""
    lines = [f"{each}  {path}\n" for path, each in sorted(files.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def check(suite: Suite, found: dict[str, bytes]) -> None:
    """Refuse what is missing, too much, or another file."""
    sums = {path: hashlib.sha256(data).hexdigest() for path, data in found.items()}
    if suite.tree and digest(sums) != suite.tree:
        raise RefusedError(
            f"the SHA-256 of its {len(sums):,} files is {digest(sums)}, not {suite.tree}"
        )
    wrong = [path for path, each in suite.files.items() if sums.get(path) != each]
    if wrong:
        raise RefusedError(f"{wrong[0]}: missing, or its SHA-256 is not the one named")


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths with `/`."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _below(members: Iterator[tuple[str, Callable[[], bytes]]], folder: str) -> dict[str, bytes]:
    """Return the members of an archive below a folder of it."""
    prefix = folder.rstrip("/") + "/"
    found = {}
    for name, read in members:
        path = posixpath.normpath(name)
        if path == name and path.startswith(prefix):
            found[path.removeprefix(prefix)] = read()
    return found


def read_tar(data: bytes, folder: str) -> dict[str, bytes]:
    """Return the files of a compressed tar archive below a folder of it."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:

        def read(member: tarfile.TarInfo) -> bytes:
            file = archive.extractfile(member)
            return file.read() if file else b""

        files = [each for each in archive if each.isfile() and each.size <= MOST]
        return _below(((each.name, partial(read, each)) for each in files), folder)


def read_zip(data: bytes, folder: str) -> dict[str, bytes]:
    """Return the files of a ZIP archive below a folder of it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = [
            each for each in archive.infolist() if not each.is_dir() and each.file_size <= MOST
        ]
        return _below(((each.filename, partial(archive.read, each)) for each in files), folder)


def from_package(suite: Suite) -> dict[str, bytes]:
    """Have the registry's own client bring the package, and read it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary=:all:",
        ]
        command += ["--dest", folder, suite.pip]
        if suite.npm:
            npm = shutil.which("npm")
            if npm is None:
                raise RefusedError("there is no npm here")
            command = [
                npm,
                "pack",
                "--silent",
                "--ignore-scripts",
                "--pack-destination",
                folder,
                suite.npm,
            ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        packages = [*Path(folder).glob("*gz")]
        if done.returncode or len(packages) != 1:
            reason = (
                done.stderr.strip() or done.stdout.strip() or "it brought no package"
            ).splitlines()
            raise RefusedError(reason[-1])
        return read_tar(packages[0].read_bytes(), suite.packed)


def from_repository(suite: Suite, source: str) -> dict[str, bytes]:
    """Get each file, or the archive, from the repository at the pinned revision."""

    def get(path: str) -> bytes:
        address = "/".join([source, suite.github, "raw", suite.revision, quote(path)])
        with urllib.request.urlopen(address, timeout=60) as answer:
            data: bytes = answer.read(MOST + 1)
        if len(data) > MOST:
            raise RefusedError(f"{path} has more than {MOST:,} bytes")
        return data

    if suite.archive:
        return read_zip(get(suite.archive), suite.under)
    with ThreadPoolExecutor(8) as pool:
        data = pool.map(get, [posixpath.join(suite.under, path) for path in suite.files])
        return dict(zip(suite.files, data, strict=True))


def catalog(suite: Path) -> str:
    """Return the tests of the W3C XML Conformance Test Suite as a JSON array, with paths relative to the suite's folder."""
    from lxml import etree

    parser = etree.XMLParser(
        load_dtd=True, resolve_entities=True, attribute_defaults=True, no_network=True
    )
    rows = []
    for test in etree.parse(suite / "xmlconf.xml", parser).iter("TEST"):
        bases = [
            each.get("{http://www.w3.org/XML/1998/namespace}base") or ""
            for each in test.iterancestors()
        ]
        # The suite names a folder that it does not have.
        base = "".join(reversed(bases)).replace("eduni/namespaces/misc/", "eduni/misc/")
        output = test.get("OUTPUT")
        names = ("ENTITIES", "SECTIONS", "VERSION", "RECOMMENDATION", "EDITION", "NAMESPACE")
        row = {"id": test.get("ID"), "type": test.get("TYPE"), "uri": base + test.get("URI", "")}
        row |= {name.lower(): test.get(name, "") for name in names}
        row["version"] = row["version"] or "1.0"
        rows.append(json.dumps(row | {"output": output and base + output}, ensure_ascii=False))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def write(files: dict[str, bytes], folder: Path) -> None:
    """Write a suite beside its place, and put it there whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as new:
        for path, data in files.items():
            target = Path(new, "suite", path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        shutil.rmtree(folder, ignore_errors=True)
        Path(new, "suite").rename(folder)


def bring(suite: Suite, folder: Path, source: str) -> str:
    """Bring a suite into a folder and return where it is from; the first source that has it is used."""
    place = folder / suite.folder
    reasons = []
    ways: list[tuple[str, Callable[[], dict[str, bytes]]]] = [
        ("there already", lambda: read_folder(place))
    ]
    if suite.npm or suite.pip:
        ways.append((f"the package {suite.npm or suite.pip}", lambda: from_package(suite)))
    ways.append((f"{source}/{suite.github}", lambda: from_repository(suite, source)))
    for name, read in ways:
        try:
            files = {path: data for path, data in read().items() if path not in suite.without}
            check(suite, files)
        except (RefusedError, OSError, tarfile.TarError, zipfile.BadZipFile) as reason:
            reasons.append(f"{name}: {reason}")
            continue
        if name != "there already":
            write({path: files[path] for path in suite.files or files}, place)
        return name
    raise RefusedError("; ".join(reasons[1:]))


def cache() -> Path:
    """Return the folder that the tests read: LINKFIX_CONFORMANCE, or one in the user's cache."""
    named = os.environ.get("LINKFIX_CONFORMANCE")
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(named or Path(home).expanduser() / "linkfix" / "conformance")


def main() -> int:
    """Bring the suites; 1 if one of them is not to be had."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", nargs="*", help="folders of suites (all)")
    parser.add_argument("--folder", type=Path, default=cache())
    parser.add_argument("--source", default=SOURCE, help="a server in place of github.com")
    parser.add_argument("--manifest", type=Path, default=MANIFEST)
    given = parser.parse_args()
    missing = 0
    for suite in suites(given.manifest):
        if given.suite and suite.folder not in given.suite:
            continue
        try:
            print(
                f"{suite.folder}: {suite.what}: {bring(suite, given.folder, given.source)}",
                flush=True,
            )
        except RefusedError as reason:
            missing += 1
            print(f"{suite.folder}: {suite.what}: not brought: {reason}", file=sys.stderr)
    xml = given.folder / "xml" / "xmlconf"
    if xml.exists():
        (xml.parent / "catalog.json").write_text(catalog(xml), "utf-8")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
