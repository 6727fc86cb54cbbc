"""Asking for the entry of a paste: recall, ranking, deadline, draft, and what found nothing."""
