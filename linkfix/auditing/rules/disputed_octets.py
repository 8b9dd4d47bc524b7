r"""A link of XML that its readers do not decode alike.

What it does
    Reports a link of an XML document with octets that expat, libxml2 or Xerces reads as other characters than browsers do, or
    not at all. XML names its charsets by IANA's registry; browsers read most of these names as a superset. Reports a
    character reference in a query as well, if the two map it to other octets.

Why it is bad
    The same link leads to several places. An octet that the declared charset lacks is a fatal error for most readers.

Example
    <?xml version="1.0" encoding="ISO-8859-1"?> … <link>http://example.org/\x80</link>, which is U+0080 for XML, € for
    browsers

Instead
    Declare the charset that the document is in, here windows-1252, or write a character reference or a
    percent-encoding. `linkfix rewrite` leaves such a link, and writes no such octets itself.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.links.templates import READ_DIFFERENTLY


def check(subject: Subject) -> Hits:
    """Report a link that is left for that reason, at its characters that are read in several ways."""
    link, charset = subject.link, subject.link.charset
    if charset.iana is None:
        return
    is_query = any(problem.rule == "charset-disputed" for problem in subject.conversion.problems)
    if link.fixed != READ_DIFFERENTLY and not is_query:
        return
    hits = [
        at
        for at, char in enumerate(subject.value)
        if (char == "\\" or not char.isascii()) and not charset.encodable(char)
    ]
    first = hits[0] if hits else 0
    last = hits[-1] + 1 if hits else len(subject.value)
    name = charset.iana.name
    yield Hit(first, last, f"readers of {name} in XML do not decode this as browsers do")
