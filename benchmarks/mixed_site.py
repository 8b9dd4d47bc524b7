"""A mixed legacy site is migrated, by linkfix and by what others use, and followed in Chromium behind Apache and nginx.

    python benchmarks/mixed_site.py [--generated] [--pages N] [--tools linkfix,renamed,wget,httrack,iconv] [--broken]

The site: Debian packages of documentation in many charsets (``PACKAGES``; `tests/acceptance/packages.py` brings them),
the documents of the suite ``documents`` where `tools/conformance.py` has brought it, and what no package has
(``tests/mixed_generator.py``). ``--generated`` takes the last part alone. Of each package, N pages are drawn with a fixed seed,
of the rest all pages. `following.py` says what is compared. ``renamed`` migrates with new names, moved files and a link map, and
asks Apache and nginx for each old address in each spelling that the old server answers. ``--broken`` compares the links that
Apache answers with an error with what `graph --broken`, `audit`, linkinator and LinkChecker report.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_from_bytes, unquote_to_bytes, urldefrag, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(Path(__file__).parent)]

import broken_links  # noqa: E402
import conformance_data  # noqa: E402
import mixed_generator  # noqa: E402
import nginx  # noqa: E402
from acceptance.packages import Missing, Package, packages, unpack  # noqa: E402
from browser.harness import Browser  # noqa: E402
from following import FILE, Counts, Server, Tree, compare, local, look, old_addresses, served  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["build", "main", "migrate", "run"]

#: Packages beside those of the list, encoded as such sites once were.
PACKAGES = (
    Package("apache2-doc", "type maps and MultiViews", part="usr/share/doc/apache2-doc/manual/de"),
    Package("mhonarc", "pages that declare no charset", part="usr/share/doc/mhonarc"),
    Package("analog", "templates in twenty charsets", part="usr/share/analog"),
    Package("aptitude-doc-es", "a manual", charset="ISO-8859-1"),
    Package("aptitude-doc-fi", "a charset that only the server declares", charset="ISO-8859-15", declare="server"),
    Package("aptitude-doc-nl", "a manual", charset="windows-1252"),
    Package("debian-faq-de", "a charset that only the server declares", charset="ISO-8859-1", declare="server"),
    Package("debian-faq-fr", "pages that declare no charset", charset="windows-1252", declare="nobody"),
    Package("debian-faq-it", "a manual", charset="windows-1252"),
    Package("maint-guide-ru", "a manual", charset="ISO-8859-5"),
)  # fmt: skip
#: linkinator goes on only to what is below its first page.
AT_ROOT = f"RewriteEngine On\nRewriteRule ^/$ /{broken_links.START}\n"
PAGE = re.compile(r"\.(s?html?|xhtml)(\.[a-z-]{2,5})?$", re.IGNORECASE | re.ASCII)
INCLUDE = re.compile(rb'<!--#include (?:virtual|file)="([^"]+)"')


@dataclass(slots=True)
class Result:
    """What each program did; the old addresses that each server was asked for, and wrong answers; and what linkfix did wrong."""

    counts: dict[str, Counts] = field(default_factory=dict)
    addresses: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def build(root: Path, *, generated: bool) -> str:
    """Make the old site; return the decisions that a person who knows it has made."""
    root.mkdir()
    decisions = mixed_generator.DECISIONS
    mixed_generator.write(root)
    for package in () if generated else (*packages(full=False), *PACKAGES):
        try:
            unpack(package, root)
        except Missing as error:
            print(f"without {error}", file=sys.stderr)
        if package.declare == "nobody":
            decisions += f"/{package.name}/={package.charset}\n"
    for folder in () if generated else (each / "documents" for each in conformance_data.ROOTS):
        if folder.is_dir():
            shutil.copytree(folder, root / "documents", dirs_exist_ok=True)
    start = root / broken_links.START
    links = (
        f'<a href="/{escape(quote_from_bytes(os.fsencode(path)))}">x</a>\n' for path in pages(root)
    )
    start.write_text(f'<!doctype html><meta charset="utf-8"><title>Start</title>{"".join(links)}')
    return decisions


def pages(root: Path) -> list[str]:
    """Return the paths of the HTML pages of a site."""
    found = (
        path
        for path in root.rglob("*")
        if PAGE.search(path.name) and path.is_file() and not path.is_symlink()
    )
    return sorted(path.relative_to(root).as_posix() for path in found)


def drawn(root: Path, number: int) -> list[str]:
    """Return the generated pages, and of each package so many (0: all), with a fixed seed."""
    own = {each.folder for each in mixed_generator.CHARSETS} | {"neg", "mv", "path", "start"}
    groups: dict[str, list[str]] = {}
    for path in pages(root):
        folder = path.partition("/")[0]
        groups.setdefault("" if folder in own or "/" not in path else folder, []).append(path)
    sampled = random.Random(1)
    return [
        path
        for folder, paths in groups.items()
        for path in (sampled.sample(paths, min(number or len(paths), len(paths))) if folder else paths)
    ]  # fmt: skip


def told(root: Path, decisions: str) -> str:
    """Return lines by which Apache names the charsets that were decided: a reader's browser is set to them."""
    rows = (line.split("=") for line in decisions.splitlines())
    return "".join(
        f'<Directory "{root}{path.rstrip("/")}">\nAddDefaultCharset {label}\n</Directory>\n'
        for path, label in rows
    )


