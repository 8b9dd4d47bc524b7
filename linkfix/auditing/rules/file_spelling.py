"""A link that spells the name of a file in another charset or Unicode normalization form.

What it does
    Reports links to a file whose name on disk has other octets: those of a legacy charset, of UTF-8, or of another
    Unicode normalization form.

Why it is bad
    Servers compare octets, and find no file. Names that come from macOS or old archives have such octets.

Example
    <a href="caf%C3%A9.html"> (the file is caf%E9.html)

Instead
    Rename the file: its name in UTF-8 and NFC is what a link becomes. `linkfix migrate` does so for a whole site.
"""
