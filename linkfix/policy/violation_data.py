"""What the policy says of a link that it leaves: rule, component, offsets (0 for all of it), section, message."""

from __future__ import annotations

from linkfix.iri import Violation

DISPUTED = Violation(
    "query-charset-disputed",
    "query",
    0,
    0,
    "3987bis, 3.5; URL Standard, 4.4",
    "readers and standards disagree on the charset of a query in this place: say it with --query-charset",
)
BARE = Violation(
    "bare-address",
    "path",
    0,
    0,
    "HTML standard, 8.1.6.2",
    "import maps have no relative references without ./ at their beginning",
)
GUESSED = Violation(
    "charset-guessed",
    "reference",
    0,
    0,
    "HTML Standard, 13.2.3.2",
    "what it means depends on the charset of the document, which is a guess: say it with --charset",
)
DECODERS = Violation(
    "decoder-disputed",
    "reference",
    0,
    0,
    "Encoding Standard, 12.1",
    "Chromium decodes these octets of Big5 wrongly, Firefox, WebKit and the Encoding Standard as Ê or ê with a mark",
)
TABLES = Violation(
    "charset-disputed",
    "query",
    0,
    0,
    "XML 1.0, 4.3.3; 3987bis, 3.5",
    "readers of XML and browsers map a character of its query to other octets in the declared charset",
)
BLANK = Violation(
    "white-space-alone",
    "reference",
    0,
    0,
    "HTML Standard, 4.8.11.5 and 4.10.21.3; URL Standard, 4.4",
    "white space alone is resolved by browsers, an empty value is often not",
)
LOCAL = Violation(
    "white-space-before-fragment",
    "reference",
    0,
    0,
    "CSS Values 4, 4.5; SVG 2, 16.1",
    "white space before # is resolved against the base, # alone means the document itself",
)
NAMED = Violation(
    "local-name-disputed",
    "fragment",
    0,
    0,
    "CSS Values 4, 4.5; SVG 2, 16.1",
    "spelled otherwise, this is another name for Firefox: it strips no space at the end, and in SVG and CSS decodes %XX of ASCII alone",
)
SPREAD = Violation(
    "white-space-run",
    "reference",
    0,
    0,
    "XML Schema Part 2, 4.3.6; 3987bis, 7.1",
    "it depends on the type of the value whether this white space is a single space: name the schema with --schema",
)
LOST = Violation(
    "no-reference",
    "reference",
    0,
    0,
    "RFC 3986, 4.2",
    "no reference in this place leads where the link is to lead",
)
CODEBASE = Violation(
    "codebase-disputed",
    "reference",
    0,
    0,
    "HTML Standard, 4.8.7",
    "Firefox resolves this against the codebase, Chromium, WebKit and the HTML Standard against the document",
)
