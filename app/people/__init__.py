"""Passwords, and how often somebody may try one."""
