"""A character that cannot be seen.

What it does
    Reports zero-width spaces, soft hyphens, byte order marks, fillers and the like, written as they
    are or percent-encoded in UTF-8. Joiners, which some scripts need, are left alone.

Why it is bad
    Two links with the same look lead to different places. Most came in by copying from a formatted
    text.

Example
    <a href="/annual&#x200B;report">

Instead
    Remove it, unless the server has it in the name.
"""
