"""Who may do what: the roles, the rules that a route can ask for, and the least role of each act.

A route says its rule where it is: a page as the second argument of its decorator, a route of the API with `requires`.
The application does not start while a route has none. `docs/permissions.md` is the table of them all, made from the
routes. `READING` and `SUBMITTING` stand for the role that the settings ask for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

Role = Literal["reader", "writer", "reviewer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
# A person whom `errdex user add` makes has this role.
DEFAULT_ROLE: Role = "reviewer"
Least = Literal["anyone", "reading", "submitting", "reader", "writer", "reviewer", "admin", "metrics"]

ANYONE: Least = "anyone"
# Anyone or a reader, as ERRDEX_READING says.
READING: Least = "reading"
# Anyone or a writer, as ERRDEX_SUBMITTING says.
SUBMITTING: Least = "submitting"
# Whoever has the token for the figures, see `app.web.authorization`.
METRICS: Least = "metrics"


@dataclass(frozen=True, slots=True)
class RouteRule:
    """What a route asks of its caller.

    `is_for_programs`: a refusal is a status and a problem document, where people are led to the page for signing in.
    `needs_session`: a token does not do, since what is done there is a person's alone.
    """

    least: Least
    is_for_programs: bool = False
    needs_session: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """What the settings say: whether everybody may read, and whether everybody may submit."""

    is_reading_open: bool
    is_submitting_open: bool

    def least(self, rule: RouteRule) -> Role | None:
        """Return the role that a rule asks for at least; None when everybody may."""
        match rule.least:
            case "anyone":
                return None
            case "reading":
                return None if self.is_reading_open else "reader"
            case "metrics":
                return None if self.is_reading_open else "admin"
            case "submitting":
                return None if self.is_submitting_open else "writer"
            case _:
                return rule.least


# The role that a token of each scope acts with at most. Each scope includes those before it.
SCOPES: Mapping[str, Role] = {"read": "reader", "submit": "writer", "review": "reviewer", "admin": "admin"}


def known_role(name: str) -> Role | None:
    """Return `name` when it is a role."""
    return next((role for role in ROLES if role == name), None)


def is_at_least(role: str, least: Role) -> bool:
    """Tell whether `role` may do what is allowed from `least` on; a role that nobody knows may do nothing."""
    known = known_role(role)
    return known is not None and ROLES.index(known) >= ROLES.index(least)


OPEN = RouteRule(ANYONE)
PAGE_READ, PAGE_SUBMIT = RouteRule(READING), RouteRule(SUBMITTING)
PROGRAM_READ, PROGRAM_SUBMIT = RouteRule(READING, is_for_programs=True), RouteRule(SUBMITTING, is_for_programs=True)
PROGRAM_METRICS = RouteRule(METRICS, is_for_programs=True)
REVIEW = RouteRule("reviewer")
PROGRAM_OPEN = RouteRule(ANYONE, is_for_programs=True)
PROGRAM_ADMIN = RouteRule("admin", is_for_programs=True)
# What concerns a person alone, and what changes others, is done by somebody who has signed in.
SELF, ADMIN = RouteRule("reader", needs_session=True), RouteRule("admin", needs_session=True)
# The attribute of a route's function that holds its rule.
_RULE = "errdex_rule"
_Endpoint = TypeVar("_Endpoint", bound=Callable[..., object])


def requires(rule: RouteRule) -> Callable[[_Endpoint], _Endpoint]:
    """Return a decorator that gives the function of a route its rule. Raises `ValueError` if it has another one."""

    def give(endpoint: _Endpoint) -> _Endpoint:
        if rule_of(endpoint) not in (None, rule):
            raise ValueError(f"{endpoint} serves two routes that ask for different roles")
        setattr(endpoint, _RULE, rule)
        return endpoint

    return give


def rule_of(endpoint: object) -> RouteRule | None:
    """Return the rule that the function of a route was given; None when it has none."""
    found: RouteRule | None = getattr(endpoint, _RULE, None)
    return found


Act = Literal["review", "administer"]
# The least role for what a page shows, or a service does, for only some of those who may open the page.
ACTS: Mapping[Act, Role] = {"review": "reviewer", "administer": "admin"}


def lower(one: str, other: Role) -> Role | None:
    """Return the role of the two that may less; None when the first one is none."""
    known = known_role(one)
    return None if known is None else min(known, other, key=ROLES.index)
