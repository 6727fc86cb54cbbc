"""Finding entries: search, browsing, what changed, and what machines read of it."""
