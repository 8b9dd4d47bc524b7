"""A host with percent-encoding in it.

What it does
    Reports percent-encoded octets in a host.

Why it is bad
    DNS knows no percent-encoding. Browsers decode it and apply IDNA, most other software looks for
    a host with percent signs in its name. No IRI may contain it.

Example
    <a href="http://b%C3%BCcher.example/">

Instead
    <a href="http://xn--bcher-kva.example/">
"""
