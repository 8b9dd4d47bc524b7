"""Build the documentation site: the pages of this repository, and the reference from the code.

    python tools/docs_site.py [--out site] [--playground]        (extra `docs`)

The pages are those of `docs/`, README.md and the other documents; links between them are kept, links to other files of the
repository lose their target. Made from the code: a page and a man page for each command from the table of its options, a page
for each rule, the reference of the library from its docstrings, the glossary. The build is strict: a warning ends it.
"""

from __future__ import annotations

import argparse
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import linkfix
from linkfix.cli.group import cli
from linkfix.cli.options.table import Setting, Where

ROOT = Path(__file__).resolve().parents[1]
#: The documents outside of `docs/`, and their names in the site.
MOVED = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security-policy.md",
    "samples/README.md": "samples.md",
    "benchmarks/README.md": "benchmarks.md",
    "tests/conformance/README.md": "conformance.md",
    "docs/cookbook/README.md": "cookbook/index.md",
}
TUTORIALS = ("webmaster", "python", "publisher", "crawl")
USE = (
    "links",
    "audit",
    "own",
    "sites",
    "migration",
    "mv",
    "linkmap",
    "verify",
    "graph",
    "transcoding",
    "charsets",
    "embedded",
)
MORE = (
    "xml",
    "iri",
    "library",
    "arrow",
    "warc",
    "containers",
    "remote",
    "spark",
    "scale",
    "beside",
    "samples",
    "cookbook/index",
)
ABOUT = ("promises", "stability", "exit-status", "security", "security-policy", "changes")
BUILD = ("architecture", "contributing", "decisions", "clauses", "conformance", "benchmarks")
#: The modules whose public names the reference of the library has a page for.
API = {
    "linkfix": "What most programs need: documents in, documents, links and findings out.",
    "linkfix.iri": "Single references: convert, resolve, compare, inspect.",
    "linkfix.trees": "The links in trees of lxml, html5lib and BeautifulSoup.",
    "linkfix.arrow": "Record batches of Arrow.",
    "linkfix.spark": "Crawls on Apache Spark.",
}
#: What runs the playground: Pyodide's package of npm, its files that a page loads, and the pure packages that linkfix needs there.
PYODIDE = "pyodide@314.0.7"
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
NEEDED = ("chardet", "cssselect2", "idna", "tinycss2", "webencodings")
WHERE = {
    Where.FILE: "also in settings files",
    Where.LIMIT: "also in settings files; one that was found can only lower it",
    Where.SITE: "also in settings files, in `[tool.linkfix.site]`",
    Where.LINE: "on the command line only",
}
#: A block of code, a link, or code in a line: what begins first.
_PIECE = re.compile(
    r"(?ms)(?P<code>^```.*?^```$)|(?<!\\)\[(?P<text>(?:[^\[\]`]|`[^`\n]*`|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)"
    r"|(?P<span>`[^`\n]+`)|(?P<less>\\<)"
)


def site_name(path: str) -> str | None:
    """Return the path of a file of the repository in the site, or None for what the site has not."""
    if path in MOVED:
        return MOVED[path]
    if path.startswith("docs/") and (ROOT / path).is_file():
        return path.removeprefix("docs/")
    return None


