"""The language server over standard input and output, asked by a client of its own."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pygls", reason="the extra lsp is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

pytestmark = pytest.mark.system
#: Longer than any answer takes on a busy machine.
PATIENCE = 120


class Editor:
    """An editor with one folder."""

    def __init__(self, root: Path, encoding: str) -> None:
        self.root = root
        self.encoding = encoding
        self.client = LanguageClient("editor", "1")
        self.versions: dict[str, int] = {}
        self.published: dict[str, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self._news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            if params.version == self.versions.get(params.uri):
                self.published[params.uri] = list(params.diagnostics)
                self._news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def said(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)

    async def start(self, *options: str) -> None:
        await self.client.start_io(sys.executable, "-m", "linkfix", "lsp", *options)
        general = lsp.GeneralClientCapabilities(
            position_encodings=[lsp.PositionEncodingKind(self.encoding)]
        )
        folder = lsp.WorkspaceFolder(self.root.as_uri(), "site")
        await self.client.initialize_async(
            lsp.InitializeParams(
                lsp.ClientCapabilities(general=general), workspace_folders=[folder]
            )
        )
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        assert not [each for each in self.messages if "Error in server" in each]
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def _next(self, name: str) -> int:
        """Return the next version of a document; diagnostics of earlier ones no longer count."""
        uri = self.uri(name)
        self.published.pop(uri, None)
        self.versions[uri] = self.versions.get(uri, 0) + 1
        return self.versions[uri]

    def open(self, name: str, text: str) -> None:
        item = lsp.TextDocumentItem(self.uri(name), "html", self._next(name), text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> None:
        document = lsp.VersionedTextDocumentIdentifier(version=self._next(name), uri=self.uri(name))
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                document, [lsp.TextDocumentContentChangeWholeDocument(text)]
            )
        )

    async def diagnostics(self, name: str) -> list[lsp.Diagnostic]:
        """Wait for the next diagnostics of a document."""
        uri = self.uri(name)
        while uri not in self.published:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE)
        return self.published.pop(uri)

    def at(self, name: str, line: int, column: int) -> dict[str, Any]:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        return {"text_document": document, "position": lsp.Position(line, column)}


def with_editor(
    root: Path, work: Callable[[Editor], Awaitable[None]], *options: str, encoding: str = "utf-16"
) -> None:
    async def run() -> None:
        editor = Editor(root, encoding)
        await editor.start(*options)
        await work(editor)
        await editor.stop()

    asyncio.run(run())


def audited(root: Path, name: str, *options: str) -> list[tuple[int, int, str, str]]:
    """Return line, column, code and message of the findings of the command line about a document."""
    command = [sys.executable, "-m", "linkfix", "audit", "--format=jsonl", *options]
    run = subprocess.run(
        [*command, "--root", str(root), str(root / name)], capture_output=True, check=False
    )
    assert run.returncode in {0, 1}, run.stderr
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return sorted((row["line"], row["column"], row["rule"], row["message"]) for row in rows)


def shown(text: str, found: list[lsp.Diagnostic]) -> list[tuple[int, int, str, str]]:
    """Return diagnostics as `audited` returns findings; columns are UTF-16 code units."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows = []
    for each in found:
        start = each.range.start
        line = lines[start.line].encode("utf-16-le")[: 2 * start.character]
        rows.append(
            (start.line + 1, len(line.decode("utf-16-le")) + 1, str(each.code), each.message)
        )
    return sorted(rows)


PAGE = """<!DOCTYPE html><meta charset={charset}><title>x</title>\r
<p>😀 ｱ<a href="/検索?q=空">a</a> <a href='missing.html#x'>b</a>\x0c\u2028<a href="http://example.org/a b">c</a>
<a href="other.html#there">d</a>
"""


def write(root: Path, name: str, text: str, codec: str) -> None:
    (root / name).write_bytes(text.encode(codec, "xmlcharrefreplace"))


