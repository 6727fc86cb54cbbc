"""Words, masks and the rule files: what the engine knows of text."""
