"""The structure of the package: imports go left in ARCHITECTURE.md's picture, signatures are short."""

from __future__ import annotations

import ast
import importlib
import re
import runpy
from functools import cache
from pathlib import Path

import pytest

import linkfix

PACKAGE = Path(linkfix.__file__).parent

#: The folders that everything from the policy on may use.
ENGINE = ("errors", "charset", "markup", "links", "iri")
#: What every folder may import: these import nothing of the package.
COMMON = {"deferred", "version"}
#: For each folder, the folders of the package that it may import from.
ALLOWED = {
    "iri": set[str](),
    "charset": {"errors"},
    "markup": {"errors", "charset"},
    "links": {"errors", "charset", "markup", "iri"},
    "policy": {*ENGINE},
    "extracting": {*ENGINE, "policy"},
    "rewriting": {*ENGINE, "policy"},
    "transcoding": {*ENGINE, "policy", "rewriting"},
    "auditing": {*ENGINE, "policy", "rewriting"},
    "verifying": {*ENGINE, "policy"},
    "jobs": {"errors"},
    "containers": {"errors", "markup"},
    "files": {"errors", "markup", "verifying", "jobs", "containers"},
    "server": {*ENGINE, "policy", "auditing", "jobs", "files"},
    "facts": {*ENGINE, "policy", "auditing", "jobs", "files"},
    "warc": {*ENGINE, "policy", "rewriting", "jobs", "files"},
    "migration": {
        *ENGINE,
        "policy",
        "rewriting",
        "transcoding",
        "verifying",
        "jobs",
        "files",
        "server",
    },
    "sites": {
        *ENGINE,
        "policy",
        "extracting",
        "rewriting",
        "transcoding",
        "auditing",
        "verifying",
        "jobs",
        "containers",
        "files",
        "server",
        "facts",
        "warc",
        "migration",
        "library",
    },
    "plugins": {"auditing", "files", "sites"},
    "lsp": {
        *ENGINE,
        "policy",
        "auditing",
        "jobs",
        "files",
        "server",
        "migration",
        "library",
    },
    "arrow": {
        *ENGINE,
        "policy",
        "extracting",
        "rewriting",
        "transcoding",
        "auditing",
        "jobs",
        "files",
        "warc",
    },
    "spark": {
        *ENGINE,
        "policy",
        "extracting",
        "rewriting",
        "transcoding",
        "auditing",
        "jobs",
        "files",
        "warc",
        "arrow",
    },
}
#: The folders that open files and start processes.
OPENING = {
    "jobs",
    "containers",
    "files",
    "server",
    "warc",
    "migration",
    "sites",
    "lsp",
    "plugins",
    "spark",
}
#: Modules that the core must not import: command line, terminal, files.
FOREIGN_TO_CORE = {"click", "rich", "pathlib", "tempfile", "shutil", "os"}
#: A schema includes others, which are known only while it is compiled.
OPENS_SCHEMAS = PACKAGE / "links" / "schemas" / "opening.py"


@cache
def imported(path: Path) -> set[str]:
    """Every module that a file imports, in functions too, as absolute dotted names."""
    package = ["linkfix", *path.relative_to(PACKAGE).parent.parts]
    names: set[str] = set()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*stem, node.module] if node.module else stem)
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return names


def modules(folder: str) -> list[Path]:
    return sorted((PACKAGE / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", ALLOWED)
def test_imports_point_left(folder: str) -> None:
    for path in modules(folder):
        for name in imported(path):
            parts = name.split(".")
            if parts[0] == "linkfix" and len(parts) > 1 and parts[1] != folder:
                assert parts[1] in ALLOWED[folder] | COMMON, f"{path} imports {name}"


@pytest.mark.parametrize("folder", [name for name in ALLOWED if name not in OPENING])
def test_core_opens_no_files(folder: str) -> None:
    for path in modules(folder):
        if path == OPENS_SCHEMAS:
            continue
        roots = {name.split(".")[0] for name in imported(path)}
        assert not roots & FOREIGN_TO_CORE, f"{path} imports {roots & FOREIGN_TO_CORE}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions count too; those for types do not."""
    house = runpy.run_path(str(PACKAGE.parent / "tools" / "house.py"))
    assert house["circles"](house["imports"](PACKAGE, for_types=False)) == []


@pytest.fixture
def traced(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> dict[str, set[tuple[str, str]]]:
    """Which folder calls which, for each way of one link that tools/house.py knows."""
    house = runpy.run_path(str(PACKAGE.parent / "tools" / "house.py"))
    page = tmp_path / "page.html"
    page.write_bytes(house["PAGE"])
    found = {}
    for name, work in house["ways"](page).items():
        calls = house["trace"](work, PACKAGE)
        rooms = {
            tuple(Path(module).parts[0].removesuffix(".py") for module in call)
            for call in calls
            if call[0]
        }
        found[name] = {(caller, called) for caller, called in rooms if caller != called}
    capfd.readouterr()
    return found


def test_the_drawing_of_one_links_way_is_a_trace(
    traced: dict[str, set[tuple[str, str]]],
) -> None:
    text = (PACKAGE.parent / "ARCHITECTURE.md").read_text()
    drawing = text.partition("### The way of one link")[2].split("```")[1]
    lines = dict(re.split(r" {2,}", line, maxsplit=1) for line in drawing.split("\n") if line)
    called_back = {tuple(pair.split(" ─► ")) for pair in lines.pop("called back").split(", ")}
    seen_back = set[tuple[str, str]]()
    assert lines.keys() == traced.keys()
    for name, line in lines.items():
        order = line.split(" ─► ")
        assert set(order) == {folder for call in traced[name] for folder in call}, name
        seen_back |= {call for call in traced[name] if order.index(call[0]) > order.index(call[1])}
    assert seen_back == called_back


def test_every_module_can_be_imported() -> None:
    """What only types need is not there then: no annotation may be evaluated that has its name."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name != "__main__.py":
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            importlib.import_module(".".join(parts).removesuffix(".__init__"))


def test_no_folder_has_many_modules() -> None:
    """A reader keeps about two dozen names apart; the rules are one list."""
    house = runpy.run_path(str(PACKAGE.parent / "tools" / "house.py"))
    _, folders, _ = house["rooms"](PACKAGE)
    wide = {folder for folder, count in folders.items() if count > house["MOST_MODULES"]}
    assert wide == {"auditing/rules"}


#: The most parameters of a function; more belong in a frozen dataclass of settings.
MOST_PARAMETERS = 8
#: Functions with more: what programs call with keywords. The list may only get shorter.
LONG_SIGNATURES = {
    "iri/converter.py": {"convert"},
    "transcoding/transcoder.py": {"Transcoder.__init__"},
}


def long_signatures(path: Path) -> set[str]:
    """The functions of a module with more parameters than `MOST_PARAMETERS`, `self` not counted."""
    found = set[str]()

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                arguments = child.args
                every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                count = sum(argument.arg not in {"self", "cls"} for argument in every)
                if count > MOST_PARAMETERS:
                    found.add(prefix + child.name)
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{prefix}{child.name}."
            visit(child, inner)

    visit(ast.parse(path.read_bytes()), "")
    return found


def test_no_function_has_many_parameters() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): names
        for path in PACKAGE.rglob("*.py")
        if (names := long_signatures(path))
    }
    assert found == LONG_SIGNATURES
