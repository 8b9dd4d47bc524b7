"""The pages of the documentation: their blocks run in order, as a reader runs them, in an empty folder, and print what they show.

A block of another language whose first line names a file (`# rules.py`, `<!-- page.html -->`) is that file. What a comment
`<!-- setup` of a page holds runs as well: it makes files that a reader has. In a block that shows no output, the commands only have to
end with the status 0 or 1. With LINKFIX_RECORD=1 pages get what their commands print.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import processes
import pytest
from objectstore import serving

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
#: What runs only in another test: languages of a page, and where they run.
ELSEWHERE = {
    "docs/iri.md": ("python", "tests/iri/test_docs.py: as doctests"),
    "samples/README.md": ("console", "tests/test_readme.py: in that folder"),
}
#: Packages of extras, without which a page is skipped.
EXTRAS = {
    "docs/arrow.md": ("duckdb", "polars", "pyarrow"),
    "docs/audit.md": ("dulwich",),
    "docs/remote.md": ("s3fs", "moto", "boto3"),
    "docs/spark.md": ("pyspark", "warcio"),
    "docs/tutorials/crawl.md": ("warcio", "pyarrow"),
    "docs/warc.md": ("warcio",),
}
BLOCK = re.compile(r"(?ms)^```(\w+)\n(.*?)^```$|^<!-- (setup)\n(.*?)^-->$")
#: A page for archives, tables and stores.
PAGE = b"<meta charset=utf-8><a href='a b'>x</a>"
#: A command with its further lines (`> `), and what it prints.
COMMAND = re.compile(r"(?m)^\$ (.*\n(?:> ?.*\n)*)((?:(?!\$ ).*\n)*)")
NAMED = re.compile(r"(?:# |<!-- )([\w-]+\.\w+)(?: -->)?\n")
#: What needs no shell: words, and words in quotes.
PLAIN = re.compile(r"linkfix((?: [\w./:=,+@%!-]+| '[^']*')+)(?: +# .*)?\n?")


def pages() -> list[Any]:
    """The pages that have blocks to run; at night the one that starts a JVM for each."""
    found = [ROOT / "README.md", ROOT / "samples" / "README.md", *DOCS.rglob("*.md")]
    names = sorted(
        path.relative_to(ROOT).as_posix()
        for path in found
        if re.search(r"^```(?:console|python)$", path.read_text("utf-8"), re.MULTILINE)
    )
    night = {"docs/spark.md": pytest.mark.nightly}
    return [pytest.param(each, marks=night.get(each, pytest.mark.system)) for each in names]


def run(command: str, folder: Path, environment: dict[str, str], *, data: bool = False) -> str:
    """What a command prints on both streams, or on standard output alone."""
    here = os.environ | environment | {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
    here["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), here["PATH"]])
    if plain := PLAIN.fullmatch(command):
        done = processes.run(*shlex.split(plain[1]), cwd=folder, env=here)
        output = done.stdout + (b"" if data else done.stderr)
    else:
        linkfix = f'linkfix() {{ {shlex.quote(sys.executable)} -m linkfix "$@"; }}\n'
        done = subprocess.run(
            ["bash", "-c", linkfix + command],
            cwd=folder, env=here, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if data else subprocess.STDOUT,
        )  # fmt: skip
        output = done.stdout
    found = re.search(r"linkfix (spark )?(audit|verify|targets)", command)
    assert done.returncode in ((0, 1) if found else (0,)), (command, output)
    return output.decode()


@contextlib.contextmanager
def stage(page: str, folder: Path) -> Iterator[dict[str, str]]:
    """Prepare what a page needs that no command makes: tables, and an object store."""
    for package in EXTRAS.get(page, ()):
        pytest.importorskip(package, reason=f"{page} needs the package {package}")
    if page == "docs/remote.md":
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as new:
            new.writestr("docs/index.html", PAGE)
        with serving() as store:
            store.bucket("bucket", {"site/index.html": PAGE, "site.zip": archive.getvalue()})
            yield store.environment
        return
    if page == "docs/arrow.md":
        import pyarrow as pa
        from pyarrow import parquet

        columns = {
            "id": [7],
            "url": ["http://a.example/"],
            "content": [PAGE],
            "type": ["text/html"],
        }
        parquet.write_table(pa.table(columns), folder / "pages.parquet")
    yield {}


# warcio leaves temporary files open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("page", pages())
def test_the_blocks_run_in_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    count = 0

    def block(found: re.Match[str]) -> str:
        nonlocal count
        language, text = found[1] or found[3], found[2] or found[4]
        if language in ELSEWHERE.get(page, ("",))[0].split():
            return found[0]
        if language == "setup":
            run(text, tmp_path, environment)
        elif language != "console" and (named := NAMED.match(text)):
            (tmp_path / named[1]).write_text(text, "utf-8")
        elif language == "python":
            exec(compile(text, page, "exec", dont_inherit=True), names)
            count += 1
        elif language == "console":
            pairs = COMMAND.findall(text)
            count += len(pairs)
            data = page == "README.md"  # which has no room for the summaries
            printed = [
                run(re.sub(r"(?m)^> ?", "", each), tmp_path, environment, data=data)
                for each, _ in pairs
            ]
            if any(output for _, output in pairs):
                shown = [f"$ {each}{out}" for (each, _), out in zip(pairs, printed, strict=True)]
                return f"```console\n{''.join(shown)}```"
        return found[0]

    text = (ROOT / page).read_text("utf-8")
    with stage(page, tmp_path) as environment:
        real = BLOCK.sub(block, text)
    if os.environ.get("LINKFIX_RECORD"):
        (ROOT / page).write_text(real, "utf-8")
    assert count or page in ELSEWHERE
    assert real == text


@pytest.mark.unit
def test_the_commands_that_measure_have_the_options_that_are_named() -> None:
    """They take minutes, and are not run here."""
    page = (ROOT / "benchmarks" / "README.md").read_text("utf-8")
    found = re.findall(r"(?m)^(?:\$ .*)?python (benchmarks/\w+\.py)((?:.*\\\n)*.*)$", page)
    assert len(found) >= 10
    for script, line in found:
        source = (ROOT / script).read_text("utf-8")
        for option in re.findall(r"(?<= )--[\w-]+", line.partition(" # ")[0]):
            assert f'"{option}"' in source, (script, option)
