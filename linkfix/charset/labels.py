"""From labels to charsets (Encoding Standard, 4.2), and the names that only XML documents may use."""

import copyreg
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from linkfix.deferred import pattern
from linkfix.errors import LinkfixError, UnknownCharsetError, UnsupportedCharsetError

from .model import Charset, Utf, registered
from .tables.labels import LABELS
from .tables.registry import REGISTRY, XML_LABELS

#: Labels of charsets that are known and refused, with the reason: the Encoding Standard's "replacement".
_REFUSED = dict.fromkeys(
    LABELS["replacement"].split(), "browsers show no such document, since it can hide markup"
)
_UNICODE = {
    name: Utf(name, unit, is_unicode=True)
    for name, unit in (("UTF-8", 1), ("UTF-16LE", 2), ("UTF-16BE", 2), ("UTF-32LE", 4), ("UTF-32BE", 4))
}  # fmt: skip
_MULTI_BYTE = ("Big5", "EUC-JP", "EUC-KR", "GBK", "Shift_JIS", "gb18030")
#: More characters than any label has.
_LONGEST = 64
_WHITE_SPACE = "\t\n\f\r "
#: The parameter of a Content-Type with a label (RFC 9110, 8.3).
_CHARSET = pattern(
    r""";\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\s]*))""", re.IGNORECASE | re.ASCII
)


@cache
def named(name: str) -> Charset:
    """Return the charset with exactly this name, as `names` lists them.

    Raises:
        UnknownCharsetError: no charset has the name.

    """
    if name not in names():
        raise UnknownCharsetError(f"no charset is named {name!r}")
    if name in _UNICODE:
        return _UNICODE[name]
    kind: type[Charset]
    if name == "ISO-2022-JP":
        from .iso2022jp import Iso2022Jp

        kind = Iso2022Jp
    else:
        from .legacy import MultiByte, SingleByte

        kind = MultiByte if name in _MULTI_BYTE else SingleByte
    copyreg.pickle(kind, _by_name)
    return kind(name)


@cache
def declared(name: str) -> Charset:
    """Return the charset of XML with exactly this name in IANA's registry (`tables/registry.py`), or with a name of linkfix."""
    web = REGISTRY[name][0] if name in REGISTRY else name
    own = registered(name)
    return named(web) if own is None else replace(named(web), iana=own)


def _by_name(charset: Charset) -> tuple[Callable[..., Any], tuple[str]]:
    """Pickle and copy a charset by its name, so that there stays one instance for each encoding."""
    return (named, (charset.name,)) if charset.iana is None else (declared, (charset.iana.name,))


copyreg.pickle(Utf, _by_name)


@cache
def names(*, xml: bool = True) -> tuple[str, ...]:
    """List the names of all charsets; without `xml`, only those of the Encoding Standard."""
    standard = [name for name in LABELS if name != "replacement"]
    return (*standard, *(name for name in XML_LABELS if xml and name not in standard))


@cache
def _labels() -> dict[str, str]:
    """Map the labels of the Encoding Standard to names."""
    return {label: name for name, labels in LABELS.items() for label in labels.split()}


@cache
def _xml_labels() -> dict[str, str]:
    """Map the labels that XML documents may use to names of `declared`; those of the Encoding Standard come last."""
    found = {}
    for name, labels in XML_LABELS.items():
        found[name.lower()] = name
        number = name.removeprefix("IBM")
        spellings = {number, number.lstrip("0"), number.zfill(5)} if number.isdecimal() else ()
        for prefix in ("ibm", "ibm-", "cp", "csibm", "ccsid"):
            found.update({f"{prefix}{spelling}": name for spelling in spellings})
        found.update(dict.fromkeys(labels.split(), name))
    for name, (_, _, registry) in REGISTRY.items():
        found.update(dict.fromkeys(registry.split(), name))
    return _labels() | found


def lookup(label: str, *, xml: bool = False) -> Charset:
    """Return the charset that a label names (Encoding Standard, 4.2, "get an encoding").

    Args:
        label: in any case, with any ASCII white space around it.
        xml: whether it is the label of an XML document, which names a charset of IANA's registry: those that only XML
            processors know count too (UTF-32, EBCDIC and DOS pages), and `Charset.iana` is set where it matters.

    Raises:
        UnknownCharsetError: the label names nothing.
        UnsupportedCharsetError: the label names a charset that is refused.

    """
    found = known(label, xml=xml)
    if found is not None:
        return found
    key = _key(label)
    if key in _REFUSED:
        raise UnsupportedCharsetError(
            f"the charset {label!r} is not supported: {_REFUSED[key]}",
            hint="convert the document to UTF-8 first, for example with iconv",
        )
    hint = _hint(key if len(key) <= _LONGEST else "")
    raise UnknownCharsetError(f"unknown charset {label[:_LONGEST]!r}", hint=hint)


def known(label: str, *, xml: bool = False) -> Charset | None:
    """Return the charset with a label, as `lookup`; None for an unknown or refused one."""
    key = _key(label)
    labels = _xml_labels() if xml else _labels()
    name = labels.get(key)
    if name is None and xml:  # expat reads windows_1252
        name = labels.get(key.replace("_", "-"))
    if name is None or key in _REFUSED:
        return None
    return declared(name) if xml else named(name)


def _key(label: str) -> str:
    """Return what a label is known by; "" for one beyond ASCII."""
    return label.strip(_WHITE_SPACE).lower() if label.isascii() else ""


def label_of(content_type: str) -> str | None:
    """Return the label in a Content-Type, None for none; an unknown one counts as none, as in browsers."""
    found = _CHARSET.search(content_type)
    label = next((group for group in found.groups() if group), None) if found else None
    try:
        if label is not None:
            lookup(label, xml=True)
    except UnknownCharsetError:
        return None
    except LinkfixError:  # known and refused: the reader of the document reports it
        return label
    return label


def _hint(key: str) -> str:
    if key in _xml_labels():
        return "only an XML document can be in this charset"
    from difflib import get_close_matches

    near = get_close_matches(key, _labels(), n=1, cutoff=0.75)
    return (
        f"did you mean {near[0]!r}?"
        if near
        else "use a label of the Encoding Standard, such as 'utf-8'"
    )
