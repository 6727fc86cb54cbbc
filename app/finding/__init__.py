"""The search box: from words that are still being typed to entries."""
