"""What coding agents ask: the tools of the Model Context Protocol, over HTTP at /mcp and over standard streams.

Each tool asks the REST API and hands on what that answers, so that an agent gets what everybody gets, with the same
limits and permissions.
"""