def site(root: Path, charset: str = "utf-8", codec: str = "utf-8") -> str:
    """Write a site, and return the text of its page as an editor shows it."""
    text = PAGE.format(charset=charset)
    write(root, "page.html", text, codec)
    (root / "other.html").write_text(
        '<!DOCTYPE html><meta charset=utf-8><p id=here>\n<p id="there"><a href=page.html>back</a>'
    )
    (root / "sub").mkdir()
    (root / "sub" / "a & b.html").write_text("<!DOCTYPE html><a href=../page.html>up</a>")
    return (root / "page.html").read_bytes().decode(codec)


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    ("charset", "codec"),
    [("utf-8", "utf-8-sig"), ("shift_jis", "cp932"), ("utf-16", "utf-16")],
)
def test_findings_after_random_edits_are_those_of_an_audit(
    tmp_path: Path, charset: str, codec: str, rounds: int
) -> None:
    """The page is edited a thousand times; then it is saved and audited, and so on."""
    text = site(tmp_path, charset, codec).removeprefix("\ufeff")
    dice = random.Random(1)
    pieces = [
        "",
        "<a href='/é ü'>",
        "😀",
        "\r",
        "\n",
        "\r\n",
        "\x0c",
        "\u2028",
        "x",
        '"',
        "</a>",
        "<p id=n>",
    ]

    async def work(editor: Editor) -> None:
        nonlocal text
        editor.open("page.html", text)
        assert shown(text, await editor.diagnostics("page.html")) == audited(tmp_path, "page.html")
        for _ in range(rounds):
            for _ in range(1000):
                first = dice.randrange(len(text) + 1)
                last = min(len(text), first + dice.choice([0, 0, 0, 1, 3]))
                text = text[:first] + dice.choice(pieces) + text[last:]
                editor.change("page.html", text)
            await editor.diagnostics("page.html")
            (tmp_path / "page.html").write_bytes(text.encode(codec, "replace"))
            page = lsp.TextDocumentIdentifier(editor.uri("page.html"))
            editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(page))
            found = await editor.diagnostics("page.html")
            assert shown(text, found) == audited(tmp_path, "page.html")
            assert found

    with_editor(tmp_path, work)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_features(tmp_path: Path, encoding: str) -> None:
    text = site(tmp_path, "shift_jis", "cp932")

    async def work(editor: Editor) -> None:
        client = editor.client
        editor.open("page.html", text)
        found = await editor.diagnostics("page.html")

        def column(piece: str) -> int:
            line = next(line for line in text.split("\n") if piece in line)
            codec, size = ("utf-8", 1) if encoding == "utf-8" else ("utf-16-le", 2)
            return len(line[: line.index(piece)].encode(codec)) // size

        hover = await client.text_document_hover_async(
            lsp.HoverParams(**editor.at("page.html", 1, column("検索") + 1))
        )
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        # The query is in the charset of the file.
        assert "/%E6%A4%9C%E7%B4%A2?q=%8B%F3" in hover.contents.value

        goal = await client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at("page.html", 2, column("other.html") + 1))
        )
        assert isinstance(goal, lsp.Location)
        assert goal.uri == editor.uri("other.html")
        assert goal.range.start == lsp.Position(1, 0)

        context = lsp.ReferenceContext(include_declaration=False)
        places = await client.text_document_references_async(
            lsp.ReferenceParams(**editor.at("page.html", 0, 3), context=context)
        )
        assert {each.uri for each in places or ()} == {
            editor.uri("other.html"),
            editor.uri("sub/a & b.html"),
        }

        links = await client.text_document_document_link_async(
            lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(editor.uri("page.html")))
        )
        assert {each.target for each in links or ()} >= {
            editor.uri("other.html"),
            "http://example.org/a%20b",
        }

        everything = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
        actions = await client.text_document_code_action_async(
            lsp.CodeActionParams(
                lsp.TextDocumentIdentifier(editor.uri("page.html")),
                everything,
                lsp.CodeActionContext(found),
            )
        )
        titles = {each.title for each in actions or ()}
        assert "Write it as http://example.org/a%20b" in titles
        assert "Write all links as canonical URIs" in titles
        every = next(
            each for each in actions or () if each.title.startswith("Write all links as can")
        )
        assert isinstance(every, lsp.CodeAction)
        assert every.edit is not None
        edits = (every.edit.changes or {})[editor.uri("page.html")]
        assert sorted(each.new_text for each in edits) == [
            "/%E6%A4%9C%E7%B4%A2?q=%8B%F3",
            "http://example.org/a%20b",
        ]

    with_editor(tmp_path, work, encoding=encoding)


def test_completion_and_renames(tmp_path: Path) -> None:
    site(tmp_path)
    page = '<!DOCTYPE html><meta charset=utf-8>\n<a href="">x</a><a href="other.html#">y</a><a href="sub/">z</a>'
    (tmp_path / "page.html").write_text(page)

    async def work(editor: Editor) -> None:
        client = editor.client
        editor.open("page.html", page)
        await editor.diagnostics("page.html")

        async def completed(column: int) -> dict[str, str]:
            items = await client.text_document_completion_async(
                lsp.CompletionParams(**editor.at("page.html", 1, column))
            )
            assert isinstance(items, list)
            return {each.label: each.text_edit.new_text for each in items if each.text_edit}

        line = page.split("\n")[1]
        assert [*await completed(9)] == ["other.html", "page.html", "sub/"]
        assert [*await completed(line.index("#") + 1)] == ["here", "there"]
        assert await completed(line.index("sub/") + 4) == {"a%20&%20b.html": "a%20&amp;%20b.html"}

        # The editor asks before it renames; the text of an open document counts, not its file.
        editor.open("page.html", page.replace("sub/", "other.html#here"))
        await editor.diagnostics("page.html")
        renamed = lsp.FileRename(editor.uri("other.html"), editor.uri("sub/new.html"))
        edit = await client.workspace_will_rename_files_async(lsp.RenameFilesParams([renamed]))
        assert edit is not None
        changes = {
            uri: [each.new_text for each in edits] for uri, edits in (edit.changes or {}).items()
        }
        assert changes == {
            editor.uri("page.html"): ["sub/new.html#", "sub/new.html#here"],
            editor.uri("other.html"): ["../page.html"],
        }
        impossible = lsp.FileRename(editor.uri("other.html"), editor.uri("page.html"))
        await client.workspace_will_rename_files_async(lsp.RenameFilesParams([impossible]))
        assert "page.html" in editor.messages[-1]

    with_editor(tmp_path, work)


