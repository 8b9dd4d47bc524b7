"""Files of this machine and of others: which documents there are, reading, atomic replacement, the journal."""
