"""Find links in plain text (UTS #58, Unicode Link Detection and Formatting, 17.0; 3987bis, 8.3).

Input: text. Output: spans, each with its kind and how certain it is. What UTS #58 leaves open or has otherwise: ``<``,
``>`` and the quotation mark that belongs to one in front end a link (RFC 3986, Appendix C), and so do a backtick, the
scheme of the next link, a formatting character for bidirectional text (3987bis, 4.1), and a bar after ``[[`` in front.
``?`` and ``#`` are part of a link where something of it follows.
"""

import re
from typing import Final, Literal, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.schemes.scheme_data import HIERARCHICAL
from linkfix.iri.schemes.scheme_rules import RULES
from linkfix.iri.text.link_data import BRACKETS, EMAIL, NOT_HARD, SOFT, TOP_LEVEL
from linkfix.iri.unicode import ucd
from linkfix.iri.unicode.uts46 import IDNAError, to_ascii

FoundKind: TypeAlias = Literal["iri", "www", "domain", "mail"]
Certainty: TypeAlias = Literal["certain", "likely", "unsure"]


class Found(NamedTuple):
    """A link in plain text.

    Attributes:
        start: its first code point.
        end: the code point after its last one.
        kind: ``iri`` with a scheme, ``www`` and ``domain`` for a domain name without one, ``mail`` for a mail address.
        certainty: ``certain`` if no reader of the text would end the link elsewhere; ``likely`` if it has no scheme, or
            characters that may be those of the sentence; ``unsure`` if it may be no link, or have another host.

    """

    start: int
    end: int
    kind: FoundKind
    certainty: Certainty


