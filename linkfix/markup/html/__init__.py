"""HTML: the tokenizer, and as much of tree construction as it needs."""
