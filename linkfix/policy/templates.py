"""Convert the literal parts of a template around its expressions."""

from __future__ import annotations

from collections.abc import Callable

from linkfix.iri import Conversion, Edit, Violation
from linkfix.iri.chars import quote
from linkfix.links import Link
from linkfix.links.templates import Templates

TEMPLATE = Violation(
    "template", "reference", 0, 0, "RFC 6570", "it is a template, to be filled in by a program"
)
#: ASCII characters that every component percent-encodes, except the host, which cannot contain them.
_SAFE = frozenset(' "<>^`|')
#: A letter, which no component converts.
_FILL = "x"


def literally(
    link: Link, templates: Templates, convert: Callable[[Link], Conversion]
) -> Conversion:
    """Return a template with the literal parts around its expressions converted.

    Only percent-encoding that is right in every component is applied: an expression may expand to delimiters, so that
    the text after it may be in the query.

    Args:
        link: the template.
        templates: finds its expressions.
        convert: converts a link; its argument has letters in place of the expressions.

    Returns:
        The conversion, or the template unchanged and not ok, if an expression is cut off or more would have to
        change.

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
    """Return whether an edit percent-encodes characters that every component encodes alike."""
    text = value[edit.start : edit.end]
    known = all(char in _SAFE or (char > "\x7f" and link.charset.is_unicode) for char in text)
    return known and edit.text == quote(text)
