"""Asking for the entry of a paste: one way to an answer, its deadline, drafts and links of it, what found nothing."""
