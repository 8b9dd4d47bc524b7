"""References in plain text: found, and written for people (UTS #58)."""
