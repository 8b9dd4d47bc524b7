"""What a template becomes where the literal parts around its expressions are converted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.iri import Conversion, Violation
from linkfix.iri.chars import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.iri import Edit
    from linkfix.links import Link
    from linkfix.links.templates import Templates

__all__ = ["TEMPLATE", "literally"]

TEMPLATE = Violation(
    "template", "reference", 0, 0, "RFC 6570", "it is a template, to be filled in by a program"
)
#: ASCII characters that are percent-encoded in every component but the host, which has none of them.
_SAFE = frozenset(' "<>^`|')
#: A letter, which no component converts.
_FILL = "x"


def literally(
    link: Link, templates: Templates, convert: Callable[[Link], Conversion]
) -> Conversion:
    """Return a template with the literal parts around its expressions converted.

    Only percent-encoding that is right in every component is done, since an expression may bring delimiters of
    its own: what follows it may be in the query after all.

    Args:
        link: the template.
        templates: what its expressions are.
        convert: converts a link; it is given letters in place of the expressions.

    Returns:
        What `convert` makes of it, or the template as it is and not ok, where an expression is cut off or more
        would have to be changed.

    """
    value = link.value
    masked = value
    for first, last in templates.expressions(value):
        masked = masked[:first] + _FILL * (last - first) + masked[last:]
    conversion = convert(link._replace(value=masked))
    changes = conversion.edits
    is_right = conversion.ok and all(_is_safe(value, edit, link) for edit in changes)
    if not is_right or not templates.is_whole(value):
        return Conversion(value, (), (TEMPLATE,), ok=False)
    for edit in reversed(changes):
        value = value[: edit.start] + edit.text + value[edit.end :]
    return Conversion(value, changes, (), ok=True)


def _is_safe(value: str, edit: Edit, link: Link) -> bool:
    """Return whether an edit percent-encodes characters that are encoded alike in every component."""
    text = value[edit.start : edit.end]
    known = all(char in _SAFE or (char > "\x7f" and link.charset.is_unicode) for char in text)
    return known and edit.text == quote(text)
