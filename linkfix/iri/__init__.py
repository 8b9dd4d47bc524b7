"""IRIs: grammar, preprocessing, IRI to URI and back, hosts, resolution, comparison, bidi.

It does not depend on markup, files or charsets; the charset of a query is a function argument. The steps of the drafts
are in `linkfix.iri.steps`.
"""

from typing import TYPE_CHECKING, Any
from warnings import warn

from linkfix.deferred import members

if TYPE_CHECKING:
    from linkfix.iri import steps
    from linkfix.iri.bulk import convert_many, normalize_many, resolve_many
    from linkfix.iri.compare.comparison import Comparison, comparison_form, equivalent, normalize
    from linkfix.iri.compare.disputed import disputes
    from linkfix.iri.converter import convert
    from linkfix.iri.filepaths import path_to_uri, uri_to_path
    from linkfix.iri.grammar import violations
    from linkfix.iri.model import Conversion, Edit, QueryEncoder, Violation
    from linkfix.iri.reference import Reference, parse
    from linkfix.iri.resolution import relativize, resolve
    from linkfix.iri.template import Template, TemplateError
    from linkfix.iri.text.detection import Found, find
    from linkfix.iri.unicode.bidi import bidi_violations, display
    from linkfix.iri.unicode.lookalike import lookalikes, skeleton
    from linkfix.iri.unicode.ucd import typed
    from linkfix.iri.url import URL

__all__ = [
    "URL", "Comparison", "Conversion", "Edit", "Found", "QueryEncoder", "Reference", "Template",
    "TemplateError", "Violation", "bidi_violations", "comparison_form", "convert",
    "convert_many", "display", "disputes", "equivalent", "find", "lookalikes", "normalize", "normalize_many", "parse", "path_to_uri",
    "relativize", "resolve", "resolve_many", "skeleton", "steps", "typed", "uri_to_path", "violations",
]  # fmt: skip


_load = members(
    __name__,
    {
        "compare.comparison": "Comparison comparison_form equivalent normalize",
        "compare.disputed": "disputes",
        "bulk": "convert_many normalize_many resolve_many",
        "converter": "convert",
        "filepaths": "path_to_uri uri_to_path",
        "grammar": "violations",
        "model": "Conversion Edit QueryEncoder Violation",
        "reference": "Reference parse",
        "resolution": "relativize resolve",
        "template": "Template TemplateError",
        "text.detection": "Found find",
        "unicode.bidi": "bidi_violations display",
        "unicode.lookalike": "lookalikes skeleton",
        "unicode.ucd": "typed",
        "url": "URL",
    },
    "steps",
)


#: What has moved to `linkfix.iri.steps`.
_STEPS = frozenset(
    ["decode_dot_segments", "from_octets", "href_charset", "iri_to_uri", "leiri_to_iri", "remove_dot_segments",
     "split_list", "uri_to_iri", "uri_to_iri_steps", "web_address_to_iri", "within"]
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a name of this package, or one that had another name in the version before."""
    if name == "parse_url":
        new, found = "URL.parse", getattr(_load("URL"), "parse")  # noqa: B009 - an object to mypy
    elif name in _STEPS:
        new, found = f"steps.{name}", getattr(_load("steps"), name)
    else:
        return _load(name)
    warn(f"linkfix.iri.{name} is linkfix.iri.{new} now", DeprecationWarning, stacklevel=2)
    return found
