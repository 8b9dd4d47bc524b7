"""Check the entries of a link map, and turn them into rules."""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from linkfix.errors import LinkMapError
from linkfix.iri import comparison_form, convert, parse
from linkfix.iri.compare.comparison import Rung
from linkfix.iri.resolution import resolved, without_dots
from linkfix.policy.linkmap_syntax import Entry, read

Kind: TypeAlias = Literal["exact", "prefix", "extension"]

_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}
_PATTERN: Final = re.compile(r"(?P<folder>[^*?#]*/)\*(?P<extension>\.[^*/?#]+)")
_SCHEME: Final = re.compile("[A-Za-z][A-Za-z0-9+.-]*")
#: What would run or hold a document of its own instead of leading anywhere.
_REFUSED: Final = frozenset({"javascript", "vbscript", "data", "blob", "view-source"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a link map.

    Attributes:
        kind: ``exact``, ``prefix`` or ``extension``.
        old: the URI, prefix or pattern that it matches.
        new: the URI, prefix or pattern that replaces it.
        line: of the rule in the map, from 1; None if unknown.

    """

    kind: Kind
    old: str
    new: str
    line: int | None = None


def read_rules(
    text: str, syntax: Literal["csv", "toml"], name: str, level: Rung, site: str | None
) -> tuple[Rule, ...]:
    """Read the rules of a map, with the arguments of `LinkMap.parse`.

    Raises:
        LinkMapError: for the first rule that is wrong; `others` has the errors of the rest.

    """
    errors: list[LinkMapError] = []
    rules: list[Rule] = []
    seen: dict[tuple[Kind, str], Rule] = {}
    if site is not None:
        site = convert(site, to="uri", syntax="iri").text
        site = None if parse(site).scheme is None else without_dots(site)
    for entry in read(text, syntax, name, errors):
        try:
            rule = _rule(entry, site)
            _check_new_to(seen, rule, comparison_form(rule.old, level))
        except _WrongError as wrong:
            field, message, hint = wrong.args
            place: dict[str, Any] = {
                "file": name or None,
                "line": entry.line,
                "column": entry.columns[field],
            }
            errors.append(LinkMapError(message, hint=hint, **place))
        else:
            rules.append(rule)
    if errors:
        first, *others = sorted(errors, key=lambda error: (error.line or 0, error.column or 0))
        first.others = tuple(others)
        raise first
    return tuple(rules)


def with_path(uri: str) -> str:
    """Add the path ``/`` to a URI with an authority and no path (3987bis, 5.3.3)."""
    return uri if "/" in uri[uri.index("://") + 3 :] else f"{uri}/"


class _WrongError(Exception):
    """Why an entry is no rule: the field (0 for the old value, 1 for the new, 2 for the kind), a message, and a hint."""


def _rule(entry: Entry, site: str | None) -> Rule:
    kind = _KINDS.get(entry.kind)
    if kind is None:
        raise _WrongError(2, f"{entry.kind!r} is no kind of rule", f"use {', '.join(_KINDS)}")
    old, new = (_absolute(text, field, site) for field, text in enumerate((entry.old, entry.new)))
    if (why := refusal(new)) is not None:
        raise _WrongError(1, why, "give an address to lead to")
    if kind == "prefix":
        old, new = (_prefix(text, field) for field, text in enumerate((old, new)))
        if old.endswith("/") != new.endswith("/"):
            raise _WrongError(
                1,
                "one of the prefixes ends in a slash and the other does not",
                "end both in a slash, or neither",
            )
    elif kind == "extension":
        for field, text in enumerate((old, new)):
            if _PATTERN.fullmatch(text) is None or "://" not in text:
                raise _WrongError(
                    field,
                    f"{text!r} is no pattern of a folder and an extension",
                    "write for example http://example.org/docs/*.htm",
                )
    return Rule(kind, old, new, entry.line)


def refusal(target: str) -> str | None:
    """Return why a target is refused, None if it is allowed.

    Args:
        target: the new target from a rule, or from a function in place of a map.

    """
    scheme, colon, _ = target.partition(":")
    if not colon or _SCHEME.fullmatch(scheme) is None:
        return f"{target!r} is no absolute IRI" if target else "there is no value"
    scheme = scheme.lower()
    return f"links are not led to {scheme}: URIs" if scheme in _REFUSED else None


def _absolute(text: str, field: int, site: str | None) -> str:
    """Convert an IRI of a rule to an absolute URI without dot segments."""
    conversion = convert(text, to="uri", syntax="iri", base=site)
    if not conversion.ok:
        problem = conversion.problems[0]
        raise _WrongError(
            field, f"{text!r} cannot be made a URI: {problem.message}", f"see {problem.section}"
        )
    uri = resolved(conversion.text, site, web=False)
    if uri is None or not text:
        raise _WrongError(
            field,
            f"{text!r} is no absolute IRI" if text else "there is no value",
            "write it with its scheme and host, or give the site that it is relative to",
        )
    return without_dots(uri)


def _prefix(uri: str, field: int) -> str:
    reference = parse(uri)
    if reference.query is not None or reference.fragment is not None:
        raise _WrongError(
            field, "a prefix has neither query nor fragment", "make the rule an exact one"
        )
    if "://" not in uri:
        raise _WrongError(field, f"there is nothing below {uri!r}", "make the rule an exact one")
    return with_path(uri)


def _check_new_to(seen: dict[tuple[Kind, str], Rule], rule: Rule, key: str) -> None:
    first = seen.setdefault((rule.kind, key), rule)
    if first is rule:
        return
    place = f"line {first.line}" if first.line is not None else f"the rule for {first.old}"
    if first.new == rule.new:
        raise _WrongError(0, f"this is the same rule as {place}", "leave one of them out")
    raise _WrongError(
        0, f"{place} leads {first.old} to {first.new} already", "leave one of them out"
    )
