"""The xmlschema package without patterns, assertions and its own opener of files.

linkfix needs only the attributes and texts of type anyURI. A pattern facet is a regular expression from the schema, and
a value from the document can make it run for exponential time. An assertion is an XPath expression. Neither is
evaluated: both accept every value, and `is_undecided` returns whether a type has one. `linkfix.links.schemas.opening`
opens the files.
"""

from __future__ import annotations

import re
from typing import Any, BinaryIO
from urllib.request import OpenerDirector

import xmlschema
from xmlschema.validators import XsdAssertionFacet, XsdPatternFacets
from xmlschema.validators.builders import XsdBuilders

from linkfix.errors import UnreadableError
from linkfix.links.schemas.opening import local_path, open_file

_ANYTHING = re.compile("")


class _Pattern(XsdPatternFacets):
    """A pattern that is not evaluated."""

    def _parse_value(self, _elem: Any) -> re.Pattern[str]:
        return _ANYTHING


class _Assertion(XsdAssertionFacet):
    """An assertion that is not evaluated."""

    def _parse(self) -> None:
        self.path = "true()"

    def __call__(self, _value: Any) -> None:
        pass


class _Schema10(xmlschema.XMLSchema10):
    builders = XsdBuilders("1.0", _Pattern)


class _Schema11(xmlschema.XMLSchema11):
    builders = XsdBuilders("1.1", _Pattern, _Assertion)


#: The classes of schemas, in the order in which they are tried.
VERSIONS = (_Schema10, _Schema11)


class _Opener(OpenerDirector):
    """Open local, regular files."""

    def open(self, fullurl: Any, _data: Any = None, timeout: Any = None) -> BinaryIO:  # noqa: ARG002 - of urllib
        path = local_path(str(fullurl))
        try:
            if path is None:
                raise UnreadableError("cannot read it: this is no local file")
            return open_file(path)
        except UnreadableError as error:
            raise OSError(f"{path or fullurl}: {error.message}") from None


OPENER = _Opener()


def is_undecided(simple: Any) -> bool:
    """Return whether a pattern or an assertion restricts the values of a simple type."""
    if any(isinstance(facet, _Pattern | _Assertion) for facet in simple.facets.values()):
        return True
    parts = [*getattr(simple, "member_types", ())]
    parts += [getattr(simple, name, None) for name in ("base_type", "item_type", "primitive_type")]
    return any(is_undecided(part) for part in parts if part is not None and part is not simple)
