"""Domain to ASCII and back: UTS #46 as browsers run it, IDNA2008 and IDNA2003.

The browsers' flags are those of the URL Standard's "domain to ASCII" with *beStrict* false:
CheckHyphens, UseSTD3ASCIIRules, Transitional_Processing and VerifyDnsLength are false, CheckBidi
and CheckJoiners are true. The tables are those of the ``idna`` package, loaded on first use.
"""

import re
from contextlib import suppress
from functools import lru_cache
from typing import Literal, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri.unicode import ucd

#: Which ToASCII: browsers' UTS #46, UTS #46 mapping with the validity rules of IDNA2008, IDNA2003.
Profile: TypeAlias = Literal["uts46", "2008", "2003"]

#: A domain name has at most 253 characters; what is far beyond is not worth the quadratic time
#: of Punycode.
_LONGEST = 2048
_LONGEST_LABEL = 63
#: How much the mapping table's owner accepts at a time.
_CHUNK = 256
_ACE = "xn--"
_JOINERS = "\u200c\u200d"
#: The canonical combining class of viramas, behind which a joiner stands (RFC 5892, A.1 and A.2).
_VIRAMA = 9
_RTL = frozenset({"R", "AL", "AN"})
_IN_RTL = frozenset({"R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"})
_IN_LTR = frozenset({"L", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"})
#: The code points without a character whose Bidi_Class is AL or R (Unicode, DerivedBidiClass.txt).
_ARABIC = pattern(
    "[\u0600-\u07bf\u0860-\u08ff\ufb50-\ufdff\ufe70-\ufeff\U00010d00-\U00010d3f\U00010ec0-\U00010eff"
    "\U00010f30-\U00010f6f\U0001ec70-\U0001ecbf\U0001ed00-\U0001ed4f\U0001ee00-\U0001eeff]"
)
_RIGHT = pattern("[\u0590-\u08ff\ufb1d-\ufb4f\U00010800-\U00010fff\U0001e800-\U0001efff]")


class IDNAError(ValueError):
    """A domain name that the profile rejects; the message says why."""


def to_ascii(domain: str, profile: Profile = "uts46") -> str:
    """Map a domain name to its form for DNS (3987bis, 3.4; UTS #46, 4.2).

    Args:
        domain: labels separated by dots of any kind, percent-encoding already decoded.
        profile: the variant of ToASCII.

    Returns:
        The domain in ASCII and lower case, non-ASCII labels as A-labels.

    Raises:
        IDNAError: for a domain name without an ASCII form.

    """
    if domain.isascii() and (profile == "uts46" or _ACE not in domain.lower()):
        # Browsers look up an ASCII domain unchanged, invalid A-labels included.
        return domain.lower() if profile == "uts46" else _of_dns(domain.lower())
    if len(domain) > _LONGEST:
        raise IDNAError(f"it is longer than {_LONGEST} characters")
    alabels = _convert(domain, profile)[0]
    if len(alabels) > _LONGEST:
        raise IDNAError(f"it is longer than {_LONGEST} characters in ASCII")
    return alabels if profile == "uts46" else _of_dns(alabels)


def _of_dns(domain: str) -> str:
    """Return a domain whose labels have 1 to 63 octets (RFC 1034, 3.1), the root aside."""
    for label in domain.removesuffix(".").split("."):
        if domain and not 1 <= len(label) <= _LONGEST_LABEL:
            raise IDNAError(f"the label {label!r} has not 1 to {_LONGEST_LABEL} octets")
    return domain


def to_unicode(domain: str, profile: Profile = "uts46") -> str:
    """Map a domain name to U-labels (3987bis, 3.7 step 6; UTS #46, 4.3).

    Args:
        domain: as for ``to_ascii``.
        profile: the variant of ToASCII that must map the result back.

    Returns:
        The domain with every A-label decoded.

    Raises:
        IDNAError: where ``to_ascii`` would raise.

    """
    if domain.isascii() and _ACE not in domain.lower():
        return domain
    if len(domain) > _LONGEST:
        raise IDNAError(f"it is longer than {_LONGEST} characters")
    return _convert(domain, profile)[1]


@lru_cache(maxsize=4096)
def _convert(domain: str, profile: Profile) -> tuple[str, str]:
    if profile == "2003":
        return _convert_2003(domain)
    ulabels, alabels = [], []
    for label in _map(domain).split("."):
        ulabel = _from_punycode(label) if label.startswith(_ACE) else label
        if not ulabel.isascii():
            _validate(ulabel)
            if profile == "2008":
                _check_2008(ulabel)
        ulabels.append(ulabel)
        alabels.append(ulabel if ulabel.isascii() else _ACE + _punycode(ulabel))
    if any(bidi_class(c) in _RTL for label in ulabels if not label.isascii() for c in label):
        for label in ulabels:
            if label:
                _check_bidi(label)
    return ".".join(alabels), ".".join(ulabels)


def _map(domain: str) -> str:
    """Apply the mapping table and NFC (UTS #46, 4, steps 1 and 2)."""
    import idna

    try:
        # The mapping is character by character, so pieces have the same result as the whole.
        mapped = [
            idna.uts46_remap(domain[i : i + _CHUNK], std3_rules=False)
            for i in range(0, len(domain), _CHUNK)
        ]
    except idna.IDNAError as error:
        raise IDNAError(str(error)) from None
    return ucd.normalize("NFC", "".join(mapped))


def _punycode(label: str) -> str:
    return label.encode("punycode").decode("ascii")


def _from_punycode(label: str) -> str:
    """Decode an A-label; the result must be one that only Punycode can write."""
    try:
        ulabel = label[len(_ACE) :].encode("ascii").decode("punycode")
    except (UnicodeError, OverflowError, ValueError):
        raise IDNAError(f"the label {label!r} is not valid Punycode") from None
    if ulabel.isascii() or _ACE + _punycode(ulabel) != label:
        raise IDNAError(f"the label {label!r} decodes to nothing that needs Punycode")
    if not ucd.is_nfc(ulabel):
        raise IDNAError(f"the label {ulabel!r} is not in NFC")
    if "." in ulabel or ulabel.startswith(_ACE):
        raise IDNAError(f"the label {ulabel!r} holds what a U-label cannot hold")
    # A valid character maps to itself. Deviation characters do so without transitional processing.
    if _map(ulabel) != ulabel:
        raise IDNAError(f"the label {ulabel!r} is not what its characters map to")
    return ulabel


def _validate(label: str) -> None:
    """Check the validity criteria of UTS #46, 4.1 on a label in Unicode form."""
    import idna

    if ucd.category(label[0]).startswith("M"):
        raise IDNAError(f"the label {label!r} begins with a combining mark")
    for position, character in enumerate(label):
        if character in _JOINERS:
            valid = position > 0 and ucd.combining(label[position - 1]) == _VIRAMA
            if not valid:
                with suppress(ValueError, idna.IDNAError):
                    valid = idna.valid_contextj(label, position)
            if not valid:
                raise IDNAError(f"a joiner stands in the wrong context in {label!r}")


def _check_2008(label: str) -> None:
    """Check a U-label against IDNA2008 (RFC 5891, 4.2); what UTS #46 checks too has been checked."""
    import idna
    from idna.idnadata import codepoint_classes
    from idna.intranges import intranges_contain

    if label[0] == "-" or label[-1] == "-" or label[2:4] == "--":
        raise IDNAError(f"the label {label!r} has hyphens where no U-label has them")
    for position, character in enumerate(label):
        point = ord(character)
        if intranges_contain(point, codepoint_classes["PVALID"]) or character in _JOINERS:
            continue
        in_context = intranges_contain(point, codepoint_classes["CONTEXTO"])
        if not (in_context and idna.valid_contexto(label, position)):
            raise IDNAError(f"U+{point:04X} is not allowed in the label {label!r}")


def bidi_class(character: str) -> str:
    """Return the Bidi_Class; for unassigned characters the default of DerivedBidiClass.txt."""
    known = ucd.bidirectional(character)
    if known:
        return known
    return "AL" if _ARABIC.match(character) else "R" if _RIGHT.match(character) else "L"


def last_class(classes: list[str]) -> str:
    """Return the Bidi_Class of the last character; marks belong to the one in front of them."""
    return next((name for name in reversed(classes) if name != "NSM"), "")


def _check_bidi(label: str) -> None:
    """Check the Bidi rule of RFC 5893, 2, on a label of a domain name that needs it."""
    classes = [bidi_class(character) for character in label]
    last = last_class(classes)
    seen = set(classes)
    if classes[0] in {"R", "AL"}:
        valid = seen <= _IN_RTL and last in {"R", "AL", "EN", "AN"} and not {"EN", "AN"} <= seen
    else:
        valid = classes[0] == "L" and seen <= _IN_LTR and last in {"L", "EN"}
    if not valid:
        raise IDNAError(f"the label {label!r} breaks the Bidi rule of RFC 5893")


def _convert_2003(domain: str) -> tuple[str, str]:
    """Convert with RFC 3490, UseSTD3ASCIIRules and AllowUnassigned false."""
    import stringprep
    from encodings import idna as rfc3490

    alabels, ulabels = [], []
    if unassigned := next(filter(stringprep.in_table_a1, domain), ""):
        raise IDNAError(f"{unassigned!r} is not assigned in Unicode 3.2")
    for label in re.split("[.\u3002\uff0e\uff61]", domain):
        try:
            alabels.append(rfc3490.ToASCII(label).decode("ascii").lower() if label else "")
        except UnicodeError as error:
            raise IDNAError(str(error)) from None
        try:
            ulabels.append(rfc3490.ToUnicode(alabels[-1]))
        except UnicodeError:  # ToUnicode never fails: what it cannot decode stays (RFC 3490, 4.2)
            ulabels.append(alabels[-1])
    return ".".join(alabels), ".".join(ulabels)
