"""The engine: from pasted text to scored entries. Pure: the standard library, rapidfuzz and itself."""
