"""Everything that masks: secrets, values that may leave a paste, words that are public."""
