"""A whole site in another charset, under new names, or with a file or folder moved."""
