"""A label that mixes scripts.

What it does
    Reports labels of a host, A-labels included, with letters of scripts that no language mixes.

Why it is bad
    That is how one name is made to look like another. Browsers show such a name as an A-label.

Example
    <a href="http://pаypal.example/">, in which the first а is Cyrillic

Instead
    Check the name letter by letter; write it in one script.
"""
