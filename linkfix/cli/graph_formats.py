"""The formats of ``linkfix graph``: nodes and edges as text, piece by piece.

A format renders one node or one edge. No format refers to a node before it was written, except where the format has no
nodes (CSV). All text is harmless to terminals, spreadsheets and CI runners.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape as xml_escape
from xml.sax.saxutils import quoteattr

from linkfix.cli.output import csv_row, disarm, visible
from linkfix.sites.lines import json_line, name_text

#: The fields of a node and of an edge, besides the identifiers.
_NODE = ("kind", "path", "host")
_SHOWN = ("document", "line", "column", "element", "attribute", "kind", "fragment", "problem")
_EDGE = ("document", "line", "column", "element", "attribute", "kind", "value", "uri", "path", "fragment", "found", "problem")  # fmt: skip


class GraphFormat(ABC):
    """Writes a graph.

    Attributes:
        head: what comes before all nodes.
        tail: what comes after all edges.

    """

    head = tail = ""

    def node(self, record: Mapping[str, Any]) -> str:
        """Return a node; "" where edges have all that is written."""
        del record
        return ""

    @abstractmethod
    def edge(self, record: Mapping[str, Any]) -> str:
        """Return an edge."""


class _JSONLines(GraphFormat):
    """One object a line."""

    def node(self, record: Mapping[str, Any]) -> str:
        return json_line({"record": "node", **record}, names=("path",)) + "\n"

    def edge(self, record: Mapping[str, Any]) -> str:
        return json_line({"record": "link", **record}, names=("document", "path")) + "\n"


class _CSV(GraphFormat):
    """A table of edges (RFC 4180)."""

    def __init__(self) -> None:
        self.head = self._row(("source", "target", *_EDGE))

    def edge(self, record: Mapping[str, Any]) -> str:
        found = {True: "yes", False: "no", None: ""}[record["found"]]
        cells = {**record, "found": found}
        return self._row(tuple(cells[name] for name in ("source", "target", *_EDGE)))

    def _row(self, cells: tuple[Any, ...]) -> str:
        return csv_row(visible(name_text(c)) if isinstance(c, str) else c for c in cells)


class _GraphML(GraphFormat):
    """GraphML 1.0."""

    tail = "</graph>\n</graphml>\n"

    def __init__(self) -> None:
        types = {"line": "int", "column": "int", "found": "boolean"}
        keys = [
            f'<key id="{kind[0]}-{name}" for="{kind}" attr.name="{name}" attr.type="{types.get(name, "string")}"/>\n'
            for kind, names in (("node", _NODE), ("edge", _EDGE))
            for name in names
        ]
        self.head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            f'{"".join(keys)}<graph edgedefault="directed">\n'
        )

    def node(self, record: Mapping[str, Any]) -> str:
        return f"<node id={quoteattr(record['id'])}>{_data('n', _NODE, record)}</node>\n"

    def edge(self, record: Mapping[str, Any]) -> str:
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


class _Dot(GraphFormat):
    """The language of Graphviz."""

    head = "digraph links {\n"
    tail = "}\n"

    def node(self, record: Mapping[str, Any]) -> str:
        return f"{_quoted(record['id'])} [kind={_quoted(record['kind'])}];\n"

    def edge(self, record: Mapping[str, Any]) -> str:
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
    return disarm(visible(name_text(text)))[0]


FORMATS: dict[str, type[GraphFormat]] = {
    "jsonl": _JSONLines,
    "csv": _CSV,
    "graphml": _GraphML,
    "dot": _Dot,
}
