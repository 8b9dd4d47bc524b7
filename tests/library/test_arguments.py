"""Wrong arguments are refused at the gate: by name, with what is allowed, before anything is read or written."""

from __future__ import annotations

import ast
import copy
import io
import pickle
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

import linkfix
from linkfix import trees
from linkfix.auditing import Auditor, Severity, rules, select
from linkfix.errors import LinkfixError
from linkfix.extracting import Extractor
from linkfix.iri import (
    comparison_form,
    convert,
    display,
    equivalent,
    normalize,
    path_to_uri,
    resolve,
    typed,
    uri_to_path,
    violations,
)
from linkfix.iri.steps import iri_to_uri, uri_to_iri
from linkfix.links import LinkStream
from linkfix.policy import Policy, Source
from linkfix.rewriting import Rewriter
from linkfix.sites.batch import Workers
from linkfix.sites.moving import MoveSettings
from linkfix.transcoding import Transcoder
from linkfix.warc import records as records_of
from linkfix.warc import rewrite_warc

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = b"<meta charset=utf-8><a href='/\xc3\xa9 x'>"
TREE = etree.HTML("<a href='/\u00e9'>x</a>")


class Whole:
    """It reads and writes, but as no binary file does."""

    def __repr__(self) -> str:
        return "<Whole>"

    def read(self) -> bytes:
        return PAGE

    def write(self) -> int:
        return 0


def extract(source: Any = PAGE, **told: Any) -> Any:
    return linkfix.extract(source, **told)


def rewrite(source: Any = PAGE, sink: Any = None, **told: Any) -> Any:
    return linkfix.rewrite(source, io.BytesIO() if sink is None else sink, **told)


def transcode(source: Any = PAGE, sink: Any = None, **told: Any) -> Any:
    return linkfix.transcode(source, io.BytesIO() if sink is None else sink, **told)


def audit(source: Any = PAGE, **told: Any) -> Any:
    return linkfix.audit(source, **told)


def verify(old: Any = PAGE, new: Any = PAGE, **told: Any) -> Any:
    return linkfix.verify(old, new, **told)


def policy(**told: Any) -> Any:
    return Policy(**told)


def warc_records(source: Any) -> Any:
    return [*records_of(source)]


