"""People who sign in: accounts, sessions, passwords, and how often somebody may try one."""
