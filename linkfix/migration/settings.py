"""The settings of a migration, and its files, each as a task: how it is examined, and how it is transferred."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from linkfix.markup.detect import DocumentType, type_of_name
from linkfix.policy import LinkMap, Policy, Source, gate
from linkfix.server.addresses import Serving
from linkfix.server.headers import Headers, Labels

#: The placeholder address of a site whose address is unknown (RFC 2606, 2: nobody ever has this name).
NOWHERE = "http://site.invalid/"

#: The patterns of files that documents include, whatever includes them.
PARTS = ("*.inc", "*.ssi")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a migration.

    Attributes:
        source: the folder of the old tree.
        target: the folder of the new tree.
        policy: how links are read, and the style of new ones.
        base: IRI of the folder of the old tree; None if unknown.
        to: ``uri``, ``iri``, or None to change only links that must change.
        links: the link map; None for none.
        extensions: new extensions by old ones, dots included.
        names: the charsets of names on disk.
        headers: the charsets that the old server declares.
        undeclared: the charsets of pages that declare none, by the user's decisions.
        decides: whether decisions about other such pages are collected.
        parts: patterns of files that documents include, besides those in include instructions.
        pages: patterns of files with code for a server that are migrated as pages: their markup and text.
        accept_guesses: whether pages whose charset was guessed are written in UTF-8; otherwise they
            are copied.
        exclude: patterns as in ``.gitignore`` of files to leave out.
        copy: patterns of files that are copied although they look like documents.
        serving: how the old server maps URLs to files.
        fix_case: whether links that reach a file by other case are corrected.
        unescape: whether characters written as references become themselves.
        forms: whether forms name the charset in which they were submitted before.
        accept_losses: whether octets that are malformed in their charset become U+FFFD; otherwise the file is copied.
        hard_link: whether copies are hard links where that is possible.
        writes: whether anything is written.
        wants_unmatched: whether to collect links without a rule in the map.
        verify: whether each new document is compared with the old one before the commit.

    """

    source: str
    target: str
    policy: Policy
    base: str | None = None
    to: Literal["uri", "iri"] | None = None
    links: LinkMap | None = None
    extensions: Mapping[str, str] = field(default_factory=dict)
    names: Labels = field(default_factory=Labels)
    headers: Labels = field(default_factory=Labels)
    undeclared: Labels = field(default_factory=Labels)
    decides: bool = False
    parts: tuple[str, ...] = PARTS
    pages: tuple[str, ...] = ()
    accept_guesses: bool = False
    exclude: tuple[str, ...] = ()
    copy: tuple[str, ...] = ()
    serving: Serving = field(default_factory=Serving)
    fix_case: bool = False
    unescape: bool = False
    forms: Literal["pin", "leave"] = "pin"
    accept_losses: bool = False
    hard_link: bool = False
    writes: bool = True
    wants_unmatched: bool = False
    verify: bool = False

    def __post_init__(self) -> None:
        gate.check(_KINDS, self)
        for name in ("source", "target"):
            object.__setattr__(self, name, os.fspath(getattr(self, name)))


#: What each setting may be; the address is checked where it is used.
_KINDS: dict[str, gate.Kind] = {
    **dict.fromkeys(("source", "target"), gate.SOME_PATH),
    "policy": gate.Instance(Policy, "Policy", required=True),
    "base": gate.Instance(str, "IRI, such as 'https://example.org/'"),
    **{name: gate.ARGUMENTS[name] for name in ("to", "forms")},
    **dict.fromkeys(("parts", "pages", "exclude", "copy"), gate.PATTERNS),
    "links": gate.link_map,
    "extensions": gate.Instance(Mapping, "mapping", required=True),
    **dict.fromkeys(
        ("names", "headers", "undeclared"), gate.Instance(Labels, "Labels", required=True)
    ),
    "serving": gate.Instance(Serving, "Serving", required=True),
}


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