TO = "'uri', 'iri'"
TYPES = "'html', 'xhtml', 'xml', 'css', 'json', 'text', 'http', None; did you mean 'html'?"
OPAQUE = "nothing can be resolved against 'mailto:x'"
#: A call, its wrong arguments, and what is said.
TABLE: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (policy, {"to": "IRI"}, f"to='IRI' is none of {TO}; did you mean 'iri'?"),
    (policy, {"to": "urn"}, "to='urn' is none of"),
    (policy, {"to": None}, "to=None is none of"),
    (policy, {"to": ["uri"]}, "to=['uri'] is none of"),
    (policy, {"syntax": "html"}, "syntax='html' is none of 'auto', 'web', 'leiri', 'iri'"),
    (policy, {"syntax": "WEB"}, "did you mean 'web'?"),
    (policy, {"query_charset": "bogus"}, "query_charset: unknown charset 'bogus'"),
    (policy, {"query_charset": "documents"}, "query_charset: unknown charset"),
    (policy, {"query_charset": b"utf-8"}, "query_charset=b'utf-8' is no label of a charset"),
    (policy, {"default_charset": "utf8x"}, "default_charset: unknown charset 'utf8x'"),
    (policy, {"default_charset": 8}, "default_charset=8 is no label"),
    (policy, {"idna": "2009"}, "idna='2009' is none of 'uts46', '2008', '2003'; did you mean '2008'?"),
    (policy, {"idna": 2008}, "idna=2008 is none of 'uts46', '2008', '2003'"),
    (policy, {"normalize": "all"}, "normalize='all' is none of 'none', 'syntax', 'scheme'"),
    (policy, {"normalize": None}, "normalize=None is none of"),
    (policy, {"disputed": "firefox"}, "disputed='firefox' is none of 'leave', 'chromium'"),
    (policy, {"style": "rel"}, "style='rel' is none of 'keep', 'absolute', 'relative', 'root-relative'"),
    (policy, {"style": "Relative"}, "did you mean 'relative'?"),
    (policy, {"local_names": ".local"}, "local_names='.local' is no tuple of hosts"),
    (policy, {"local_names": [".local"]}, "local_names=['.local'] is no tuple"),
    (policy, {"nfc": "yes"}, "nfc='yes' is no bool"),
    (policy, {"trusts_guess": "no"}, "trusts_guess='no' is no bool"),
    (policy, {"keeps_spelling": 1}, "keeps_spelling=1 is no bool"),
    (policy, {"target": "http://x/"}, "target='http://x/' is no function"),
    (policy, {"target": {"http://a/": "http://b/"}}, "is no function"),
    (policy, {"scope": "a@href"}, "scope='a@href' is no Scope"),
    (policy, {"xml": True}, "xml=True is no XMLSettings"),
    (extract, {"type": "HTML"}, f"type='HTML' is none of {TYPES}"),
    (extract, {"type": "text/html"}, f"type='text/html' is none of {TYPES}"),
    (extract, {"type": "auto"}, "type='auto' is none of"),
    (extract, {"charset": b"utf-8"}, "charset=b'utf-8' is no label of a charset"),
    (extract, {"environment": "utf9"}, "environment: unknown charset 'utf9'"),
    (extract, {"environment": "iso-2022-kr"}, "environment: the charset 'iso-2022-kr' is not supported"),
    (extract, {"base": "mailto:x"}, OPAQUE),
    (extract, {"base": "/a/b"}, "base: '/a/b' is no absolute IRI"),
    (extract, {"base": "example.org"}, "base: 'example.org' is no absolute IRI"),
    (extract, {"base": ""}, "base: '' is no absolute IRI"),
    (extract, {"base": b"http://x/"}, "base=b'http://x/' is no IRI"),
    (extract, {"base": "javascript:0"}, "nothing can be resolved against"),
    (extract, {"policy": "iri"}, "policy='iri' is no Policy"),
    (extract, {"policy": {"to": "iri"}}, "is no Policy"),
    (extract, {"unknown": "a"}, "unknown='a' is no bool"),
    (extract, {"source": None}, "source=None is none of bytes, a path, a URL, and a binary file"),
    (extract, {"source": 7}, "source=7 is none of"),
    (extract, {"source": ["a.html"]}, "source=['a.html'] is none of"),
    (extract, {"source": "<a href=x>"}, "is text and no name of a file; encode the text"),
    (extract, {"source": ""}, "source='' is no path; pass bytes for an empty document"),
    (extract, {"source": io.StringIO("<a>")}, "source is a file of text; open it in binary mode"),
    (extract, {"source": io.BufferedWriter(io.BytesIO())}, "source is open in another mode; open it in binary mode: open(path, 'rb')"),
    (extract, {"source": Whole()}, "source=<Whole> is no binary file: its read() takes no size"),
    (rewrite, {"source": Whole()}, "source=<Whole> is no binary file: its read() takes no size"),
    (rewrite, {"sink": Whole()}, "sink=<Whole> is no binary file: its write() takes no bytes"),
    (rewrite, {"to": "IRI"}, f"to='IRI' is none of {TO}, None; did you mean 'iri'?"),
    (rewrite, {"to": "URL"}, "to='URL' is none of"),
    (rewrite, {"to": True}, "to=True is none of"),
    (rewrite, {"type": "HTML"}, "type='HTML' is none of"),
    (rewrite, {"type": "svg"}, "type='svg' is none of"),
    (rewrite, {"charset": 1252}, "charset=1252 is no label"),
    (rewrite, {"environment": "latin"}, "environment: unknown charset 'latin'"),
    (rewrite, {"base": "mailto:x"}, OPAQUE),
    (rewrite, {"base": "http:"}, "is no absolute IRI"),
    (rewrite, {"moved_to": "urn:isbn:1"}, "moved_to: nothing can be resolved against 'urn:isbn:1'"),
    (rewrite, {"moved_to": "new/"}, "moved_to: 'new/' is no absolute IRI"),
    (rewrite, {"policy": "uri"}, "policy='uri' is no Policy"),
    (rewrite, {"on_outcome": []}, "on_outcome=[] is no function"),
    (rewrite, {"on_change": "print"}, "on_change='print' is no function"),
    (rewrite, {"sink": io.StringIO()}, "sink is a file of text; open it in binary mode"),
    (rewrite, {"sink": io.BufferedReader(io.BytesIO())}, "sink is open in another mode; open it in binary mode: open(path, 'wb')"),
    (rewrite, {"sink": b"new.html"}, "sink=b'new.html' is none of a path, a URL, and a binary file"),
    (rewrite, {"sink": 1}, "sink=1 is none of"),
    (rewrite, {"source": object}, "source=<class 'object'> is none of"),
    (transcode, {"to": "Iri"}, "to='Iri' is none of 'uri', 'iri', None; did you mean 'iri'?"),
    (transcode, {"forms": "keep"}, "forms='keep' is none of 'pin', 'leave'"),
    (transcode, {"forms": None}, "forms=None is none of"),
    (transcode, {"type": "HTML"}, "type='HTML' is none of"),
    (transcode, {"unescape": "no"}, "unescape='no' is no bool"),
    (transcode, {"transcoded": True}, "transcoded=True is no function"),
    (transcode, {"base": "mailto:x"}, OPAQUE),
    (transcode, {"source": None}, "source=None is none of"),
    (audit, {"type": "HTML"}, "type='HTML' is none of"),
    (audit, {"rules": "ENC"}, "rules='ENC' is no list of rules"),
    (audit, {"rules": ["ENC001"]}, "rules has 'ENC001', which is no Rule; select rules"),
    (audit, {"rules": {"ENC001"}}, "is no list of rules"),
    (audit, {"rules": [select(["ENC001"])]}, "which is no Rule"),
    (audit, {"base": "mailto:x"}, OPAQUE),
    (audit, {"policy": rules}, "is no Policy"),
    (audit, {"source": "<html>\n"}, "is text and no name of a file"),
    (verify, {"type": "HTML"}, "type='HTML' is none of"),
    (verify, {"old": "<a>"}, "old='<a>' is text"),
    (verify, {"new": None}, "new=None is none of"),
    (verify, {"transcoded": "yes"}, "transcoded='yes' is no bool"),
    (verify, {"base": "mailto:x"}, OPAQUE),
    (verify, {"policy": 1}, "policy=1 is no Policy"),
    (Rewriter, {"to": "IRI"}, "did you mean 'iri'?"),
    (Rewriter, {"source": PAGE}, "is no Source"),
    (Source, {"type": "HTML"}, "type='HTML' is none of"),
    (Source, {"charset": b"utf-8"}, "charset=b'utf-8' is no label of a charset"),
    (Source, {"environment": "utf9"}, "environment: unknown charset 'utf9'"),
    (Source, {"base": "mailto:x"}, OPAQUE),
    (Source, {"name": None}, "name=None is no string"),
    (Policy, {"each": "http://x/"}, "each='http://x/' is no function"),
    (Rewriter, {"wants": True}, "wants=True is no function"),
    (Rewriter, {"keeps_declaration": "no"}, "keeps_declaration='no' is no bool"),
    (Extractor, {"source": "page.html"}, "source='page.html' is no Source"),
    (Auditor, {"source": {"type": "html"}}, "is no Source"),
    (Auditor, {"rules": [1]}, "rules has 1, which is no Rule"),
    (Transcoder, {"to": "IRI"}, "did you mean 'iri'?"),
    (Transcoder, {"source": "page.html"}, "source='page.html' is no Source"),
    (Transcoder, {"declares": None, "unescape": 0}, "unescape=0 is no bool"),
    (LinkStream, {"type": "HTML"}, "type='HTML' is none of"),
    (rewrite_warc, {"source": io.BytesIO(), "sink": io.BytesIO(), "to": "IRI"}, "did you mean 'iri'?"),
    (rewrite_warc, {"source": "x", "sink": io.BytesIO()}, "source='x' is no binary file"),
    (rewrite_warc, {"source": io.BytesIO(), "sink": "x"}, "sink='x' is no binary file"),
    (warc_records, {"source": "x"}, "source='x' is no binary file"),
    (warc_records, {"source": io.StringIO()}, "source is a file of text; open it in binary mode"),
    (Workers, {"jobs": "2"}, "jobs='2' is no number of processes"),
    (Workers, {"limits": None}, "limits=None is no Limits"),
    (trees.rewrite_links, {"tree": TREE, "to": "IRI"}, "did you mean 'iri'?"),
    (trees.rewrite_links, {"tree": "<a>"}, "tree='<a>' is no tree of lxml, ElementTree or BeautifulSoup"),
    (trees.rewrite_links, {"tree": TREE, "moved_to": "x"}, "moved_to: 'x' is no absolute IRI"),
    (trees.iter_links, {"tree": TREE, "base": "mailto:x"}, OPAQUE),
    (trees.iter_links, {"tree": None}, "tree=None is no tree"),
    (trees.iter_links, {"tree": TREE, "policy": "iri"}, "policy='iri' is no Policy"),
    (convert, {"text": "http://x/", "to": "IRI"}, f"to='IRI' is none of {TO}; did you mean 'iri'?"),
    (convert, {"text": "x", "to": "uri", "syntax": "auto"}, "syntax='auto' is none of 'web', 'leiri', 'iri'"),
    (convert, {"text": "x", "to": "uri", "idna": "2009"}, "idna='2009' is none of"),
    (convert, {"text": "x", "to": "uri", "normalize": "full"}, "normalize='full' is none of"),
    (convert, {"text": "x", "to": "uri", "local_names": ".local"}, "local_names='.local' is one string"),
    (convert, {"text": None, "to": "uri"}, "text=None is no string"),
    (convert, {"text": b"x", "to": "uri"}, "text=b'x' is no string"),
    (iri_to_uri, {"iri": "x", "idna": "uts64"}, "did you mean 'uts46'?"),
    (uri_to_iri, {"uri": "x", "idna": "IDNA"}, "idna='IDNA' is none of"),
    (uri_to_iri, {"uri": None}, "uri=None is no string"),
    (resolve, {"base": "http://x/", "reference": "a", "syntax": "WEB"}, "did you mean 'web'?"),
    (resolve, {"base": None, "reference": "a"}, "base=None is no string"),
    (normalize, {"text": "x", "level": "schema"}, "level='schema' is none of 'syntax', 'scheme'; did you mean 'scheme'?"),
    (normalize, {"text": "x", "to": "IRI"}, "did you mean 'iri'?"),
    (equivalent, {"one": "a", "other": "b", "level": "all"}, "level='all' is none of"),
    (equivalent, {"one": "a", "other": None}, "other=None is no string"),
    (comparison_form, {"text": "a", "level": "Url"}, "did you mean 'url'?"),
    (comparison_form, {"text": "a", "idna": "2009"}, "idna='2009' is none of"),
    (violations, {"text": "a", "syntax": "rfc3986"}, "did you mean 'rfc3987'?"),
    (display, {"iri": "a", "form": "isolated"}, "did you mean 'isolate'?"),
    (typed, {"text": "a", "blanks": "drop"}, "blanks='drop' is none of 'keep', 'remove'"),
    (path_to_uri, {"path": "/a", "flavour": "linux"}, "flavour='linux' is none of 'posix', 'windows'"),
    (uri_to_path, {"uri": "file:///a", "flavour": "Windows"}, "did you mean 'windows'?"),
]  # fmt: skip


