"""One entry: its page, its history, and what readers say of it."""
