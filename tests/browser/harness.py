"""Load documents in headless Chromium and read back where their links lead.

Documents are served from memory on 127.0.0.1, each to an iframe of a harness page of the same
origin; ``walk.js`` reads the tree inside the iframe's load event. Every document is served with
``Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'``, so that no script runs and
nothing else is loaded, while style sheets inside the document are applied and can be read.
Scripting still counts as enabled unless a page asks for it to be off, so the parser takes the
content of ``noscript`` for text, as it does for most visitors. With scripting off the iframe is
sandboxed. Feeds are best served as ``application/xml``: as feeds, Chromium shows their source.

The value of an attribute is resolved by an HTML ``a`` element of the same document: it uses the
document's charset and base, as Chromium does for every link attribute (`test_table.py` shows it). The
computed style has what CSS leads to, and ``srcdoc`` its inner document. What that does not cover:
``action=""``, which is the document and not its base, and style sheets inside templates.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

__all__ = [
    "Attribute",
    "Browser",
    "BrowserError",
    "Driver",
    "Node",
    "Page",
    "Tree",
    "missing_programs",
]

CHROMIUM = "chromium"
CHROMEDRIVER = "chromedriver"
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
HARNESS_PATH = "/harness"
#: The most that one answer of the browser may take, in seconds.
TIMEOUT = 120
#: Documents for one script call: its answer is one JSON text, held in memory three times.
BATCH = 50
WALK = Path(__file__).with_name("walk.js").read_text(encoding="utf-8")
PARSE = Path(__file__).with_name("parse.js").read_text(encoding="utf-8")


class BrowserError(Exception):
    """The browser did not do what the harness asked for."""


@dataclass(frozen=True, slots=True)
class Page:
    """A document to load.

    The content type goes out as it is, with or without a ``charset`` parameter. The path is the
    document's address, against which its relative references resolve. To ``watch`` it is to note
    which addresses it asks for, by itself and when its links are clicked and its forms submitted.
    One that ``loads`` gets the browser's `files` and runs its scripts.
    """

    body: bytes
    content_type: str = "text/html"
    path: str = "/site/page.html"
    scripting: bool = True
    watch: bool = False
    loads: bool = False


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute as the DOM has it.

    ``urls`` is what its value resolves to: one URL, or one for each reference in a ``srcset``,
    ``ping`` or refresh value; those of the document inside for ``srcdoc``, and none for CSS, which
    is in the node's styles. None stands for a reference that the browser cannot parse.
    ``reflected`` is the property of the same name, in a document that is watched.
    """

    name: str
    value: str
    urls: tuple[str | None, ...]
    reflected: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """An element: its depth in the tree from 0, its attributes in order, the text it holds itself.

    The content of a template and an open shadow tree count as children of their element. A comment
    is a node with the name ``#comment`` and its data for text, a document type one with the name
    ``#doctype``; a processing instruction has its target for a name. HTML that an element of a feed
    holds as text is a document below it, and no text. ``styles`` are the URLs in its computed style,
    wherever they are written, and what a ``style`` element imports.
    """

    depth: int
    namespace: str | None
    name: str
    attributes: tuple[Attribute, ...]
    text: str
    text_url: str | None
    styles: tuple[str | None, ...] = ()

    def attribute(self, name: str) -> Attribute:
        """Return the attribute with this qualified name; raise KeyError if there is none."""
        for attribute in self.attributes:
            if attribute.name == name:
                return attribute
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Tree:
    """A loaded document: its elements in document order, its address, charset and base.

    ``requests`` are the addresses that it asked for or would have, where it was watched.
    """

    url: str
    charset: str
    base: str
    nodes: tuple[Node, ...]
    requests: tuple[str, ...] = ()

    def find(self, name: str) -> Node:
        """Return the first element with this local name; raise KeyError if there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(name)


def missing_programs() -> list[str]:
    """Return the names of the needed programs that are not on the PATH."""
    return [name for name in (CHROMIUM, CHROMEDRIVER) if shutil.which(name) is None]


class Browser:
    """A headless browser with a server of documents, as a context manager: Chromium, or Firefox if that is asked for.

    Nothing is left behind on exit: no process, no profile folder, no open socket.

    Attributes:
        profile: the folder that the browser keeps its state in; it names this browser's processes.
        origin: where the documents are served: scheme, host and port.
        files: content types and bodies by path, for the documents that load some.

    """

    profile: Path
    origin: str

    def __init__(self, driver: type[Driver] | None = None) -> None:
        self._driver = (driver or _Driver)()

    @property
    def files(self) -> dict[str, tuple[str, bytes]]:
        """What the server has besides the documents."""
        return self._server.files

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._server = stack.enter_context(_Server())
            self.origin = f"http://127.0.0.1:{self._server.server_port}"
            threading.Thread(target=self._server.serve_forever, daemon=True).start()
            stack.callback(self._server.shutdown)
            folder = tempfile.TemporaryDirectory(prefix="linkfix-", ignore_cleanup_errors=True)
            self.profile = Path(stack.enter_context(folder))
            stack.callback(self._driver.stop)
            self._driver.start(self.profile)
            self._driver.open(self.origin + HARNESS_PATH)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def load(self, pages: Sequence[Page]) -> list[Tree]:
        """Load documents in order and return what each became; raise BrowserError on failure."""
        trees: list[Tree] = []
        for start in range(0, len(pages), BATCH):
            batch = pages[start : start + BATCH]
            self._server.pages = {b"document=%d" % n: page for n, page in enumerate(batch)}
            requests = [
                {
                    "number": number,
                    "path": page.path,
                    "scripting": page.scripting,
                    "watch": page.watch,
                }
                for number, page in enumerate(batch)
            ]
            trees += map(_tree, self._driver.run(WALK, [requests]))
        return trees

    def run(self, url: str, script: str) -> Any:
        """Open an address, run an asynchronous script there, and return what it passes back."""
        self._driver.open(url)
        try:
            return self._driver.run(script, [])
        finally:
            self._driver.open(self.origin + HARNESS_PATH)

    @contextmanager
    def opened(self, url: str, *, scripting: bool) -> Iterator[None]:
        """Open an address, with scripts or without; the page stays as long as the block runs."""
        self._driver.scripting(enabled=scripting)
        try:
            self._driver.open(url)
            yield
        finally:
            self._driver.scripting(enabled=True)
            self._driver.open(self.origin + HARNESS_PATH)

    def saved(self, url: str) -> bytes:
        """Open an address, and return the page as Chromium saves it: MHTML."""
        self._driver.open(url)
        try:
            return self._driver.snapshot()
        finally:
            self._driver.open(self.origin + HARNESS_PATH)

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """Parse documents and rewrites of them, and return what parse.js says of each pair."""
        answers: list[dict[str, Any]] = self._driver.run(PARSE, [pairs])
        return answers

    def links(
        self, document: bytes, content_type: str = "text/html", path: str = "/site/page.html"
    ) -> list[Node]:
        """Load one document and return its elements in document order."""
        return list(self.load([Page(document, content_type, path)])[0].nodes)


def _tree(answer: dict[str, Any]) -> Tree:
    """Read what walk.js returned for one page."""
    if "error" in answer:
        raise BrowserError(answer["error"])
    return Tree(
        answer["url"],
        answer["charset"],
        answer["base"],
        tuple(
            Node(
                depth,
                namespace,
                name,
                tuple(
                    Attribute(key, value, tuple(urls), reflected)
                    for key, value, urls, reflected in attributes
                ),
                text,
                text_url,
                tuple(styles),
            )
            for depth, namespace, name, attributes, text, text_url, styles in answer["nodes"]
        ),
        tuple(answer["requests"]),
    )


class Driver(Protocol):
    """Controls one browser."""

    def start(self, profile: Path) -> None: ...
    def open(self, url: str) -> None: ...
    def run(self, script: str, arguments: list[Any]) -> Any: ...
    def snapshot(self) -> bytes: ...
    def scripting(self, *, enabled: bool) -> None: ...
    def stop(self) -> None: ...


class _Driver:
    """A chromedriver process and one WebDriver session in it (W3C WebDriver, over plain HTTP)."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._connection: http.client.HTTPConnection | None = None
        self._session = ""

    def start(self, profile: Path) -> None:
        """Start chromedriver, and through it Chromium with its state in a folder."""
        # A process group of its own, which Chromium joins, so that `stop` can end them all.
        self._process = subprocess.Popen(
            [CHROMEDRIVER, "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if match := re.search(r"successfully on port (\d+)", line):
                break
        else:
            raise BrowserError("chromedriver ended before it was ready")
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", int(match[1]), timeout=2 * TIMEOUT
        )
        options = {
            "binary": shutil.which(CHROMIUM),
            "args": [*ARGUMENTS, f"--user-data-dir={profile}"],
        }
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options}}
        session = self._call("POST", "/session", {"capabilities": capabilities})
        self._session = f"/session/{session['sessionId']}"
        self._call("POST", self._session + "/timeouts", {"script": TIMEOUT * 1000})

    def open(self, url: str) -> None:
        self._call("POST", self._session + "/url", {"url": url})

    def run(self, script: str, arguments: list[Any]) -> Any:
        """Run an asynchronous script in the page and return what it passes to its callback."""
        body = {"script": script, "args": arguments}
        return self._call("POST", self._session + "/execute/async", body)

    def snapshot(self) -> bytes:
        """Return the page as MHTML (DevTools, ``Page.captureSnapshot``)."""
        text: str = self._tools("Page.captureSnapshot", {"format": "mhtml"})["data"]
        return text.encode()

    def scripting(self, *, enabled: bool) -> None:
        """Let the pages that are opened next run scripts or not (DevTools, ``Emulation.setScriptExecutionDisabled``)."""
        self._tools("Emulation.setScriptExecutionDisabled", {"value": not enabled})

    def _tools(self, command: str, parameters: dict[str, Any]) -> Any:
        """Run a command of DevTools."""
        body = {"cmd": command, "params": parameters}
        return self._call("POST", self._session + "/goog/cdp/execute", body)

    def stop(self) -> None:
        """Close the browser and end whatever is left of its processes."""
        if self._process is None:
            return
        try:
            if self._session:
                self._call("DELETE", self._session)
        finally:
            if self._connection:
                self._connection.close()
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.communicate(timeout=TIMEOUT)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        assert self._connection is not None
        self._connection.request(method, path, json.dumps(body) if body is not None else None)
        value = json.load(self._connection.getresponse())["value"]
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(f"{value['error']}: {value['message']}")
        return value


class _Server(ThreadingHTTPServer):
    """Serves the harness page, and the document that a request names in its body."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[bytes, Page] = {}
        self.files: dict[str, tuple[str, bytes]] = {}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each answer waits 40 ms for a delayed acknowledgement
    server: _Server

    def do_GET(self) -> None:
        if self.path == HARNESS_PATH:
            harness = Page(b"<!doctype html><title>harness</title><body>")
            self._send(harness, "default-src 'none'; frame-src 'self'")
        elif self.path in self.server.files:
            content_type, body = self.server.files[self.path]
            self._send(Page(body, content_type), "default-src 'none'")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        request = self.rfile.read(int(self.headers["Content-Length"]))
        page = self.server.pages[request]
        allowed = "'unsafe-inline' 'self'" if page.loads else "'none'; style-src 'unsafe-inline'"
        self._send(page, f"default-src {allowed}")

    def _send(self, page: Page, policy: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(page.body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 - the base's name
        """Say nothing: a failure shows in the test."""
