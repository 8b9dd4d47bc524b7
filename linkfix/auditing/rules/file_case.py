"""A link that differs in case from the name of the file.

What it does
    Reports links to a file whose name has other upper and lower case letters.

Why it is bad
    Windows and macOS find the file, most servers do not: the site works at home and is broken where it is published.

Example
    <img src="Logo.PNG"> (the file is logo.png)

Instead
    <img src="logo.png">
"""
