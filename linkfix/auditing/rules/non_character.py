"""A code point that is no character.

What it does
    Reports code points such as U+FFFE and U+FDD0 in a link.

Why it is bad
    They are not for interchange: software may replace or drop them.

Example
    <a href="/&#xFDD0;">

Instead
    Remove it. `linkfix rewrite` percent-encodes it.
"""
