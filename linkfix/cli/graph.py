"""``linkfix graph``: check the options, write the graph."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple
from xml.sax.saxutils import escape as xml_escape
from xml.sax.saxutils import quoteattr

import click

from linkfix.cli.batch import follow
from linkfix.cli.options.operands import ask_about, check
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.options.sites import GraphOptions
from linkfix.cli.output import csv_row, destination, escape, number, say, visible
from linkfix.sites.documents import Sources
from linkfix.sites.graphs import GraphLink, GraphSettings, GraphTotals, Node, graph
from linkfix.sites.lines import json_line, name_text

#: How many broken targets, orphans and hosts the summary names.
_NAMED = 10


@made_command(
    "graph",
    GraphOptions,
    first="--format -o --broken --orphans --base --index --include --exclude -j -q",
)
def command(ctx: click.Context, options: GraphOptions) -> int:
    """Write the graph of the links in folders, each the root of a site.

    The nodes are documents, other files, paths without a file, and URLs of other sites; the edges are links, each with
    its place and whether what it leads to is there, as the rules TGT of the audit find it.
    """
    paths = options.paths
    check(
        {
            "--broken and --orphans exclude each other.": options.broken and options.orphans,
            "--base is the address of one folder; name one.": options.base is not None
            and len(paths) > 1,
        }
    )
    ask_about(paths)
    settings = GraphSettings(
        policy=options.links.policy(),
        sources=Sources(charset=options.charset, base=options.base),
        serving=options.serving.serving(options.index),
        selection=options.tree.selection(archives=False),
        workers=options.tree.work.workers(),
        only="broken" if options.broken else "orphans" if options.orphans else None,
    )
    form, totals = FORMATS[options.output], None
    with destination(options.output_path, charset="utf-8") as out:

        def take(event: object) -> None:
            nonlocal totals
            if isinstance(event, Node):
                out.write(form.node(event._asdict()))
            elif isinstance(event, GraphLink):
                out.write(form.edge(asdict(event)))
            elif isinstance(event, GraphTotals):
                totals = event
                out.write(form.tail)

        out.write(form.head)
        status = follow(lambda stop: graph(paths, settings, stop=stop), take, data=True)
        if totals is None:  # it was stopped: a file of --output stays as it was
            raise click.exceptions.Exit(status)
    _sum_up(totals)
    return status


def _sum_up(totals: GraphTotals) -> None:
    """Sum up, in a few lines."""
    broken = sum(totals.broken.values())
    say(
        f"{number(totals.documents, 'document')}, {number(totals.links, 'link')}: "
        f"{broken:,} broken, to {number(len(totals.broken), 'target')}; "
        f"{number(len(totals.orphans), 'document')} without links to them; "
        f"{sum(totals.hosts.values()):,} to {number(len(totals.hosts), 'other host')}"
    )
    _name("broken", _top(totals.broken))
    _name("no links to", totals.orphans)
    _name("host", _top(totals.hosts, "//"))


def _top(counts: Counter[str], head: str = "") -> list[str]:
    """Return the readable IRIs of what was counted, most first, and in the order of the names.

    Args:
        counts: URIs without a beginning that they have in common, each with its number of links.
        head: that beginning.

    """
    from linkfix.iri.conversion import uri_to_iri

    ordered = sorted(counts, key=lambda uri: (-counts[uri], uri))
    shown = [uri_to_iri(head + uri).text.removeprefix(head) for uri in ordered[:_NAMED]]
    pairs = zip([*shown, *ordered[_NAMED:]], ordered, strict=True)
    return [f"{text} ({number(counts[uri], 'link')})" for text, uri in pairs]


def _name(what: str, names: list[str]) -> None:
    for name in names[:_NAMED]:
        say(f"{what}: {name}")
    if len(names) > _NAMED:
        say(f"{what}: … and {len(names) - _NAMED:,} more, which the graph has")


# --- formats ---------------------------------------------------------------------------------------

#: The fields of a node and of an edge, besides the identifiers.
_NODE = ("kind", "path", "host")
_SHOWN = ("document", "line", "column", "element", "attribute", "kind", "fragment", "problem")
_EDGE = ("document", "line", "column", "element", "attribute", "kind", "value", "uri", "path", "fragment", "found", "problem")  # fmt: skip


class Form(NamedTuple):
    """How a graph is written.

    Attributes:
        node: returns a node as text; "" where edges have all that is written.
        edge: returns an edge as text.
        head: what comes before all nodes.
        tail: what comes after all edges.

    """

    node: Callable[[dict[str, Any]], str]
    edge: Callable[[dict[str, Any]], str]
    head: str = ""
    tail: str = ""


def _json_lines(kind: str, *names: str) -> Callable[[dict[str, Any]], str]:
    """Return what writes an object a line; octets in the fields of `names` are kept."""
    return lambda record: json_line({"record": kind, **record}, names=names) + "\n"


def _row(cells: Iterable[Any]) -> str:
    """Return a row of a table of edges (RFC 4180)."""
    return csv_row(visible(name_text(c)) if isinstance(c, str) else c for c in cells)


def _csv_edge(record: dict[str, Any]) -> str:
    cells = {**record, "found": {True: "yes", False: "no", None: ""}[record["found"]]}
    return _row(cells[name] for name in ("source", "target", *_EDGE))


def _graphml_head() -> str:
    types = {"line": "int", "column": "int", "found": "boolean"}
    keys = [
        f'<key id="{kind[0]}-{name}" for="{kind}" attr.name="{name}" attr.type="{types.get(name, "string")}"/>\n'
        for kind, names in (("node", _NODE), ("edge", _EDGE))
        for name in names
    ]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        f'{"".join(keys)}<graph edgedefault="directed">\n'
    )


def _graphml_node(record: dict[str, Any]) -> str:
    return f"<node id={quoteattr(record['id'])}>{_data('n', _NODE, record)}</node>\n"


def _graphml_edge(record: dict[str, Any]) -> str:
    ends = f"source={quoteattr(record['source'])} target={quoteattr(record['target'])}"
    return f"<edge {ends}>{_data('e', _EDGE, record)}</edge>\n"


def _data(prefix: str, names: tuple[str, ...], record: Mapping[str, Any]) -> str:
    """Return the data of GraphML for the fields that are not empty."""
    pieces = []
    for name in names:
        value = record[name]
        if value is True or value is False:
            value = str(value).lower()
        if value not in {None, ""}:
            text = xml_escape(_plain(str(value)))
            pieces.append(f'<data key="{prefix}-{name}">{text}</data>')
    return "".join(pieces)


def _dot_node(record: dict[str, Any]) -> str:
    return f"{_quoted(record['id'])} [kind={_quoted(record['kind'])}];\n"


def _dot_edge(record: dict[str, Any]) -> str:
    fields = [f"{name}={_quoted(record[name])}" for name in _SHOWN if record[name]]
    fields += ["color=red"] * (record["found"] is False)
    ends = f"{_quoted(record['source'])} -> {_quoted(record['target'])}"
    return f"{ends} [{', '.join(fields)}];\n"


def _quoted(value: object) -> str:
    """Return a quoted identifier of DOT."""
    text = _plain(str(value)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _plain(text: str) -> str:
    """Return a text without characters that a terminal or a CI runner could act on."""
    return escape(name_text(text))


FORMATS = {
    "jsonl": Form(_json_lines("node", "path"), _json_lines("link", "document", "path")),
    "csv": Form(lambda _: "", _csv_edge, _row(("source", "target", *_EDGE))),
    "graphml": Form(_graphml_node, _graphml_edge, _graphml_head(), "</graph>\n</graphml>\n"),
    "dot": Form(_dot_node, _dot_edge, "digraph links {\n", "}\n"),
}
