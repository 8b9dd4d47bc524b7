"""The link map: rules that say where links are to lead instead.

A rule of the kind ``exact`` is for one URI, ``prefix`` for a URI and everything below it, and
``extension`` (``http://h/docs/*.htm`` to ``http://h/docs/*.html``) for what ends in an extension
below a folder. Of the rules that fit a link, an exact one goes first, then the one with the longest
prefix, an extension rule before a prefix rule with the same. One rule is applied, and once.

Rules and links are compared on a rung of the ladder of 3987bis, 5, with the keys of dictionaries:
how long a look-up takes does not depend on the number of rules.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from linkfix.errors import LinkMapError
from linkfix.iri import comparison_form, convert, decode_dot_segments, parse, resolve
from linkfix.policy.linkmap_syntax import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from linkfix.iri.comparison import Rung
    from linkfix.policy.linkmap_syntax import Entry

__all__ = ["LinkMap", "Match", "Rule", "without_dots"]

Kind = Literal["exact", "prefix", "extension"]

_KINDS: Final[dict[str, Kind]] = {kind: kind for kind in get_args(Kind)}
_PATTERN: Final = re.compile(r"(?P<folder>[^*?#]*/)\*(?P<extension>\.[^*/?#]+)")
#: What would run or hold a document of its own instead of leading anywhere.
_REFUSED: Final = frozenset({"javascript", "vbscript", "data", "blob"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a link map.

    Attributes:
        kind: ``exact``, ``prefix`` or ``extension``.
        old: the URI, prefix or pattern that it is for.
        new: what comes instead.
        line: of the rule in the map, from 1; None where that is not known.

    """

    kind: Kind
    old: str
    new: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that fits a link.

    Attributes:
        rule: the one that is applied.
        target: the absolute URI that the link is to lead to.

    """

    rule: Rule
    target: str


class LinkMap:
    """Where links are to lead instead.

    A map can be pickled; `used` then goes with it, and what a copy counts in another process comes
    back by `merge`.

    Attributes:
        rules: in the order of the map.
        used: how often each rule was applied, by its number in `rules`.

    """

    def __init__(
        self,
        rules: tuple[Rule, ...],
        *,
        level: Rung = "scheme",
        redirects: Mapping[str, str] | None = None,
    ) -> None:
        self.rules = rules
        self.used: Counter[int] = Counter()
        self._level = level
        self._redirects = {
            self._form(old): self._form(new)
            for old, new in (redirects or {}).items()
            if level == "protocol"
        }
        self._numbers: dict[tuple[Kind, str], int] = {}
        for number, rule in enumerate(rules):
            self._numbers.setdefault((rule.kind, self._form(rule.old)), number)
        prefixes = [key for kind, key in self._numbers if kind != "exact"]
        self._longest = max(map(len, prefixes), default=0)
        self._extensions = {
            key.rpartition("*")[2] for kind, key in self._numbers if kind == "extension"
        }

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        format: Literal["csv", "toml"],  # noqa: A002 - the field's name for it
        name: str = "",
        level: Rung = "scheme",
        site: str | None = None,
        redirects: Mapping[str, str] | None = None,
    ) -> LinkMap:
        """Read a map.

        Args:
            text: of the map.
            format: ``csv`` for lines of ``old,new`` or ``old,new,kind``, with or without a header
                line; ``toml`` for tables ``[exact]``, ``[prefix]`` and ``[extension]`` of old to
                new.
            name: of the map, for errors.
            level: the rung of the ladder that links are compared on (3987bis, 5).
            site: absolute IRI that relative rules are resolved against; None, or one that is not
                absolute, to refuse them.
            redirects: for ``protocol``, from IRI to IRI, as observed from the server (3987bis,
                5.3.4): a link is looked up by where they lead.

        Raises:
            LinkMapError: for the first rule that is wrong; `others` has the errors of the rest.

        """
        errors: list[LinkMapError] = []
        rules: list[Rule] = []
        seen: dict[tuple[Kind, str], Rule] = {}
        if site is not None:
            site = convert(site, to="uri", syntax="iri").text
            site = None if parse(site).scheme is None else without_dots(site)
        for entry in read(text, format, name, errors):
            try:
                rule = _rule(entry, site)
                _check_new_to(seen, rule, comparison_form(rule.old, level))
            except _WrongError as wrong:
                errors.append(
                    LinkMapError(
                        wrong.message,
                        hint=wrong.hint,
                        file=name or None,
                        line=entry.line,
                        column=entry.columns[wrong.field],
                    )
                )
            else:
                rules.append(rule)
        if errors:
            first, *others = sorted(errors, key=lambda error: (error.line or 0, error.column or 0))
            first.others = tuple(others)
            raise first
        return cls(tuple(rules), level=level, redirects=redirects)

    def target(self, uri: str) -> Match | None:
        """Find the rule for a link, and count its use.

        Args:
            uri: the absolute URI that the link leads to.

        Returns:
            None where no rule fits. The fragment of the link goes with it, unless the rule is for
            that very fragment or gives another; its query does too, unless the rule is exact.

        """
        found = self._find(uri)
        if found is None:
            return None
        number, target = found
        self.used[number] += 1
        return Match(self.rules[number], target)

    def follow(self, uri: str) -> str | None:
        """Give where a link is to lead instead, None where no rule fits (see `target`)."""
        match = self.target(uri)
        return None if match is None else match.target

    def merge(self, used: Mapping[int, int]) -> None:
        """Add what a copy of this map has counted elsewhere."""
        self.used.update(used)

    def unused(self) -> tuple[Rule, ...]:
        """Give the rules that were never applied."""
        return tuple(rule for i, rule in enumerate(self.rules) if not self.used[i])

    def _form(self, uri: str) -> str:
        return comparison_form(uri, self._level)

    def _find(self, uri: str) -> tuple[int, str] | None:
        own = without_dots(uri)
        form = self._form(own)
        if self._redirects:
            own = form = self._redirected(form)
        whole = self._numbers.get(("exact", form)) if "#" in form else None
        if whole is not None:
            return whole, self.rules[whole].new
        rest, hash_, fragment = own.partition("#")
        head = form.partition("#")[0]
        found = self._numbers.get(("exact", head))
        if found is not None:
            new = self.rules[found].new
            return found, new if "#" in new else new + hash_ + fragment
        path, mark, query = rest.partition("?")
        moved = self._below(head.partition("?")[0], path)
        return None if moved is None else (moved[0], moved[1] + mark + query + hash_ + fragment)

    def _redirected(self, form: str) -> str:
        head, hash_, fragment = form.partition("#")
        seen: set[str] = set()
        while head not in seen and (target := self._redirects.get(head)) is not None:
            seen.add(head)
            head = target
        return head if "#" in head else head + hash_ + fragment

    def _below(self, form: str, own: str) -> tuple[int, str] | None:
        """Apply the rule with the longest prefix.

        Args:
            form: the link as it is compared, without query and fragment.
            own: the same as it is spelled.

        """
        if "://" not in form:
            return None
        form, own = _with_path(form), _with_path(own)
        if form.count("/") != own.count("/"):
            own = form
        extensions = [e for e in _extensions(form) if e in self._extensions]
        for prefix in _prefixes(form, self._longest):
            for extension in extensions if prefix.endswith("/") else ():
                number = self._numbers.get(("extension", f"{prefix}*{extension}"))
                if number is not None:
                    spelled = own if own.endswith(extension) else form
                    tail = _tail(spelled, prefix)[: -len(extension)]
                    return number, self.rules[number].new.replace("*", tail)
            number = self._numbers.get(("prefix", prefix))
            if number is not None:
                return number, self.rules[number].new + _tail(own, prefix)
        return None


def without_dots(uri: str) -> str:
    """Remove the dot segments of an absolute URI, percent-encoded ones too (URL Standard, 4.1)."""
    if "/." not in uri and "/%2" not in uri:
        return uri
    plain = decode_dot_segments(uri)
    return resolve(plain, plain)


def _with_path(uri: str) -> str:
    """Give a URI its root where it has an authority and no path (3987bis, 5.3.3)."""
    return uri if "/" in uri[uri.index("://") + 3 :] else f"{uri}/"


def _prefixes(form: str, longest: int) -> Iterator[str]:
    """Yield what a prefix rule can be for, the longest first: a URI, its folders, its root."""
    root = form.index("/", form.index("://") + 3)
    if len(form) <= longest:
        yield form
    end = len(form)
    while (slash := form.rfind("/", root, end)) >= 0:
        if slash < longest and slash + 1 < len(form):
            yield form[: slash + 1]
        if root < slash <= longest:
            yield form[:slash]
        end = slash


def _extensions(form: str) -> Iterator[str]:
    """Yield the extensions of the last segment, the longest first."""
    name = form.rpartition("/")[2]
    dot = name.find(".", 1)
    while dot > 0:
        yield name[dot:]
        dot = name.find(".", dot + 1)


def _tail(own: str, prefix: str) -> str:
    """Give what follows the segments of a prefix in a URI that may spell them otherwise."""
    position = -1
    for _ in range(prefix.count("/")):
        position = own.index("/", position + 1)
    if prefix.endswith("/"):
        return own[position + 1 :]
    slash = own.find("/", position + 1)
    return "" if slash < 0 else own[slash:]


class _WrongError(Exception):
    """Why an entry is no rule; `field` is 0 for the old value, 1 for the new, 2 for the kind."""

    def __init__(self, field: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.hint = hint


def _rule(entry: Entry, site: str | None) -> Rule:
    kind = _KINDS.get(entry.kind)
    if kind is None:
        raise _WrongError(2, f"{entry.kind!r} is no kind of rule", f"use {', '.join(_KINDS)}")
    old, new = (_absolute(text, field, site) for field, text in enumerate((entry.old, entry.new)))
    scheme = new.partition(":")[0].lower()
    if scheme in _REFUSED:
        raise _WrongError(1, f"links are not led to {scheme}: URIs", "give an address to lead to")
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


def _absolute(text: str, field: int, site: str | None) -> str:
    """Give the URI that an IRI of a rule stands for, without dot segments."""
    conversion = convert(text, to="uri", syntax="iri", base=site)
    if not conversion.ok:
        problem = conversion.problems[0]
        raise _WrongError(
            field, f"{text!r} cannot be made a URI: {problem.message}", f"see {problem.section}"
        )
    uri = decode_dot_segments(conversion.text)
    if text and site is not None:
        uri = resolve(site, uri)
    elif parse(uri).scheme is None:
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
    return _with_path(uri)


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