def test_the_table_is_long_enough() -> None:
    assert len(TABLE) >= 100
    assert len({(call, str(told)) for call, told, _ in TABLE}) == len(TABLE)


@pytest.mark.parametrize(("call", "told", "message"), TABLE)
def test_a_wrong_argument_is_refused_by_name(
    call: Callable[..., Any], told: dict[str, Any], message: str
) -> None:
    with pytest.raises((LinkfixError, ValueError, TypeError), match=re.escape(message)) as raised:
        call(**told)
    is_iri = call.__module__.startswith("linkfix.iri")
    assert isinstance(raised.value, LinkfixError) is not is_iri
    assert any(name in str(raised.value) for name in told)


@pytest.mark.parametrize("call", [rewrite, transcode])
def test_nothing_is_written(call: Callable[..., Any], tmp_path: Path) -> None:
    for told in ({"type": "HTML"}, {"to": "IRI"}, {"source": None}, {"source": "<a>"}):
        sink = tmp_path / "new.html"
        with pytest.raises(ValueError, match=r"none of|text"):
            call(sink=sink, **told)
        assert not [*tmp_path.iterdir()]


def test_an_explicit_argument_precedes_the_default_of_a_policy() -> None:
    for to, told, expected in (
        ("iri", Policy(), b"'/\xc3\xa9%20x'"),
        ("uri", Policy(to="iri"), b"'/%C3%A9%20x'"),
        (None, Policy(to="iri"), b"'/\xc3\xa9%20x'"),
        (None, None, b"'/%C3%A9%20x'"),
        ("iri", None, b"'/\xc3\xa9%20x'"),
    ):
        sink = io.BytesIO()
        linkfix.rewrite(PAGE, sink, to=to, policy=told)  # type: ignore[arg-type]
        assert expected in sink.getvalue(), (to, told)


