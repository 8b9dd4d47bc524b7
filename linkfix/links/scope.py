"""The scope: which values count as links, and how documents are read for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from linkfix.links.html.embedded import DEFAULTS, How
from linkfix.links.link import Kind
from linkfix.links.table import Element, Entry
from linkfix.links.templates import TEMPLATES, Templates

if TYPE_CHECKING:
    from linkfix.links.selectors import Addition, Pattern


class Scope(NamedTuple):
    """The values that count as links in a document.

    Attributes:
        add: attributes with links besides the tables.
        skip: patterns of links that do not count.
        select: patterns of links that count; empty if all count.
        scripting: whether the content of ``noscript`` is text, as in a browser that runs scripts
            (HTML standard, 13.2.6.4.4).
        embedded: how certain kinds of embedded documents are read; all others are read as always (`linkfix.links.html.embedded`).
        conventions: how certain conventions are read; all others as their table says (`linkfix/links/tables/html_conventions.toml`).
        templates: recognizes values that only a program turns into links.
        links: whether links are read; otherwise only the targets of fragments are.

    """

    add: tuple[Addition, ...] = ()
    skip: tuple[Pattern, ...] = ()
    select: tuple[Pattern, ...] = ()
    scripting: bool = True
    embedded: tuple[tuple[str, How], ...] = ()
    conventions: tuple[tuple[str, How], ...] = ()
    templates: Templates = TEMPLATES
    links: bool = True

    def how(self, kind: str) -> How:
        """Return how a kind of embedded documents is read."""
        return dict(self.embedded).get(kind) or DEFAULTS.get(kind, "on")

    def allows(self, element: Element, attribute: str, kind: Kind = Kind.SINGLE) -> bool:
        """Return whether a link of an element counts by `skip` and `select`.

        Args:
            element: the element.
            attribute: name of the attribute; "" for the text of the element.
            kind: of the value. In an embedded document each link is selected or not, and the document is read.

        """
        if any(pattern.matches(element, attribute) for pattern in self.skip):
            return False
        is_read = not self.select or kind is Kind.DOCUMENT
        return is_read or any(pattern.matches(element, attribute) for pattern in self.select)

    def without_links(self) -> Scope:
        """Return a scope for reading only the targets of fragments of the same documents."""
        return self._replace(add=(), skip=(), select=(), links=False)

    @property
    def restricts(self) -> bool:
        """Whether `allows` can return False."""
        return bool(self.skip or self.select)

    def allows_name(self, name: str) -> bool:
        """Return whether a link counts that is in no element, such as one in plain text, by the name of its place."""
        return not self.restricts or self.allows(Element(name, lambda _: None), "")

    def choose(
        self,
        entries: Iterable[Entry],
        value_of: Callable[[str], str | None],
        element: Callable[[], Element],
        attribute: str,
    ) -> Entry | None:
        """Return the row that applies to a value that counts: one of the user's choice, else the first of a table.

        Args:
            entries: the rows of the tables for the value.
            value_of: returns the value of another attribute, None for none.
            element: returns the element of the value.
            attribute: name of the attribute, as written; "" for the text of the element.

        Returns:
            The row; None if the value is no link.

        """
        found = next((entry for entry in entries if entry.applies(value_of)), None)
        if not self.add and not self.restricts:
            return found
        whose = element()
        found = self.added(whose, attribute) or found
        counts = found is not None and self.allows(whose, attribute, found.kind)
        return found if counts else None

    def added(self, element: Element, attribute: str) -> Entry | None:
        """Return the added row for an attribute of an element; None for none."""
        for addition in self.add:
            if (
                addition.content != bool(attribute)
                and addition.namespace in {None, element.namespace}
                and addition.pattern.matches(element, attribute)
            ):
                return Entry(addition.kind, addition.query, (), addition.source)
        return None

    @property
    def added_names(self) -> frozenset[str]:
        """The attributes for which rows may be added, on any element."""
        patterns = (addition.pattern for addition in self.add if not addition.content)
        return frozenset(name for pattern in patterns for _, name in pattern.alternatives)

    @property
    def adds_texts(self) -> bool:
        """Whether rows may be added for the texts of elements."""
        return any(addition.content for addition in self.add)


#: The links of the tables, and no others.
EVERYTHING = Scope()
