"""Plugins of other tools, thin over the functions of the library: MkDocs, Sphinx and pytest."""
