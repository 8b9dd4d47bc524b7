"""Facts of documents, joined: what links mean in a whole site."""
