"""Who asks: the address of a client, and the group of addresses that one client can have.

The server itself believes a trusted proxy (`ERRDEX_TRUSTED_PROXIES`) about its clients, before any of this code runs:
what arrives here is the client that the farthest such proxy names. Everything that counts or shares by address asks
these functions.
"""

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

# A provider gives each household or office at least a /64 (RFC 6177), and a host in it can take any of its addresses,
# so all of them count as one.
IPV6_PREFIX = 64
# All clients whose address cannot be read share this name, so that a made-up address is no way around a limit.
UNKNOWN = "unknown"
# A client with one of these for an address came over a socket of this host or, in tests, over none at all.
_LOCAL = frozenset({"", "testclient"})


def client_address(connection: Mapping[str, Any]) -> str:
    """Return the address of the client of a request, or of an ASGI scope, in its shortest spelling.

    An IPv4 address that came over an IPv6 socket is the IPv4 address. Empty when there is none; what a proxy says
    instead of an address is returned as it is.
    """
    client = connection.get("client")
    return _spelled(client[0]) if client else ""


@lru_cache(maxsize=4096)
def address_group(address: str) -> str:
    """Return what an address is counted and limited by: an IPv4 address itself, the /64 of an IPv6 address.

    Everything that is no address is in one group, `UNKNOWN`.
    """
    found = _read(address)
    if isinstance(found, IPv6Address):
        return str(ip_network((int(found), IPV6_PREFIX), strict=False))
    return str(found) if found else UNKNOWN


@lru_cache(maxsize=1024)
def is_loopback(address: str) -> bool:
    """Tell whether an address that `client_address` returned is of this host itself."""
    found = _read(address)
    return found.is_loopback if found else address in _LOCAL


def read_networks(text: str) -> tuple[str, ...]:
    """Return the addresses and networks of a list that commas separate, as they are compared with a peer's address.

    An IPv4 address is also there as an IPv6 socket shows it. Raises `ValueError` with a sentence that names the part
    that is neither an address nor a network.
    """
    return tuple(spelled for part in text.split(",") if part.strip() for spelled in _network(part.strip()))


def _network(part: str) -> tuple[str, ...]:
    try:
        found = ip_network(part)
    except ValueError as error:
        raise ValueError(
            f"{part!r} is neither an address nor a network ({error}); write for example 10.0.0.5,192.168.0.0/24,::1"
        ) from error
    if found.version == 6:
        return (str(found),)
    return (str(found), f"::ffff:{found.network_address}/{96 + found.prefixlen}")


@lru_cache(maxsize=4096)
def _spelled(address: str) -> str:
    found = _read(address)
    return str(found) if found else address


def _read(address: str) -> IPv4Address | IPv6Address | None:
    try:
        # The zone of a link-local address (after "%") names an interface of this host, not a client.
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
