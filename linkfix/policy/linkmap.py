"""The link map: rules that map the targets of links to new targets.

A rule has one of three kinds. ``exact`` matches one URI; ``prefix`` matches a URI and everything below it;
``extension`` (``http://h/docs/*.htm`` to ``http://h/docs/*.html``) matches an extension below a folder.
One rule is applied, once: an exact one before others, then the one with the longest prefix, and of two with the same
prefix the extension rule.

Rules and links are compared on a rung of the ladder of 3987bis, 5. The rules are keys of dictionaries, so that the
time of a look-up does not depend on their number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from linkfix.errors import LinkMapError
from linkfix.iri import comparison_form, convert, parse
from linkfix.iri.compare.comparison import Rung, followed
from linkfix.iri.reference import split, without_fragment
from linkfix.iri.resolution import resolved, without_dots
from linkfix.policy.linkmap_syntax import Entry, Errors, read


@dataclass(frozen=True, slots=True)
class Match:
    """The rule for a link.

    Attributes:
        rule: the rule.
        target: the absolute URI of the new target.

    """

    rule: Rule
    target: str


class LinkMap:
    """A map from targets of links to new targets.

    A map can be pickled together with `used`; `merge` adds the counts of a copy in another process.

    Args:
        rules: from `parse`; of several with the same kind and old URI, the first one applies.
        level: the rung of the ladder for comparing links (3987bis, 5).
        redirects: observed redirects, as in `parse`.

    Attributes:
        rules: in the order of the map.
        used: how often each rule was applied, by its index in `rules`.

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
        self._longest_extension = max(map(len, self._extensions), default=0)

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
            level: the rung of the ladder for comparing links (3987bis, 5).
            site: absolute IRI that relative rules are resolved against; None, or one that is not
                absolute, to refuse them.
            redirects: for ``protocol``, from IRI to IRI, as observed from the server (3987bis,
                5.3.4): a link is looked up by the target of its redirect.

        Raises:
            LinkMapError: for a map without rules, or the first rule that is wrong; `others` has the errors of the rest.

        """
        rules = read_rules(text, format, name, level, site)
        if not rules:
            raise LinkMapError(
                "this map has no rules",
                hint="write one rule a line, such as /old/,/new/,prefix",
                file=name or None,
            )
        return cls(rules, level=level, redirects=redirects)

    @classmethod
    def read(
        cls, data: bytes, name: str, *, level: Rung = "scheme", site: str | None = None
    ) -> LinkMap:
        """Read the map in a file.

        Args:
            data: its bytes.
            name: of the file, for errors; one that ends in ``.toml`` is TOML, any other CSV.
            level: as in `parse`.
            site: as in `parse`.

        Raises:
            LinkMapError: as of `parse`; or the file is not in UTF-8.

        """
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            why, hint = "the map is not in UTF-8", "save it in UTF-8"
            line = data.count(b"\n", 0, error.start) + 1
            raise LinkMapError(why, hint=hint, file=name, line=line, offset=error.start) from None
        form: Literal["csv", "toml"] = "toml" if name.lower().endswith(".toml") else "csv"
        return cls.parse(text, format=form, name=name, level=level, site=site)

    def target(self, uri: str) -> Match | None:
        """Find the rule for a link, and count its use.

        Args:
            uri: the absolute URI that the link resolves to.

        Returns:
            The match, None if no rule matches. The new target has the fragment of the link, unless the rule
            matches that fragment or sets another one; it has the query of the link, unless the rule is exact.

        """
        found = self._find(uri)
        if found is None:
            return None
        number, target = found
        self.used[number] += 1
        return Match(self.rules[number], target)

    def follow(self, uri: str) -> str | None:
        """Return the new target of a link, None if no rule matches (`target`)."""
        match = self.target(uri)
        return None if match is None else match.target

    def anew(self) -> LinkMap:
        """Return a map of the same rules with counts of its own."""
        other = copy(self)
        other.used = Counter()
        return other

    def merge(self, used: Mapping[int, int]) -> None:
        """Add the counts of a copy of this map."""
        self.used.update(used)

    def unused(self) -> tuple[Rule, ...]:
        """Return the rules that were never applied."""
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
        path, query, fragment = split(own)
        head = without_fragment(form)
        found = self._numbers.get(("exact", head))
        if found is not None:
            new = self.rules[found].new
            return found, new if "#" in new else new + fragment
        moved = self._below(split(head)[0], path)
        return None if moved is None else (moved[0], moved[1] + query + fragment)

    def _redirected(self, form: str) -> str:
        head = followed(without_fragment(form), self._redirects)
        return head if "#" in head else head + split(form)[2]

    def _below(self, form: str, own: str) -> tuple[int, str] | None:
        """Apply the rule with the longest prefix.

        Args:
            form: the comparison form of the link, without query and fragment.
            own: the link in its own spelling, without query and fragment.

        """
        if "://" not in form:
            return None
        form, own = with_path(form), with_path(own)
        if form.count("/") != own.count("/"):
            own = form
        known = self._extensions
        extensions = [e for e in _extensions(form, self._longest_extension) if e in known]
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


def _prefixes(form: str, longest: int) -> Iterator[str]:
    """Yield the prefixes that a rule can have, the longest first: the URI, its folders, its root."""
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


def _extensions(form: str, longest: int) -> list[str]:
    """Return the extensions of the last segment up to a length, the longest first."""
    name = form.rpartition("/")[2]
    places = range(max(1, len(name) - longest), len(name))
    return [name[dot:] for dot in places if name[dot] == "."]


def _tail(own: str, prefix: str) -> str:
    """Return the rest of a URI after the segments of a prefix, which the URI may spell differently."""
    rest = own.split("/", prefix.count("/"))[-1]
    return rest if prefix.endswith("/") else rest[len(rest.partition("/")[0]) :]


# --- Check the entries of a link map, and turn them into rules -------------------------------------

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
    errors = Errors(name)
    rules: list[Rule] = []
    seen: dict[tuple[Kind, str], Rule] = {}
    if site is not None:
        site = convert(site, to="uri", syntax="iri").text
        site = None if parse(site).scheme is None else without_dots(site)
    for entry in read(text, syntax, errors):
        try:
            rule = _rule(entry, site)
            _check_new_to(seen, rule, comparison_form(rule.old, level))
        except _WrongError as wrong:
            field, message, hint = wrong.args
            errors.note(message, hint, entry.line, entry.columns[field])
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
    why = f"{place} leads {first.old} to {first.new} already"
    why = f"this is the same rule as {place}" if first.new == rule.new else why
    raise _WrongError(0, why, "leave one of them out")
