"""The extractor: bytes of a document in, its links out, with what they resolve to."""

from typing import Any

from linkfix.links import Batch, Kind, Link
from linkfix.policy import UNKNOWN, Bases, Policy, Source, gate

_USUAL = Policy()
_USUAL_SCHEMES = ("http:", "https:")


class Extractor:
    """Find the links of one document, chunk by chunk, and resolve them.

    Args:
        policy: how links are read.
        source: what is known about the document.
        unknown: whether to return, instead of links, the values that look like links in attributes that no table has.

    A link before the document's ``base`` element is resolved without it; `late_base` is then set.

    Attributes:
        late_base: the ``base`` element's link, if relative links before it were resolved without it.

    """

    def __init__(
        self, policy: Policy | None = None, *, source: Source = UNKNOWN, unknown: bool = False
    ) -> None:
        gate.check(policy=policy, source=source, unknown=unknown)
        self._policy = policy or _USUAL
        self._stream = self._policy.stream(source, declarations=True, unknown=unknown)
        self._stream.unknown = self._unknown = unknown
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
        return [each for each in links if each.kind is Kind.UNKNOWN] if self._unknown else links

    def _read(self, data: bytes, *, final: bool = False) -> list[Link]:
        bases, policy = self._bases, self._policy
        for one in self._stream.read(data, final=final):
            if not isinstance(one, Batch):
                links = [self._resolved(one)]
            elif one.are_single:
                one.resolver = bases.resolver(bases.current, policy)
                links = one.links()
            else:
                links = [*map(self._resolved, one.links())]
            if not self._relative_seen and not bases.settled:
                self._relative_seen = any(_is_relative(link.value.strip()) for link in links)
            self._found += links
        return self.salvage()

    def _resolved(self, link: Link) -> Link:
        """Return a link that knows its target; the link of a ``base`` element sets the base of the links after it."""
        bases = self._bases
        if link.place.sets_base:
            if not bases.settled and self._relative_seen:
                self.late_base = link
            bases.see(link)
        return link._replace(resolver=bases.resolver(bases.of(link), self._policy))


def _is_relative(value: str) -> bool:
    if ":" not in value or value.startswith(_USUAL_SCHEMES):  # a fast test
        return ":" not in value
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
