"""The auditor: bytes of a document in, findings about its links out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from linkfix.auditing.catalogue import rules
from linkfix.auditing.finding import Finding
from linkfix.auditing.rule import Subject
from linkfix.links import Kind, LinkStream
from linkfix.policy import Bases, Policy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.auditing.rule import Rule
    from linkfix.links import Link
    from linkfix.markup.detect import DocumentType

__all__ = ["Auditor"]


class Auditor:
    """Audit one document, chunk by chunk. No input or output of its own.

    Args:
        policy: how links are to be read.
        type: of the document; None to tell by its name and first bytes.
        charset: the label that the transport gives; None for none.
        base: absolute URI of the document, None where it is not known.
        name: of the document, for its extension and errors.

    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        type: DocumentType | None = None,
        charset: str | None = None,
        base: str | None = None,
        name: str = "",
    ) -> None:
        self._policy = replace(policy or Policy(), to="uri")
        self._stream = LinkStream(type=type, charset=charset, name=name)
        self._bases = Bases(base)
        catalogue = rules()
        self._of_links = [rule for rule in catalogue if rule.check is not None]
        self._of_documents: list[Rule] = [rule for rule in catalogue if rule.document is not None]
        self.links = 0

    def feed(self, data: bytes) -> list[Finding]:
        """Take the next bytes and give what is found in the links that they complete.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._findings(self._stream.feed(data))

    def close(self) -> list[Finding]:
        """Say that the document has ended and give what was still to be found.

        Raises:
            LinkfixError: the document cannot be processed.

        """
        return self._findings(self._stream.close())

    def _findings(self, links: list[Link]) -> list[Finding]:
        found: list[Finding] = []
        if self._of_documents and self._stream.sniffed is not None:
            for rule in self._of_documents:
                found += self._about_document(rule)
            self._of_documents = []
        for link in links:
            self._bases.see(link)
            self.links += 1
            if link.kind is not Kind.HASH_NAME:
                found += self._about_link(link)
        return found

    def _about_document(self, rule: Rule) -> Iterator[Finding]:
        sniffed = self._stream.sniffed
        if rule.document is not None and sniffed is not None:
            for message in rule.document(sniffed, self._stream.type or "html"):
                yield Finding(
                    rule.code, rule.name, rule.severity, message, rule.section, 1, 1, 0, 0
                )

    def _about_link(self, link: Link) -> Iterable[Finding]:
        subject = Subject(link, self._policy, self._bases.of(link))
        for rule in self._of_links:
            if rule.check is None:
                continue
            for hit in rule.check(subject):
                conversion = subject.conversion
                changes = conversion.ok and bool(conversion.edits) and not link.fixed
                rewritten = changes and self._policy.applies(link)
                yield Finding(
                    rule.code,
                    rule.name,
                    rule.severity,
                    hit.message,
                    rule.section,
                    link.line,
                    link.column,
                    link.start,
                    link.end,
                    link,
                    hit.first,
                    hit.last,
                    conversion.text if rewritten else None,
                )
