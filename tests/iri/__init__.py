"""Tests of the charset layer."""
