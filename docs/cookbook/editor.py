"""Show the changes of a rewrite as edits of an editor, which counts UTF-16 code units.

Prints:

    17 21 /a%20b
    38 40 /%C3%A9
"""

import linkfix

page = "<p>𝒳 空 <a href='/a b'>x</a> <a href='/é'>y</a>".encode()
for edit in linkfix.edits(page, unit="utf-16", charset="utf-8", type="html"):
    print(edit.start, edit.end, edit.text)
