"""A model of a web server: which file answers a URI of a site."""
