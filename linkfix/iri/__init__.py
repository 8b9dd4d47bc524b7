"""IRIs: grammar, preprocessing, IRI to URI and back, hosts, resolution, comparison, bidi.

Free of markup, files and charsets; a query's charset comes in as a function.
"""

from __future__ import annotations

from linkfix.iri.convert import convert
from linkfix.iri.model import Conversion, Edit, QueryEncoder, Violation

__all__ = ["Conversion", "Edit", "QueryEncoder", "Violation", "convert"]
