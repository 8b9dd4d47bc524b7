"""The registered schemes, and the rules of some."""