@pytest.mark.parametrize("stream", [Rewriter, Extractor, Auditor, Transcoder, LinkStream])
def test_a_document_has_one_end(stream: Any) -> None:
    reader = stream()
    reader.feed(PAGE)
    reader.close()
    with pytest.raises((LinkfixError, RuntimeError), match="the document has ended"):
        reader.feed(PAGE)
    reader = stream()
    with pytest.raises(ValueError, match=r"data='<a>' is no bytes; encode text"):
        reader.feed("<a>")
    assert reader.feed(PAGE) + reader.close(), "what is refused is no part of the document"


def test_bytes_of_any_kind_and_real_names_are_read(tmp_path: Path) -> None:
    expected = [link.value for link in linkfix.extract(PAGE)]
    odd = tmp_path / "<a>.html"
    odd.write_bytes(PAGE)
    for source in (bytearray(PAGE), memoryview(PAGE), odd, str(odd), io.BytesIO(PAGE)):
        assert [link.value for link in linkfix.extract(source)] == expected
        sink = io.BytesIO()
        linkfix.rewrite(io.BytesIO(PAGE) if isinstance(source, io.BytesIO) else source, sink)
        assert b"%C3%A9%20x" in sink.getvalue()


@pytest.mark.parametrize("function", [rewrite, extract, transcode, audit, verify])
def test_a_field_of_a_policy_is_no_argument_of_a_function(function: Callable[..., Any]) -> None:
    said = re.escape(
        "() got an unexpected keyword argument 'idna'; write policy=linkfix.Policy(idna=…)"
    )
    with pytest.raises(TypeError, match=rf"^{function.__name__}{said}$"):
        function(idna="2008")


