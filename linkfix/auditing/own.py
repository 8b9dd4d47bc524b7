"""Rules of one's own: a function becomes a rule (docs/own.md)."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from linkfix.auditing.catalogue import rule as listed
from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit, Needs, Rule, Subject
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.policy import gate

#: Yields what is wrong with a link: hits, or messages about the whole value.
OwnCheck: TypeAlias = Callable[[Subject], Iterable[Hit | str]]

_ARGUMENTS: dict[str, gate.Kind] = {
    "severity": (*Severity,),
    **dict.fromkeys(("code", "name", "section"), gate.Instance(str, "string")),
    **dict.fromkeys(("needs", "check"), gate.FUNCTION),
}
_CODE = re.compile(r"[A-Z]{3,12}[0-9]{1,6}", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)


def rule(
    code: str,
    *,
    severity: str = "error",
    name: str = "",
    section: str = "house rules",
    needs: Needs = "",
) -> Callable[[OwnCheck], Rule]:
    """Return a decorator that makes a rule of a function; its docstring is the rule's page.

    Args:
        code: capital letters and a number, as ``ACME001``; no code of linkfix.
        severity: ``error``, ``warning`` or ``advice``.
        name: in lower case with hyphens; without it, that of the function.
        section: the document and section that the rule is from.
        needs: a regular expression; the function is asked only about values that contain it (`Rule.needs`).

    Raises:
        ArgumentError: an argument is wrong, or linkfix has a rule of this code or name.

    """
    gate.check(_ARGUMENTS, severity=severity, code=code, name=name, section=section)
    if isinstance(needs, str):
        try:
            re.compile(needs)
        except re.error as error:
            raise ArgumentError(f"needs={needs!r} is no regular expression: {error}") from None
    else:
        gate.check(_ARGUMENTS, needs=needs)
    if not _CODE.fullmatch(code):
        raise ArgumentError(f"code={code!r} is no code", hint="write for example ACME001")

    from inspect import cleandoc

    def made(check: OwnCheck) -> Rule:
        gate.check(_ARGUMENTS, check=check)
        known = name or check.__name__.replace("_", "-")
        if not _NAME.fullmatch(known):
            raise ArgumentError(f"name={known!r} is no name", hint="write for example no-intranet")
        for each in (code, known):
            if listed(each) is not None:
                raise ArgumentError(f"linkfix has a rule {each}", hint="use another code and name")
        page = cleandoc(check.__doc__ or known)
        return Rule(
            code, known, Severity(severity), section, page, check=_checked(code, check), needs=needs
        )

    return made


def _checked(code: str, check: OwnCheck) -> Callable[[Subject], Iterator[Hit]]:
    """Return the check of a rule, which says where the function failed."""

    def run(subject: Subject) -> Iterator[Hit]:
        link = subject.link
        try:
            for hit in check(subject):
                yield Hit(0, len(subject.value), hit) if isinstance(hit, str) else Hit(*hit)
        except Exception as error:
            raise LinkfixError(
                f"the rule {code} failed: {type(error).__name__}: {error}",
                offset=link.start,
                line=link.line,
                column=link.column,
            ) from error

    return run