def page(path: str) -> str:
    """Return a document of the repository with its links for the site."""
    here = posixpath.dirname(site_name(path) or "")

    def piece(found: re.Match[str]) -> str:
        if found["less"]:
            return "&lt;"
        if not found["target"]:
            return found[0]
        target, mark, fragment = found["target"].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return found[0]
        there = site_name(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
        if there is None:
            return found["text"]
        return f"[{found['text']}]({posixpath.relpath(there, here or '.')}{mark}{fragment})"

    return _PIECE.sub(piece, (ROOT / path).read_text("utf-8"))


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with its name, those of groups too."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None:
                yield from commands(found, f"{name} {each}")


def options(command: click.Command) -> Iterator[tuple[str, list[tuple[click.Option, str, str]]]]:
    """Yield the titles of the groups of options, and of each its options with their names and help."""
    context = click.Context(command)
    groups: dict[str, list[tuple[click.Option, str, str]]] = {}
    for each in command.get_params(context):
        record = each.get_help_record(context)
        if isinstance(each, click.Option) and record is not None:
            groups.setdefault(getattr(each, "title", "") or "Options", []).append((each, *record))
    yield from groups.items()


def usage(command: click.Command, name: str) -> str:
    """Return the line of usage."""
    return f"{name} {' '.join(command.collect_usage_pieces(click.Context(command)))}"


def _escaped(text: str) -> str:
    return re.sub(r"([\\<>*_\[\]])", r"\\\1", text)


def help_of(command: click.Command) -> list[str]:
    """Return the paragraphs of the help of a command."""
    return [
        " ".join(each.split())
        for each in (command.help or "").replace("\b", "").split("\n\n")
        if each.strip()
    ]


def command_page(command: click.Command, name: str) -> str:
    """Return the page of a command, from the table of its options."""
    lines = [f"# {name}", "", *(f"{_escaped(each)}\n" for each in help_of(command))]
    lines += ["```text", usage(command, name), "```", ""]
    if isinstance(command, click.Group):
        lines += ["| command | |", "| --- | --- |"]
        context = click.Context(command)
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            short = found.get_short_help_str(200) if found else ""
            lines.append(f"| [{each}]({name.replace(' ', '-')}-{each}.md) | {_escaped(short)} |")
        lines.append("")
    for title, rows in options(command):
        lines += [f"## {title}", ""]
        for option, names, text in rows:
            lines += [f"`{names}`", f":   {_escaped(text)}"]
            if isinstance(option, Setting):
                keys = ", ".join(f"`{key}`" for key in option.keys)
                lines += [
                    "",
                    f"    *{WHERE[option.where]}*"
                    + (f": {keys}" if keys and option.where is not Where.LINE else ""),
                ]
            lines.append("")
    lines += [
        f"The same as a man page: [{name.replace(' ', '-')}.1](../man/{name.replace(' ', '-')}.1)",
        "",
    ]
    return "\n".join(lines)


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man_page(command: click.Command, name: str) -> str:
    """Return the man page of a command, from the same table."""
    title = name.replace(" ", "-")
    short, *rest = help_of(command) or [name]
    lines = [f'.TH "{title.upper()}" 1 "" "linkfix {linkfix.__version__}" "linkfix"', ".SH NAME"]
    lines += [
        f"{_roff(title)} \\- {_roff(short.rstrip('.'))}",
        ".SH SYNOPSIS",
        _roff(usage(command, name)),
    ]
    if rest:
        lines += [".SH DESCRIPTION", *(f"{_roff(each)}\n.PP" for each in rest)]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for each in command.list_commands(click.Context(command)):
            lines += [".TP", f".BR {_roff(title)}\\-{_roff(each)} (1)"]
    for heading, rows in options(command):
        lines.append(f".SH {heading.upper()}")
        for _, names, text in rows:
            lines += [".TP", f".B {_roff(names)}", _roff(text)]
    lines += [
        ".SH EXIT STATUS",
        "0: nothing to report. 1: findings. 2: wrong usage. 3: a document could not be processed.",
    ]
    return "\n".join(lines) + "\n"


def rule_pages() -> Iterator[tuple[str, str]]:
    """Yield a page for each rule, by its code, and the list of all."""
    head, *parts = re.split(r"(?m)^(?=##? |### )", page("docs/rules.md"))
    rows = []
    for part in parts:
        found = re.match(r"### ([A-Z]{3}\d{3}) (\S+)\n\n\*(\w+)\* · (.*)\n", part)
        if found:
            code, name, severity, short = found.groups()
            rows.append(f"| [{code}]({code}.md) | [{name}]({code}.md) | {severity} | {short} |")
            yield f"rules/{code}.md", part.replace(f"### {code} {name}", f"# {code} {name}", 1)
        elif part.startswith("## "):
            rows += [
                "",
                part.strip(),
                "",
                "| code | rule | | what it reports |",
                "| --- | --- | --- | --- |",
            ]
        else:
            rows += ["# The rules of the audit", "", *part.splitlines()[3:]]
    yield "rules/index.md", head + "\n".join(rows) + "\n"


def glossary() -> str:
    """Return the glossary of ARCHITECTURE.md as a page of its own."""
    found = re.search(r"(?ms)^## Glossary\n(.*?)(?=^## )", page("ARCHITECTURE.md"))
    if found is None:
        raise ValueError("ARCHITECTURE.md has no glossary")
    return "# Glossary\n" + found[1]


def api_page(module: str, about: str) -> str:
    """Return the page of a module: its public names, in the order of its `__all__`."""
    public = sorted(
        __import__(module, fromlist=["x"]).__all__,
        key=lambda name: (name[0].isupper(), name.lower()),
    )
    names = [name for name in public if f"{module}.{name}" not in API]
    lines = [f"# {module}", "", about, ""]
    lines += ["What is not on these pages is [internal](../stability.md).", ""]
    for name in names:
        lines += [f"::: {module}.{name}", ""]
    return "\n".join(lines)


def write(folder: Path) -> list[Any]:
    """Write all pages below a folder and return the navigation."""
    pages: dict[str, str] = {}
    for path in [*MOVED, *(f"docs/{each.name}" for each in (ROOT / "docs").glob("*.md"))]:
        pages[site_name(path) or ""] = page(path)
    for each in TUTORIALS:
        pages[f"tutorials/{each}.md"] = page(f"docs/tutorials/{each}.md")
    pages |= dict(rule_pages())
    del pages["rules.md"]
    pages = {
        name: re.sub(r"\]\((\.\./)?rules\.md(?=[#)])", r"](\1rules/index.md", text)
        for name, text in pages.items()
    }
    pages["glossary.md"] = glossary()
    programs = [*commands(cli, "linkfix")]
    for name, command in programs:
        pages[f"cli/{name.replace(' ', '-')}.md"] = command_page(command, name)
    for module, about in API.items():
        pages[f"api/{module}.md"] = api_page(module, about)
    for name, text in pages.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    (folder / "man").mkdir()
    for name, command in programs:
        (folder / "man" / f"{name.replace(' ', '-')}.1").write_text(
            man_page(command, name), "utf-8"
        )
    for program in (ROOT / "docs" / "cookbook").glob("*.py"):
        shutil.copyfile(program, folder / "cookbook" / program.name)
    for each in ("assets", "playground"):
        shutil.copytree(ROOT / "docs" / each, folder / each)

    def listed(names: tuple[str, ...], folder: str = "") -> list[str]:
        return [f"{folder}{name}.md" for name in names]

    # A page that nobody has put anywhere is the last of the pages on how to do something.
    known = {*USE, *MORE, *ABOUT, *BUILD, "rules"}
    other = sorted(
        name for each in (ROOT / "docs").glob("*.md") if (name := each.stem) not in known
    )
    return [
        "index.md",
        {"Tutorials": [*listed(TUTORIALS, "tutorials/"), {"Playground": "playground/index.html"}]},
        {"How to": [*listed(USE), *listed(MORE), *listed((*other,))]},
        {"Commands": [f"cli/{name.replace(' ', '-')}.md" for name, _ in programs]},
        {
            "Rules": [
                "rules/index.md",
                *sorted(name for name in pages if re.match(r"rules/[A-Z]", name)),
            ]
        },
        {"Library": [f"api/{module}.md" for module in API]},
        {"About": [*listed(ABOUT), "glossary.md"]},
        {"Development": listed(BUILD)},
    ]


def config(folder: Path, out: Path) -> dict[str, Any]:
    """Return the configuration of MkDocs. The site asks no other server for anything."""
    handler = {"paths": [str(ROOT)], "options": {
        "docstring_style": "google", "heading_level": 2, "show_root_heading": True, "show_root_full_path": False,
        "show_source": False, "show_bases": False, "separate_signature": True, "line_length": 100, "filters": ["!^_"],
    }}  # fmt: skip
    return {
        "site_name": "linkfix",
        "docs_dir": str(folder),
        "site_dir": str(out),
        "nav": write(folder),
        "theme": {"name": "material", "font": False, "features": ["navigation.tabs", "navigation.indexes", "content.code.copy"]},
        "plugins": ["search", {"mkdocstrings": {"handlers": {"python": handler}, "enable_inventory": False}}],
        "markdown_extensions": ["admonition", "def_list", "tables", "fenced_code", {"toc": {"permalink": False}}, "pymdownx.superfences"],
        "validation": {"omitted_files": "warn", "absolute_links": "warn", "unrecognized_links": "warn", "anchors": "warn"},
        "extra_css": ["assets/site.css"],
        "extra_javascript": ["assets/site.js"],
        "extra": {"generator": False},
    }  # fmt: skip


def bring_playground(folder: Path) -> None:
    """Put Pyodide, the wheel of linkfix and those that it needs into the folder of the playground."""
    with tempfile.TemporaryDirectory() as to:
        command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", to, PYODIDE]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (package,) = Path(to).glob("*.tgz")
        with tarfile.open(package) as archive:
            archive.extractall(to, filter="data")
        (folder / "pyodide").mkdir()
        for name in PYODIDE_FILES:
            shutil.copyfile(Path(to, "package", name), folder / "pyodide" / name)
        wheels = folder / "wheels"
        run = [sys.executable, "-m"]
        subprocess.run(
            [*run, "hatchling", "build", "-t", "wheel", "-d", wheels],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
        command = [
            *run,
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            "--platform=any",
            "--dest",
            str(wheels),
        ]
        subprocess.run([*command, *NEEDED], check=True, capture_output=True)
        (folder / "wheels.json").write_text(
            json.dumps(sorted(each.name for each in wheels.glob("*.whl"))), "utf-8"
        )


def main() -> int:
    """Build the site; the exit status is that of MkDocs, 3 where the playground cannot be brought."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "site")
    parser.add_argument(
        "--playground", action="store_true", help="bring Pyodide by npm, and wheels by pip"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "mkdocs.yml")
        file.write_text(
            json.dumps(config(Path(folder, "pages"), given.out.resolve()), indent=1), "utf-8"
        )
        command = [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--strict",
            "--quiet",
            "--config-file",
            str(file),
        ]
        status = subprocess.run(
            command, check=False, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        ).returncode
    if status == 0:
        # They need the public address of the site, which it has not yet.
        for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
            (given.out / name).unlink()
        # The style sheets of the theme have spaces and quotes in `data:` URLs.
        command = [
            sys.executable,
            "-m",
            "linkfix",
            "rewrite",
            "--quiet",
            "--in-place",
            str(given.out / "assets"),
        ]
        status = subprocess.run(command, check=False).returncode
        if given.playground:
            try:
                bring_playground(given.out / "playground")
            except (OSError, subprocess.CalledProcessError) as reason:
                print(f"the playground cannot be brought: {reason}", file=sys.stderr)
                return 3
    return status


if __name__ == "__main__":
    sys.exit(main())
