"""A character that looks like a delimiter.

What it does
    Reports characters that look like the delimiters of a link or like a percent sign: fraction slash, division slash, ratio,
    modifier letter colon and others of Unicode's confusables.

Why it is bad
    The reader sees another host or path than the browser: behind U+2215 the name goes on.

Example
    <a href="http://example.com∕login.evil.example/">, whose host is all up to the last slash

Instead
    The delimiter itself, or check which host is meant.
"""
