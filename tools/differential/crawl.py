"""Compare ``linkfix audit`` with a crawler that knows nothing of linkfix: the missing files and fragments of a folder.

    python tools/differential/crawl.py FOLDER...

Each folder is served on the loopback address, and every HTML file in it is fetched and parsed by lxml. Each link into the
site is asked for; a fragment is looked for among the values of ``id`` and of ``name`` of ``a`` in what is returned. The
links that get no 200 or have no such place are compared with the findings of the audit, in both directions. What lies
behind a symbolic link out of the folder, or to nothing, is not known to an audit, and is counted apart. Links that only
one of the two reads, and those of other documents than HTML, are not compared. Exit status 1 for a difference.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import lxml.etree
import lxml.html

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Comparison", "compare", "main"]

#: The attributes that are read, by the names of their elements.
ATTRIBUTES = {
    "a": "href", "area": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "frame": "src",
    "source": "src", "video": "src", "audio": "src", "track": "src", "embed": "src", "input": "src", "object": "data",
}  # fmt: skip
PAGES = (".html", ".htm", ".xhtml")
#: What the rules about missing files and fragments find.
MISSING, FRAGMENT, OUTSIDE = "missing", "fragment", "outside"
KINDS = {
    "TGT001": MISSING, "TGT002": MISSING, "TGT003": MISSING, "TGT004": MISSING, "TGT005": FRAGMENT, "REF002": FRAGMENT,
    "TGT006": OUTSIDE,
}  # fmt: skip
_SPACE = " \t\n\r\f"
#: How many redirects are followed.
_STEPS = 10

#: A link with a fault: the path of its document, its value, and the kind of the fault.
Fault = tuple[str, str, str]


class _Handler(SimpleHTTPRequestHandler):
    """Serve files; a folder without an index file is missing."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".htm": "text/html"}

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        del path
        self.send_error(404)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name of the base class
        del format, arguments


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[int]:
    """Serve a folder on the loopback address; yield the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(slots=True)
class Crawler:
    """Ask a server for the targets of links.

    Attributes:
        port: of the server on the loopback address.

    """

    port: int
    _connection: http.client.HTTPConnection | None = None
    _status: dict[str, tuple[int, str]] = field(default_factory=dict)
    _names: dict[str, frozenset[str] | None] = field(default_factory=dict)
    #: The path on the server of each link with a fault.
    targets: dict[Fault, str] = field(default_factory=dict)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def _request(self, method: str, path: str) -> tuple[int, str, str, bytes]:
        """Return status, location, content type and body."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self._connection.request(method, path)
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.will_close:
            self._connection.close()
        headers = answer.headers
        return answer.status, headers.get("Location", ""), headers.get_content_type(), body

    def final(self, path: str) -> tuple[int, str]:
        """Return the status of a path and the path where the answer is, redirects followed."""
        if path not in self._status:
            here, status = path, 0
            for _ in range(_STEPS):
                status, location, _, _ = self._request("HEAD", here)
                if not 300 <= status < 400:
                    break
                here = urlsplit(urljoin(here, location)).path
            self._status[path] = (status, here)
        return self._status[path]

    def names(self, path: str) -> frozenset[str] | None:
        """Return the places in a page; None for what is no HTML."""
        if path not in self._names:
            _, _, kind, body = self._request("GET", path)
            page = _parsed(body) if kind in {"text/html", "application/xhtml+xml"} else None
            found = None
            if page is not None:
                found = frozenset(
                    [*page.xpath("//@id"), *page.xpath("//a/@name"), *page.xpath("//@xml:id")]
                )
            self._names[path] = found
        return self._names[path]

    def faults(self, path: str, file: str) -> Iterator[tuple[str, str, Fault | None]]:
        """Yield element, value and fault of each link of a page into the site.

        Args:
            path: of the page on the server.
            file: its path in the folder.

        """
        body = self._request("GET", path)[3]
        page = _parsed(body)
        if page is None:
            return
        origin = f"http://127.0.0.1:{self.port}"
        base = urljoin(origin + path, next(iter(page.xpath("//base/@href")), ""))
        for element, name in ATTRIBUTES.items():
            for raw in page.xpath(f"//{element}/@{name}"):
                value = str(raw)
                text = re.sub("[\t\r\n]", "", value.strip(_SPACE))
                try:
                    whole, fragment = urldefrag(urljoin(base, text))
                except ValueError:
                    continue
                if not text or not f"{whole}/".startswith(f"{origin}/"):
                    continue
                yield element, value, self._fault(file, value, whole[len(origin) :], fragment)

    def _fault(self, file: str, value: str, target: str, fragment: str) -> Fault | None:
        path = quote(urlsplit(target).path or "/", safe="/%!$&'()*+,;=:@~")
        status, here = self.final(path)
        if status != 200:
            fault = file, value, MISSING
            self.targets[fault] = here
            return fault
        if fragment and fragment.lower() != "top" and ":~:" not in fragment:
            names = self.names(here)
            if names is not None and not {fragment, unquote(fragment)} & names:
                return file, value, FRAGMENT
        return None


