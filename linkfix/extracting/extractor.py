"""The extractor: bytes of a document in, its links out, with what they resolve to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.iri import parse
from linkfix.links import Batch, Kind, Link
from linkfix.policy import Bases, Policy, gate

if TYPE_CHECKING:
    from linkfix.markup.detect import DocumentType

_USUAL = Policy()
_USUAL_SCHEMES = ("http:", "https:")
_RESOLVER = Link._fields.index("resolver")


class Extractor:
    """Find the links of one document, chunk by chunk, and resolve them.

    Args:
        policy: how links are read.
        type: of the document; None to detect it by the name and the first bytes.
        charset: the label from the transport; None for none.
        environment: label of the charset of the page that a style sheet belongs to, or None.
        base: absolute URI of the document; None if unknown.
        name: of the document, for its extension and errors.
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
        type: DocumentType | None = None,
        charset: str | None = None,
        environment: str | None = None,
        base: str | None = None,
        name: str = "",
        unknown: bool = False,
    ) -> None:
        gate.bases(base=base)
        gate.instances(Policy, "Policy", policy=policy)
        gate.instances(bool, "bool", unknown=unknown)
        self._policy = policy or _USUAL
        self._stream = self._policy.stream(
            type=type,
            charset=charset,
            environment=environment,
            name=name,
            declarations=True,
            unknown=unknown,
        )
        self._unknown = unknown
        self._bases = Bases(base)
        self._found: list[Link] = []
        self._relative_seen = False
        self.late_base: Link | None = None

    def feed(self, data: bytes) -> list[Link]:
        """Read the next bytes; return the links that they complete.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._read(data)

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
        bases, policy = self._bases, self._policy
        for index, link in enumerate(links):
            if link.place.sets_base:
                if not bases.settled and self._relative_seen:
                    self.late_base = link
                bases.see(link)
            if not self._relative_seen and not bases.settled:
                value = link.value.strip()
                is_usual = value.startswith(_USUAL_SCHEMES)  #: a fast test
                self._relative_seen = not is_usual and parse(value).scheme is None
            resolver = bases.resolver(link, policy)
            # Three times as fast as `_replace`, which looks for the place of its name.
            links[index] = Link._make((*link[:_RESOLVER], resolver, *link[_RESOLVER + 1 :]))
        if self._unknown:
            return [link for link in links if link.kind is Kind.UNKNOWN]
        return links
