"""A percent-encoded bidirectional formatting character.

What it does
    Reports left-to-right and right-to-left marks, embeddings, overrides and isolates that are
    percent-encoded in UTF-8.

Why it is bad
    The link is valid so, but whoever decodes it for display is misled by what it shows. Hardly any
    resource has such a character in its name on purpose.

Example
    <a href="/%E2%80%AEgnp.exe">, which decoded looks like /exe.png

Instead
    Leave it out, unless the server has it in the name. `linkfix rewrite` never decodes it.
"""
