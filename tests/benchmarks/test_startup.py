"""What a command loads for one page: modules, and patterns that are compiled. `benchmarks/startup.py` measures the time."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from startup import PAGE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

#: Prints the modules and the patterns of the package that a command needed.
PROGRAM = """
import json, re, sys
compiled, compile_pattern = [], re._compiler.compile
def count(pattern, flags=0):
    frame = sys._getframe(1)
    while frame.f_globals["__name__"] == "re":
        frame = frame.f_back
    compiled.append(frame.f_globals["__name__"])
    return compile_pattern(pattern, flags)
re._compiler.compile = count
from linkfix.cli import main
try:
    main()
except SystemExit:
    pass
modules = [name for name in sys.modules if name.partition(".")[0] == "linkfix"]
patterns = [name for name in compiled if name.partition(".")[0] in {"linkfix", "functools"}]
with open("needed.json", "w") as file:
    json.dump([modules, len(patterns)], file)
"""
#: Of each command the most modules and patterns of linkfix. More is allowed for what most pages need, and for nothing else.
MOST = {
    "iri convert http://example.org/\xe9": (42, 26),
    "extract page.html": (91, 22),
    "rewrite page.html": (109, 30),
    "audit --fail-on never page.html": (180, 116),
}
#: What one page of HTML without XML, style sheets, maps of links and archives never needs.
NEVER = ("linkfix.links.xml", "linkfix.links.schemas", "linkfix.links.documents", "linkfix.links.text", "linkfix.markup.css",
         "linkfix.markup.html.treeconstruction.stage", "linkfix.markup.html.treeconstruction.elements", "linkfix.files.journal",
         "linkfix.markup.json", "linkfix.policy.linkmap",
         "linkfix.policy.moving", "linkfix.files.remote", "linkfix.warc", "linkfix.iri.template")  # fmt: skip


@pytest.mark.parametrize("command", MOST)
def test_a_command_loads_what_one_page_needs(command: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE)
    subprocess.run(
        [sys.executable, "-c", PROGRAM, *command.split()],
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    modules, patterns = json.loads((tmp_path / "needed.json").read_text())
    most_modules, most_patterns = MOST[command]
    assert len(modules) <= most_modules
    assert patterns <= most_patterns
    assert not [name for name in modules if name.startswith(NEVER)]
