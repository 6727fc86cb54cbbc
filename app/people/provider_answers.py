"""What an identity provider answers: bounded in size and time, and taken apart without trust in its form."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

from app.errors import SignOnAway

# bytes of an answer; those of real providers have a few thousand
LARGEST_ANSWER = 1024 * 1024
MOST_GROUPS, LONGEST_GROUP = 2000, 256
_CODE = re.compile(r"[a-z_]{1,40}")
Claims = dict[str, Any]


def bound(response: httpx2.Response, until: float) -> None:
    """Have an answer given up when it is compressed, too large, or not there at a moment of the monotonic clock.

    Raises `SignOnAway`, now or while it is read.
    """
    if response.headers.get("content-encoding", "identity") != "identity":
        raise SignOnAway("an answer that is compressed, which was not asked for")
    response.stream = _BoundedStream(response.stream, until)


class _BoundedStream(httpx2.SyncByteStream):
    """The body of an answer, given up when it is too large or comes too slowly."""

    def __init__(self, stream: Any, until: float) -> None:
        self._stream = stream
        self._until = until

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > LARGEST_ANSWER:
                raise SignOnAway(f"an answer of more than {LARGEST_ANSWER} bytes")
            if time.monotonic() > self._until:
                raise SignOnAway("an answer that came too slowly")
            yield chunk

    def close(self) -> None:
        self._stream.close()


@contextmanager
def answering(what: str) -> Iterator[None]:
    """Raise `SignOnAway` for a provider that does not answer in the block, or with nothing that can be read."""
    try:
        yield
    except httpx2.HTTPStatusError as error:
        raise SignOnAway(f"{what}: status {error.response.status_code}") from error
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise SignOnAway(f"{what}: {type(error).__name__}") from error


def json_at(client: Any, address: str, what: str, *, withhold_token: bool = True) -> Claims:
    """Return the JSON object at an address of the provider. Raises `SignOnAway`."""
    with answering(what):
        answer = client.request("GET", address, withhold_token=withhold_token)
        answer.raise_for_status()
        found = answer.json()
    if not isinstance(found, dict):
        raise SignOnAway(f"{what}: no JSON object")
    return found


def is_address(value: object, is_secure: bool) -> bool:
    """Tell whether something is an address that may be asked; over https only where the provider itself is."""
    return isinstance(value, str) and value.startswith("https://" if is_secure else ("https://", "http://"))


def is_for_signatures(key: object) -> bool:
    """Tell whether a key can be one of a pair that signs."""
    return isinstance(key, dict) and key.get("kty") != "oct" and key.get("use", "sig") == "sig"


def claim_of(claims: Claims, name: str) -> object:
    """Return a claim: by its whole name, else by the way of names with dots between."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def groups_in(value: object) -> frozenset[str]:
    """Return the names of groups in a claim: a list, or one alone."""
    listed = value if isinstance(value, list) else [value]
    return frozenset(one for one in listed[:MOST_GROUPS] if isinstance(one, str) and len(one) <= LONGEST_GROUP)


def error_code(text: object) -> str:
    """Return an error code of OAuth, which is safe to log; anything else is not repeated."""
    return text if isinstance(text, str) and _CODE.fullmatch(text) else "an unknown error"


def fault_of(error: Exception) -> str:
    """Return what a library found wrong, without any value: the kind of error and the claim that it names."""
    claim = getattr(error, "claim", "")
    return f"{type(error).__name__}{f' ({claim})' if isinstance(claim, str) and claim.isidentifier() else ''}"
