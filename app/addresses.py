"""Network addresses of callers, as they are counted."""

import ipaddress
from functools import lru_cache

# what a provider gives to one household or machine
IPV6_PREFIX = 64
# characters; the longest address with a zone is shorter
_LONGEST = 80


def address_group(address: str) -> str:
    """Return what a caller is counted by: an IPv4 address itself, of an IPv6 address its network of 64 bits.

    An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address. What is no address is returned as
    it is, at most 80 characters of it.
    """
    return _group(address[:_LONGEST])


@lru_cache(maxsize=1024)
def _group(address: str) -> str:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, IPV6_PREFIX), strict=False))
