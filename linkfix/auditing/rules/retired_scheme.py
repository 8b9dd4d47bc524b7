"""A scheme that browsers no longer open.

What it does
    Reports links with the schemes ftp, gopher, wais and prospero.

Why it is bad
    Browsers have dropped them; readers without another program get an error.

Example
    <a href="ftp://ftp.example.org/pub/">

Instead
    <a href="https://ftp.example.org/pub/">, if the server has it.
"""
