"""Print the size of the house: lines of code by room, wide folders, long modules, circles of imports, calls for one link.

    python tools/house.py            # of this checkout
    python tools/house.py ../other   # of another one: lines and imports only

A line of code is a line of a module of `linkfix/` that is no docstring, no comment and not blank. Tables (folders
`tables`, modules `*_data`) do not count. Calls are Python functions, at the second call in one process.
"""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

#: Folders with more modules, and modules with more lines, are named.
MOST_MODULES, MOST_LINES = 24, 500
#: A document with one link that changes, and a finding.
PAGE = b"<!DOCTYPE html><meta charset=utf-8><a href='/a b'>x</a>"

_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def lines_of_code(source: str) -> int:
    """Count the lines of a module that are code."""
    prose: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _Documented) and ast.get_docstring(node, clean=False) is not None:
            last = node.body[0].end_lineno
            prose.update(range(node.body[0].lineno, (last or 0) + 1))
    lines = enumerate(map(str.strip, source.splitlines()), 1)
    return sum(1 for n, line in lines if line and line[0] != "#" and n not in prose)


def modules(package: Path) -> dict[str, Path]:
    """Return the path of every module of a package but tables, by its dotted name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        if "tables" not in parts[:-1] and not path.stem.endswith("_data"):
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def rooms(package: Path) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return the lines of code by room, modules by folder, and all lines by module."""
    code, folders, long = Counter[str](), Counter[str](), Counter[str]()
    for path in modules(package).values():
        source, place = path.read_text(), path.relative_to(package)
        code[place.parts[0] if len(place.parts) > 1 else "."] += lines_of_code(source)
        folders[str(place.parent)] += 1
        long[str(place)] = source.count("\n")
    return code, folders, long


def imports(package: Path, *, for_types: bool) -> dict[str, set[str]]:
    """Return the modules of a package that each module imports, in functions too.

    Args:
        package: its folder.
        for_types: whether imports for type checking count.

    """
    paths = modules(package)
    graph: dict[str, set[str]] = {}
    for name, path in paths.items():
        tree = ast.parse(path.read_bytes())
        if not for_types:
            for node in ast.walk(tree):
                if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                    node.body = []
        package_name = name if path.stem == "__init__" else name.rpartition(".")[0]
        graph[name] = set(_imported(tree, package_name, paths)) & paths.keys() - {name}
    return graph


def _imported(tree: ast.AST, package: str, known: Container[str]) -> Iterator[str]:
    parts = package.split(".")
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = parts[: len(parts) - node.level + 1] if node.level else []
            module = ".".join([*stem, *filter(None, [node.module])])
            for alias in node.names:
                name = f"{module}.{alias.name}"
                yield name if name in known else module


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import each other (Tarjan's strongly connected components), largest first."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[-len(group) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in graph:
        if name not in order:
            visit(name)
    return sorted(found, key=len, reverse=True)


def trace(work: Callable[[], object], package: Path) -> Counter[tuple[str, str]]:
    """Count the calls of a package's functions that a piece of work makes, by module of the caller and of the function.

    A module is a path in the package; the caller is the nearest function of the package, "" for none.
    """
    root, found = f"{package}{os.sep}", Counter[tuple[str, str]]()

    def observe(frame: Any, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(root):
            caller = frame.f_back
            while caller is not None and not caller.f_code.co_filename.startswith(root):
                caller = caller.f_back
            called_by = caller.f_code.co_filename.removeprefix(root) if caller else ""
            found[called_by, file.removeprefix(root)] += 1

    work()
    sys.setprofile(observe)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def ways(page: Path) -> dict[str, Callable[[], object]]:
    """Return what is done with a page of one link, by its name."""
    import linkfix
    from linkfix.cli.group import cli

    def rewriter() -> None:
        each = linkfix.Rewriter(to="uri", source=linkfix.Source(type="html"))
        each.feed(PAGE)
        each.close()

    def command(*arguments: str) -> Callable[[], object]:
        return lambda: cli.main([*arguments, str(page)], prog_name="linkfix", standalone_mode=False)

    return {
        "Rewriter": rewriter,
        "linkfix rewrite FILE": command("rewrite", "-q"),
        "linkfix extract FILE": command("extract", "-q"),
        "linkfix audit FILE": command("audit", "-q"),
    }


def main() -> None:
    here = Path(__file__).parents[1]
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else here
    package = root / "linkfix"
    code, folders, long = rooms(package)
    print(f"{sum(code.values()):,} lines of code in {sum(folders.values())} modules")
    print("  " + "; ".join(f"{room} {count:,}" for room, count in code.most_common()))
    wide = [f"{name} {n}" for name, n in folders.most_common() if n > MOST_MODULES]
    print(f"folders with more than {MOST_MODULES} modules: {'; '.join(wide) or 'none'}")
    tall = [f"{name} {n}" for name, n in long.most_common() if n > MOST_LINES]
    print(f"modules with more than {MOST_LINES} lines: {'; '.join(tall) or 'none'}")
    for for_types in (False, True):
        groups = circles(imports(package, for_types=for_types))
        print(f"circles {'with imports for types' if for_types else 'at run time'}: {len(groups)}")
        for group in groups:
            print(f"  {len(group)}: {' '.join(name.removeprefix('linkfix.') for name in group)}")
    if root != here:
        return
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_bytes(PAGE)
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):  # noqa: PTH123
            measured = {name: trace(work, package) for name, work in ways(page).items()}
    print("calls for one link that changes:")
    for name, calls in measured.items():
        print(f"  {name}: {calls.total()} calls in {len({called for _, called in calls})} modules")


if __name__ == "__main__":
    main()
