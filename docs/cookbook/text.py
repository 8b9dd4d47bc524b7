"""Find the links in plain text, in any language.

Prints:

    iri likely http://example.org/空
    www likely www.example.com/a_(b)
    mail likely me@example.org
"""

from linkfix import iri

text = "詳見 http://example.org/空 or www.example.com/a_(b). 写信给 me@example.org!"
for found in iri.find(text):
    print(found.kind, found.certainty, text[found.start : found.end])
