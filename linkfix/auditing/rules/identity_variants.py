"""Two spellings of one identity.

What it does
    Reports an identifier (itemtype, rdf:about, the id of an Atom entry, @id of JSON-LD and the like) that would be the same address as
    an earlier one of the same run, but is another string. Identifiers are compared as strings.

Why it is bad
    To software they are two different things, whatever a browser would make of them.

Example
    <item rdf:about="http://example.org/a"/> and <item rdf:about="HTTP://example.org/a"/>

Instead
    The same string, character by character.
"""

from linkfix.auditing.rule import Comparison, normal_form


def _message(one: str, other: str) -> str | None:
    return (
        f"as a string this is not {one}, though it would be the same address"
        if one != other
        else None
    )


def compare() -> Comparison:
    """Return how links are compared."""
    return Comparison(normal_form, _message, identities=True)
