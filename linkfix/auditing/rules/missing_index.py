"""A link to a folder without an index file.

What it does
    Reports links to a folder in which there is none of the files that servers show for it, such as `index.html`.
    `--index` names others.

Why it is bad
    Servers answer 403 or 404, or show a list of all files.

Example
    <a href="images/">

Instead
    A link to a document in the folder, or an index file there.
"""
