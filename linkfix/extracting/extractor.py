"""The extractor: bytes of a document in, its links out, with what they resolve to."""

from typing import Any

from linkfix.links import Batch, Kind, Link
from linkfix.policy import UNKNOWN, Bases, Policy, Source, gate

_USUAL = Policy()
_USUAL_SCHEMES = ("http:", "https:")
_RESOLVER = Link._fields.index("resolver")


class Extractor:
    """Find the links of one document, chunk by chunk, and resolve them.

    Args:
        policy: how links are read.
        source: what is known about the document.
        unknown: whether to return, instead of links, the values of XML that look like links in attributes that no table
            has.

    A link before the document's ``base`` element is resolved without it; `late_base` is then set.

    Attributes:
        late_base: the ``base`` element's link, if relative links before it were resolved without it.

    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        source: Source = UNKNOWN,
        unknown: bool = False,
    ) -> None:
        gate.instances(Policy, "Policy", policy=policy)
        gate.instances(Source, "Source", source=source)
        gate.instances(bool, "bool", unknown=unknown)
        self._policy = policy or _USUAL
        self._stream = self._policy.stream(source, declarations=True, unknown=unknown)
        self._unknown = unknown
        self._bases = Bases(source.base)
        self._found: list[Link] = []
        self._relative_seen = False
        self.late_base: Link | None = None

    def feed(self, data: bytes) -> list[Link]:
        """Read the next bytes; return the links that they complete.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(data)

    def whole(self, document: bytes) -> list[Link]:
        """Read a document that is all there, instead of feeding it; return its links.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(document, final=True)

    def close(self) -> list[Link]:
        """End the document; return the remaining links.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(b"", final=True)

    def salvage(self) -> list[Link]:
        """Return, after an error, the links before it that no call has returned."""
        links, self._found = self._found, []
        return self._resolve(links)

    def _read(self, data: bytes, *, final: bool = False) -> list[Link]:
        for one in self._stream.read(data, final=final):
            if isinstance(one, Batch):
                self._found += one.links()
            else:
                self._found.append(one)
        return self.salvage()

    def _resolve(self, links: list[Link]) -> list[Link]:
        bases, make = self._bases, tuple.__new__
        known = resolver = None
        for index, link in enumerate(links):
            if (place := link.place) is not known:
                known = place
                if place.sets_base:
                    if not bases.settled and self._relative_seen:
                        self.late_base = link
                    bases.see(link)
                resolver = bases.resolver(link, self._policy)
            if not self._relative_seen and not bases.settled:
                value = link.value.strip()
                is_usual = value.startswith(_USUAL_SCHEMES)  #: a fast test
                self._relative_seen = not is_usual and _is_relative(value)
            # Four times as fast as `_replace`, which looks for the place of its name.
            links[index] = make(Link, (*link[:_RESOLVER], resolver, *link[_RESOLVER + 1 :]))
        if self._unknown:
            return [link for link in links if link.kind is Kind.UNKNOWN]
        return links


def _is_relative(value: str) -> bool:
    if ":" not in value:
        return True
    from linkfix.iri import parse

    return parse(value).scheme is None


# --- The fields of a link in machine-readable output ----------------------------------------------

#: The names of the fields, in their order.
FIELDS = (
    *("line", "column", "start", "end", "element", "namespace", "attribute", "kind", "value"),
    *("resolved", "charset", "embedded"),
)


def fields_of(link: Link) -> dict[str, Any]:
    """Return the fields of a link by their names: numbers, strings, and None."""
    fields = {name: getattr(link, name) for name in FIELDS[:-1]}
    embedded = link.place.embedded or None
    return {**fields, "kind": str(link.kind), "charset": link.charset.name, "embedded": embedded}
