"""A square bracket outside an IP address.

What it does
    Reports `[` and `]` anywhere but around an IP address in the host.

Why it is bad
    No URI or IRI may contain them there, though browsers send them as they are. Strict servers answer
    "400 Bad Request", and wikis and Markdown end the link there.

Example
    <a href="/search?filter[]=new">

Instead
    <a href="/search?filter%5B%5D=new">, which `linkfix rewrite` writes.
"""