def test_a_damaged_document_has_its_error(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("feed.xml", "<feed xmlns='http://www.w3.org/2005/Atom'>\n<link href='a b'/><x>")
        found = await editor.diagnostics("feed.xml")
        assert {each.range.start.line for each in found} == {1}
        assert {each.code for each in found if each.code} == {"DEL002", "TGT001"}
        assert found[-1].severity == lsp.DiagnosticSeverity.Error
        editor.open("page.html", "<meta charset=shift_jis><a href='/😀 b'>")
        assert await editor.diagnostics("page.html")
        # A "?" in place of the character would be another link.
        for name in ("feed.xml", "page.html"):
            everything = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
            params = lsp.CodeActionParams(
                lsp.TextDocumentIdentifier(editor.uri(name)), everything, lsp.CodeActionContext([])
            )
            assert not await editor.client.text_document_code_action_async(params)

    with_editor(tmp_path, work)


def test_a_server_that_the_editor_ends_has_ended_well(tmp_path: Path) -> None:
    """As the specification asks: with the status 0 after `shutdown`, and nothing on standard error."""
    sent = b""
    for message in (
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ):  # fmt: skip
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        sent += b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
    done = subprocess.run(
        [sys.executable, "-m", "linkfix", "lsp"],
        cwd=tmp_path, input=sent, capture_output=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"id": 2' in done.stdout


def test_files_that_are_renamed_together_keep_the_links_between_them(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.html").write_text("<a href='b.html'>b</a><a href='c.html'>c</a>")
    (tmp_path / "b.html").write_text("<a href='a.html'>a</a>")
    (tmp_path / "c.html").write_text("<a href='a.html'>a</a> <a href='b.html'>b</a>")

    async def work(editor: Editor) -> None:
        files = [
            lsp.FileRename(editor.uri(name), editor.uri(f"sub/{name}"))
            for name in ("a.html", "missing.html", "b.html")
        ]
        edit = await editor.client.workspace_will_rename_files_async(lsp.RenameFilesParams(files))
        assert edit is not None
        assert edit.changes is not None
        assert {
            name: [(each.range.start.character, each.new_text) for each in edits]
            for name, edits in edit.changes.items()
        } == {
            editor.uri("a.html"): [(31, "../c.html")],
            editor.uri("c.html"): [(9, "sub/a.html"), (32, "sub/b.html")],
        }
        assert ["no such file" in message for message in editor.messages] == [True]

    with_editor(tmp_path, work)


def test_no_edit_of_a_closed_file_that_the_editor_may_read_otherwise(tmp_path: Path) -> None:
    page = '<meta charset="shift_jis">空<a href="b.html">'
    (tmp_path / "a.html").write_bytes(page.encode("cp932"))
    (tmp_path / "b.html").write_bytes(b'<meta charset="shift_jis"><a href="b.html">')

    async def work(editor: Editor) -> None:
        file = lsp.FileRename(editor.uri("b.html"), editor.uri("c.html"))
        for is_open in (False, True):
            edit = await editor.client.workspace_will_rename_files_async(
                lsp.RenameFilesParams([file])
            )
            assert edit is not None
            assert (editor.uri("a.html") in (edit.changes or {})) == is_open
            assert editor.uri("b.html") in (edit.changes or {})
            assert ["may read it as another charset" in each for each in editor.messages] == [True]
            editor.open("a.html", page)

    with_editor(tmp_path, work)


def test_a_page_that_was_never_saved_is_in_no_folder(tmp_path: Path) -> None:
    uri = "untitled:Untitled-1"

    async def work(editor: Editor) -> None:
        page = "<meta charset=utf-8><a href='x y.html'>"
        item, editor.versions[uri] = lsp.TextDocumentItem(uri, "html", 1, page), 1
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        while uri not in editor.published:
            await asyncio.sleep(0.1)
        assert {each.code for each in editor.published[uri]} == {"DEL002"}
        place = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), lsp.Position(0, 30))
        assert not await editor.client.text_document_completion_async(place)

    with_editor(tmp_path, work)


def test_what_leaves_its_folder_is_said(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "a.html").write_text("<a href='b.html'>b</a>")
    (root / "b.html").write_text("<a href='a.html'>a</a>")

    async def work(editor: Editor) -> None:
        out = lsp.FileRename(editor.uri("a.html"), (tmp_path / "a.html").as_uri())
        edit = await editor.client.workspace_will_rename_files_async(lsp.RenameFilesParams([out]))
        assert edit is not None
        assert not edit.changes
        assert editor.messages == [f"{root}/a.html: it leaves its folder, and no link follows it"]

    with_editor(root, work)
