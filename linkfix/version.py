"""The version of linkfix: what an earlier run has recorded counts only for the same one."""

__version__ = "0.2.0"
