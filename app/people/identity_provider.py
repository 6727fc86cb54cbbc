"""An OpenID provider: where it lets people sign in, and what it proves about somebody who did.

What it sends is bounded in size and time, and believed only once its signature, issuer, audience, time and nonce were
compared. It is asked for its addresses when somebody first needs them, so that the site starts while it is away.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from ssl import SSLContext
from typing import Any, TypeVar

import httpx2
from anyio import CapacityLimiter, fail_after, to_thread

from app.errors import SignOnAway, SignOnDeclined, SignOnFailed, SignOnOver, SignOnUntrusted
from app.people.provider_answers import (
    Claims,
    answering,
    bound,
    claim_of,
    error_code,
    fault_of,
    groups_in,
    is_address,
    is_for_signatures,
    json_at,
)

# seconds for all that one sign-in asks of the provider, and for each step of one of these
DEADLINE = 10.0
STEP_SECONDS = 5.0
# how many ask the provider at once; the others wait, and the time of waiting counts
AT_ONCE = 4
# seconds for which its addresses and keys are kept; a key that is not known is asked for at once
KEPT_SECONDS = 3600.0
# seconds by which its clock may differ
LEEWAY = 60
# Signatures that only the provider can make: none by a secret that two know, and no missing ones.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
# what is asked of the provider's page about the person, where the ID token does not say it
ABOUT = ("email", "email_verified", "name", "preferred_username")
LONGEST_SUBJECT = 255
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ClientTerms:
    """How the site is registered at the provider, and in which claim the provider names groups."""

    issuer: str
    client_id: str
    secret: str
    scopes: str
    groups_claim: str


@dataclass(frozen=True, slots=True)
class BegunSignOn:
    """What a browser carries to the provider and back: whoever comes back without it did not begin."""

    state: str
    nonce: str
    verifier: str
    lang: str
    back: str


@dataclass(frozen=True, slots=True)
class ProvenIdentity:
    """Who signed in, as the provider proved it. `names` are what to call them, the best first; `email` is in lower
    case, and empty where the provider has not verified it.
    """

    issuer: str
    subject: str
    names: tuple[str, ...]
    email: str
    groups: frozenset[str]


class IdentityProvider:
    """One provider, safe to use from several threads."""

    def __init__(self, terms: ClientTerms) -> None:
        self._terms = terms
        self._limiter = CapacityLimiter(AT_ONCE)
        self._metadata: tuple[float, Claims] = (0.0, {})
        self._keys: tuple[float, Any] = (0.0, None)

    @property
    def issuer(self) -> str:
        """The address by which the provider names itself."""
        return self._terms.issuer

    async def run(self, work: Callable[[], T]) -> T:
        """Return what `work` returns, which asks the provider. Raises `SignOnAway` when that takes too long."""
        try:
            with fail_after(DEADLINE):
                return await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._limiter)
        except TimeoutError as error:
            raise SignOnAway(f"no answer within {DEADLINE:.0f} seconds") from error

    def begin(self, redirect: str, lang: str, back: str) -> tuple[str, BegunSignOn]:
        """Return the address at which somebody signs in, and what their browser keeps meanwhile.

        `redirect` is where the provider sends them back to. Raises `SignOnAway`.
        """
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        with self._client(redirect) as client:
            found = self._known(client)
            address, _ = client.create_authorization_url(
                found["authorization_endpoint"], state=state, code_verifier=verifier, nonce=nonce
            )
        return str(address), BegunSignOn(state, nonce, verifier, lang, back)

    def finish(self, begun: BegunSignOn, redirect: str, answer: Mapping[str, str]) -> ProvenIdentity:
        """Return who signed in; `answer` is what the provider sent back with the browser.

        Raises `SignOnAway`, `SignOnDeclined`, `SignOnOver`, `SignOnUntrusted`.
        """
        with self._client(redirect) as client:
            found = self._known(client)
            _need_issuer(self.issuer, found, answer)
            if "error" in answer:
                raise SignOnDeclined(error_code(answer["error"]))
            token = _token(client, found, answer.get("code", ""), begun.verifier)
            claims = self._verified(client, found, token, begun.nonce)
            return self._identity(claims | self._more(client, found, claims))

    def end_session_address(self) -> str:
        """Return where people sign out of the provider; empty where it offers none or is away."""
        try:
            with self._client("") as client:
                found = str(self._known(client).get("end_session_endpoint", ""))
        except SignOnFailed:
            return ""
        return f"{found}{'&' if '?' in found else '?'}client_id={self._terms.client_id}" if found else ""

    @contextmanager
    def _client(self, redirect: str) -> Iterator[Any]:
        # imported late: it takes a tenth of a second, and most guides have no provider
        from authlib.integrations.httpx_client import OAuth2Client

        until = time.monotonic() + DEADLINE
        method = _client_method(self._metadata[1]) if self._terms.secret else "none"
        with OAuth2Client(
            client_id=self._terms.client_id,
            client_secret=self._terms.secret or None,
            token_endpoint_auth_method=method,
            scope=self._terms.scopes,
            redirect_uri=redirect,
            code_challenge_method="S256",
            timeout=STEP_SECONDS,
            verify=_authorities(),
            headers={"accept": "application/json", "accept-encoding": "identity", "user-agent": "errdex"},
            event_hooks={"response": [lambda response: bound(response, until)]},
        ) as client:
            yield client

    def _known(self, client: Any) -> Claims:
        """Return what the provider says of itself."""
        at, found = self._metadata
        if found and time.monotonic() - at < KEPT_SECONDS:
            return found
        found = json_at(client, f"{self.issuer.rstrip('/')}/.well-known/openid-configuration", "discovery")
        if found.get("issuer") != self.issuer:
            raise SignOnUntrusted("discovery: another issuer than ERRDEX_OIDC_ISSUER")
        is_secure = self.issuer.startswith("https://")
        for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
            if not is_address(found.get(name), is_secure):
                raise SignOnAway(f"discovery: no usable {name}")
        for name in ("userinfo_endpoint", "end_session_endpoint"):
            if not is_address(found.get(name), is_secure):
                found.pop(name, None)
        self._metadata = (time.monotonic(), found)
        client.token_endpoint_auth_method = _client_method(found) if self._terms.secret else "none"
        return found

    def _key_set(self, client: Any, found: Claims, *, anew: bool = False) -> Any:
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        at, keys = self._keys
        if keys is not None and not anew and time.monotonic() - at < KEPT_SECONDS:
            return keys
        given = json_at(client, found["jwks_uri"], "keys").get("keys")
        usable = [key for key in given if is_for_signatures(key)] if isinstance(given, list) else []
        try:
            keys = KeySet.import_key_set({"keys": usable})
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise SignOnAway("keys: none that can be read") from error
        self._keys = (time.monotonic(), keys)
        return keys

    def _verified(self, client: Any, found: Claims, token: Mapping[str, Any], nonce: str) -> Claims:
        """Return what an ID token says once it is proven. Raises `SignOnUntrusted`."""
        from authlib.oidc.core import CodeIDToken
        from joserfc.errors import JoseError

        decoded = self._decoded(client, found, str(token.get("id_token", "")))
        wanted = {"iss": self.issuer, "aud": self._terms.client_id, "nonce": nonce}
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            {name: {"essential": True, "values": [value]} for name, value in wanted.items()},
            {"nonce": nonce, "client_id": self._terms.client_id, "access_token": token.get("access_token")},
        )
        try:
            claims.validate(leeway=LEEWAY)
        except (JoseError, ValueError, TypeError) as error:
            raise SignOnUntrusted(f"ID token: {fault_of(error)}") from error
        return dict(claims)

    def _decoded(self, client: Any, found: Claims, text: str) -> Any:
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
        from joserfc.jws import JWSRegistry

        registry = JWSRegistry(algorithms=list(ALGORITHMS), strict_check_header=False)
        for anew in (False, True):
            keys = self._key_set(client, found, anew=anew)
            try:
                return jwt.decode(text, keys, registry=registry)
            except (InvalidKeyIdError, BadSignatureError) as error:
                # the provider may have taken another key meanwhile
                if anew:
                    raise SignOnUntrusted(f"ID token: {fault_of(error)}") from error
            except (JoseError, ValueError, TypeError) as error:
                raise SignOnUntrusted(f"ID token: {fault_of(error)}") from error
        raise AssertionError

    def _more(self, client: Any, found: Claims, claims: Claims) -> Claims:
        """Return what the provider's page about the person says besides; nothing where it is about somebody else."""
        wanted = [name for name in (*ABOUT, self._terms.groups_claim) if claim_of(claims, name) is None]
        if not wanted or "userinfo_endpoint" not in found or not client.token:
            return {}
        told = json_at(client, found["userinfo_endpoint"], "userinfo", withhold_token=False)
        if told.get("sub") != claims["sub"]:
            raise SignOnUntrusted("userinfo: another subject than in the ID token")
        more = {name: value for name, value in told.items() if name not in claims}
        if "email_verified" in claims:
            return more
        # an address and whether it is verified are taken from one place
        return more | {name: told.get(name) for name in ("email", "email_verified")}

    def _identity(self, claims: Claims) -> ProvenIdentity:
        subject, email = claims.get("sub"), claims.get("email")
        if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
            raise SignOnUntrusted("ID token: no usable subject")
        has_email = isinstance(email, str) and "@" in email and len(email) <= 254
        address = email.strip().lower() if isinstance(email, str) and has_email else ""
        names = (claims.get("preferred_username"), claims.get("name"), address.partition("@")[0])
        return ProvenIdentity(
            issuer=self.issuer,
            subject=subject,
            names=tuple(name.strip() for name in names if isinstance(name, str) and name.strip()),
            email=address if claims.get("email_verified") is True else "",
            groups=groups_in(claim_of(claims, self._terms.groups_claim)),
        )


