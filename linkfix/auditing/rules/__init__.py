"""The rules of the audit, one module each; the docstring of a module is the user's page."""
