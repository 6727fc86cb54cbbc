"""Passwords: which ones are taken, how they are kept, and whether one is right.

Making and comparing a hash takes a tenth of a second and 64 MiB on purpose: never do it inside a transaction.
"""

from functools import cache

from pwdlib import PasswordHash

from app.errors import BadInput

SHORTEST = 10
LONGEST = 1000
# The scores of zxcvbn go from 0 to 4. From 2 on guessing takes more than a million tries.
LEAST_SCORE = 2
# Characters that zxcvbn estimates by; it takes no more. Such a length takes a tenth of a second at most.
ESTIMATED = 72
# Everybody who guesses passwords of this site tries these words.
_SITE = ("errdex", "报错图鉴")
_hasher = PasswordHash.recommended()


def hash_new(password: str, name: str) -> str:
    """Return what is kept of a new password of the person `name`.

    Raises `BadInput`, which says what to do, when it does not have 10 to 1000 characters or is easy to guess.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInput(detail=f"a password has {SHORTEST} to {LONGEST} characters")
    if reason := _weakness(password, name):
        raise BadInput(detail=reason)
    return _hasher.hash(password)


def _weakness(password: str, name: str) -> str:
    """Return why a password is easy to guess and what to do about it; empty when it is not."""
    # It is imported late, for its lists of words take longer to load than most commands take to answer.
    from zxcvbn import zxcvbn

    found = zxcvbn(password[:ESTIMATED], user_inputs=[*_SITE, name[:ESTIMATED]])
    if found["score"] >= LEAST_SCORE:
        return ""
    # The reason may be missing, and may or may not end with a full stop.
    reason = str(found["feedback"]["warning"] or "").strip().rstrip(".")
    return (
        f"this password is easy to guess{f' ({reason[0].lower()}{reason[1:]})' if reason else ''}; "
        "take four or more words that do not belong together, or have a password manager make one"
    )


def fits(password: str, kept: str | None) -> bool:
    """Tell whether `hash_new` made `kept` from this password. Without `kept` the answer is no, and takes as long."""
    nobody = _nobody()
    if len(password) > LONGEST:
        return False
    return _hasher.verify(password, kept or nobody) and kept is not None


@cache
def _nobody() -> str:
    """Return the hash that a password is compared with when nobody has the name."""
    return _hasher.hash("nobody has this password")
