"""A host name that IDNA2003 and IDNA2008 read differently.

What it does
    Reports `ß`, `ς` and the joiners U+200C and U+200D in a host.

Why it is bad
    They are letters of their own now, but older software maps them to `ss`, `σ` and nothing: the
    same link leads to two different hosts.

Example
    <a href="http://straße.example/">

Instead
    Write the A-label, which leaves no doubt: <a href="http://xn--strae-oqa.example/">. `linkfix
    rewrite` does.
"""
