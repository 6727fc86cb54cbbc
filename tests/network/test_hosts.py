"""Only names that the site goes by are believed; nobody can make it link elsewhere."""

import re
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.network import hosts
from tests.conftest import create
from tests.servers import figures, served, total

EVIL = {"host": "evil.example"}
LINK = r'(?:href|src|action|content)="[^"]*evil'
RULES = hosts.rules_of(frozenset({"errdex.lan", "*.corp.lan", "报错.lan"}))
TAKEN = [
    "errdex.lan", "ERRDEX.Lan", "errdex.lan.", "errdex.lan:8000", "errdex.lan.:80", "errdex.lan:", "a.corp.lan",
    "a.b.corp.lan:8000", "localhost", "LOCALHOST:1", "localhost.", "verl.localhost", "ip6-localhost", "127.0.0.1",
    "127.0.0.1:65535", "10.0.3.7:8000", "203.0.113.9", "[::1]", "[::1]:8000", "[2001:DB8::1]", "[::ffff:10.0.0.1]:80",
    "xn--4ru063i.lan",
]  # fmt: skip
REFUSED = [
    "evil.example", "evil.example:8000", "errdex.lan.evil.example", "evil-errdex.lan", "corp.lan",
    "xcorp.lan", ".corp.lan", "a..corp.lan", "localhost.evil.example", "evillocalhost",
    "127.0.0.1.evil.example", "127.1", "2130706433", "0x7f.0.0.1", "999.1.1.1", "127.0.0.1:65536",
    "127.0.0.1:x", "127.0.0.1:-1", "127.0.0.1:80:80", "::1", "[::1", "::1]", "[]", "[127.0.0.1]", "[::1]x",
    "[fe80::1%eth0]", "", " ", ":", ":80", ".", "errdex.lan errdex.lan", "errdex.lan,evil", "errdex.lan/",
    "errdex.lan/@evil.example", "evil.example@errdex.lan", "errdex.lan?", "errdex.lan#", "errdex.lan\\",
    "errdex.lan\n", "errdex.lan\0", "http://errdex.lan", "*.corp.lan", "-a.corp.lan", "<b>.corp.lan",
    "é.corp.lan", "x" * 64 + ".corp.lan", "x." * 130 + "corp.lan",
]  # fmt: skip


@pytest.mark.parametrize("header", TAKEN)
def test_a_name_of_the_site_is_taken(header: str) -> None:
    assert hosts.host_allowed(header, RULES)


@pytest.mark.parametrize("header", REFUSED)
def test_any_other_is_refused(header: str) -> None:
    assert not hosts.host_allowed(header, RULES)


@pytest.mark.parametrize(
    "text", ["http://errdex.lan", "errdex.lan:8000", "*", "*.", "a b", "a.*.lan", "lan,,-x", "é..x"]
)
def test_a_list_of_hosts_that_is_none_is_told_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write names such as errdex\.lan"):
        Settings(hosts=text)


def test_a_base_address_without_a_host_is_told_what_to_write() -> None:
    with pytest.raises(ValueError, match="must name a host"):
        Settings(base_url="http://")


@pytest.fixture
def known_as(settings: Settings, shipped: Settings) -> Callable[..., TestClient]:
    """Make the application on the shipped corpus, with other settings."""
    create(settings, shipped)
    return lambda **more: TestClient(
        create_app(settings.model_copy(update=more)), raise_server_exceptions=False, follow_redirects=False
    )


@pytest.mark.parametrize(
    "path", ["/en/", "/", "/en/changes.atom", "/sitemap.xml", "/robots.txt", "/en/browse/", "/nothing"]
)
def test_a_name_that_somebody_made_up_is_refused_and_led_to_by_nothing(client: TestClient, path: str) -> None:
    """The page says what to set, and is not itself a page that links there."""
    answer = client.get(path, headers=EVIL, follow_redirects=False)
    assert answer.status_code == 421
    assert "ERRDEX_HOSTS" in answer.text
    assert "location" not in answer.headers
    assert not re.search(LINK, answer.text)
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_refusal_is_told_in_both_languages_and_looks_like_a_page_of_the_site(client: TestClient) -> None:
    for lang, said in (("en", "does not go by that name"), ("zh", "本站不认得这个名字")):
        page = client.get(f"/{lang}/", headers=EVIL)
        assert said in page.text
        style = re.findall(r'"(/static/[^"]+\.css[^"]*)"', page.text)
        assert style
        assert {client.get(address, headers=EVIL).status_code for address in style} == {200}


def test_programs_are_refused_with_a_problem_document(client: TestClient) -> None:
    answer = client.post("/api/v1/match", json={"text": "x"}, headers=EVIL)
    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "/problems/unknown-host"
    assert "ERRDEX_HOSTS" in answer.json()["detail"]


