"""Addresses of clients and names of hosts: which are believed, and how they are grouped."""
