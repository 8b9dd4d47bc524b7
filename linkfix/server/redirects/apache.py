"""The redirects of Apache: the directives of mod_alias, and the rules of mod_rewrite with their conditions.

Input: a directive and its arguments. Output: the rule that it stands for. A rule that only sends a host or a scheme to another one and
keeps the path says nothing about a file, and neither does one that refuses some visitors.
"""

from __future__ import annotations

import re
from typing import Literal

from linkfix.server.redirects.rules import (
    DOUBT,
    FOUND,
    GONE,
    PASSED,
    UNKNOWN,
    Part,
    Rule,
    Target,
    compiled,
    is_plain,
    target_of,
)

#: What is not literal in a target, and in that of a RewriteRule; parts of the request by their names.
_GROUP = re.compile(r"\\(.)|\$([0-9])", re.DOTALL)
_VARIABLE = re.compile(rf"{_GROUP.pattern}|%\{{(\w+)\}}|%[0-9]|%\{{|\$\{{", re.DOTALL)
_PARTS = {
    "REQUEST_URI": Part.PATH,
    "HTTP_HOST": Part.HOST,
    "SERVER_NAME": Part.HOST,
    "REQUEST_SCHEME": Part.SCHEME,
}
#: A RewriteCond about the file of the address; that about the file with an extension; those about the host and the scheme, and about visitors.
NO_FILE = re.compile(r"%\{REQUEST_FILENAME\} !-[fdls]")
_FILE = re.compile(r"%\{REQUEST_FILENAME\} -[fdls]")
_CLEAN = re.compile(r"%\{REQUEST_FILENAME\}\\?\.html -f")
_HOST = re.compile(
    r"%\{(?:HTTP_HOST|SERVER_NAME|HTTPS|SERVER_PORT(?:_SECURE)?|REQUEST_SCHEME|HTTP:X-Forwarded-(?:Proto|SSL))\} .*",
    re.IGNORECASE | re.ASCII,
)
_VISITOR = re.compile(
    r"%\{(?:HTTP_USER_AGENT|HTTP_REFERER|HTTP_COOKIE|REMOTE_\w+|REQUEST_METHOD)\} .*"
)
#: Patterns of everything, and targets with the same path on another host.
_ALL = re.compile(r"\^?(?:\.\*?|/?\??\(\.\*\))?\$?")
_SAME_PATH = re.compile(r"https?://(?:[\w.:-]|%\{\w+\}|%[0-9])+(%\{REQUEST_URI\}|/?\$1)", re.ASCII)
#: The beginning of a virtual host, and what leads from it to another one with the same path.
_VIRTUAL_HOST = re.compile(rb"^[ \t]*<virtualhost\b", re.IGNORECASE | re.MULTILINE)
_LEADS_ON = re.compile(
    rb"^[ \t]*(?:redirect(?:permanent)?[ \t]+(?:(?:permanent|30[1278])[ \t]+)?/[ \t]+\"?https?://[^/\s\"]+/?\"?"
    rb"|rewriterule[ \t]+\S+[ \t]+https?://[^/\s$]+(?:%\{REQUEST_URI\}|/?\$1)(?:[ \t]+\[\S+\])?)[ \t\r]*$",
    re.IGNORECASE | re.MULTILINE,
)
#: The flags of a RewriteRule after which no other is asked, and those that change which ones are asked.
_LAST = frozenset({"L", "LAST", "END"})
_ORDER = frozenset({"C", "CHAIN", "S", "SKIP", "N", "NEXT"})
#: The words of mod_alias for the status of a redirect.
_WORDS = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}


def without_hosts(data: bytes) -> bytes:
    """Return a file with spaces in place of the virtual hosts that only lead to another host or scheme with the same path."""
    lower, kept, end = data.lower(), bytearray(data), 0
    for opening in _VIRTUAL_HOST.finditer(data):
        if opening.start() < end:
            continue
        end = lower.find(b"</virtualhost>", opening.end())
        if end < 0:
            break
        if _LEADS_ON.search(data, opening.end(), end):
            end += len(b"</virtualhost>")
            kept[opening.start() : end] = re.sub(rb"[^\r\n]", b" ", data[opening.start() : end])
    return bytes(kept)


def alias(directive: str, arguments: list[str]) -> Rule | None:
    """Return the rule of a directive of mod_alias; None for none."""
    status = {"redirectpermanent": 301}.get(directive, 302)
    if directive in {"redirect", "redirectmatch"} and arguments:
        word = arguments[0].lower()
        if word in _WORDS or re.fullmatch("[1-5][0-9]{2}", word):
            status = _WORDS.get(word) or int(word)
            arguments = arguments[1:]
    elif directive not in {"redirectpermanent", "redirecttemp"}:
        return None
    is_redirect = 300 <= status < GONE
    if len(arguments) != 1 + is_redirect:
        return None
    source, target = arguments[0], arguments[1] if is_redirect else ""
    to: Target | None = None
    if directive == "redirectmatch":
        if is_redirect:
            to = target_of(target, _GROUP, lambda m: [int(m[2]) if m[1] is None else m[1]])
        return Rule(None, compiled(source), to, status, is_certain=is_plain(source), is_foreign=True)  # fmt: skip
    to = (target, 1) if is_redirect else None
    return Rule(re.sub("/+", "/", source), None, to, status, is_prefix=True)


