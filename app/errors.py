"""What can go wrong for a caller: each error has a status, a stable key and parameters.

The words are in `app/texts/*.toml` under `error.<key>`; one handler renders them as a page or as problem+json.
"""

from collections.abc import Mapping
from typing import ClassVar


class ErrdexError(Exception):
    """Base of everything that is told to a caller.

    `key` names the texts and the problem type; `params` fill the placeholders of the texts.
    `fields` holds what is wrong with single inputs, as {field: text key}.
    """

    status: int = 500
    key: ClassVar[str] = "internal"
    # The answer has these header fields besides the usual ones.
    headers: ClassVar[Mapping[str, str]] = {}

    def __init__(self, *, fields: dict[str, str] | None = None, **params: str | int) -> None:
        super().__init__(f"{self.key} {params or ''}".strip())
        self.params = params
        self.fields = fields or {}


class NotFound(ErrdexError):
    """Nothing has this name. Parameter: `what`."""

    status, key = 404, "not-found"


class UnknownVersion(NotFound):
    """The API has no such version. Parameters: `asked`, and `known`, those there are."""

    key = "unknown-version"


class UnknownCursor(NotFound):
    """A list has no page with this cursor: it gave none like it with these filters."""

    key = "unknown-cursor"


class Moved(Exception):
    """An entry has another slug than the one that it was asked for by: `slug` instead of `former`.

    Each face leads to it in its own way: the site and the API redirect, the command line reads on.
    """

    def __init__(self, former: str, slug: str) -> None:
        super().__init__(f"{former} is now {slug}")
        self.former = former
        self.slug = slug


class BadInput(ErrdexError):
    """The request cannot be understood. Parameter: `detail`, a sentence for whoever sent it."""

    status, key = 422, "bad-input"


class UnknownParameter(ErrdexError):
    """The request has a query parameter or a JSON key that means nothing here. Parameter: `detail`, what was meant."""

    status, key = 422, "unknown-parameter"


