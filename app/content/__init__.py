"""Bundles on disk and the documents they hold: the schema, the canonical form, the rules."""
