"""A language server: what linkfix knows of the document in an editor, and of the site around it.

`site.py` maps positions of the editor to code points and the text to bytes in the document's charset, and knows the files of a folder;
`server.py` speaks the Language Server Protocol. Only there is pygls imported.
"""
