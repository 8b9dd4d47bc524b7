"""XML: the scanner behind expat, which judges what is well-formed."""
