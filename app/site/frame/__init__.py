"""What every page shares: its frame, forms, errors, and signing in."""
