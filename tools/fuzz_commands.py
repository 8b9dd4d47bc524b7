"""Run every command over broken files until the time is up.

    python tools/fuzz_commands.py [--minutes M] [--seed S] [--case N] [--cases N] [--documents DIR]...

A case is a folder of files and the arguments of one command, run in this process. The files are
documents (of `fuzz.py`, and of the folders of --documents), archives, journals, settings, link maps,
catalogs, schemas, redirects of servers, caches and git repositories, whole or damaged, and pipes in their places. Patterns of
paths have many stars, and some names many letters that they match. An exception that the command does not turn into a message, one
that it reports as a fault of linkfix, a control character on standard error, and a run that takes more than a minute are faults. A case
with a fault is made as small as it gets and printed; the exit status is then 1. Every case
follows from the seed and its number: `--case` runs it alone.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import re
import signal
import sqlite3
import sys
import tempfile
import traceback
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

# The signatures of caches; no file of the user is made.
os.environ["LINKFIX_CACHE_KEY"] = "the key of this run"

import fuzz  # noqa: E402 - found by the lines above
import fuzzing  # noqa: E402
from archives import Archive, chunked, deflated  # noqa: E402
from click.testing import CliRunner, Result  # noqa: E402

from linkfix.cli.group import cli  # noqa: E402
from linkfix.errors import LinkfixError  # noqa: E402
from linkfix.files.journal import NAME as JOURNAL  # noqa: E402
from linkfix.files.journal import Journal  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: The time limit of a command in seconds.
LONGEST = 60
#: The largest document in bytes that is used from --documents.
LARGEST = 100_000
#: The placeholder in files for the name of their folder.
FOLDER = b"@FOLDER@"
#: The content of what is a named pipe.
PIPE = b"@PIPE@"
#: What the command line makes a message of wherever it is raised (`linkfix.cli.ending`).
HANDLED = (SystemExit, LinkfixError, OSError, MemoryError)
#: What standard error never has: what a terminal could act on.
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
#: The message of a command about an unexpected exception.
FAULT_SAID = "this is a fault of linkfix"
#: The line of it: the name of the exception, its message, and the module and line that raised it.
SAID = re.compile(r"unexpected (\w+): (.*), in \S*?([\w.]+:\d+) \(.*" + FAULT_SAID)

SUFFIXES = {"html": ".html", "xhtml": ".xhtml", "xml": ".xml"}
LONG = "a" * 300
NAMES = ["a", "b", "c d", "é", "%E9", "index", "x#y", "-q", "sub/a", "sub/deep/b"]
MAPS = [
    "http://a.example/a -> /b\n",
    "old,new\nhttp://a.example/a,http://b.example/b\n/c,/d\n",
    "a.example/* -> b.example/$1\n/x?id=* -> /y/$1\n# no rule\n",
    '{"http://a.example/": "http://b.example/"}\n',
    "/é -> /%C3%A9\nb.html->c.html\n",
]
CATALOG = """<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog" prefer="public">
<uri name="urn:a" uri="a.xsd"/><system systemId="http://a.example/a.rng" uri="a.rng"/>
<rewriteURI uriStartString="http://a.example/" rewritePrefix="./"/><nextCatalog catalog="no.xml"/>
<delegateURI uriStartString="urn:" catalog="catalog.xml"/></catalog>"""
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:a" xmlns="urn:a" elementFormDefault="qualified">
<xs:include schemaLocation="a.xsd"/><xs:element name="r"><xs:complexType><xs:sequence>
<xs:element name="u" type="xs:anyURI" maxOccurs="unbounded"/><xs:element name="v" type="t"/><xs:any processContents="lax"/>
</xs:sequence><xs:attribute name="h" type="xs:anyURI"/></xs:complexType></xs:element>
<xs:simpleType name="t"><xs:union memberTypes="xs:int xs:anyURI"/></xs:simpleType></xs:schema>"""
RNG = """<element name="r" ns="urn:a" xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">
<zeroOrMore><choice><element name="u"><data type="anyURI"/></element><attribute name="h"><list><oneOrMore><data type="anyURI"/></oneOrMore></list></attribute>
<ref name="x"/><externalRef href="a.rng"/></choice></zeroOrMore></element>"""
TYPED = """<r xmlns="urn:a" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a http://a.example/a.xsd" h="a b"><u>é x</u><v>1</v><v>y|</v></r>"""
TOML = """[tool.linkfix]
base = "http://a.example/"
exclude = ["b*"]
[tool.linkfix.audit]
select = ["ALL"]
fail-on = "never"
per-file-ignores = { "*.html" = ["SYN"] }
[tool.linkfix.site]
clean-urls = true
aliases = { "/sub/" = "old" }
hosts = ["a.example"]
server-config = ["red.nginx"]
[tool.linkfix.rewrite]
to = "iri"
link = ["a@title"]
"""
TOML_VALUES = ["1", "-1", "1.5", "true", '""', '"é\\u0000"', "[]", "[1]", '["a"]', "{}", '{ a = 1 }', "1979-05-27", "nan", '[["a"]]', "{ a = [1] }", '"' + "a" * 300 + '"']  # fmt: skip
#: What a server redirects, as its own files have it.
SERVERS = {
    "_redirects": "/a.html /b.html 301\n/old/* /sub/:splat\n/x id=:id /y/:id 302!\n/c.html /c.html\n# no rule\n",
    ".htaccess": 'Redirect 301 /a.html /b.html\nRedirectMatch permanent "^/old/(.*)$" /sub/$1\nRewriteEngine On\n'
    "RewriteCond %{HTTPS} off\nRewriteRule ^c(.*)$ /d$1?x=%1 [R=301,L]\n<IfModule mod_alias.c>\nRedirect gone /e\n</IfModule>\n",
    "red.nginx": "map $uri $new {\n default '';\n /a.html /b.html;\n ~^/old/(?<rest>.*)$ /sub/$rest;\n}\n"
    "server { location = /c.html { return 301 /d.html; } rewrite ^/e(.*)$ /f$1 permanent; }\n",
}
#: What patterns of paths and names are made of, and the options that have such patterns.
GLOBS = [
    "*",
    "*",
    "**",
    "**/",
    "/",
    "?",
    "a",
    "b",
    "a*",
    "*a",
    "[a-b]",
    "[!b]",
    "[^a]",
    "[",
    "]",
    "\\",
    "\\*",
    "!",
    "#",
    " ",
    ".html",
    "é",
    "{a,b}",
    "(a+)+$",
]
NAMED_BY_PATTERNS = {
    "extract": ["--exclude", "--include"], "audit": ["--exclude", "--include", "--served"], "rewrite": ["--exclude", "--include"],
    "graph": ["--exclude", "--include", "--served"], "mv": ["--exclude", "--served"],
    "migrate": ["--exclude", "--copy", "--part", "--served", "--source-charset", "--rename-charset"],
}  # fmt: skip
#: Expressions of servers, and the lines that they stand in.
EXPRESSIONS = [
    "a",
    "(a+)+",
    "(a|a)*",
    ".*",
    "(.*)",
    "[^/]*",
    "\\1",
    "(?:a?){30}",
    "(?=a)",
    "(?" + "i)",
    "b$",
    "^",
    "[[:alpha:]]",
    "\\",
    "(",
    "{2,}",
    "(?<n>a)",
    "é",
]
LINES = [".htaccess:RedirectMatch {} /x", ".htaccess:RewriteEngine on\nRewriteRule {} /x [R]", "red.nginx:rewrite {} /x permanent;", "red.nginx:location ~ {} {{ return 301 /x; }}"]  # fmt: skip
#: What a database can be besides a cache.
SCRIPTS = [
    "CREATE VIEW other AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    "CREATE TRIGGER late AFTER INSERT ON documents BEGIN DELETE FROM documents; END", "UPDATE documents SET record = x'00'",
    "UPDATE documents SET state = NULL, names = 3, record = 'x'", "UPDATE documents SET signature = zeroblob(32)", "DROP TABLE documents",
    "PRAGMA user_version = 2", "ALTER TABLE documents ADD COLUMN more", "UPDATE documents SET record = zeroblob(1000000)",
]  # fmt: skip
#: What the configuration of a repository can say.
CONFIGS = ["[include]\n path = ../pipe\n", "[extensions]\n objectformat = sha256\n", "[core]\n repositoryformatversion = 9\n worktree = /\n", "[core\n", "[extensions] x = y\n"]  # fmt: skip
FORMATS = ["text", "jsonl", "sarif", "github", "junit", "csv", "html"]
READING = [
    ["--type", "html"], ["--type", "xml"], ["--charset", "shift_jis"], ["--charset", "no"], ["--default-charset", "utf-8"],
    ["--base", "http://a.example/d/"], ["--base", "urn:x"], ["--base", "é"], ["--syntax", "leiri"], ["--syntax", "iri"], ["--query-charset", "big5"],
    ["--idna", "2003"], ["--nfc"], ["--link", "a@title=srcset"], ["--skip", "a"], ["--only", "*@href"], ["--no-scripting"], ["--embedded", "json-ld=list"], ["--embedded", "json-ld=on"], ["--conventions", "on"], ["--conventions", "list"],
    ["--embedded", "off"], ["--embedded", "noscript=list"], ["--dtd"], ["--signed"], ["--recover"], ["--max-depth", "5"], ["--max-token", "2000"], ["--max-attributes", "2"],
    ["--max-name", "4"], ["--exclude", "*.xml"], ["--include", "[a"], ["--hidden"], ["--root", "sub"], ["--root", LONG],
]  # fmt: skip
GIVEN = [["--schema", "a.xsd"], ["--schema", "a.rng"], ["--catalog", "catalog.xml"]]
LEADING = [["--map", "map.txt"], ["--map", "map.csv"], ["--map-level", "scheme"], ["--absolute"], ["--relative"], ["--root-relative"], ["--unmatched", "un.jsonl"]]  # fmt: skip
SITE = [
    ["--served", "a*"], ["--clean-urls"], ["--trailing-slashes"], ["--case-insensitive"], ["--alias", "/sub/=old"], ["--alias", "x"], ["--host", "a.example"],
    ["--index", "a.html"],
]  # fmt: skip
OWN: dict[str, list[list[str]]] = {
    "extract": [["--format", name] for name in ("text", "csv", "jsonl")],
    "audit": [
        *(["--format", name] for name in FORMATS), ["-o", "out.txt"], ["--select", "ALL"], ["--select", "SYN,x"], ["--ignore", "SIT"], ["--fail-on", "never"],
        ["--baseline", "base.json"], ["--baseline", "base.json", "--write-baseline"], ["--fix"], ["--diff"], ["--normalize", "scheme"], ["-q"],
        ["--cache", "cache.db"], ["--cache", "cache.db"], ["--changed"], ["--changed=HEAD"], ["--changed=no"], ["--statistics"], ["--exit-zero"],
        ["--files-from", "list.txt"], ["--files-from", "-"], ["--stdin-filename", "sub/a.html"], ["--config", "linkfix.toml"], ["--fix-temporary"],
        *(["--server-config", name] for name in SERVERS), *SITE, *SITE,
    ],
    "graph": [*(["--format", name] for name in ("jsonl", "csv", "graphml", "dot")), ["-o", "out.txt"], ["--broken"], ["--orphans"], ["-q"], *SITE],
    "mv": [
        ["--dry-run"], ["--diff"], ["--after"], ["--resume"], ["--redirects", "red.txt"], ["--redirect-format", "csv"], ["--report", "report.jsonl"], ["-q"], *SITE,
    ],
    "rewrite": [
        ["-i"], ["-i"], ["-i", "--resume"], ["-i", "--resume"], ["-o", "out"], ["--backup", ".bak"], ["--dry-run"], ["--diff"], ["--to", "iri"],
        ["--report", "report.jsonl"], ["--normalize", "syntax"], ["-q"], *LEADING,
    ],
    "migrate": [
        ["--charset", "utf-16"], ["--to", "uri"], ["--to", "iri"], ["--base", "http://a.example/"], ["--rename", "utf-8"], ["--rename", "ascii"], ["--rename-charset", "shift_jis"],
        ["--source-charset", "big5"], ["--fix-case"], ["--unescape"], ["--forms"], ["--redirects", "red.conf"], ["--redirect-format", "apache"], ["--index", "a.html"],
        ["--copy", "*.xml"], ["--served", "x*"], ["--hard-link"], ["--resume"], ["--dry-run"], ["--report", "report.jsonl"], ["-q"], *LEADING,
    ],
    "verify": [],
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """The files of a folder by name, and the arguments of a command that is run in it."""

    files: Mapping[str, bytes]
    arguments: tuple[str, ...]
    stdin: bytes = b""

    def __str__(self) -> str:
        files = "".join(f"\n      {name}: {data!r}" for name, data in self.files.items())
        return f"linkfix {list(self.arguments)} < {self.stdin!r}{files}"


def left_by(files: Mapping[str, bytes], arguments: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files in a folder after a command."""
    with inside(files):
        CliRunner().invoke(cli, arguments)
        return {path.as_posix(): path.read_bytes() for path in Path().rglob("*") if path.is_file()}


def repository(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a git repository with these ones, some of them changed since."""
    from dulwich import porcelain

    with inside(files):
        porcelain.init(".")
        porcelain.add(".", paths=[*files])
        porcelain.commit(".", message=b"a", author=b"a <a@a>", committer=b"a <a@a>")
        left = {path.as_posix(): path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    return {name: data for name, data in left.items() if name.startswith(".git/")}


def stopped(files: Mapping[str, bytes], arguments: tuple[str, ...], journal: str) -> Case:
    """Return the files of a stopped run, and the command that resumes it."""
    close = Journal.close
    with inside(files):
        with patch.object(Journal, "close", lambda self, **_: close(self, whole=False)):
            CliRunner().invoke(cli, arguments)
        left = {path.as_posix(): path.read_bytes() for path in Path().rglob("*") if path.is_file()}
        left[journal] = left[journal].replace(str(Path.cwd()).encode(), FOLDER)
    return Case(left, (*arguments, "--resume"))


@contextlib.contextmanager
def inside(files: Mapping[str, bytes]) -> Iterator[None]:
    """Make a folder of files the current one for a while."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, data in files.items():
                with contextlib.suppress(OSError, ValueError):
                    Path(name).parent.mkdir(parents=True, exist_ok=True)
                    if data == PIPE:
                        os.mkfifo(name)
                        continue
                    Path(name).write_bytes(data.replace(FOLDER, os.fsencode(Path.cwd())))
            yield
        finally:
            os.chdir(before)


class Maker:
    """Generate cases, the same ones for the same numbers.

    Args:
        documents: files whose contents are used besides those of `fuzz.py`.

    """

    def __init__(self, documents: list[Path]) -> None:
        self._documents = documents
        pages = {"a.html": b"<a href='a b'>", "b.html": b"<a href='c|'>"}
        old = {f"old/{name}": data for name, data in pages.items()}
        self._stopped = [
            stopped(pages, ("rewrite", "-i", "-j1", "."), JOURNAL),
            stopped(old, ("rewrite", "-o", "out", "-j1", "old"), f"out/{JOURNAL}"),
            stopped(old, ("migrate", "-j1", "old", "new"), f"new/{JOURNAL}"),
        ]
        self._cached = left_by(pages, ("audit", "-j1", "--cache", "cache.db", "."))
        self._repository = repository(pages)

    def case(self, seed: int, number: int) -> Case:
        """Make a case."""
        rng = random.Random(f"{seed}/{number}")
        command = rng.choice(
            [*OWN, "extract", "audit", "audit", "rewrite", "migrate", "rules", "iri", "resume"]
        )
        if command == "resume":
            case = rng.choice(self._stopped)
            left = {
                name: self._perhaps_damaged(rng, data) if JOURNAL in name else data
                for name, data in case.files.items()
            }
            return replace(case, files=left)
        if command == "iri":
            return self._of_iri(rng)
        if command == "rules":
            return Case(
                self._settings(rng),
                ("rules", *rng.choice([[], ["SYN001"], ["x"], ["--format", "json"]])),
            )
        files = dict(self._document(rng, number) for _ in range(rng.choice([1, 1, 2, 4])))
        files |= self._given(rng) | self._settings(rng) | self._of_site(rng, files)
        if rng.random() < 0.25:
            name = rng.choice(["a.warc", "b.warc.gz", "sub/c.warc"])
            files[name] = self._perhaps_damaged(rng, self._archive(rng, number))
        options = [*OWN[command], *READING, *GIVEN]
        chosen = [
            part for option in rng.choices(options, k=rng.choice([0, 1, 2, 4])) for part in option
        ]
        if command in NAMED_BY_PATTERNS and rng.random() < 0.25:
            files[rng.choice(["a" * 100, "a/" * 50, "ab" * 60]) + ".html"] = b"<a href='a b'>"
            named = rng.choices(NAMED_BY_PATTERNS[command], k=rng.choice([1, 2, 4]))
            chosen += [f"{name}={_glob(rng)}{'=big5' * name.endswith('charset')}" for name in named]
        if command == "migrate":
            settings = {"pyproject.toml", "linkfix.toml"}
            files = {
                name if name in settings else f"old/{name}": data for name, data in files.items()
            }
            return Case(
                files, (command, "-j1", *chosen, "old", rng.choice(["new", "new", "old", "x/y"]))
            )
        given = [name for name, data in files.items() if data != PIPE]
        if command == "mv":
            known = [*given, "sub", ".", "no.html"]
            return Case(
                files, (command, "-j1", *chosen, "--", rng.choice(known), rng.choice([*known, "new/b.html", "../x", LONG]))
            )  # fmt: skip
        if command == "verify":
            return Case(files, (command, *rng.choices([*given, "no.html"], k=2)))
        paths = rng.choice(
            [
                ["."],
                ["."],
                given,
                given[:1],
                ["-"],
                [],
                ["no.html", "."],
                [LONG, "."],
            ]
        )
        if "--files-from" in chosen:
            return Case(files, (command, "-j1", *chosen), "\0".join(given).encode())
        stdin = next(iter(files.values())) if paths in ([], ["-"]) else b""
        return Case(files, (command, "-j1", *chosen, "--", *paths), stdin)

    def _of_iri(self, rng: random.Random) -> Case:
        texts = [
            "".join(rng.choices(fuzz.AWKWARD, k=rng.randint(1, 6)))
            for _ in range(rng.randint(1, 3))
        ]
        options = rng.choice(
            [
                [],
                ["--base", texts[0]],
                ["--to", "iri"],
                ["--syntax", "leiri"],
                ["--format", "json"],
                ["--charset", "big5"],
            ]
        )
        command = rng.choice(["inspect", "convert", "resolve", "compare"])
        stdin = "\n".join(texts).encode("utf-8", "surrogatepass")
        without = [text.replace("\0", "") for text in texts]
        return Case({}, ("iri", command, *options, *rng.choice([[], ["--", *without]])), stdin)

    def _document(self, rng: random.Random, number: int) -> tuple[str, bytes]:
        made = fuzz.make(number, rng.randrange(1_000_000))
        suffix, source = SUFFIXES[made.type], made.source
        if self._documents and rng.random() < 0.4:
            path = rng.choice(self._documents)
            suffix, source = path.suffix, self._perhaps_damaged(rng, path.read_bytes())
        elif rng.random() < 0.15:
            suffix, source = (
                ".css",
                b"@import '\xc3\xa9|'; p { background: url( a b ) }" + source[:300],
            )
        return rng.choice(NAMES) + suffix, source

    @staticmethod
    def _perhaps_damaged(rng: random.Random, data: bytes) -> bytes:
        for _ in range(rng.choice([0, 0, 1, 3, 8])):
            data = fuzz.damage(rng, data)
        return data

    def _given(self, rng: random.Random) -> dict[str, bytes]:
        if rng.random() < 0.5:
            return {}
        texts = {"catalog.xml": CATALOG, "a.xsd": XSD, "a.rng": RNG, "t.xml": TYPED, "map.txt": rng.choice(MAPS), "map.csv": rng.choice(MAPS)}  # fmt: skip
        texts["base.json"] = (
            '{"version": 1, "findings": [{"file": "a.html", "rule": "SYN001", "value": "a b"}]}'
        )
        found = {}
        for name, text in texts.items():
            pieces = fuzz.JOINTS.split(text)
            if rng.random() < 0.4:
                fuzz.splice(rng, pieces)
            found[name] = self._perhaps_damaged(rng, "".join(pieces).encode("utf-8", "replace"))
        for name in rng.sample(sorted(found), rng.choice([0, 0, 1, 2])):
            del found[name]
        return found

    def _of_site(self, rng: random.Random, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return what a site has besides its documents."""
        found: dict[str, bytes] = {}
        for name, text in SERVERS.items():
            if rng.random() < 0.15:
                found[name] = self._perhaps_damaged(rng, text.encode())
        if rng.random() < 0.1:
            name, _, line = rng.choice(LINES).partition(":")
            expressions = ["".join(rng.choices(EXPRESSIONS, k=rng.randint(1, 6))) for _ in range(3)]
            found[name] = "".join(f"{line.format(each)}\n" for each in expressions).encode()
        if rng.random() < 0.1:
            # Damaged names could be those of anything on this machine.
            found["list.txt"] = "\n".join(
                [*files, *rng.choice([[], ["", "no.html", LONG]])]
            ).encode()
        if rng.random() < 0.1:
            found |= self._cached
            damage = rng.choice([self._perhaps_damaged, _other_database])
            found["cache.db"] = damage(rng, found["cache.db"])
        if rng.random() < 0.1:
            found |= self._repository
            for name in rng.sample([*self._repository], rng.choice([0, 0, 1, 2])):
                damage = rng.choice([self._perhaps_damaged, _repacked])
                found[name] = damage(rng, found[name])
            if rng.random() < 0.3:
                found[".git/config"] += rng.choice(CONFIGS).encode()
        names = [*found, "linkfix.toml", "pyproject.toml", ".git/HEAD", ".git/packed-refs", ".git", "_redirects", ".htaccess"]  # fmt: skip
        # What is named on the command line may be a pipe.
        for name in rng.choices(sorted({*names} - {"cache.db", "list.txt", "red.nginx"}), k=1):
            if rng.random() < 0.1:
                found = {each: data for each, data in found.items() if not each.startswith(f"{name}/")}  # fmt: skip
                found[name] = PIPE
        return found

    def _settings(self, rng: random.Random) -> dict[str, bytes]:
        if rng.random() < 0.7:
            return {}
        lines = TOML.splitlines(keepends=True)
        names = [
            option[0].lstrip("-")
            for options in (READING, LEADING, SITE, *OWN.values())
            for option in options
        ]
        for _ in range(rng.choice([0, 1, 3])):
            name = rng.choice(names)
            lines.insert(rng.randrange(1, len(lines) + 1), f"{name} = {rng.choice(TOML_VALUES)}\n")
        if rng.random() < 0.3:
            name = rng.choice(NAMED_BY_PATTERNS[rng.choice([*NAMED_BY_PATTERNS])]).lstrip("-")
            lines.insert(1, f"{name} = {json.dumps([_glob(rng) for _ in range(3)])}\n")
        if rng.random() < 0.1:
            lines.append("a." * rng.choice([3, 40, 50_000]) + "b = 1\n")
        text = self._perhaps_damaged(rng, "".join(lines).encode())
        if rng.random() < 0.3:
            return {
                "linkfix.toml": text.replace(b"tool.linkfix.", b"").replace(b"[tool.linkfix]", b"")
            }
        return {"pyproject.toml": text}

    def _archive(self, rng: random.Random, number: int) -> bytes:
        archive = Archive(compressed=rng.random() < 0.5)
        for at in range(rng.choice([1, 2, 5])):
            _, source = self._document(rng, number)
            coding = rng.choice(["", "", "gzip", "deflate", "raw", "br", "zstd"])
            body = deflated(source, coding) if coding in {"deflate", "raw", "br"} else source
            body = gzip.compress(source, mtime=0) if coding == "gzip" else body
            http = (
                [("Content-Encoding", coding if coding != "raw" else "deflate")] if coding else []
            )
            if rng.random() < 0.2:
                body = chunked(body)
                http.append(("Transfer-Encoding", "chunked"))
            named = {"Record_ID": f"<urn:uuid:{number}-{at}>", "Date": "2026-01-01T00:00:00Z"}
            kind = rng.choice(
                [
                    "text/html",
                    "text/html; charset=shift_jis",
                    "application/xml",
                    "text/css",
                    "image/png",
                ]
            )
            archive.add(
                f"http://a.example/{at}",
                self._perhaps_damaged(rng, body),
                kind,
                http=tuple(http),
                **named,
            )
        return archive.data


def _glob(rng: random.Random) -> str:
    """Return a pattern of paths."""
    return "".join(rng.choices(GLOBS, k=rng.choice([1, 2, 5, 30])))


def _repacked(rng: random.Random, data: bytes) -> bytes:
    """Damage the content of an object of git, or make it very long."""
    try:
        content = zlib.decompress(data)
    except zlib.error:
        return fuzz.damage(rng, data)
    if rng.random() < 0.2:
        return zlib.compress(b"blob 50000000\0" + bytes(50_000_000), 1)
    return zlib.compress(fuzz.damage(rng, content))


def _other_database(rng: random.Random, data: bytes) -> bytes:
    """Change a cache by a script."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data)
    with contextlib.suppress(sqlite3.Error):
        connection.executescript(rng.choice(SCRIPTS))
    changed = connection.serialize()
    connection.close()
    return changed


class TooLongError(BaseException):
    """A command exceeds its time limit."""


def _stop(*_: object) -> None:
    raise TooLongError


def run(case: Case) -> str:
    """Run a case; return the kind of its fault, "" for none."""
    with inside(case.files):
        signal.signal(signal.SIGALRM, _stop)
        signal.alarm(LONGEST)
        try:
            result = CliRunner().invoke(cli, case.arguments, input=case.stdin, prog_name="linkfix")
        except TooLongError:
            return f"takes more than {LONGEST} seconds"
        finally:
            signal.alarm(0)
    return fault(result)


def fault(result: Result) -> str:
    """Return what kind of fault the outcome of a command shows, "" for none."""
    error = result.exception
    if error is not None and not isinstance(error, HANDLED):
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if f"{os.sep}linkfix{os.sep}" in frame.filename] or frames
        place = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
        return f"{type(error).__name__} at {place}: {str(error)[:200]}"
    harmful = HARMFUL.search(result.stderr)
    if harmful is not None:
        return f"control character {harmful[0]!r} on standard error: {result.stderr[:200]!r}"
    said = SAID.search(result.stderr)
    if said is not None:
        name, message, place = said.groups()
        return f"{name} at {place} (reported): {message[:200]}"
    if FAULT_SAID in result.stderr:
        return f"{FAULT_SAID}: {result.stderr[:200]}"
    if result.exit_code not in {0, 1, 2, 3}:
        return f"exit status {result.exit_code}"
    return ""


def kind(found: str) -> str:
    """Return the exception of a fault and its place: faults that have both in common count as one."""
    return found.partition(": ")[0]


def smaller(case: Case) -> Iterator[Case]:
    """Yield cases with a file, an argument or a part of a file left out."""
    for name in case.files:
        yield replace(case, files={n: d for n, d in case.files.items() if n != name})
    for at in range(1, len(case.arguments)):
        yield replace(case, arguments=case.arguments[:at] + case.arguments[at + 1 :])
    for name, data in case.files.items():
        length = len(data) // 2
        while length:
            for at in range(0, len(data), length):
                yield replace(case, files={**case.files, name: data[:at] + data[at + length :]})
            length //= 2
    if case.stdin:
        yield replace(case, stdin=case.stdin[: len(case.stdin) // 2])


def count(case: Case, _: str) -> dict[str, int]:
    return {case.arguments[0]: 1}


def documents_in(folders: list[Path]) -> list[Path]:
    """Return the documents of folders that are not too long, always in the same order."""
    suffixes = {".html", ".htm", ".xhtml", ".xml", ".svg", ".css", ".rss", ".atom"}
    found = (path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes)
    return sorted(path for path in found if path.is_file() and path.stat().st_size <= LARGEST)


def main() -> int:
    parser = fuzzing.parser(__doc__ or "")
    parser.add_argument("--documents", type=Path, action="append", default=[])
    options = parser.parse_args()
    maker = Maker(documents_in([folder.resolve() for folder in options.documents]))
    return fuzzing.Hunt(maker.case, run, kind, smaller, count).go(options)


if __name__ == "__main__":
    sys.exit(main())
