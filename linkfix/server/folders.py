"""What ``.htaccess`` files say about the folders of a tree: which file Apache shows for a folder, and whether it negotiates.

======================================  ==============================================================
directive                               of a folder and the folders in it
======================================  ==============================================================
``DirectoryIndex NAME …``, ``disabled``  the names; a folder's own directives replace those above (mod_dir)
``Options [+|-]MultiViews``             whether it negotiates (`linkfix.server.variants`); without a
                                        sign the options are these alone (core)
======================================  ==============================================================

A directive in a section such as ``<Files …>`` is not read. A file that cannot be read says nothing.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, NamedTuple

from linkfix.errors import UnreadableError
from linkfix.files.access import begin_of
from linkfix.files.paths import join
from linkfix.server import htaccess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

#: No file of directives is longer.
_MOST_BYTES = 1024 * 1024


class Folder(NamedTuple):
    """How Apache answers for a folder.

    Attributes:
        indices: the names of the files that it shows for a folder; None where no directive says it.
        multiviews: whether it negotiates; None where no directive says it.

    """

    indices: tuple[str, ...] | None = None
    multiviews: bool | None = None


class Folders:
    """The folders of a tree, as their ``.htaccess`` files describe them.

    Args:
        said: what each of these files says, by its path from the root of the tree.

    """

    def __init__(self, said: Mapping[str, Folder]) -> None:
        self._said = said

    @classmethod
    def read(cls, root: str, paths: Iterable[str]) -> Folders:
        """Read the ``.htaccess`` files among the regular files of a tree, whose paths are given from its root."""
        said: dict[str, Folder] = {}
        for path in paths:
            if path.rpartition("/")[2] == htaccess.NAME:
                with contextlib.suppress(UnreadableError):
                    said[path] = _read(begin_of(join(root, path), _MOST_BYTES))
        return cls(said)

    def renamed(self, rename: Callable[[str], str]) -> Folders:
        """Return the folders after files got other paths."""
        return Folders({rename(path): folder for path, folder in self._said.items()})

    def of(self, path: str) -> Folder:
        """Return how Apache answers for a folder, by its path from the root, "" for the root."""
        if not self._said:
            return Folder()
        file = f"{path}/{htaccess.NAME}" if path else htaccess.NAME
        indices, multiviews = self._said.get(file, Folder())
        if path and (indices is None or multiviews is None):
            above = self.of(path.rpartition("/")[0])
            indices = above.indices if indices is None else indices
            multiviews = above.multiviews if multiviews is None else multiviews
        return Folder(indices, multiviews)


def _read(data: bytes) -> Folder:
    """Return what a file of directives says."""
    indices, multiviews = None, None
    for line in htaccess.lines(data):
        words = [] if line.section else line.words
        name, named = "".join(words[:1]).lower(), {word.lower() for word in words[1:]}
        if name == "directoryindex":
            indices = (*(indices or ()), *(word for word in words[1:] if word != "disabled"))
        elif name == "options":
            if not any(word.startswith(("+", "-")) for word in named):
                multiviews = "multiviews" in named
            elif {"+multiviews", "-multiviews"} & named:
                multiviews = "+multiviews" in named
    return Folder(indices, multiviews)