class RefusedByFramework(BadInput):
    """The framework refused the request before a route saw it, with a status of its own. Parameter: `detail`."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail=detail)
        self.status = status


class MalformedBody(ErrdexError):
    """The body is not what its content type says. Parameter: `detail`."""

    status, key = 400, "malformed-body"


class MalformedHost(ErrdexError):
    """The request has no Host header, more than one, or one that names no host."""

    status, key = 400, "malformed-host"


class UnknownHost(ErrdexError):
    """The site does not go by the name in the Host header. Parameter: `host`, that name."""

    status, key = 421, "unknown-host"


class UnsupportedMedia(ErrdexError):
    """The content type is none of those that are read here. Parameter: `detail`, what to send instead."""

    status, key = 415, "unsupported-media"


class UnsupportedCoding(ErrdexError):
    """The body is compressed in a way that is not read here. Parameter: `coding`, what it said it was."""

    status, key = 415, "unsupported-coding"
    # RFC 9110, section 15.5.16, asks for this field.
    headers: ClassVar[Mapping[str, str]] = {"accept-encoding": "gzip, deflate, identity"}


class MethodNotAllowed(ErrdexError):
    """The address exists but does not take this method."""

    status, key = 405, "method-not-allowed"


class SlowBody(ErrdexError):
    """The body came with fewer than `rate` bytes a second, and the rest is not waited for."""

    status, key = 408, "slow-body"


class TooLarge(ErrdexError):
    """The body is larger than `limit` bytes."""

    status, key = 413, "too-large"


class TooManyFields(ErrdexError):
    """A form has more than `limit` fields; none of them was read."""

    status, key = 413, "too-many-fields"


class TooMany(ErrdexError):
    """Too many requests from one address. Parameter: `seconds` until the next try may succeed."""

    status, key = 429, "too-many"


class TooManySignIns(TooMany):
    """Too many wrong sign-ins from one address or for one name. Parameter: `seconds`, as for `TooMany`."""

    key = "too-many-sign-ins"


class SignInsBusy(TooMany):
    """So many others are signing in that this one found no place or its turn did not come. Parameter: `seconds`."""

    key = "sign-ins-busy"


class SignInNeeded(ErrdexError):
    """Only a person who has signed in may do this, or a program with a token of theirs."""

    status, key = 401, "sign-in-needed"
    # RFC 6750, section 3, asks for this field.
    headers: ClassVar[Mapping[str, str]] = {"www-authenticate": "Bearer"}


class TokenRefused(ErrdexError):
    """A token that nobody has, such as one that was mistyped. Subclasses say what else can be wrong with one."""

    status, key = 401, "token-unknown"
    headers: ClassVar[Mapping[str, str]] = {"www-authenticate": 'Bearer error="invalid_token"'}


class TokenExpired(TokenRefused):
    """The time of the token is over. Parameter: `day`, its last one."""

    key = "token-expired"


class TokenRevoked(TokenRefused):
    """The token was revoked."""

    key = "token-revoked"


class TokenOwnerGone(TokenRefused):
    """The owner of the token was deactivated or removed, so nobody can make another one of theirs."""

    key = "token-owner-gone"


class LinkOver(ErrdexError):
    """A one-time link that was used already, is too old, or was never made."""

    status, key = 410, "link-over"


class LastAdmin(ErrdexError):
    """Without this person nobody could administer the site."""

    status, key = 409, "last-admin"


class WrongCredentials(ErrdexError):
    """Name and password do not belong together."""

    status, key = 401, "wrong-credentials"


class PasswordsOff(ErrdexError):
    """Nobody signs in with a password here, as the settings say."""

    status, key = 403, "passwords-off"


class SignOnFailed(ErrdexError):
    """Signing in at the identity provider did not succeed; subclasses say why. Parameters: none.

    `reason` is a few words for the log, and nothing that a person typed.
    """

    status, key = 502, "sign-on-failed"

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        self.reason = reason


class SignOnAway(SignOnFailed):
    """The provider cannot be reached, or answers something that is not OpenID Connect."""

    status, key = 503, "sign-on-away"


class SignOnOver(SignOnFailed):
    """What came back from the provider belongs to no sign-in that this browser began in the last ten minutes."""

    status, key = 400, "sign-on-over"


class SignOnDeclined(SignOnFailed):
    """The provider let the person in not at all, or they changed their mind."""

    status, key = 403, "sign-on-declined"


class SignOnUntrusted(SignOnFailed):
    """What the provider says about the person cannot be verified."""

    status, key = 502, "sign-on-untrusted"


class SignOnUnverified(SignOnFailed):
    """The provider has not verified an e-mail address of the person, and only some domains may sign on."""

    status, key = 403, "sign-on-unverified"


class SignOnDomain(SignOnFailed):
    """The e-mail address of the person is in none of the domains that may sign on."""

    status, key = 403, "sign-on-domain"


class SignOnGroup(SignOnFailed):
    """The person is in none of the groups that have a role here."""

    status, key = 403, "sign-on-group"


class SignOnDeactivated(SignOnFailed):
    """The person was deactivated here."""

    status, key = 403, "sign-on-deactivated"


class Forbidden(ErrdexError):
    """The person is known but may not do this."""

    status, key = 403, "forbidden"


class CrossSite(ErrdexError):
    """A form was sent from another site."""

    status, key = 403, "cross-site"


class Conflict(ErrdexError):
    """Someone else changed this in the meantime; nothing was written."""

    status, key = 409, "conflict"


class Unavailable(ErrdexError):
    """The database did not take the request; nothing was written."""

    status, key = 503, "unavailable"


class TooSlow(ErrdexError):
    """The question took longer than `limit` seconds and was given up; asking writes nothing."""

    status, key = 503, "too-slow"


class Crowded(ErrdexError):
    """So many large bodies are being read or answered that another one would not fit; nothing was written."""

    status, key = 503, "crowded"
