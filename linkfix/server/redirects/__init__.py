"""Redirects: tables of them that a move writes, and those of a server that a link follows."""
