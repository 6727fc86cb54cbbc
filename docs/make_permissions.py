"""Writes `docs/permissions.md`, the table of who may what: `python -m docs.make_permissions`."""

from app.config import ROOT, Settings
from app.main import create_app
from app.people.permissions import ACTS
from app.web.routes import route_rules

PAGE = ROOT / "docs" / "permissions.md"
HEAD = """\
# Who may what

Every route with the least role that may call it, and the acts that only some of those who may open a page can do. Each
role may what those before it may: anyone, reader, writer, reviewer, admin.

- `reading`: anyone, or a reader where `ERRDEX_READING=members`.
- `submitting`: anyone, or a writer where `ERRDEX_SUBMITTING=members`.
- `metrics`: where `ERRDEX_METRICS_TOKEN` is set, whoever sends it, or an admin. Else anyone, or an admin where
  `ERRDEX_READING=members`.

Who may not is led to the page for signing in, or, where a program asks, gets a status and a problem document. What
needs a session is not done with a token. Static files are everybody's; `/mcp` asks the routes of the API.

Written by `python -m docs.make_permissions` from the routes, each of which says its rule where it is declared
(`app/people/permissions.py` has the rules).
"""


def page() -> str:
    """Return the page that the routes of today make."""
    lines = [HEAD, "| method | address | least role | refused with | needs a session |", "|---|---|---|---|---|"]
    for (method, address), rule in route_rules(create_app(Settings())).items():
        refused = "" if rule.least == "anyone" else "a status" if rule.is_for_programs else "the page for signing in"
        session = "yes" if rule.needs_session else ""
        lines.append(f"| {method} | `{address}` | {rule.least} | {refused} | {session} |")
    lines += ["", "| act | least role |", "|---|---|", *(f"| {act} | {role} |" for act, role in ACTS.items())]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
