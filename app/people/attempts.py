"""How often somebody may try to sign in: wrong tries are counted by address and by account, for all workers together.

A right try takes its count back. Counts live in the database under digests, never under an address or a name itself.
An account is slowed and never locked: once it had `FREE` wrong tries, each address waits for its own turn at it, for
30 seconds at most, whatever others do meanwhile. An address from which somebody signed in to the account within 30 days
has a count of its own, so that no stranger can slow its owner there.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from limits import RateLimitItem
from sqlmodel import Session

from app.people.accounts import digest
from app.store import sign_ins
from app.store.people_tables import SignInCount

# An account is slowed after so many wrong tries: as many as somebody needs who remembers one of several passwords.
FREE = 5
# The wait doubles from one second up to so many seconds.
LONGEST_WAIT = 30
# Wrong tries on an account count until so long after the last of them.
COUNTED = timedelta(minutes=15)
# An address is known to an account for so long after its last right try.
KNOWN = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Keys:
    """The digests under which a try is counted; `turn` is the address's own turn at an account that is slowed."""

    address: str
    account: str
    turn: str
    is_known: bool


def keys_of(session: Session, name: str, group: str, secret: str, at: datetime) -> Keys:
    """Return the keys of a try with this name from this group of addresses."""
    address = _key(secret, "address", group)
    is_known = sign_ins.is_known(session, name, address, at - KNOWN)
    whose = (name, group) if is_known else (name,)
    return Keys(address, _key(secret, "account", *whose), _key(secret, "turn", name, group), is_known)


def _key(secret: str, *parts: str) -> str:
    # No part holds a NUL, so two different lists never make the same text.
    return digest("\0".join(parts), secret)


def seconds_refused(session: Session, keys: Keys, rate: RateLimitItem, at: datetime) -> int:
    """Return for how long a try is refused already, as far as looking tells; 0 when `count` decides."""
    address = sign_ins.count_of(session, keys.address)
    if address and (wait := _over(address, rate, at)):
        return wait
    account, turn = (sign_ins.count_of(session, key) for key in (keys.account, keys.turn))
    return _until(turn, at) if turn and account and _is_slowed(account, at) else 0


def count(session: Session, keys: Keys, rate: RateLimitItem, at: datetime) -> int:
    """Count a try as a wrong one and return 0, or the seconds to wait before the next one when it is refused.

    `rate` is the limit of an address. Rows are taken in the same order by everybody, so that nobody waits in a circle.
    """
    address = _started(sign_ins.held_count(session, keys.address, at), at, timedelta(seconds=rate.get_expiry()))
    if wait := _over(address, rate, at):
        return wait
    account = _started(sign_ins.held_count(session, keys.account, at), at, COUNTED)
    if account.number >= FREE and (wait := _wait_for_turn(session, keys.turn, account.number, at)):
        return wait
    address.number += 1
    account.number += 1
    account.until = at + COUNTED
    session.flush()
    sign_ins.forget_counts(session, at - COUNTED)
    return 0


def take_back(session: Session, keys: Keys, at: datetime) -> None:
    """Undo the count of a try that was right; at an address that was known, all of its wrong ones with it."""
    for key in (keys.address, keys.account):
        row = sign_ins.held_count(session, key, at)
        row.number = max(0, row.number - 1)
    if keys.is_known:
        row.number = 0


def keep_known(session: Session, person: int, keys: Keys, at: datetime) -> None:
    """Note that the address is one of this person's, and forget addresses that nobody has used for long."""
    sign_ins.forget_known(session, at - KNOWN)
    sign_ins.keep_known(session, person, keys.address, at)


def _started(row: SignInCount, at: datetime, length: timedelta) -> SignInCount:
    """Return a row, counting from 0 again for `length` when its time is over."""
    if row.until <= at:
        row.number, row.until = 0, at + length
    return row


def _over(address: SignInCount, rate: RateLimitItem, at: datetime) -> int:
    return _until(address, at) if address.number >= rate.amount else 0


def _is_slowed(account: SignInCount, at: datetime) -> bool:
    return account.number >= FREE and account.until > at


def _wait_for_turn(session: Session, key: str, wrong: int, at: datetime) -> int:
    """Return the seconds until the turn of an address at an account with so many wrong tries; 0 when it is now."""
    turn = sign_ins.held_count(session, key, at)
    if wait := _until(turn, at):
        return wait
    is_new = turn.number == 0
    turn.number = 1
    turn.until = at + timedelta(seconds=min(LONGEST_WAIT, 2 ** min(wrong - FREE, LONGEST_WAIT)))
    return _until(turn, at) if is_new else 0


def _until(row: SignInCount, at: datetime) -> int:
    return max(0, math.ceil((row.until - at).total_seconds()))
