"""How the server of a site finds the file of a URI.

Input: absolute URIs, and the listing of a tree. Output: the file, or why there is none. The audit and the migration
ask the same server. It opens no file.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pathspec import GitIgnoreSpec

    from linkfix.charset import Charset
    from linkfix.site.addresses import Located, SiteAddress
    from linkfix.site.listing import Listing, Match

__all__ = ["Answer", "Reason", "Server"]

#: Why a server finds no file.
Reason = Literal["missing", "case", "spelling", "no-index"]
#: The extension that clean URLs leave out.
_CLEAN = ".html"


class Answer(NamedTuple):
    """The answer of a server.

    Attributes:
        path: of the file; "" if there is none, or if a program answers.
        reason: ``missing``; ``case`` or ``spelling`` if the file exists under a name that differs so; ``no-index`` for
            a folder without an index file; None if the server answers with a document.
        near: the path that was meant, of ``case`` and ``spelling``, and of a file that is named like a folder; else "".

    """

    path: str
    reason: Reason | None = None
    near: str = ""


@dataclass(slots=True)
class Server:
    """The server of a site.

    Attributes:
        listing: the files of the site.
        address: of the root of the tree.
        text: returns a path with each name decoded in its charset.
        served: patterns as in ``.gitignore`` of paths that programs serve, where no file is missed.
        clean_urls: whether ``/about`` is answered with ``about.html``.

    """

    listing: Listing
    address: SiteAddress
    text: Callable[[str], str] = str
    served: tuple[str, ...] = ()
    clean_urls: bool = False
    _served: GitIgnoreSpec | None = field(default=None, repr=False)

    def answer(self, uri: str, charset: Charset) -> Answer | None:
        """Return the answer to a request.

        Args:
            uri: absolute, dot segments resolved.
            charset: of the document that has the link.

        Returns:
            None for a URI outside of the site, and for one that no file can have.

        """
        located = self.address.locate(uri)
        if located is None:
            return None
        listing, path = self.listing, located.path
        match = listing.find(path, self.text(path))
        if match is None:
            return self._unmatched(located, charset)
        if match.how == "case":
            return Answer("", self._difference(path, match), match.path)
        if listing.is_folder(match.path):
            index = listing.index(match.path)
            return Answer("", "no-index") if index is None else Answer(index)
        return Answer("", "missing", match.path) if located.is_folder else Answer(match.path)

    def _unmatched(self, located: Located, charset: Charset) -> Answer:
        """Return the answer where no file and no folder has the name."""
        path = located.path
        if self._is_served(path):
            return Answer("")
        if self.clean_urls and not located.is_folder:
            clean = self.listing.real(path + _CLEAN)
            if clean is not None:
                return Answer(clean)
        real = self.listing.real
        near = next((each for each in _respelled(path, charset) if real(each) is not None), None)
        return Answer("", "missing") if near is None else Answer("", "spelling", near)

    def _difference(self, path: str, match: Match) -> Reason:
        """Return whether a name differs in case, or only in its Unicode normalization form."""
        names = (unicodedata.normalize("NFC", self.text(each)) for each in (path, match.path))
        return "spelling" if len({*names}) == 1 else "case"

    def _is_served(self, path: str) -> bool:
        """Return whether a program serves a path."""
        if self.served and self._served is None:
            from pathspec import GitIgnoreSpec

            self._served = GitIgnoreSpec.from_lines(self.served)
        return self._served is not None and self._served.match_file(path)


def _respelled(path: str, charset: Charset) -> Iterator[str]:
    """Yield other spellings of a path: its characters in a charset, its octets read in it."""
    octets = os.fsencode(path)
    if octets.isascii() or charset.is_unicode:
        return
    try:
        yield os.fsdecode(charset.encode(octets.decode()))
    except UnicodeDecodeError:
        yield charset.decode(octets)
    except UnicodeEncodeError:
        return