def _variable(found: re.Match[str]) -> list[str | int | Part] | None:
    """Return what a variable of a RewriteRule stands for; None if that is not known."""
    escaped, group, name = found.groups()
    if name is not None:
        return [_PARTS[name]] if name in _PARTS else None
    return [escaped] if escaped is not None else None if group is None else [int(group)]


def subject_of(
    arguments: list[str], conditions: list[str], others: list[str]
) -> Literal["same", "clean", "files", ""]:
    """Return what a RewriteRule is about, "" for another place.

    Args:
        arguments: of the rule.
        conditions: of the rule.
        others: those that do not ask for addresses that no file has.

    Returns:
        ``same`` if it sends one host or scheme to another one and keeps the path, so that the file is the same, or refuses
        some visitors, which are others than those who follow the links of the site; ``clean`` if it shows a page for its
        path without the extension; ``files`` if it shows what is there as it is.

    """
    source, target, *more = arguments
    is_all = _ALL.fullmatch(source) is not None
    #: Whether the first group is the whole path.
    keeps_all = is_all and "(" in source
    same = _SAME_PATH.fullmatch(target)
    keeps = same is not None and (same[1] == "%{REQUEST_URI}" or keeps_all)
    flags = {each.strip().upper() for each in "".join(more).strip("[]").split(",")}
    refuses = bool({"F", "FORBIDDEN"} & flags) and _are_all(_VISITOR, others)
    if refuses or (keeps and any(map(_HOST.fullmatch, others))):
        return "same"
    if target == "$1.html" and keeps_all and _are_all(_CLEAN, others):
        return "clean"
    return "files" if target == "-" and is_all and _are_all(_FILE, conditions) else ""


def _are_all(kind: re.Pattern[str], conditions: list[str]) -> bool:
    """Return whether there are conditions, all of one kind."""
    return bool(conditions) and all(map(kind.fullmatch, conditions))


def rewrite(
    arguments: list[str], base: str, *, is_conditional: bool, is_forced: bool
) -> Rule | None:
    """Return what a RewriteRule says; None for nothing (mod_rewrite)."""
    source, target, *more = arguments
    flags = [each.strip() for each in "".join(more).strip("[]").split(",")]
    names = {each.partition("=")[0].upper(): each.partition("=")[2] for each in flags}
    options = re.IGNORECASE | re.ASCII if {"NC", "NOCASE"} & names.keys() else re.NOFLAG
    is_last, is_certain = bool(_LAST & names.keys()), not _ORDER & names.keys() and is_plain(source)
    if source.startswith("!"):
        pattern, is_conditional = re.compile(""), True
    else:
        pattern = compiled(source, options)
    status = names.get("R", names.get("REDIRECT"))
    if {"F", "FORBIDDEN", "G", "GONE"} & names.keys() and not is_conditional:
        return Rule(None, pattern, None, 410, is_forced=is_forced, is_certain=is_certain)
    if target == "-" or is_conditional or {"P", "PROXY", "PT", "E", "ENV"} & names.keys():
        if target == "-" and not _ORDER & names.keys() and not (is_last and is_conditional):
            return Rule(None, pattern, None, PASSED, is_certain=is_certain) if is_last else None
        if target == "-" or "E" in names:
            return DOUBT
        return Rule(None, pattern, None, UNKNOWN, is_forced=False, is_certain=is_certain)
    known = target_of(target, _VARIABLE, _variable) is not None
    is_whole = target.startswith(("http:", "https:", "%{REQUEST_SCHEME}"))
    if not is_whole and not target.startswith(("/", "%{")):
        if base:
            target = f"{base.rstrip('/')}/{target}"
        elif status is not None:
            # Apache redirects to the path of the file on its disk, where nothing is.
            return Rule(None, pattern, None, 404, is_forced=is_forced, is_certain=False)
    if status is None and not is_whole:  # another file is shown here
        number = FOUND if known else UNKNOWN
        is_forced &= known
    else:
        status = status or ""
        number = _WORDS.get(status.lower()) or (int(status) if status.isdigit() else 302)
    return Rule(
        None,
        pattern,
        target_of(target.removesuffix("?"), _VARIABLE, _variable),
        number,
        is_forced=is_forced,
        keeps_query=not target.endswith("?") and not {"QSD", "QSDISCARD"} & names.keys(),
        is_certain=is_certain and is_last,
        is_foreign=True,
        joins_query=bool({"QSA", "QSAPPEND"} & names.keys()),
    )
