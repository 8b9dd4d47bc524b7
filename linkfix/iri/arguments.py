"""Arguments that are wrong, said by name with the values that are allowed."""

from collections.abc import Sequence
from reprlib import repr as short

TO = ("uri", "iri")
IDNA = ("uts46", "2008", "2003")


def refusal(name: str, value: object, allowed: Sequence[str | None]) -> str:
    """Return the message about an argument that has none of the values that are allowed."""
    from difflib import get_close_matches

    listed = ", ".join(map(repr, allowed))
    key = value.lower() if isinstance(value, str) else ""
    near = get_close_matches(key, [each for each in allowed if each is not None], 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{name}={short(value)} is none of {listed}{hint}"


def need(allowed: Sequence[str | None], **arguments: object) -> None:
    """Refuse arguments that have none of the values that are allowed.

    Raises:
        ValueError: with the name of the argument and the values.

    """
    for name, value in arguments.items():
        if value not in allowed:
            raise ValueError(refusal(name, value, allowed))


def need_text(**arguments: object) -> None:
    """Refuse arguments that are no strings.

    Raises:
        TypeError: with the name of the argument.

    """
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise TypeError(f"{name}={short(value)} is no string")
