"""Whole jobs over the documents of paths: functions that yield events, and print nothing.

`documents` reads one document, `batch` does the work for each of many, `events` has what all jobs say.
"""
