"""Which names of the site are believed: the rule for the Host header of a request.

Links and redirects are made of the name that a caller came by, so a name that anybody can make up would lead readers of
a feed or a cached page elsewhere, and a foreign page could reach the site through a name that it points here (DNS
rebinding). An IP address cannot be pointed anywhere, so any is taken.
"""

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Thread

# These names, and all below `.localhost`, can only mean this machine (RFC 6761, section 6.3).
LOOPBACK = frozenset({"localhost", "*.localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"})
# A name has at most so many characters, without the dot at its end (RFC 1035, section 2.3.4).
LONGEST_NAME = 253
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*", re.ASCII)
# A Host header has a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port, which may be empty (RFC
# 9110, section 7.2).
_HEADER = re.compile(r"(?P<name>[a-z0-9_.-]{1,254}|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{0,5}))?", re.ASCII | re.I)
_LARGEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class HostRules:
    """What is taken: `names` as they are, and every name that ends in one of `endings`, which begin with a dot."""

    names: frozenset[str]
    endings: tuple[str, ...]


def host_of(header: str) -> str | None:
    """Return the host that a Host header names: in lower case, without port, brackets and the dot at its end.

    None when the header is empty or has another form.
    """
    found = _HEADER.fullmatch(header)
    if found is None or int(found["port"] or 0) > _LARGEST_PORT:
        return None
    name = found["name"]
    if name.startswith("["):
        return name[1:-1].lower() if ":" in name and _is_address(name[1:-1]) else None
    return name_of(name)


def host_allowed(header: str, rules: HostRules) -> bool:
    """Tell whether a Host header names the site: by an IP address, or by a name that the rules hold."""
    host = host_of(header)
    return host is not None and (_is_address(host) or host in rules.names or host.endswith(rules.endings))


def name_of(text: str) -> str | None:
    """Return a host name as it is compared: lower case, ASCII (IDNA), no dot at its end; None if it is no name."""
    try:
        name = text if text.isascii() else text.encode("idna").decode()
    except UnicodeError:
        return None
    name = name.lower().removesuffix(".")
    return name if len(name) <= LONGEST_NAME and _NAME.fullmatch(name) else None


@lru_cache(maxsize=64)
def rules_of(names: frozenset[str]) -> HostRules:
    """Return the rules for these names and the loopback ones; `*.lan` stands for every name that ends in `.lan`.

    Raises `ValueError` for a text that is no name.
    """
    plain = {_required(name) for name in LOOPBACK | names if not name.startswith("*.")}
    endings = {f".{_required(name[2:])}" for name in LOOPBACK | names if name.startswith("*.")}
    return HostRules(frozenset(plain), tuple(sorted(endings)))


def machine_names() -> frozenset[str]:
    """Return the names of this machine: its host name, the same below `.local` (RFC 6762), its full name once known."""
    return found_in(tuple(_looked_up()))


@cache
def _looked_up() -> Sequence[str]:
    own = socket.gethostname()
    short = own.partition(".")[0]
    found = [own, short, f"{short}.local"]
    # A name server that does not answer would hold up the start for many seconds, and none is needed for the other
    # names; so it is asked aside, once, and the full name counts from its answer on.
    Thread(target=lambda: found.append(socket.getfqdn(own)), name="full name of the machine", daemon=True).start()
    return found


def listed(text: str) -> frozenset[str]:
    """Return the names of a comma-separated list. Raises `ValueError` that quotes the first item that is no name."""
    names = frozenset(part.strip() for part in text.split(",") if part.strip())
    rules_of(names)
    return names


def _required(text: str) -> str:
    name = name_of(text)
    if name is None:
        raise ValueError(
            f"{text[:80]!r} is no host name; write names such as errdex.lan or *.lan, without scheme and port"
        )
    return name


@lru_cache(maxsize=1024)
def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=64)
def found_in(addresses: tuple[str, ...]) -> frozenset[str]:
    """Return those of the hosts that are names, as they are compared; empty ones and IP addresses are left out."""
    return frozenset(name for name in map(name_of, addresses) if name and not _is_address(name))
