"""Bundles on disk and the documents they hold."""
