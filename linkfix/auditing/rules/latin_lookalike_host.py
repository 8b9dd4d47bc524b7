"""A label with Latin letters that look like those of ASCII.

What it does
    Reports labels whose Latin letters beyond ASCII all look like letters of ASCII (the skeletons of UTS #39).

Why it is bad
    Few readers see the difference. In Turkish, where the dotless ı is a letter like others, it is none.

Example
    <a href="http://ɡoogle.example/">, with U+0261

Instead
    Check which host is meant.
"""
