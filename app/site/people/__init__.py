"""Pages about people: oneself, the others, joining, and who did what."""