def _parsed(body: bytes) -> Any:
    """Return the tree of a page; None for an empty one."""
    try:
        return lxml.html.document_fromstring(body, parser=lxml.html.HTMLParser(huge_tree=True))
    except (lxml.etree.ParserError, ValueError):
        return None


@dataclass(slots=True)
class Comparison:
    """The result for a folder.

    Attributes:
        pages: how many pages were crawled.
        links: how many links they have into the site.
        both: the faults that both find.
        crawler: those that only the crawler finds.
        audit: those that only the audit finds.
        behind: those that only the crawler finds, behind symbolic links that leave the folder.

    """

    pages: int = 0
    links: int = 0
    both: set[Fault] = field(default_factory=set)
    crawler: set[Fault] = field(default_factory=set)
    audit: set[Fault] = field(default_factory=set)
    behind: set[Fault] = field(default_factory=set)


def compare(folder: Path) -> Comparison:
    """Crawl and audit a folder."""
    result = Comparison()
    found: set[Fault] = set()
    read: set[tuple[str, str]] = set()
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in PAGES and path.is_file() and not path.is_symlink())  # fmt: skip
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(serving(folder))
        crawler = stack.enter_context(contextlib.closing(Crawler(port)))
        for path in files:
            file = path.relative_to(folder).as_posix()
            if any(part.startswith(".") for part in Path(file).parts):
                continue
            result.pages += 1
            for _, value, fault in crawler.faults("/" + quote(file), file):
                result.links += 1
                read.add((file, value))
                if fault is not None:
                    found.add(fault)
    audited = {fault for fault in audit(folder) if fault[:2] in read}
    outside = {fault[:2] for fault in audited if fault[2] == OUTSIDE}
    audited = {fault for fault in audited if fault[:2] not in outside}
    found = {fault for fault in found if fault[:2] not in outside}
    result.both, result.audit = found & audited, audited - found
    for fault in found - audited:
        is_behind = _leaves(folder, unquote(crawler.targets.get(fault, "")))
        (result.behind if is_behind else result.crawler).add(fault)
    return result


def _leaves(folder: Path, path: str) -> bool:
    """Return whether a path goes through a symbolic link out of a folder, or to nothing."""
    here = folder
    for name in path.strip("/").split("/"):
        here /= name
        if here.is_symlink() and not (here.exists() and here.resolve().is_relative_to(folder)):
            return True
    return False


def audit(folder: Path) -> set[Fault]:
    """Return what the audit finds in the HTML of a folder."""
    command = [sys.executable, "-m", "linkfix", "audit", "--format", "jsonl", "--select", "TGT,REF002", "--fail-on", "never", "-q"]  # fmt: skip
    done = subprocess.run([*command, str(folder)], capture_output=True, check=False)
    if done.returncode not in {0, 3}:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    faults = set()
    for line in done.stdout.splitlines():
        row = json.loads(line)
        file = os.path.relpath(row["file"], folder)
        attribute = ATTRIBUTES.get(row["element"] or "")
        if row["rule"] in KINDS and attribute == row["attribute"]:
            faults.add((file, row["value"], KINDS[row["rule"]]))
    return faults


def main(folders: list[str]) -> int:
    """Compare folders; print each difference; return 1 if there is one."""
    differ = False
    for folder in folders:
        result = compare(Path(folder).resolve())
        print(
            f"{folder}: {result.pages:,} pages, {result.links:,} links, {len(result.both):,} faults by both, "
            f"{len(result.crawler):,} by the crawler only, {len(result.audit):,} by the audit only, "
            f"{len(result.behind):,} behind symbolic links"
        )
        for name, faults in (("crawler", result.crawler), ("audit", result.audit)):
            for file, value, kind in sorted(faults)[:50]:
                print(f"  only the {name}: {file}: {value!r}: {kind}")
        differ = differ or bool(result.crawler or result.audit)
    return int(differ)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
