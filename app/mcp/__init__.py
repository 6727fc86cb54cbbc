"""What coding agents ask: the tools of the Model Context Protocol, over HTTP at /mcp and over standard streams.

The tools are those of `errdex_client.mcp`, which the light client has, too. Here they ask the REST API of this process,
so that an agent gets what everybody gets, with the same limits and permissions.
"""
