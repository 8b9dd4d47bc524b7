"""A host that ends in a dot.

What it does
    Reports the dot at the end of a host.

Why it is bad
    The name is right, but cookies, certificates and virtual hosts are compared without the dot: the
    link may lead to an error page. Often the dot is the end of a sentence.

Example
    <a href="http://example.org./">

Instead
    <a href="http://example.org/">
"""

from linkfix.auditing.rule import Check, matching

check: Check = matching(r"\.\Z", "the host ends in a dot", component="host")