def test_a_body_is_not_read_for_a_name_that_is_refused(client: TestClient) -> None:
    with served(client.app) as address:
        at = urlsplit(address)
        with socket.create_connection((at.hostname, at.port), 20) as caller:
            caller.sendall(b"POST /en/match HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 1000000\r\n\r\n")
            # none of the million bytes is sent, and yet there is an answer
            assert caller.makefile("rb").readline().split()[1] == b"421"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_whoever_watches_may_use_any_name(client: TestClient, path: str) -> None:
    assert client.get(path, headers=EVIL).status_code == 200


def test_what_any_name_may_ask_leads_nowhere_else(client: TestClient) -> None:
    for path in ("/static/nothing.css", "/static/", "/static", "/healthz/", "/metrics/", "/healthz/../en/"):
        answer = client.get(path, headers=EVIL, follow_redirects=False)
        assert "evil" not in answer.headers.get("location", ""), path
        assert not re.search(LINK, answer.text), path


def test_refusals_are_counted(client: TestClient) -> None:
    before = total(figures(client), "errdex_hosts_refused_total")
    for _ in range(3):
        client.get("/en/", headers=EVIL)
    client.get("/en/")
    assert total(figures(client), "errdex_hosts_refused_total") == before + 3


def raw(address: str, head: str) -> int:
    """The status of the answer to a request as it is written."""
    at = urlsplit(address)
    with socket.create_connection((at.hostname, at.port), 20) as caller:
        caller.sendall(head.replace("\n", "\r\n").encode("latin-1"))
        return int(caller.makefile("rb").readline().split()[1])


def test_a_request_names_one_host(client: TestClient) -> None:
    """As RFC 9112, section 3.2 asks; HTTP/1.0 had no such header."""
    with served(client.app) as address:
        assert raw(address, "GET /en/ HTTP/1.1\nhost: testserver\nconnection: close\n\n") == 200
        assert raw(address, "GET /en/ HTTP/1.0\n\n") == 200
        assert raw(address, "GET /en/ HTTP/1.0\nhost: evil.example\n\n") == 421
        for none in ("", "host:\n", "host: testserver\nhost: testserver\n", "host: testserver\nhost: evil.example\n",
                     "host: <script>\n", "host: testserver, evil.example\n", "host: \xe9.lan\n"):  # fmt: skip
            assert raw(address, f"GET /en/ HTTP/1.1\n{none}connection: close\n\n") == 400, none
        # the name in the request line is not read at all
        assert raw(address, "GET http://evil.example/en/ HTTP/1.1\nhost: evil.example\nconnection: close\n\n") == 421


@pytest.mark.parametrize("header", ["x-forwarded-host", "x-host", "x-original-host", "forwarded", "x-forwarded-server"])
def test_what_a_proxy_says_of_the_name_is_not_believed(client: TestClient, header: str) -> None:
    """A proxy passes the name on in the Host header, or the site has a base address."""
    feed = client.get(
        "/en/changes.atom", headers={header: "host=evil.example" if header == "forwarded" else "evil.example"}
    )
    assert feed.status_code == 200
    assert "evil" not in feed.text
    refused = client.get("/en/", headers=EVIL | {header: "testserver"})
    assert refused.status_code == 421


def test_each_setting_adds_its_names(known_as: Callable[..., TestClient]) -> None:
    def status(name: str, **more: str) -> int:
        return known_as(**more).get("/en/", headers={"host": name}).status_code

    assert status("guide.corp.lan:8000", hosts="*.corp.lan") == 200
    assert status("corp.lan", hosts="*.corp.lan") == 421
    assert status("testserver", hosts="") == 421
    assert status("guide.lan", hosts="", base_url="https://Guide.lan:8443") == 200
    assert status("listens.lan", hosts="", host="listens.lan") == 200
    assert status(f"{socket.gethostname()}:8000", hosts="") == 200
    assert status(f"{socket.gethostname()}.evil.example", hosts="") == 421
    assert status("192.0.2.7:8000", hosts="") == 200
    assert status("[2001:db8::7]", hosts="") == 200


def test_with_a_base_address_only_that_one_is_led_to(known_as: Callable[..., TestClient]) -> None:
    """Whatever name the caller came by: in links, and in redirects that the framework makes."""
    client = known_as(base_url="https://guide.lan")
    for name in ("testserver", "192.0.2.7:8000", "guide.lan:9000"):
        for path in ("/en/", "/en/changes.atom", "/sitemap.xml", "/robots.txt", "/api/v1/search?q=nccl"):
            text = client.get(path, headers={"host": name}).text
            assert "https://guide.lan/" in text, path
            assert name not in text.replace("https://guide.lan/", ""), path
        assert client.get("/en/browse/", headers={"host": name}).headers["location"] == "https://guide.lan/en/browse"
    assert known_as().get("/en/browse/").headers["location"] == "http://testserver/en/browse"
