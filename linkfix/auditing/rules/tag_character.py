"""A tag character.

What it does
    Reports the tags and variation selectors U+E0000 to U+E0FFF.

Why it is bad
    They cannot be seen; text can be hidden in them.

Example
    <a href="/a&#xE0041;">

Instead
    Remove it. `linkfix rewrite` percent-encodes it.
"""
