"""Whether a file of a command is a WARC file."""

from linkfix.sites.documents import holds_archive

__all__ = ["holds_archive"]
