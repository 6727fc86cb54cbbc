"""Errdex: paste an error, get the entry that explains and fixes it."""

__version__ = "0.1.0"
