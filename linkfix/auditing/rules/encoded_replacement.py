"""A percent-encoded replacement character.

What it does
    Reports `%EF%BF%BD`, the replacement character U+FFFD in UTF-8.

Why it is bad
    Some tool read the link in the wrong charset and wrote down that it could not. What was there is
    lost, and the link leads nowhere.

Example
    <a href="/caf%EF%BF%BD">

Instead
    Look for the name in a backup or on the server.
"""
