"""The search box: words that are still being typed to entries."""
