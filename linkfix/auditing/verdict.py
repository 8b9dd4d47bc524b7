"""Verdicts: what the rules about single links find in one link."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from linkfix.auditing.catalogue import CONCERN, Choice, advises
from linkfix.auditing.code_data import MODULES
from linkfix.auditing.files import problem_of
from linkfix.auditing.finding import Finding
from linkfix.auditing.rule import Document, FileRule, Hit, Rule, Subject
from linkfix.iri import Conversion
from linkfix.links import Kind, Link
from linkfix.markup.layers import Spelled
from linkfix.policy import Bases
from linkfix.rewriting.spelling import kept

#: Attributes whose requests may have a body; a redirect may turn them into requests without one (RFC 9110, 15.4).
_SENDING = frozenset({"action", "formaction", "ping"})
#: How many links of a run are remembered, and the longest of them in bytes.
_MOST = 4096
_LONGEST = 512
#: The attribute of containers that has the path of a member, which is no URI.
_PATH = "full-path"


class Verdict(NamedTuple):
    """The verdict of a rule on a link.

    Attributes:
        rule: the rule.
        hit: what is wrong, and where.
        suggestion: the result of a rewrite, if the rule finds nothing in it.
        mapped: the old and the new target, where the suggestion has another target (`Finding.mapped`).

    """

    rule: Rule
    hit: Hit
    suggestion: Conversion | None = None
    mapped: tuple[str, str] | None = None

    def finding(self, link: Link) -> Finding:
        """Return the finding about a link."""
        rule, hit, suggestion, mapped = self
        return Finding(
            rule.code,
            rule.name,
            rule.severity,
            hit.message,
            rule.section,
            link.line,
            link.column,
            link.start,
            link.end,
            link,
            hit.first,
            hit.last,
            None if suggestion is None else suggestion.text,
            () if suggestion is None else suggestion.edits,
            hit.target,
            mapped,
        )


#: The rules about characters that a rewrite encodes.
_ENCODED = frozenset({"SYN003", "SYN004", "SYN005", "DEL002"})


class Verdicts:
    """Judge links, and remember the verdicts, since sites repeat their links.

    Args:
        choice: the rules in force.

    """

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._known: dict[Hashable, tuple[Verdict, ...]] = {}

    def of(self, subject: Subject, base: Hashable) -> tuple[Verdict, ...]:
        """Return the verdicts of all rules on a link.

        Args:
            subject: the link.
            base: the part of the base URL on which rules depend; None if the link has a base of its own.

        """
        link = subject.link
        if base is None or len(link.raw) > _LONGEST:
            return self._judged(subject)
        key = (link.value, link.raw, link.place, link.malformed, link.fixed, link.state, base)
        known = self._known.get(key)
        if known is None:
            known = self._judged(subject)
            if len(self._known) < _MOST:
                self._known[key] = known
        return known

    def _judged(self, subject: Subject) -> tuple[Verdict, ...]:
        if subject.is_template:
            return judged(subject, self._choice.templates)
        if subject.link.kind is Kind.MEMBER and subject.link.fixed:  # a name, and no reference
            return ()
        rules = self._choice.rules_for(subject.value)
        # An identifier is compared as a string, so that a better spelling is another identifier.
        if subject.link.kind is Kind.IDENTITY:
            if subject.link.attribute.rpartition(":")[2] == _PATH:
                return ()
            rules = [rule for rule in rules if not advises(rule)]
        return judged(subject, rules)


def judged(subject: Subject, rules: Iterable[Rule]) -> tuple[Verdict, ...]:
    """Return the verdicts of some rules on a link, one of each rule."""
    hits = [(rule, hit) for rule in rules if rule.check for hit in rule.check(subject)]
    if hits and subject.value.lstrip()[:5].lower() == "data:":
        hits = _of_data(hits, subject)
    if len(hits) > 1:
        hits = _once(_worst(hits))
    return tuple([Verdict(rule, hit, _suggestion(rule, subject)) for rule, hit in hits])


def _of_data(hits: list[tuple[Rule, Hit]], subject: Subject) -> list[tuple[Rule, Hit]]:
    """Keep the hits of the worst rule about spelling, the first of several: data that are not percent-encoded are one fault.

    Where a rewrite encodes them, a rule about the scheme says it instead (`linkfix.auditing.rules.invalid_for_scheme`).
    """
    spelling = {rule.code: rule for rule, _ in hits if rule.code[:CONCERN] in {"SYN", "ENC", "DEL"}}
    worst = min(spelling.values(), key=lambda rule: rule.severity.rank, default=None)
    if worst is not None and worst.code in _ENCODED and subject.is_read_alike:
        worst = None
    return [pair for pair in hits if pair[0] is worst or pair[0].code not in spelling]


def _worst(hits: list[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """Drop the hits about characters that a worse hit is about; of two as bad, keep the fatal or the more precise one.

    A hit of the same concern, or a fatal one, hides another one that shares a character with it; any other one hides only
    what is about no other characters. A rule that is not in the catalogue hides nothing, and is never hidden. The result
    has the order of the value.
    """
    order = {id(hit): n for n, (_, hit) in enumerate(hits)}

    def rank(pair: tuple[Rule, Hit]) -> tuple[int, bool, int, int]:
        rule, hit = pair
        return rule.severity.rank, not rule.fatal, hit.last - hit.first, order[id(hit)]

    fatal = {rule.code for rule, _ in hits if rule.fatal}
    kept: list[tuple[Rule, Hit]] = []
    # The rule that owns each character, and each gap between two, as a number from 1.
    numbers: dict[str, int] = {}
    characters = bytearray(max((hit.last for _, hit in hits), default=0))
    places: dict[int, int] = {}
    for rule, hit in sorted(hits, key=rank):
        first, last = hit.first, hit.last
        if rule.code not in MODULES:
            kept.append((rule, hit))
            continue
        number = numbers.setdefault(rule.code, len(numbers) + 1)
        if first == last:
            is_free = places.setdefault(first, number) == number
        else:
            taken = characters[first:last].translate(None, bytes((0, number)))
            others = [code for code in numbers if code[:CONCERN] != rule.code[:CONCERN]]
            other = bytes(numbers[code] for code in others if code not in fatal)
            is_free = len(taken) < last - first and not taken.translate(None, other)
        if is_free:
            kept.append((rule, hit))
            characters[first:last] = bytes(owner or number for owner in characters[first:last])
    return sorted(kept, key=lambda pair: (pair[1].first, order[id(pair[1])]))


def _once(hits: list[tuple[Rule, Hit]]) -> list[tuple[Rule, Hit]]:
    """Keep the first hit of each rule, with the number of the others in its message."""
    counts = Counter(rule.code for rule, _ in hits)
    first: dict[str, tuple[Rule, Hit]] = {}
    for rule, hit in hits:
        first.setdefault(rule.code, (rule, hit))
    return [
        (rule, hit._replace(message=f"{hit.message} ({counts[rule.code] - 1} more in this link)"))
        if counts[rule.code] > 1
        else (rule, hit)
        for rule, hit in first.values()
    ]


def watched(rule: Rule, hit: Hit, subject: Subject, bases: Bases) -> Verdict:
    """Return the verdict of a watcher on a link, with a suggestion if the link may have another target.

    Args:
        rule: the rule.
        hit: what its watcher has found.
        subject: the link.
        bases: of the document, which have processed the earlier links.

    """
    link, target = subject.link, hit.new_target
    if not target or link.attribute in _SENDING or link.malformed:
        return Verdict(rule, hit)
    if link.fixed or link.place.hashed or not subject.policy.applies(link):
        return Verdict(rule, hit)
    from linkfix.policy.moving import move

    moved = move(replace(subject.policy, target=lambda _: target), link, bases)
    conversion = moved.conversion
    if moved.resolved is None or not conversion.ok or not conversion.edits:
        return Verdict(rule, hit)
    return Verdict(rule, hit, conversion, (moved.resolved, target))


def of_file(
    subject: Subject,
    document: Document,
    rules: Mapping[str, Sequence[tuple[Rule, FileRule]]],
    bases: Bases,
) -> tuple[Verdict, ...]:
    """Return the verdicts of the rules about files on a link; `rules` as in `Choice.files`, `bases` as for `watched`."""
    problem = problem_of(subject, document)
    if problem is None:
        return ()
    target, length = subject.target or "", len(subject.value)
    found = rules.get(problem.what, ())
    hits = [(rule, said.hit(problem, target, length)) for rule, said in found]
    return tuple([watched(rule, hit, subject, bases) for rule, hit in hits])


def _suggestion(rule: Rule, subject: Subject) -> Conversion | None:
    """Return the result of a rewrite, if the rule finds nothing in it."""
    link, conversion = subject.link, subject.conversion
    if rule.check is None or not conversion.ok or not conversion.edits:
        return None
    policy = subject.policy
    if not policy.applies(link) or policy.keeps(link.place):
        return None
    if kept(policy, link, conversion.text) is not None:
        return None
    new = link._replace(value=conversion.text, spelling=Spelled(conversion.text, conversion.text))
    settled: Iterable[Hit] = rule.check(Subject(new, policy, subject.base))
    return None if any(True for _ in settled) else conversion
