"""A value that looks like a link, in an attribute that no table has.

What it does
    Reports attributes of XML whose values look like links (`http://…`, `mailto:…`, `www.…`), if neither a table of
    linkfix nor a schema knows the attribute. Each name is reported once in a run, at its first value.

Why it is bad
    It is not: the value can be a name, such as that of a namespace. If it is a link, linkfix passes it over.

Example
    <item xmlns="urn:example:own" page="http://example.org/käse"/>

Instead
    If it is a link, say `--link item@page`, or `--schema` with the schema of the vocabulary. `linkfix extract --unknown` lists
    every such value.
"""

from linkfix.auditing.rule import Comparison


def compare() -> Comparison:
    """Return what is said of the first value of each attribute, by its element and name."""
    return Comparison(str, lambda name, _: f"no table has {name}, whose value looks like a link")