@pytest.mark.parametrize(
    "page",
    [
        b"""<meta charset=shift_jis><a href='a b' style="background:url('c d')"><iframe srcdoc='<a href=e>'></iframe>
        <script type=importmap>{"imports": {"x": "/y z"}}</script>""",
        b"<rss><channel><link><![CDATA[a b]]></link><description>&lt;a href='c d'></description></channel></rss>",
    ],
)
def test_records_are_what_they_were_in_another_process(page: bytes) -> None:
    for records in ([*linkfix.extract(page)], [*linkfix.edits(page)], [*linkfix.audit(page)]):
        assert len(records) > 1
        assert pickle.loads(pickle.dumps(records)) == copy.deepcopy(records) == records


@pytest.mark.parametrize("name", ["extract", "rewrite", "audit", "transcode", "edits"])
def test_a_closed_file_is_no_fault_of_linkfix(name: str, tmp_path: Path) -> None:
    function, path = getattr(linkfix, name), tmp_path / "a.html"
    path.write_bytes(PAGE)
    for file in (io.BytesIO(PAGE), path.open("rb"), path.open("rb", buffering=0)):
        file.close()
        with pytest.raises(linkfix.ArgumentError, match="source is a closed file"):
            function(file)


@pytest.mark.parametrize("function", [linkfix.extract, linkfix.audit])
def test_a_file_that_is_closed_before_it_is_read_cannot_be_read(
    function: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)
    for file in (io.BytesIO(PAGE), path.open("rb"), path.open("rb", buffering=0)):
        with file:
            found = function(file)
        with pytest.raises(linkfix.UnreadableError, match=r"cannot read it: .*closed file"):
            list(found)


