"""IRIs: grammar, preprocessing, IRI to URI and back, hosts, resolution, comparison, bidi.

It does not depend on markup, files or charsets; the charset of a query is a function argument.
"""

from __future__ import annotations

from linkfix.iri.compare.comparison import Comparison, comparison_form, equivalent
from linkfix.iri.compare.disputed import disputes
from linkfix.iri.compare.reading import normalize
from linkfix.iri.conversion import (
    convert,
    iri_to_uri,
    leiri_to_iri,
    uri_to_iri,
    web_address_to_iri,
)
from linkfix.iri.filepaths import path_to_uri, uri_to_path
from linkfix.iri.grammar import violations
from linkfix.iri.model import Conversion, Edit, QueryEncoder, Violation
from linkfix.iri.preprocess import from_octets, href_charset, split_list
from linkfix.iri.reference import Reference, parse
from linkfix.iri.resolution import decode_dot_segments, relativize, remove_dot_segments, resolve
from linkfix.iri.steps import uri_to_iri_steps
from linkfix.iri.template import Template, TemplateError
from linkfix.iri.text.detection import Found, find
from linkfix.iri.text.entry import typed
from linkfix.iri.unicode.bidi import bidi_violations, display, within
from linkfix.iri.unicode.lookalike import lookalikes, skeleton
from linkfix.iri.url import URL, parse_url

__all__ = [
    "URL",
    "Comparison",
    "Conversion",
    "Edit",
    "Found",
    "QueryEncoder",
    "Reference",
    "Template",
    "TemplateError",
    "Violation",
    "bidi_violations",
    "comparison_form",
    "convert",
    "decode_dot_segments",
    "display",
    "disputes",
    "equivalent",
    "find",
    "from_octets",
    "href_charset",
    "iri_to_uri",
    "leiri_to_iri",
    "lookalikes",
    "normalize",
    "parse",
    "parse_url",
    "path_to_uri",
    "relativize",
    "remove_dot_segments",
    "resolve",
    "skeleton",
    "split_list",
    "typed",
    "uri_to_iri",
    "uri_to_iri_steps",
    "uri_to_path",
    "violations",
    "web_address_to_iri",
    "within",
]
