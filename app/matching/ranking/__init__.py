"""A report and candidates to scored entries, each with its reasons."""
