"""The language server: requests of the protocol, answered by `site.py`.

Positions of the protocol are lines and columns from 0. Diagnostics are published a moment after the last change.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from linkfix.auditing import Rule
from linkfix.errors import LinkfixError
from linkfix.files.paths import relative
from linkfix.iri.conversion import uri_to_iri
from linkfix.links import Link
from linkfix.lsp.site import Site, Target, Text
from linkfix.server.addresses import Serving

if TYPE_CHECKING:
    from linkfix.library import TextEdit

#: Requests about a position.
_AtPosition: TypeAlias = (
    lsp.HoverParams | lsp.DefinitionParams | lsp.ReferenceParams | lsp.CompletionParams
)
#: For how many seconds nothing has to change before a document is audited.
_PAUSE = 0.2
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "advice": lsp.DiagnosticSeverity.Information,
}


@dataclass(eq=False)
class Session:
    """What an editor has open.

    Args:
        server: sends messages to the editor.
        base: address of the first folder; None where that is not known.
        rules: the rules in force; None for all.
        serving: how the server of the site maps URLs to files.

    """

    server: LanguageServer
    base: str | None = None
    rules: Sequence[Rule] | None = None
    serving: Serving = field(default_factory=Serving)
    texts: dict[str, Text] = field(default_factory=dict)
    _versions: dict[str, int] = field(default_factory=dict)
    _sites: dict[str, Site] = field(default_factory=dict)
    _waiting: dict[str, asyncio.TimerHandle] = field(default_factory=dict)

    @property
    def _unit(self) -> str:
        return lsp.PositionEncodingKind(self.server.workspace.position_encoding or "utf-16").value

    def site(self, path: str) -> Site:
        """Return the site of a document: the folder of the editor that it is in, else its own; of one that is no file, no folder."""
        folders = [to_fs_path(uri) or "" for uri in self.server.workspace.folders]
        root = self.server.workspace.root_path
        around = [
            each for each in folders or filter(None, [root]) if relative(path, each) is not None
        ]
        own = Path(path).parent if Path(path).is_absolute() else path
        folder = max(around, key=len, default=str(own))
        if folder not in self._sites:
            base = self.base if folder in around[:1] else None
            self._sites[folder] = Site(
                folder, base, self.rules, self.serving, self.texts, self._unit
            )
        return self._sites[folder]

    def text(self, uri: str) -> tuple[Site, Text]:
        """Return the document of a URI with its site."""
        path = _path(uri)
        site = self.site(path)
        return site, site.text(path)

    def take(
        self, document: lsp.TextDocumentItem | lsp.VersionedTextDocumentIdentifier, source: str
    ) -> None:
        """Take the text of a document from the editor; it is audited when nothing has changed for a moment."""
        path = _path(document.uri)
        old = self.texts.get(path)
        self.texts[path] = Text(source, path, self._unit, old.charset if old else None)
        self._versions[path] = document.version
        if path in self._waiting:
            self._waiting[path].cancel()
        loop = asyncio.get_running_loop()
        self._waiting[path] = loop.call_later(_PAUSE, self._judge, path)

    def close(self, uri: str) -> None:
        """Forget the text of a document."""
        path = _path(uri)
        self.texts.pop(path, None)
        self._versions.pop(path, None)
        if path in self._waiting:
            self._waiting.pop(path).cancel()
        self._publish(path, [])

    def refresh(self) -> None:
        """Audit all open documents anew, since files have changed."""
        for site in self._sites.values():
            site.forget()
        for path, text in self.texts.items():
            self.texts[path] = replace(text)  # its file may have another charset now
            self._judge(path)

    def _judge(self, path: str) -> None:
        """Publish the findings about a document."""
        self._waiting.pop(path, None)
        if path in self.texts:
            self._publish(path, [*diagnostics(self.site(path), self.texts[path])])

    def _publish(self, path: str, found: list[lsp.Diagnostic]) -> None:
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(_uri(path), found, self._versions.get(path))
        )

    def link_at(self, where: _AtPosition) -> tuple[Site, Text, Link | None, Target | None]:
        """Return the site, the document, the link at a position and what it leads to; None for no link and no target."""
        site, text = self.text(where.text_document.uri)
        offset = text.offset(*_pair(where.position))
        for link in site.links(text):
            start, end = text.span(link)
            if start <= offset <= end:
                return site, text, link, site.target(link)
        return site, text, None, None

    def complain(self, error: LinkfixError) -> None:
        """Show an error in the editor."""
        self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(error)))


def diagnostics(site: Site, text: Text) -> Iterator[lsp.Diagnostic]:
    """Yield the findings about a document as diagnostics, at last the error that ends it."""
    try:
        for finding in site.findings(text):
            span = text.span(finding.link) if finding.link is not None else (0, 0)
            severity = _SEVERITIES[finding.severity]
            yield lsp.Diagnostic(
                _range(text, *span), finding.message, severity, finding.code, source="linkfix"
            )
    except LinkfixError as error:
        line = max((error.line or 1) - 1, 0)
        place = lsp.Position(line, max((error.column or 1) - 1, 0))
        yield lsp.Diagnostic(
            lsp.Range(place, place), error.message, lsp.DiagnosticSeverity.Error, source="linkfix"
        )


def _path(uri: str) -> str:
    """Return the path of a file, or the URI of what is no file, such as a page that was never saved."""
    return to_fs_path(uri) or uri


def _uri(path: str) -> str:
    return (Path(path).is_absolute() and from_fs_path(path)) or path


def _pair(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character


def _range(text: Text, start: int, end: int) -> lsp.Range:
    return lsp.Range(lsp.Position(*text.position(start)), lsp.Position(*text.position(end)))


def _edits(text: Text, edits: Sequence[TextEdit]) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(_range(text, each.start, each.end), each.text) for each in edits]


def hover(session: Session, where: _AtPosition) -> lsp.Hover | None:
    """Return what a link means: where it leads, as URI and as readable IRI, and its file."""
    site, text, link, target = session.link_at(where)
    if link is None or target is None:
        return None
    lines = [target.uri]
    readable = uri_to_iri(target.uri).text
    if readable != target.uri:
        lines.append(readable)
    if target.path:
        lines.append(relative(target.path, site.root) or target.path)
    content = lsp.MarkupContent(lsp.MarkupKind.PlainText, "\n".join(lines))
    return lsp.Hover(content, _range(text, *text.span(link)))


def links(session: Session, uri: str) -> Iterator[lsp.DocumentLink]:
    """Yield the links of a document that an editor can open."""
    site, text = session.text(uri)
    for link in site.links(text):
        target = site.target(link)
        if target is not None:
            is_known = "//" in target.uri
            goal = _uri(target.path) if target.path else target.uri if is_known else None
            if goal:
                yield lsp.DocumentLink(_range(text, *text.span(link)), goal)


def definition(session: Session, where: _AtPosition) -> lsp.Location | None:
    """Return the file that a link leads to, and the place of its fragment there."""
    site, _, _, target = session.link_at(where)
    if target is None or not target.path:
        return None
    # Only a document with names has to be read.
    text = site.text(target.path) if target.fragment else Text("", target.path)
    start = text.named(target.fragment)
    return lsp.Location(_uri(target.path), _range(text, start, start))


def references(session: Session, where: _AtPosition) -> Iterator[lsp.Location]:
    """Yield the links of the folder that lead to the same file as the link at a position; elsewhere those to the document."""
    site, text, _, target = session.link_at(where)
    path = text.path if target is None else target.path
    for other in site.documents() if path else ():
        for each in site.links(other):
            if (found := site.target(each)) is not None and found.path == path:
                yield lsp.Location(_uri(other.path), _range(other, *other.span(each)))


def completions(session: Session, where: _AtPosition) -> list[lsp.CompletionItem]:
    """Return the names that may follow in the link at a position."""
    site, text, link, _ = session.link_at(where)
    if link is None:
        return []
    start, _ = text.span(link)
    offset = text.offset(*_pair(where.position))
    before = text.source[start:offset]
    typed = max(before.rfind(mark) for mark in "/#") + 1
    place = _range(text, start + typed, offset)
    return [
        lsp.CompletionItem(
            name,
            kind=lsp.CompletionItemKind.Folder
            if name.endswith("/")
            else lsp.CompletionItemKind.File,
            text_edit=lsp.TextEdit(place, name.replace("&", "&amp;").replace("'", "%27")),
        )
        for name in site.completions(link, before)
    ]


def actions(session: Session, params: lsp.CodeActionParams) -> Iterator[lsp.CodeAction]:
    """Yield the corrections of the links in a range, and those of all links of the document."""
    uri = params.text_document.uri
    site, text = session.text(uri)
    first, last = (text.offset(*_pair(each)) for each in (params.range.start, params.range.end))
    edits = site.corrections(text, "uri")

    def action(title: str, kind: str, some: Sequence[TextEdit], **more: Any) -> lsp.CodeAction:
        return lsp.CodeAction(
            title, kind, edit=lsp.WorkspaceEdit({uri: _edits(text, some)}), **more
        )

    for each in edits:
        if each.start <= last and first <= each.end:
            place = _range(text, each.start, each.end)
            solved = [one for one in params.context.diagnostics if one.range == place]
            title = f"Write it as {each.text}"
            yield action(title, lsp.CodeActionKind.QuickFix, [each], diagnostics=solved)
    if edits:
        title = "Write all links as canonical URIs"
        yield action(title, lsp.CodeActionKind.SourceFixAll, edits)
    readable = site.corrections(text, "iri")
    if readable:
        title = "Write all links as readable IRIs"
        yield action(title, lsp.CodeActionKind.Source, readable)


def renames(session: Session, files: Sequence[lsp.FileRename]) -> lsp.WorkspaceEdit:
    """Return the edits that keep every link after files were renamed."""
    renamed: dict[Site, list[tuple[str, str]]] = {}
    for file in files:
        old, new = _path(file.old_uri), _path(file.new_uri)
        renamed.setdefault(session.site(old), []).append((old, new))
    changes = {
        _uri(text.path): _edits(text, edits)
        for site, pairs in renamed.items()
        for text, edits in site.moved(pairs, session.complain)
    }
    return lsp.WorkspaceEdit(changes)


def serve(
    version: str,
    base: str | None = None,
    rules: Sequence[Rule] | None = None,
    serving: Serving | None = None,
) -> None:
    """Serve an editor over standard input and output until it says goodbye.

    Args:
        version: of linkfix.
        base: address of the first folder of the editor; None where it is not known.
        rules: the rules in force; None for all.
        serving: how the server of the site maps URLs to files; None for the defaults.

    """
    server = LanguageServer(
        "linkfix", version, text_document_sync_kind=lsp.TextDocumentSyncKind.Full
    )
    session = Session(server, base, rules, serving or Serving())
    options: dict[str, Any] = {
        lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=["/", "#", '"', "'"])
    }
    pattern = lsp.FileOperationPattern("**/*")
    of_all = lsp.FileOperationRegistrationOptions([lsp.FileOperationFilter(pattern, scheme="file")])
    options |= dict.fromkeys([lsp.WORKSPACE_WILL_RENAME_FILES, *_FILES_CHANGED[2:]], of_all)
    for name, answer in _answers(session).items():
        server.feature(name, options.get(name))(answer)
    server.start_io()


#: Messages that files have changed; the last three are asked for.
_FILES_CHANGED = (
    lsp.TEXT_DOCUMENT_DID_SAVE,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    lsp.WORKSPACE_DID_RENAME_FILES,
    lsp.WORKSPACE_DID_CREATE_FILES,
    lsp.WORKSPACE_DID_DELETE_FILES,
)


def _answers(session: Session) -> dict[str, Callable[[Any], object]]:
    """Return what answers each message of an editor; each is a function of its own, since pygls marks it.

    Texts are taken whole: in changes pygls would count lines that end at form feeds too.
    """
    return {
        lsp.TEXT_DOCUMENT_DID_OPEN: lambda p: session.take(p.text_document, p.text_document.text),
        lsp.TEXT_DOCUMENT_DID_CHANGE: lambda p: session.take(
            p.text_document, p.content_changes[-1].text
        ),
        lsp.TEXT_DOCUMENT_DID_CLOSE: lambda p: session.close(p.text_document.uri),
        lsp.TEXT_DOCUMENT_HOVER: lambda p: hover(session, p),
        lsp.TEXT_DOCUMENT_DOCUMENT_LINK: lambda p: [*links(session, p.text_document.uri)],
        lsp.TEXT_DOCUMENT_DEFINITION: lambda p: definition(session, p),
        lsp.TEXT_DOCUMENT_REFERENCES: lambda p: [*references(session, p)],
        lsp.TEXT_DOCUMENT_COMPLETION: lambda p: completions(session, p),
        lsp.TEXT_DOCUMENT_CODE_ACTION: lambda p: [*actions(session, p)],
        lsp.WORKSPACE_WILL_RENAME_FILES: lambda p: renames(session, p.files),
        **{name: lambda _: session.refresh() for name in _FILES_CHANGED},
    }
