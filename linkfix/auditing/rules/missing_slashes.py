"""A scheme that is not followed by two slashes.

What it does
    Reports links of the schemes http, https, ftp, ws and wss in which not exactly two slashes
    follow.

Why it is bad
    A browser adds what is missing, or reads the link as relative, depending on the scheme of the
    page. To every other reader such a link has no host.

Example
    <a href="http:/example.org/">, <a href="https:///example.org/">

Instead
    <a href="http://example.org/">
"""