def test_a_view_may_have_strides() -> None:
    view = memoryview(bytes(octet for each in PAGE for octet in (each, 0)))[::2]
    assert linkfix.rewrite(view) == linkfix.rewrite(PAGE)
    assert list(linkfix.extract(view)) == list(linkfix.extract(PAGE))


def test_rules_can_be_pickled() -> None:
    chosen = [*select(), replace(select(["SYN"])[0], severity=Severity.ERROR)]
    for each in chosen:
        assert pickle.loads(pickle.dumps(each)) == copy.deepcopy(each) == each


def test_a_file_is_not_rewritten_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(PAGE)
    with path.open("r+b") as file, pytest.raises(linkfix.ArgumentError, match="path as both"):
        linkfix.rewrite(file, file)
    assert path.read_bytes() == PAGE
    linkfix.rewrite(path, path)
    assert path.read_bytes() == linkfix.rewrite(PAGE)


def test_a_container_as_a_document_is_refused_with_the_way_to_its_documents(tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("page.html", "<a href=x>")
    with pytest.raises(linkfix.LinkfixError, match=r"name a document in it, as in .*book\.epub!/"):
        linkfix.rewrite(path)
    assert [link.value for link in linkfix.extract(f"{path}!/page.html")] == ["x"]


SIGNED = b'<svg xmlns="http://www.w3.org/2000/svg"><a href="q r"/><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></svg>'


@pytest.mark.parametrize(
    ("call", "option", "argument"),
    [
        (lambda: [*linkfix.extract(b"<a><b></a>", type="xml")], "with --recover, or use --type html", "with recover=True, or use type='html'"),
        (lambda: linkfix.rewrite(SIGNED), "with --signed and", "with signed=True and"),
        (lambda: [*linkfix.move("a", "/b", MoveSettings())], "with --root", "with root="),
    ],
)  # fmt: skip
def test_a_hint_names_arguments_and_on_the_command_line_options(
    call: Callable[[], object], option: str, argument: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for names_options, said in ((True, option), (False, argument)):
        monkeypatch.setattr(linkfix.LinkfixError, "names_options", names_options)
        with pytest.raises(linkfix.LinkfixError) as caught:
            call()
        assert said in str(caught.value)


def test_only_hints_name_options() -> None:
    """They name arguments where no command line runs; a message may have a value of the user's."""
    package = Path(linkfix.__file__).parent
    said = [
        ast.unparse(call.args[0])
        for path in package.rglob("*.py")
        if "cli" not in path.parts
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("Error") and call.args
    ]
    assert len(said) > 200
    assert [text for text in said if re.search(r"--[a-z]", text)] == []
