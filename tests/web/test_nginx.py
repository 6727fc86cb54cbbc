"""The example for nginx, run as it is but for names, ports and paths: TLS, secure cookies, addresses, limits."""

import datetime
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from app.config import ROOT
from tests.conftest import NAME, PASSWORD
from tests.servers import ServerProcess, free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PATIENCE_SECONDS = 20
pytestmark = pytest.mark.skipif(NGINX is None, reason="no nginx (Debian: apt-get install nginx-light)")


def write_certificate(folder: Path) -> None:
    """Write a certificate for the loopback address, which it signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "errdex.lan")])
    at = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - datetime.timedelta(days=1))
        .not_valid_after(at + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "fullchain.pem").write_bytes(made.public_bytes(pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


@dataclass
class Proxy:
    """nginx before Errdex: where it is, over TLS and without, and its folder."""

    address: str
    plain: str
    folder: Path

    def client(self, source: str = "127.0.0.1") -> httpx2.Client:
        """A client with an address of its own on this machine, that believes the certificate."""
        trusted = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        transport = httpx2.HTTPTransport(local_address=source, verify=trusted)
        return httpx2.Client(base_url=self.address, transport=transport, timeout=60)


@pytest.fixture
def proxy(start: Callable[..., ServerProcess], tmp_path: Path) -> Iterator[Proxy]:
    """Errdex behind nginx with the example."""
    secure, plain = free_port(), free_port()
    address = f"https://127.0.0.1:{secure}"
    server = start(ERRDEX_BASE_URL=address, ERRDEX_TRUSTED_PROXIES="127.0.0.1", ERRDEX_RATE_LOGIN="3/minute")
    write_certificate(tmp_path)
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for written, here in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl;"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("server 127.0.0.1:8000;", f"server {server.address.removeprefix('http://')};"),
        ("/etc/errdex/tls/", f"{tmp_path}/"),
        ("/var/log/nginx/", f"{tmp_path}/"),
        ("server_name errdex.lan;", "server_name 127.0.0.1;"),
    ):
        assert written in text
        text = text.replace(written, here)
    (tmp_path / "errdex.conf").write_text(text, encoding="utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {tmp_path}/{kind};\n" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(
        f"{user}daemon off;\nworker_processes 1;\npid {tmp_path}/pid;\nerror_log {tmp_path}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}include {tmp_path}/errdex.conf;\n}}\n",
        encoding="utf-8",
    )
    command = [str(NGINX), "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "error.log")]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        try:
            wait_for(process, secure)
            yield Proxy(address, f"http://127.0.0.1:{plain}", tmp_path)
        finally:
            process.terminate()


def wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until somebody listens on a port."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < until
        time.sleep(0.02)


def look_around(proxy: Proxy) -> None:
    """What a person does, over TLS."""
    with proxy.client() as client:
        led = httpx2.get(f"{proxy.plain}/en/browse?q=a")
        assert (led.status_code, led.headers["location"]) == (301, "https://127.0.0.1/en/browse?q=a")
        page = client.get("/en/")
        assert page.headers["strict-transport-security"].startswith("max-age=")
        assert f'<link rel="canonical" href="{proxy.address}/en/">' in page.text
        assert f'href="{proxy.address}/' in client.get("/en/changes.atom").text
        # a form of the site's own is taken, of what size it may be
        paste = client.post(
            "/en/match",
            data={"text": "x" * 3_000_000},
            headers={"origin": proxy.address, "sec-fetch-site": "same-origin"},
        )
        assert paste.status_code == 200
        assert (
            client.post("/en/match", data={"text": "x"}, headers={"origin": "https://evil.example"}).status_code == 403
        )
        entered = client.post("/en/sign-in", data={"name": NAME, "password": PASSWORD})
        assert entered.headers["location"] == "/en/review"
        cookie = next(one for one in client.cookies.jar if one.name == "errdex_session")
        assert cookie.secure
        assert client.get("/en/review").status_code == 200
        left = client.post("/en/sign-out")
        assert left.headers["clear-site-data"] == '"cache"'
        assert client.get("/en/search?q=secret-word").status_code == 200


def guess_passwords(proxy: Proxy) -> None:
    """The address that nginx saw is counted, and nobody makes one up."""

    def guess(client: httpx2.Client, number: int, **headers: str) -> int:
        typed = {"name": f"nobody {number}", "password": "wrong"}
        return client.post("/en/sign-in", data=typed, headers=headers).status_code

    with proxy.client("127.0.0.2") as one, proxy.client("127.0.0.3") as other:
        assert [guess(one, number) for number in range(4)] == [401, 401, 401, 429]
        assert guess(one, 5, **{"x-forwarded-for": "192.0.2.7"}) == 429
        assert guess(one, 6, **{"x-forwarded-for": "127.0.0.3", "forwarded": "for=127.0.0.3"}) == 429
        assert guess(other, 7) == 401


def test_the_example_for_nginx_has_what_a_team_behind_tls_needs(proxy: Proxy) -> None:
    look_around(proxy)
    guess_passwords(proxy)
    log = (proxy.folder / "errdex.log").read_text(encoding="utf-8")
    assert log.count("\n") > 5
    assert "secret-word" not in log
    assert "/en/" not in log
