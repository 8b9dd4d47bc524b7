"""What counts as a link beyond the tables, and what does not: the user's own choice.

A *pattern* names an attribute: ``x-card@data-url``, ``*@data-src``, ``img@src``, or with conditions
on attributes of the same element as in CSS, ``a[rel=next]@href``, ``object[codebase]@data``. Names
and values are compared without regard to ASCII case. Without ``@`` a pattern means every link of the element.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkfix.links.link import Kind
from linkfix.links.table import Entry
from linkfix.links.templates import TEMPLATES, Templates

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["EVERYTHING", "Addition", "Pattern", "Scope"]

_PATTERN = re.compile(
    r"(?P<element>\*|[^\[\]@=\s]+)?(?P<conditions>(?:\[[^\[\]]+\])*)(?:@(?P<attribute>[^\[\]@=\s]+))?"
)
_CONDITION = re.compile(r"""\[([^\[\]=\s]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\[\]]*)))?\]""")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of elements and attributes.

    Attributes:
        element: name of the element in lower case, ``*`` for any.
        attribute: name of the attribute in lower case, "" for any.
        conditions: attributes that the element must have, each with the value that it must have,
            or None where any will do.

    """

    element: str
    attribute: str
    conditions: tuple[tuple[str, str | None], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Read a pattern.

        Raises:
            ValueError: it is none; the message says what one looks like.

        """
        match = _PATTERN.fullmatch(text.strip())
        if match is None or not match[0]:
            raise ValueError(
                f"{text!r} is no pattern; write for example img@src, *@data-src or a[rel=next]@href"
            )
        conditions = []
        for name, double, single, bare in _CONDITION.findall(match["conditions"]):
            wanted = double or single or bare
            has_value = f"{name}=" in match["conditions"]
            conditions.append((name.lower(), wanted.lower() if has_value else None))
        return cls(
            (match["element"] or "*").lower(), (match["attribute"] or "").lower(), tuple(conditions)
        )

    def matches(self, element: str, attribute: str, value_of: Callable[[str], str | None]) -> bool:
        """Tell whether an attribute of an element is meant.

        Args:
            element: name of the element.
            attribute: name of the attribute.
            value_of: gives the value of another attribute of the element in lower case, None
                where it has none.

        """
        if self.element not in {"*", element.lower()}:
            return False
        if self.attribute not in {"", attribute.lower()}:
            return False
        return all(
            (value := value_of(name)) is not None and wanted in {None, value}
            for name, wanted in self.conditions
        )


@dataclass(frozen=True, slots=True)
class Addition:
    """An attribute that holds links besides those of the tables.

    Attributes:
        pattern: which; it names the attribute.
        kind: how its value holds links.

    """

    pattern: Pattern
    kind: Kind = Kind.SINGLE

    @classmethod
    def parse(cls, text: str) -> Addition:
        """Read ``PATTERN`` or ``PATTERN=KIND``, for example ``img@data-srcset=srcset``.

        Raises:
            ValueError: the pattern names no attribute, or there is no such kind.

        """
        head, at, tail = text.rpartition("@")
        attribute, equals, kind = tail.partition("=")
        if not at:
            raise ValueError(f"{text!r} names no attribute; write for example x-card@data-url")
        kinds = [str(each) for each in Kind]
        if equals and kind not in kinds:
            raise ValueError(f"{kind!r} is no kind of value; there are {', '.join(kinds)}")
        return cls(Pattern.parse(f"{head}@{attribute}"), Kind(kind) if equals else Kind.SINGLE)


@dataclass(frozen=True, slots=True)
class Scope:
    """What counts as a link in a document.

    Attributes:
        add: attributes that hold links besides those of the tables.
        skip: what is left out.
        select: what alone is taken, where there is any.
        scripting: whether HTML is read as by a browser that runs scripts, for which the content of
            ``noscript`` is text (HTML standard, 13.2.6.4.4).
        data_blocks: whether JSON-LD, import maps and speculation rules in scripts are looked at.
        conditional_comments: whether what ``<!--[if …]>`` comments out is looked at.
        templates: which values are templates, that only a program makes links of.

    """

    add: tuple[Addition, ...] = ()
    skip: tuple[Pattern, ...] = ()
    select: tuple[Pattern, ...] = ()
    scripting: bool = True
    data_blocks: bool = False
    conditional_comments: bool = False
    templates: Templates = TEMPLATES

    def allows(self, element: str, attribute: str, value_of: Callable[[str], str | None]) -> bool:
        """Tell whether a link is to be taken; see `Pattern.matches` for the arguments."""
        if any(pattern.matches(element, attribute, value_of) for pattern in self.skip):
            return False
        return not self.select or any(
            pattern.matches(element, attribute, value_of) for pattern in self.select
        )

    @property
    def restricts(self) -> bool:
        """Whether `allows` can say no."""
        return bool(self.skip or self.select)

    def added(
        self, element: str, attribute: str, value_of: Callable[[str], str | None]
    ) -> Entry | None:
        """Give the row that is added for an attribute; see `Pattern.matches` for the arguments."""
        for addition in self.add:
            if addition.pattern.matches(element, attribute, value_of):
                return Entry(addition.kind, "document", (), "the user's choice")
        return None

    def added_names(self, element: str) -> set[str]:
        """Give the attributes of an element for which rows may be added."""
        patterns = (addition.pattern for addition in self.add)
        return {p.attribute for p in patterns if p.element in {"*", element.lower()}}


#: What the tables say, and nothing else.
EVERYTHING = Scope()
