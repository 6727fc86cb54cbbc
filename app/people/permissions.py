"""Who may do what: the roles, and the least role for each route and each act. The only place that says so.

A new route needs a row here. One that has none is an admin's, and a test names it. To write a row: the method, the
template of the address as the route has it, and what the caller must be at least. `READING` and `SUBMITTING` stand for
the role that the settings ask for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Role = Literal["reader", "writer", "reviewer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
# of whom `errdex user add` makes
DEFAULT_ROLE: Role = "reviewer"
Least = Literal["anyone", "reading", "submitting", "reader", "writer", "reviewer", "admin", "metrics"]

ANYONE: Least = "anyone"
# anyone or a reader, as ERRDEX_READING says
READING: Least = "reading"
# anyone or a writer, as ERRDEX_SUBMITTING says
SUBMITTING: Least = "submitting"
# who has the token for it, see `app.web.authorization`
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


# what a token of each scope may at most; each scope holds those before it
SCOPES: Mapping[str, Role] = {"read": "reader", "submit": "writer", "review": "reviewer", "admin": "admin"}


def known_role(name: str) -> Role | None:
    """Return `name` when it is a role."""
    return next((role for role in ROLES if role == name), None)


def is_at_least(role: str, least: Role) -> bool:
    """Tell whether `role` may do what is allowed from `least` on; a role that nobody knows may do nothing."""
    known = known_role(role)
    return known is not None and ROLES.index(known) >= ROLES.index(least)


_PAGE_READ, _PAGE_SUBMIT = RouteRule(READING), RouteRule(SUBMITTING)
_READ, _SUBMIT = RouteRule(READING, is_for_programs=True), RouteRule(SUBMITTING, is_for_programs=True)
_ANYONE = RouteRule(ANYONE)
_REVIEW = RouteRule("reviewer")
_SELF = RouteRule("reader", needs_session=True)
_ADMIN = RouteRule("admin", needs_session=True)
_ENTRY, _API = "/{lang}/e/{project}/{name}", "/api/v1"

ROUTES: Mapping[tuple[str, str], RouteRule] = {
    # nothing of the content
    ("GET", "/"): _ANYONE,
    ("GET", "/favicon.ico"): _ANYONE,
    ("GET", "/robots.txt"): _ANYONE,
    ("GET", "/healthz"): _ANYONE,
    ("GET", "/readyz"): _ANYONE,
    ("GET", "/openapi.json"): _ANYONE,
    ("GET", "/metrics"): RouteRule(METRICS, is_for_programs=True),
    ("GET", "/{lang}/sign-in"): _ANYONE,
    ("POST", "/{lang}/sign-in"): _ANYONE,
    ("POST", "/{lang}/sign-out"): _ANYONE,
    # whoever has the link of a submission sees what they wrote
    ("GET", "/{lang}/s/{token}"): _ANYONE,
    ("GET", _API + "/submissions/{token}"): _ANYONE,
    # reading, asking, and saying whether it helped
    ("GET", "/{lang}/"): _PAGE_READ,
    ("POST", "/{lang}/match"): _PAGE_READ,
    ("GET", "/{lang}/match"): _PAGE_READ,
    ("GET", "/{lang}/search"): _PAGE_READ,
    ("GET", "/{lang}/search/found"): _READ,
    ("GET", "/{lang}/search/typing"): _READ,
    ("GET", "/{lang}/suggest"): _READ,
    ("GET", "/{lang}/browse"): _PAGE_READ,
    ("GET", "/{lang}/p/{project}"): _PAGE_READ,
    ("GET", "/{lang}/changes"): _PAGE_READ,
    ("GET", "/{lang}/changes.atom"): _READ,
    ("GET", "/{lang}/opensearch.xml"): _READ,
    ("GET", "/sitemap.xml"): _READ,
    ("GET", "/sitemap-{number}.xml"): _READ,
    ("GET", "/{lang}/wanted"): _PAGE_READ,
    ("POST", "/{lang}/wanted/too"): _PAGE_READ,
    ("GET", _ENTRY): _PAGE_READ,
    ("GET", _ENTRY + ".md"): _PAGE_READ,
    ("GET", _ENTRY + "/history"): _PAGE_READ,
    ("GET", _ENTRY + "/history/{number}"): _PAGE_READ,
    ("GET", _ENTRY + "/feedback"): _PAGE_READ,
    ("POST", _ENTRY + "/feedback"): _PAGE_READ,
    ("POST", _API + "/match"): _READ,
    ("GET", _API + "/search"): _READ,
    ("GET", _API + "/entries"): _READ,
    ("GET", _API + "/entries/{project}/{name}"): _READ,
    ("GET", _API + "/entries/{project}/{name}/revisions"): _READ,
    ("GET", _API + "/entries/{project}/{name}/revisions/{number}"): _READ,
    ("POST", _API + "/entries/{project}/{name}/feedback"): _READ,
    # proposing
    ("GET", "/{lang}/submit"): _PAGE_SUBMIT,
    ("POST", "/{lang}/submit"): _PAGE_SUBMIT,
    ("GET", "/{lang}/submit/draft"): _PAGE_SUBMIT,
    ("POST", "/{lang}/submit/draft"): _PAGE_SUBMIT,
    ("GET", "/{lang}/submit/switch"): _PAGE_SUBMIT,
    ("POST", "/{lang}/submit/switch"): _PAGE_SUBMIT,
    ("GET", "/{lang}/s/{token}/again"): _PAGE_SUBMIT,
    ("GET", _ENTRY + "/edit"): _PAGE_SUBMIT,
    ("POST", _API + "/submissions"): _SUBMIT,
    # deciding
    ("GET", "/{lang}/review"): _REVIEW,
    ("GET", "/{lang}/review/{number}"): _REVIEW,
    ("POST", "/{lang}/review/{number}/approve"): _REVIEW,
    ("POST", "/{lang}/review/{number}/reject"): _REVIEW,
    ("GET", "/{lang}/review/{number}/amend"): _REVIEW,
    ("POST", "/{lang}/review/{number}/amend"): _REVIEW,
    ("GET", "/{lang}/review/{number}/amend/switch"): _REVIEW,
    ("POST", "/{lang}/review/{number}/amend/switch"): _REVIEW,
    ("GET", "/{lang}/review/feedback"): _REVIEW,
    ("POST", "/{lang}/review/feedback/{number}/seen"): _REVIEW,
    ("POST", "/{lang}/wanted/dismiss"): _REVIEW,
    ("POST", "/{lang}/wanted/release"): _REVIEW,
    ("POST", "/{lang}/wanted/withdraw"): _REVIEW,
    ("POST", _ENTRY + "/history/{number}/restore"): _REVIEW,
    # a one-time link lets its bearer in
    ("GET", "/{lang}/join/{token}"): _ANYONE,
    ("POST", "/{lang}/join/{token}"): _ANYONE,
    # oneself
    ("GET", "/{lang}/account"): _SELF,
    ("POST", "/{lang}/account/password"): _SELF,
    ("POST", "/{lang}/account/language"): _SELF,
    ("POST", "/{lang}/account/sessions"): _SELF,
    ("POST", "/{lang}/account/tokens"): _SELF,
    ("POST", "/{lang}/account/tokens/{number}/revoke"): _SELF,
    # the others
    ("GET", "/{lang}/people"): _ADMIN,
    ("POST", "/{lang}/people"): _ADMIN,
    ("GET", "/{lang}/people/{number}"): _ADMIN,
    ("POST", "/{lang}/people/{number}/role"): _ADMIN,
    ("POST", "/{lang}/people/{number}/state"): _ADMIN,
    ("POST", "/{lang}/people/{number}/reset"): _ADMIN,
    ("POST", "/{lang}/people/{number}/sessions"): _ADMIN,
    ("POST", "/{lang}/people/{number}/remove"): _ADMIN,
    ("GET", "/{lang}/audit"): _ADMIN,
}

Act = Literal["review", "administer"]
# what a page shows, or a service does, for some of those who may open it
ACTS: Mapping[Act, Role] = {"review": "reviewer", "administer": "admin"}


def lower(one: str, other: Role) -> Role | None:
    """Return the role of the two that may less; None when the first one is none."""
    known = known_role(one)
    return None if known is None else min(known, other, key=ROLES.index)


def rule_of(method: str, route: str) -> RouteRule:
    """Return the rule of a route, of which HEAD is a GET; one that has none is an admin's."""
    return ROUTES.get(("GET" if method == "HEAD" else method, route), RouteRule("admin", is_for_programs=True))
