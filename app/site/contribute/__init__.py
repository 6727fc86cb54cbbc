"""Proposing and reviewing: the form, the submitter's page, the queue."""