def _token(client: Any, found: Claims, code: str, verifier: str) -> Mapping[str, Any]:
    """Return what the provider gives for a code that is good once."""
    from authlib.integrations.base_client import OAuthError

    try:
        with answering("token"):
            token = client.fetch_token(
                found["token_endpoint"], grant_type="authorization_code", code=code, code_verifier=verifier
            )
    except OAuthError as error:
        if error.error == "invalid_grant":
            # used before, too old, or made up
            raise SignOnOver("token: invalid_grant") from error
        raise SignOnUntrusted(f"token: {error_code(error.error)}") from error
    return token if isinstance(token, Mapping) else {}


def _need_issuer(issuer: str, found: Claims, answer: Mapping[str, str]) -> None:
    """Refuse an answer that another provider sent, where it says so (RFC 9207)."""
    is_missing = "iss" not in answer and found.get("authorization_response_iss_parameter_supported") is True
    if is_missing or answer.get("iss", issuer) != issuer:
        raise SignOnUntrusted("the answer is of another issuer")


def _client_method(found: Claims) -> str:
    """Return how the site proves who it is where its code is exchanged: in the head, unless only the body will do."""
    ways = found.get("token_endpoint_auth_methods_supported")
    only_body = isinstance(ways, list) and "client_secret_basic" not in ways and "client_secret_post" in ways
    return "client_secret_post" if only_body else "client_secret_basic"


@cache
def _authorities() -> SSLContext:
    """Return whom is believed about the provider's name; reading them takes longer than asking it."""
    return httpx2.create_ssl_context()
