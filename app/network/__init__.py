"""Addresses and host names."""
