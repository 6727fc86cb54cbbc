"""Whose address a client has, and which addresses are counted as one."""

from collections.abc import Callable

import pytest
from pydantic import ValidationError
from starlette.requests import Request

from app.config import Settings
from app.network.addresses import UNKNOWN, address_group, client_address, is_loopback, read_networks
from tests.servers import ServerProcess


@pytest.mark.parametrize(
    ("shown", "address", "group", "loopback"),
    [
        ("203.0.113.7", "203.0.113.7", "203.0.113.7", False),
        ("2001:DB8:0:0:1:2:3:4", "2001:db8::1:2:3:4", "2001:db8::/64", False),
        ("2001:db8:0:1::9", "2001:db8:0:1::9", "2001:db8:0:1::/64", False),
        ("::ffff:203.0.113.7", "203.0.113.7", "203.0.113.7", False),
        ("fe80::1%eth0", "fe80::1", "fe80::/64", False),
        ("127.0.0.1", "127.0.0.1", "127.0.0.1", True),
        ("127.8.9.10", "127.8.9.10", "127.8.9.10", True),
        ("::1", "::1", "::/64", True),
        ("::ffff:127.0.0.1", "127.0.0.1", "127.0.0.1", True),
        ("unknown", "unknown", UNKNOWN, False),
        ("localhost", "localhost", UNKNOWN, False),
        ("_hidden", "_hidden", UNKNOWN, False),
        ("203.0.113", "203.0.113", UNKNOWN, False),
        ("", "", UNKNOWN, True),
    ],
)
def test_an_address_is_spelled_one_way_and_ipv6_is_counted_by_its_64(
    shown: str, address: str, group: str, loopback: bool
) -> None:
    scope = {"type": "http", "client": (shown, 50000)}
    assert client_address(scope) == client_address(Request(scope)) == address
    assert (address_group(address), is_loopback(address)) == (group, loopback)


def test_a_client_over_a_socket_of_this_host_has_no_address() -> None:
    assert client_address({"type": "http", "client": None}) == client_address({"type": "http"}) == ""


@pytest.mark.parametrize(
    ("text", "networks"),
    [
        ("", ()),
        (" , ", ()),
        ("127.0.0.1,::1", ("127.0.0.1/32", "::ffff:127.0.0.1/128", "::1/128")),
        (" 10.1.0.0/16 , fd00::/8", ("10.1.0.0/16", "::ffff:10.1.0.0/112", "fd00::/8")),
    ],
)
def test_trusted_proxies_are_addresses_and_networks(text: str, networks: tuple[str, ...]) -> None:
    assert read_networks(text) == Settings(trusted_proxies=text).proxies == networks


@pytest.mark.parametrize("wrong", ["*", "proxy.lan", "10.0.0.5/8", "10.0.0.5;10.0.0.6", "300.1.1.1"])
def test_anything_else_is_named_with_an_example_of_what_to_write(wrong: str) -> None:
    with pytest.raises(ValidationError, match=r"neither an address nor a network .*192\.168\.0\.0/24") as told:
        Settings(trusted_proxies=f"127.0.0.1,{wrong}")
    assert repr(wrong) in str(told.value)


@pytest.mark.parametrize(
    ("trusted", "rows"),
    [
        # the last proxy's word counts, not what a client said before it came there
        (
            "127.0.0.1,203.0.113.0/24",
            {"198.51.100.4": 429, "127.0.0.1, 198.51.100.5": 429, "198.51.100.6, 203.0.113.7": 429},
        ),
        ("", {"203.0.113.7": 200}),
        ("192.0.2.1", {"203.0.113.7": 200}),
    ],
)
def test_only_a_trusted_proxy_is_believed_about_its_clients(
    start: Callable[..., ServerProcess], trusted: str, rows: dict[str, int]
) -> None:
    """The proxy is this test itself, over loopback, which is not limited where it is not believed."""
    server = start(ERRDEX_TRUSTED_PROXIES=trusted, ERRDEX_RATE_MATCH="1/hour")
    with server.client() as client:
        for sent, second in rows.items():
            asked = [
                client.post("/api/v1/match", json={"text": "a valve"}, headers={"x-forwarded-for": sent})
                for _ in range(2)
            ]
            assert [answer.status_code for answer in asked] == [200, second], sent
