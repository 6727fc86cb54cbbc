"""What may leave a paste or be shown: secrets, redaction, public words."""
