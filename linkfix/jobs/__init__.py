"""The same work for many items in worker processes, with results in order."""
