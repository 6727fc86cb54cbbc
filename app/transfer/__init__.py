"""Everything in and out in bulk: JSON lines, backup, archive."""
