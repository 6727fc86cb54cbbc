"""A stand-in for an OpenID provider, for what a real one never does: it signs with any key and says what it is told."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

CLIENT, SECRET = "errdex-test", "s3cret-of-the-client"


def new_key() -> ECKey:
    """A key to sign with, whose name is its thumbprint."""
    return ECKey.generate_key("P-256", auto_kid=True)


@dataclass
class StandIn:
    """What the provider says. `about` is put into the ID token, `more` is told on its page about the person."""

    issuer: str = ""
    about: dict[str, Any] = field(default_factory=lambda: {"sub": "subject-1"})
    more: dict[str, Any] = field(default_factory=dict)
    key: ECKey = field(default_factory=new_key)
    # what it calls the key instead of its name
    name: str | None = None
    shown: list[ECKey] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    # instead of an answer, by path
    instead: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    # the nonce of each code, the challenge for it, and where it leads back to
    codes: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shown = self.shown or [self.key]

    def authorize(self, address: str) -> dict[str, str]:
        """Sign somebody in who was led to this address; return what their browser brings back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = (asked["nonce"], asked["code_challenge"], asked["redirect_uri"])
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def answer(self, path: str, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        """Return the status and the JSON value for a request."""
        match path:
            case "/.well-known/openid-configuration":
                return 200, self._configuration() | self.metadata
            case "/keys":
                return 200, {"keys": [key.as_dict(private=False) for key in self.shown]}
            case "/token":
                return self._token(form, authorization)
            case "/about":
                return 200, {"sub": self.about["sub"]} | self.more
        return 404, {}

    def _configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "userinfo_endpoint": f"{self.issuer}/about",
            "end_session_endpoint": f"{self.issuer}/end",
            "authorization_response_iss_parameter_supported": True,
        }

    def _token(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        if authorization != "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode():
            return 401, {"error": "invalid_client"}
        nonce, challenge, redirect = self.codes.pop(form.get("code", ""), ("", "", ""))
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        fits = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode() == challenge
        if not fits or form.get("redirect_uri") != redirect:
            return 400, {"error": "invalid_grant"}
        at = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": at, "exp": at + 300, "nonce": nonce} | self.about
        token = jwt.encode({"alg": "ES256", "kid": self.name or self.key.kid}, claims, self.key)
        return 200, {"access_token": "access", "token_type": "Bearer", "expires_in": 300, "id_token": token}


@contextmanager
def standing_in() -> Iterator[StandIn]:
    """A stand-in on a port of its own."""
    told = StandIn()

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            self._answer({name: values[0] for name, values in parse_qs(body).items()})

        def _answer(self, form: dict[str, str]) -> None:
            path = urlsplit(self.path).path
            told.asked.append(path)
            if path in told.instead:
                status, body = told.instead[path]
            else:
                status, value = told.answer(path, form, self.headers.get("authorization", ""))
                body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Door) as server:
        told.issuer = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield told
        finally:
            server.shutdown()
            thread.join()
