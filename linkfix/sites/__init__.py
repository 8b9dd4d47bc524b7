"""Whole jobs over the documents of paths: functions that yield events, and print nothing.

Each takes settings, a frozen dataclass, and returns an iterator of frozen dataclasses: `Began`, what it says of each
document, `Done` after each, `Failed` for one that cannot be processed (`linkfix.sites.events`). `Stop.ask` ends it after the
present documents; whoever closes the iterator ends it at once, and nothing is left half written.
"""
