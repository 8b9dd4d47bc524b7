"""Remote files, through fsspec: open, list and upload them.

Input: URLs (`linkfix.files.paths`). Output: binary streams, listings, and errors that name the URL, the cause and the way
out. fsspec and its packages are imported when the first remote path is used. Credentials come from the environment and
the configuration that those packages read; a URL with a password is refused. What a server says is not trusted: a name
in a listing has to be a path below the listed folder.

File systems have threads, and a process with threads is not forked (`linkfix.jobs.pool`). So a process that is to have
workers asks servers in a fork of its own (`listings`), and has no connection; each worker opens its own. Cost: one
request for each 1,000 objects of a listing, one for each document up to 1 MB.
"""