#: The full stops of UTS #46.
_DOTS: Final = ".\u3002\uff0e\uff61"
_IDEOGRAPHIC: Final = "\u3002\uff61"
_DOT: Final = pattern(f"[{_DOTS}]")
#: Sentences in front of a domain name with ASCII full stops.
_SENTENCE: Final = pattern(f"[^.]*[{_IDEOGRAPHIC}](?=[^{_DOTS}]+\\.)")
_ELLIPSIS: Final = pattern(r"\.{2,}")
#: In DNS.
_LONGEST_HOST: Final = 253
#: Schemes with an authority that has no user in plain text (UTS #58).
_OF_PAGES: Final = frozenset({"http", "https", "ws", "wss"})
#: Quotation marks, and what ends the quotation.
_QUOTED: Final = dict(
    zip("\"'\u201c\u2018\u201e\xab\xbb", "\"'\u201d\u2019\u201c\xbb\xab", strict=True)
)
#: What no IRI contains; in a link it is an error, or belongs to the text.
_NOT_IRI: Final = pattern(r'["\\^{}|]')
_ASCII: Final = pattern("[\x00-\x7f]+")
_LITERAL: Final = pattern(r"\[[0-9A-Fa-f:.vV]++\]")
_AFTER_HOST: Final = pattern(r"(?:\.(?=[/?#]|:[0-9]))?(?::[0-9]++)?")
#: A path without a host in front.
_ROOT: Final = pattern("/(?!/)")
_OPAQUE_START: Final = pattern("[A-Za-z0-9+]")
#: Scripts that are written without spaces, or add endings to foreign words.
_SPACELESS: Final = (
    "\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
#: Where a link may end and a sentence go on: a word of another script behind letters, or the first one behind a delimiter.
_RUN_ON: Final = pattern(
    rf"[A-Za-z0-9\xaa-\u058f\u0900-\u0dff\u1e00-\u1fff][{_SPACELESS}]|[A-Za-z0-9][\u0590-\u08ff]"
    rf"|\A[\0-\x7f]*[^A-Za-z0-9][{_SPACELESS}]"
)


def _inside(ranges: str) -> str:
    """Return ranges as the inside of a regular expression's bracket."""
    points = ([f"\\U{int(point, 16):08x}" for point in each.split("-")] for each in ranges.split())
    return "".join(map("-".join, points))


# The tables of UTS #58.
_SCHEMES: Final = "|".join(
    map(re.escape, sorted({*HIERARCHICAL, *RULES} - {"javascript", "data"}, key=len, reverse=True))
)
_BRACKETS: Final = [chr(int(word, 16)) for word in BRACKETS.split()]
#: The opening bracket by the closing one, but for that of tags.
CLOSING: Final = dict(zip(_BRACKETS[::2], _BRACKETS[1::2], strict=True))
del CLOSING[">"]
OPENING: Final = frozenset(CLOSING.values())
_TOP_LEVEL: Final = frozenset(TOP_LEVEL.split())
_SOFT, _KNOWN, _EMAIL = map(_inside, (SOFT, NOT_HARD, EMAIL))
_ENDS: Final = (
    f"{_SOFT}{''.join(map(re.escape, _BRACKETS))}{chars.BIDI_FORMATTING}\u061c\u2066-\u2069"
)
_LABEL: Final = pattern(rf"(?:[A-Za-z0-9_-]|(?![{_ENDS}\x00-\x7f])[{_KNOWN}])")
_LABELS: Final = rf"{_LABEL.pattern}++(?:[{_DOTS}]{_LABEL.pattern}++)"
_DOMAIN: Final = pattern(rf"{_LABELS}*+")
_MAIL: Final = pattern(rf"(?<![{_EMAIL}])(?P<local>[{_EMAIL}]++)@")
_START: Final = pattern(
    rf"(?ai:(?:(?<![A-Za-z0-9_@./:%-])|(?<=URL:))(?P<scheme>{_SCHEMES}):)"
    rf"|(?<!{_LABEL.pattern})(?<![.@/%\\])(?<![A-Za-z0-9]:)(?P<domain>{_LABELS}++)(?!@)|{_MAIL.pattern}"
)
_USER: Final = pattern(rf"(?:[.~!$&'*+,;=:%]|{_LABEL.pattern})++@")
TOKEN: Final = pattern(rf"[^{_KNOWN}]|[{_ENDS}/?#=&`|]")
#: A character that is not the last one of a link.
SOFT_END: Final = pattern(f"[{_SOFT}]")
_SCHEME: Final = pattern(rf"(?:{_SCHEMES})\Z", re.IGNORECASE | re.ASCII)


def find(text: str) -> list[Found]:
    """Find the links in plain text.

    Args:
        text: of a message or document without markup.

    Returns:
        The links in their order, in code points: IRIs with a scheme that linkfix knows, and domain names and mail
        addresses of a top-level domain that exists. ``URL:`` in front is left out.

    """
    found: list[Found] = []
    position = 0
    while match := _START.search(text, position):
        start = match.start()
        if match["scheme"]:
            link = _with_scheme(text, start, match.end(), match["scheme"].lower())
            position = match.end()
        elif match["domain"]:
            link = _bare(text, start) or _mail(text, _MAIL.match(text, start))
            position = match.end()
            # The last word may be the scheme of the next link.
            if text.startswith(":", position) and (scheme := _SCHEME.search(match[0])):
                position = start + scheme.start()
        else:
            link = _mail(text, match)
            position = match.end()
        if link is not None:
            found.append(link)
            position = link.end
    return found


class _Host(NamedTuple):
    end: int
    #: Whether its top-level domain exists.
    is_known: bool
    #: Whether another host could be meant.
    is_sure: bool


def _host(text: str, start: int) -> _Host | None:
    """Read a domain name; None where there is none."""
    match = _DOMAIN.match(text, start)
    if match is None:
        return None
    end, host = match.end(), match[0]
    if text.startswith("://", end) and (scheme := _SCHEME.search(host)):
        end = start + scheme.start()  # the next link begins
        host = text[start:end].rstrip(_DOTS)
        end = start + len(host)
    label = 0
    for dot in _DOT.finditer(host):
        # The full stop of a sentence, if what is in front of it is a whole name.
        if dot[0] in _IDEOGRAPHIC and label and _is_top_level(host[label : dot.start()]):
            host = host[: dot.start()]
            break
        label = dot.end()
    labels = _DOT.split(host)
    is_known = len(labels) > 1 and _is_top_level(labels[-1])
    is_cut = False
    if not is_known and len(labels) > 1:
        ascii_ = _ASCII.match(labels[-1])
        if ascii_ is not None and ascii_[0] != labels[-1] and _is_top_level(ascii_[0]):
            host = host[: len(host) - len(labels[-1]) + ascii_.end()]
            labels[-1] = ascii_[0]
            is_known = is_cut = True
    is_known = is_known and len(host) <= _LONGEST_HOST
    end = start + len(host)
    after = _ELLIPSIS.match(text, end)
    is_broken = after is not None and _LABEL.match(text, after.end())
    if is_broken or not all(label and label[0] != "-" != label[-1] for label in labels):
        return None
    is_plain = host.isascii() or (len(labels) > 1 and (labels[-1].isascii() or is_known))
    return _Host(end, is_known, is_plain and not is_cut and _is_worded(host))


def _is_top_level(label: str) -> bool:
    if not label.isascii():
        if len(label) > 63:
            return False
        try:
            label = to_ascii(label)
        except IDNAError:
            return False
    return label.lower() in _TOP_LEVEL


def _is_worded(text: str) -> bool:
    """Return whether all characters beyond ASCII are those of words."""
    return text.isascii() or all(
        char < "\x80" or char in "\u200c\u200d" or ucd.category(char)[0] in "LMN" for char in text
    )


def without_punctuation(text: str) -> str:
    """Percent-encode the characters beyond ASCII that make a link in plain text less than certain."""
    return "".join(char if _is_worded(char) else chars.quote(char) for char in text)


def _with_scheme(text: str, start: int, position: int, scheme: str) -> Found | None:
    """Read what follows a scheme."""
    if scheme == "mailto":
        return _mailto(text, start, position)
    if scheme not in HIERARCHICAL:
        if not _OPAQUE_START.match(text, position):
            return None
        end, is_plain = _tail(text, start, position, "/")
        is_sure = is_plain and text[start:end].isascii()
        return (
            Found(start, end, "iri", "certain" if is_sure else "unsure") if end > position else None
        )
    if scheme == "file" and _ROOT.match(text, position):
        return _rest(text, start, position, is_sure=True)
    if not text.startswith("//", position):
        return None
    position += 2
    if scheme not in _OF_PAGES and (user := _USER.match(text, position)):
        position = user.end()
    if literal := _LITERAL.match(text, position):
        return _rest(text, start, literal.end(), is_sure=True)
    host = _host(text, position)
    if host is None:
        is_local = scheme not in _OF_PAGES and text.startswith("/", position)
        return _rest(text, start, position, is_sure=True) if is_local else None
    name = text[position : host.end]
    is_name = host.is_known or any(ucd.category(char)[0] in "LN" for char in name)
    if not is_name or text.startswith("@", host.end):
        return None
    return _rest(text, start, host.end, is_sure=host.is_sure)


def _rest(text: str, start: int, position: int, *, is_sure: bool) -> Found:
    """Read port, path, query and fragment after the host that ends at `position`."""
    host_end = position
    after = _AFTER_HOST.match(text, position)
    position = position if after is None else after.end()
    part = text[position : position + 1]
    # What ends neither host nor link belongs to neither.
    if part and part in "/?#":
        end, is_plain = _tail(text, start, position, part)
    else:
        ends = not part or (part not in "=&" and TOKEN.match(part))
        end, is_plain = position, bool(ends) or text[start:position].isascii()
    if not (is_sure and is_plain) or _NOT_IRI.search(text, start, end):
        return Found(start, end, "iri", "unsure")
    tail = text[host_end:end]
    is_certain = _is_worded(tail) and (_is_enclosed(text, start, end) or not _RUN_ON.search(tail))
    return Found(start, end, "iri", "certain" if is_certain else "likely")


def _is_enclosed(text: str, start: int, end: int) -> bool:
    """Return whether a link fills quotation marks or brackets."""
    before, after = text[start - 1 : start], text[end : end + 1]
    pair = CLOSING.get(after) == before or _QUOTED.get(before) == after
    return bool(before and after) and (pair or before + after == "<>")


def _bare(text: str, start: int) -> Found | None:
    """Read a link that begins with a domain name."""
    run = _DOMAIN.match(text, start)
    if run is not None and "." in run[0] and (stop := _SENTENCE.match(run[0])):
        start += stop.end()  # a full stop of a sentence, and then the name
    host = _host(text, start)
    if host is None or not host.is_known:
        return None
    name = text[start : host.end]
    first = name[:4].lower()
    if (www := name.lower().rfind("www.")) > 0 and not name[www - 1].isascii():
        start, first = start + www, "www."  # the word in front is none of the name
    link = _rest(text, start, host.end, is_sure=host.is_sure)
    kind: FoundKind = "www" if first == "www." else "domain"
    is_likely = link.certainty != "unsure" and (kind == "www" or link.end > host.end)
    return link._replace(kind=kind, certainty="likely" if is_likely else "unsure")


def _mail(text: str, match: re.Match[str] | None) -> Found | None:
    """Read a mail address from its local part on."""
    if match is None or not _is_local_part(match["local"]):
        return None
    host = _host(text, match.end())
    if host is None or not host.is_known:
        return None
    is_likely = host.is_sure and match["local"].isascii()
    return Found(match.start(), host.end, "mail", "likely" if is_likely else "unsure")


def _is_local_part(local: str) -> bool:
    return not (local.startswith(".") or local.endswith(".") or ".." in local or "//" in local)


def _mailto(text: str, start: int, position: int) -> Found | None:
    match = _MAIL.match(text, position)
    if match is None or not _is_local_part(match["local"]):
        return None
    host = _host(text, match.end())
    if host is None:
        return None
    end, is_sure = host.end, host.is_sure and _is_worded(match["local"])
    if text.startswith("?", end):
        end, is_plain = _tail(text, start, end, "?")
        is_sure = is_sure and is_plain and _is_worded(text[start:end])
    is_sure = is_sure and not _NOT_IRI.search(text, start, end)
    return Found(start, end, "iri", "certain" if is_sure else "unsure")


#: What stands in front of a link inside a link.
_INTERIOR: Final = "/?#=&:"


def _tail(text: str, link: int, start: int, part: str) -> tuple[int, bool]:
    """Read path, query and fragment (UTS #58, the algorithm for termination).

    Args:
        text: to search in.
        link: where the link begins.
        start: where they begin.
        part: the part that begins there: ``/``, ``?`` or ``#``.

    Returns:
        The end, and whether no other link is inside.

    """
    is_plain = True
    quote = "|" if text.endswith("[[", 0, link) else _QUOTED.get(text[link - 1 : link])
    end = position = start
    if text.startswith(part, start) and part != "/":
        position += 1
    opened: list[str] = []
    for match in TOKEN.finditer(text, position):
        at, char = match.start(), match[0]
        before, between = end, position
        if at > position:
            end = at
        position = at + 1
        if char == quote:
            return end, is_plain
        if (char == "?" and part == "/") or (char == "#" and part != "#"):
            part = char
            opened.clear()
        elif char in "/=&#":
            if char == "/" if part == "/" else part == "?":
                opened.clear()
            end = position
        elif char == "|":
            end = position
        elif char == ":" and text.startswith("//", position):
            scheme = _SCHEME.search(text, max(start, at - 16), at)
            if scheme is None:
                continue
            if text[scheme.start() - 1] in _INTERIOR:
                is_plain = False
                continue
            return scheme.start() if scheme.start() > between else before, is_plain
        elif part == "#" and text.startswith(":~:", at):
            opened.clear()
        elif char in OPENING:
            opened.append(char)
        elif char in CLOSING:
            if not opened or opened.pop() != CLOSING[char]:
                return end, is_plain
            end = position
        elif not SOFT_END.match(char):
            return end, is_plain
    return (len(text) if position < len(text) else end), is_plain
