"""The files of a migration, each as a task: how it is examined, and how it is transferred."""

from dataclasses import dataclass, replace
from typing import Literal

from linkfix.markup.detect import DocumentType, type_of_name
from linkfix.policy import Policy, Source
from linkfix.server.headers import Headers

TaskKind = Literal["document", "script", "part", "directives", "copy"]


@dataclass(frozen=True, slots=True)
class Task:
    """A file to examine, or to transfer.

    Attributes:
        path: in the old tree.
        new: in the new tree.
        kind: how it is processed: as a document, as plain text, as a part of documents, as directives of the
            server, or as a copy.
        type: of a document; None to detect it by the first bytes.
        environment: name of the charset for a style sheet, a script, a part or a framed page without a declaration;
            None for none.
        place: path of a document that includes the part, against which its relative links are resolved; None if
            documents of several folders include it.
        identity: size in bytes and time of the last change in nanoseconds.

    """

    path: str
    new: str
    kind: TaskKind
    type: DocumentType | None = None
    environment: str | None = None
    identity: tuple[int, int] = (0, 0)
    place: str | None = None

    @property
    def is_part(self) -> bool:
        """Whether other documents include it, so that it has no address of its own."""
        return self.kind == "part"

    @property
    def is_of_pages(self) -> bool:
        """Whether it is a script or style sheet, whose charset pages may name."""
        return self.kind == "script" or self.type == "css"

    def policy(self, headers: Headers, policy: Policy) -> Policy:
        """Return how the document is read; nobody may have decided on the charset of a framed page that declares none."""
        policy = headers.policy(policy, self.path)
        if self.kind != "document" or policy.default_charset is not None:
            return policy
        return replace(policy, default_charset=self.environment)

    def source(self, headers: Headers) -> Source:
        """Return what is known about the document; `headers` are the charsets that the old server declares."""
        kind = "text" if self.kind == "script" else self.type
        charset = self.environment if self.is_part else headers.header(self.path, kind)
        is_known = self.is_part or kind == "text" or type_of_name(self.path) is None
        return Source(
            type=kind if is_known else None,
            charset=charset,
            environment=self.environment,
            name=self.path,
        )
