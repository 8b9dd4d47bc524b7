"""The files between which a server chooses for one URL: content negotiation as of Apache's MultiViews.

Input: the paths of a tree. Output: for a path without a file, its variants: files whose names go on with extensions of
types, languages, charsets and compressions only, as ``about.html.de`` does for ``about`` and ``about.html``.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import takewhile
from mimetypes import MimeTypes

from linkfix.charset import is_label
from linkfix.markup.detect import type_of_name

#: Extensions that Apache's mod_mime maps to languages (AddLanguage): two letters and maybe a region, and one more.
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z]{2})?|ltz", re.IGNORECASE | re.ASCII)
_COMPRESSIONS = frozenset({"gz", "bz2", "z", "br"})
#: Charsets under names that are no labels (Apache's mime.conf, AddCharset).
_CHARSETS = frozenset({"cp-1251", "win-1251", "latin2", "latin3", "latin4", "latin5", "utf7"})


class Variants:
    """The variants in a tree.

    Args:
        paths: of its files.

    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._files: dict[str, list[str]] = {}
        for path in paths:
            kinds = _kinds(path)
            if "type" in kinds:
                stem = path
                for _ in kinds:
                    stem = stem.rpartition(".")[0]
                    self._files.setdefault(stem, []).append(path)

    def of(self, path: str) -> tuple[str, ...]:
        """Return the paths of the files between which the server chooses for a path without a file."""
        return tuple(self._files.get(path, ()))


def typed(path: str) -> str:
    """Return a path up to the last extension of a type: ``about.html`` for ``about.html.de``."""
    kinds = _kinds(path)
    count = kinds.index("type") if "type" in kinds else 0
    return path.rsplit(".", count)[0] if count else path


def _kinds(path: str) -> list[str]:
    """Return what the extensions of a path say, the last one first, up to an unknown one."""
    _, *extensions = path.rpartition("/")[2].split(".")
    return [*takewhile(bool, map(_kind, reversed(extensions)))]


@cache
def _types() -> MimeTypes:
    """Return the types that Python knows itself, the same on all machines."""
    return MimeTypes()


@lru_cache(maxsize=4096)
def _kind(extension: str) -> str:
    """Return what an extension says of a file: ``type`` or ``other``; "" for an unknown one."""
    lower = extension.lower()
    if _LANGUAGE.fullmatch(lower) or lower in _COMPRESSIONS or lower in _CHARSETS:
        return "other"
    name = f"x.{lower}"
    if lower == "var" or type_of_name(name) is not None or _types().guess_type(name)[0]:
        return "type"
    return "other" if is_label(lower) else ""