def migrate(
    old: Path, new: Path, decisions: str, *options: str
) -> subprocess.CompletedProcess[str]:
    """Migrate by linkfix, with the decisions in a file."""
    file = new.parent / f"{new.name}.decisions"
    file.write_text(decisions)
    command = [
        sys.executable,
        "-m",
        "linkfix",
        "migrate",
        "-q",
        "--decisions",
        str(file),
        *options,
        str(old),
        str(new),
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode not in {0, 1, 3}:
        raise SystemExit(f"migrate: exit status {done.returncode}: {done.stderr}")
    return done


def by_linkfix(old: Path, new: Path, decisions: str, _: Server) -> Tree:
    """Migrate with default options."""
    migrate(old, new, decisions)
    return Tree(new)


#: New names, moves and a map, as options and rules.
RENAMES = ("--rename", ".htm=.html", "--base", "http://old.example/")
MAP = """\
http://old.example/pl/frames.html,http://old.example/pl/ramki/rama.html
http://old.example/el/,http://old.example/ellinika/,prefix
http://old.example/page.cgi?doc=1,http://old.example/index.html
"""


def renamed(old: Path, new: Path, decisions: str, _: Server, form: str = "apache") -> Tree:
    """Migrate with new names, moved files and a link map; a server reads the redirects."""
    names = [part for each in mixed_generator.CHARSETS if each.label != "UTF-8" for part in ("--rename-charset", f"/{each.folder}/={each.label}")]  # fmt: skip
    rules, report, table = (
        new.parent / f"{new.name}.{end}" for end in ("csv", "jsonl", "redirects")
    )
    rules.write_text(MAP)
    options = [
        *RENAMES,
        *names,
        "--map",
        str(rules),
        "--redirects",
        str(table),
        "--redirect-format",
        form,
    ]
    migrate(old, new, decisions, *options, "--report", str(report))
    origins = {}
    for line in report.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["record"] == "moved":
            before, after = (os.fsdecode(unquote_to_bytes(urlsplit(row[each]).path)).lstrip("/") for each in ("old", "new"))  # fmt: skip
            origins[after] = (before, b"")
    return Tree(new, origins, configured(table))


def configured(table: Path) -> str:
    """Return the lines of configuration that the heads of a table of redirects and of its ``.conf`` say."""
    lines = []
    for path in (table, table.with_name(f"{table.name}.conf")):
        if path.exists():
            text = (
                path.read_text("utf-8", "surrogateescape")
                .replace("/path/of/this/file.conf", f"{table}.conf")
                .replace("/path/of/this/file", str(path))
            )
            lines += [line[1:].strip() for line in text.splitlines() if line.startswith("#     ")]
    return "\n".join(dict.fromkeys(lines)) + "\n"


def by_wget(old: Path, new: Path, _: str, server: Server) -> Tree:
    """Mirror the old server by wget, which converts the links."""
    del old
    log = new.parent / "wget.log"
    command = ["wget", "-nv", "-o", str(log), "-e", "robots=off", "-r", "-l", "inf", "-p", "-k", "-nH", "-P", str(new), f"{server.origin}/{broken_links.START}"]  # fmt: skip
    subprocess.run(command, check=False, timeout=LIMIT)
    saved = re.findall(rb'URL:(\S+) \[[^]]*\] -> "(.*)" \[\d+\]\n', log.read_bytes())
    return Tree(
        new,
        {
            os.path.relpath(os.fsdecode(name), new): _fetched(server, url.decode("latin-1"))
            for url, name in saved
        },
    )


def by_httrack(old: Path, new: Path, _: str, server: Server) -> Tree:
    """Mirror the old server by HTTrack, as fast as it can: eight connections, any number of them and of bytes a second."""
    del old
    command = ["httrack", f"{server.origin}/{broken_links.START}", "-O", str(new), "-q", "-s0", "-c8", "-%c0", "--max-rate=0", "--disable-security-limits"]  # fmt: skip
    subprocess.run(
        command, check=False, timeout=LIMIT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    origins = {}
    for line in (new / "hts-cache" / "new.txt").read_bytes().splitlines()[1:]:
        cells = line.split(b"\t")
        if len(cells) > 8 and cells[3] == b"200":
            url = cells[7].decode("latin-1").removeprefix("http://")
            origins[os.path.relpath(os.fsdecode(cells[8]), new)] = _fetched(server, f"http://{url}")
    return Tree(new, origins)


def _fetched(server: Server, url: str) -> tuple[str, bytes]:
    """Return the old file that a mirror got from an address, and the query."""
    answer = server.ask(
        quote(local(server, url) or "/", safe="/%?&=;:+,!$'()*@#[]", encoding="latin-1")
    )
    return answer.file, answer.query


def by_iconv(old: Path, new: Path, decisions: str, _: Server) -> Tree:
    """Convert pages by iconv and their declarations by sed, as a script does that is told the charset of each folder."""
    shutil.copytree(old, new, symlinks=True)
    of_folders = dict(line.strip("/").split("/=") for line in decisions.splitlines())
    for htaccess in new.rglob(".htaccess"):
        if found := re.search(r"AddDefaultCharset (\S+)", htaccess.read_text("utf-8")):
            of_folders[htaccess.parent.relative_to(new).as_posix()] = found[1]
            htaccess.write_text(htaccess.read_text().replace(found[0], "AddDefaultCharset UTF-8"))
    for path in pages(new):
        page = new / path
        declared = re.search(rb"charset\s*=\s*[\"']?([\w-]+)", page.read_bytes()[:4096])
        above = (of_folders.get(each.as_posix()) for each in Path(path).parents)
        label = declared[1].decode() if declared else next(filter(None, above), "UTF-8")
        done = subprocess.run(
            ["iconv", "-c", "-f", label, "-t", "UTF-8", page], capture_output=True, check=False
        )
        if done.returncode < 2 and done.stdout:
            edited = subprocess.run(["sed", "-E", "1,60s/charset=([\"']?)[A-Za-z0-9_-]+/charset=\\1utf-8/I"], input=done.stdout, capture_output=True, check=True)  # fmt: skip
            page.write_bytes(edited.stdout)
    return Tree(new)


#: The longest that a peer works, in seconds.
LIMIT = 900
TOOLS: dict[str, tuple[str, Callable[..., Tree]]] = {
    "linkfix": ("linkfix", by_linkfix),
    "renamed": ("linkfix, new names", renamed),
    "wget": ("wget -k", by_wget),
    "httrack": ("HTTrack", by_httrack),
    "iconv": ("iconv and sed", by_iconv),
}


def _pairs(rows: list[dict[str, str]], root: Path) -> set[tuple[str, bytes]]:
    """Return the path of the page and the target of each link in a graph; a link in a part is one of its pages."""
    shown: dict[str, list[str]] = {}
    for path in root.rglob("*.shtml"):
        parts = [path]
        for part in parts:
            names = INCLUDE.findall(part.read_bytes())
            parts += [root / name[1:] if name[0] == "/" else part.parent / name for name in map(os.fsdecode, names)]  # fmt: skip
        for part in parts:
            shown.setdefault(part.relative_to(root).as_posix(), []).append(path.relative_to(root).as_posix())  # fmt: skip
    found = set()
    for row in rows:
        source = os.fsdecode(unquote_to_bytes(row["source"]))[1:]
        target = unquote_to_bytes(urldefrag(row["uri"])[0])
        found |= {(page, target) for page in shown.get(source, [source])}
    return found


def _names(page: Path, target: bytes) -> bool:
    """Return whether a page can name a target: its last segment is in it, or has other octets than ASCII."""
    name = target.partition(b"?")[0].rpartition(b"/")[2]
    return not (name and name.isascii()) or page.suffix == ".shtml" or name in page.read_bytes()


def broken(
    server: Server, state: Path, more: str, before: dict[str, Any], programs: dict[str, str | None]
) -> list[str]:
    """Print the table of broken links; return what linkfix misses and what it reports falsely."""
    asked, wrong = set(), set()
    for path, page in before.items():
        for link in page["links"] if page else ():
            target = local(server, link)
            if target is not None:
                pair = (path, unquote_to_bytes(target))
                asked.add(pair)
                if server.ask(target).status >= 400:
                    wrong.add(pair)
    print(f"{len(asked):,} targets of {len(before):,} pages, {len(wrong):,} broken\n")
    options = ["--server-config", str(state / "httpd.conf"), "-q", str(server.root)]
    run = partial(subprocess.run, capture_output=True, text=True, check=False)
    graph = run([sys.executable, "-m", "linkfix", "graph", "--broken", *options])
    rows = [row for row in map(json.loads, graph.stdout.splitlines()) if row["record"] == "link"]
    places = {(row["document"], row["line"], row["column"]) for row in rows}
    reported = _pairs([row for row in rows if row["problem"] != "fragment"], server.root)
    # What no octet of a page names is in its style sheets, where the graph has it, or a script has added it.
    unnamed = {pair for pair in wrong - reported if not _names(server.root / pair[0], pair[1])}
    styles = {pair for pair in unnamed if pair[1] in {target for _, target in reported}}
    asked, wrong = asked - (unnamed - styles), wrong - (unnamed - styles)
    print(f"{len(unnamed - styles):,} targets that scripts have added are not judged\n")
    found = (asked & reported) | styles
    print("| program | found | missed | false |\n| --- | --- | --- | --- |")
    examples = [f"missed: {pair}" for pair in sorted(wrong - found)] + [
        f"false: {pair}" for pair in sorted(found - wrong)
    ]
    print(
        f"| linkfix graph --broken | {len(found & wrong):,} | {len(wrong - found):,} | {len(found - wrong):,} |"
    )
    audit = run(
        [
            sys.executable,
            "-m",
            "linkfix",
            "audit",
            "--format",
            "jsonl",
            "--select",
            broken_links.RULES,
            "--exit-zero",
            *options,
        ]
    )
    audited = {
        (row["file"], row["line"], row["column"])
        for row in map(json.loads, audit.stdout.splitlines())
    }
    print(
        f"| linkfix audit, places beside those of graph | {len(places & audited):,} | {len(places - audited):,} | {len(audited - places):,} |"
    )
    # The peers begin at the root, so it is not judged; they have queries in other charsets, so paths are compared.
    targets, right, own = (
        frozenset(target.partition(b"?")[0].decode("latin-1") for _, target in pairs) - {"/"}
        for pairs in (wrong, asked - wrong, found)
    )
    every, targets = targets ^ right, targets - right
    own &= every
    print(f"\n{len(every):,} targets, each once, {len(targets):,} broken\n")
    print("| program | found | missed | false | seconds | of processor | peak MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    print(f"| linkfix graph --broken | {len(own & targets):,} | {len(targets - own):,} | {len(own - targets):,} | | | |")  # fmt: skip
    with served(Tree(server.root, more=more + AT_ROOT), state.with_name("peers")) as other:
        site = broken_links.Site(server.root, other.origin, targets, asked=every)
        for name, program in programs.items():
            title = f"{name} {broken_links.version(program)}"
            broken_links.row(title, getattr(broken_links, name.lower()), site, program)
    return examples


def main() -> None:
    """Migrate, follow and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--linkinator", default=shutil.which("linkinator"))
    parser.add_argument("--linkchecker", default=shutil.which("linkchecker"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, Browser() as browser:
        Path(temporary).chmod(0o755)
        result = run(Path(temporary), browser, arguments)
        print(*result.faults, sep="\n", file=sys.stderr)


def run(top: Path, browser: Browser, arguments: argparse.Namespace) -> Result:
    """Make the site below a folder, run the programs, and print the tables; return what was compared."""
    old, result = top / "old", Result()
    decisions = build(old, generated=arguments.generated)
    paths = drawn(old, arguments.pages)
    print(
        f"{sum(path.is_file() for path in old.rglob('*')):,} files, {len(pages(old)):,} pages, {len(paths):,} of them in Chromium\n",
        flush=True,
    )
    more = told(old, decisions) + "Header set LinkChecker 1\n"
    with served(Tree(old, more=more), top / "state") as server:
        before = {
            path: page
            for path, page in look(browser, server, {path: path for path in paths}).items()
            if page
        }
        if arguments.broken:
            programs = {"linkinator": arguments.linkinator, "LinkChecker": arguments.linkchecker}
            result.faults += broken(server, top / "state", more, before, programs)
        print(
            "\n| program | pages | lost | other text | links | other resource | lost | mended | forms | other octets |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for name in filter(None, arguments.tools.split(",")):
            title, work = TOOLS[name]
            try:
                tree = work(old, top / name, decisions, server)
            except (OSError, subprocess.TimeoutExpired) as error:
                print(f"| {title} | {error} |")
                continue
            with served(tree, top / f"state-{name}") as changed:
                counts = result.counts[name] = compare(browser, server, before, tree, changed)
                print(
                    f"| {title} | {counts.pages:,} | {counts.gone:,} | {counts.texts:,} | {counts.links:,} | {counts.moved:,} | {counts.lost:,} | {counts.mended:,} | {counts.forms:,} | {counts.octets:,} |",
                    flush=True,
                )
                if "linkfix" in title:
                    result.faults += counts.examples
                if name == "renamed":
                    result.addresses["Apache"] = old_addresses(server, changed, tree, paths)
    if "renamed" in result.counts:
        result.addresses["nginx"] = by_nginx(top, decisions, paths)
        print("\n| server | old addresses | answered rightly |\n| --- | --- | --- |")
        for title, (asked, wrong) in result.addresses.items():
            print(f"| {title} | {asked:,} | {asked - len(wrong):,} |")
            result.faults += [f"{title}: {each}" for each in wrong[:20]]
    return result


def by_nginx(top: Path, decisions: str, paths: list[str]) -> tuple[int, list[str]]:
    """Ask nginx for old addresses, after a migration with its table of redirects."""
    tree = renamed(top / "old", top / "for-nginx", decisions, Server("", top), "nginx")
    lines = tree.more.splitlines()
    maps = "\n".join(line for line in lines if line.startswith("map"))
    header = f"add_header {FILE} $request_filename always;"
    asks = "\n".join([header, *(line for line in lines if not line.startswith("map"))])
    with (
        nginx.serving(top / "old", top / "nginx1", header) as old,
        nginx.serving(tree.root, top / "nginx2", asks, maps) as new,
    ):
        servers = Server(old, top / "old"), Server(new, tree.root)
        with servers[0], servers[1]:
            return old_addresses(*servers, tree, paths)


if __name__ == "__main__":
    main()
