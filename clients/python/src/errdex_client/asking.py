"""One question: what is sent of a text, and the answer as if the whole text had been sent."""

from __future__ import annotations

from typing import Any

from errdex_client.config import Config, read_config
from errdex_client.excerpts import Excerpt
from errdex_client.secrets import Masked, mask

UNCONFIGURED = "no server is configured; set ERRDEX_URL to its address, for example http://errdex.lan:8000"


def ask(
    excerpt: Excerpt,
    *,
    lang: str = "en",
    limit: int = 5,
    patience: float | None = None,
    config: Config | None = None,
) -> dict[str, Any]:
    """Return the answer to a text of which `excerpt` is what tells; spans and lines are those of the text itself.

    Raises `Unreachable`, `Refused`, `Misconfigured`.
    """
    from errdex_client.server import PATIENCE, Server, Unreachable

    found = config or read_config()
    if not found.url:
        raise Unreachable(UNCONFIGURED)
    masked = mask(excerpt.text)
    server = Server(found.url, found.token, PATIENCE if patience is None else patience)
    return restored(server.match(masked.text, lang, limit), masked, excerpt)


def restored(answer: dict[str, Any], masked: Masked, excerpt: Excerpt) -> dict[str, Any]:
    """Return an answer to what was sent with the spans and lines of the text that it was made from."""
    if not masked.passes and not excerpt.trimmed:
        return answer
    begins = [0]
    at = masked.text.find("\n")
    while at >= 0:
        begins.append(at + 1)
        at = masked.text.find("\n", at + 1)

    def span(sent: list[int]) -> list[int]:
        start, end = masked.start(sent[0]), masked.end(sent[1])
        return [excerpt.stretches.start(start), excerpt.stretches.end(end)]

    def line(sent: int) -> int:
        return excerpt.line(masked.start(begins[min(max(sent, 1), len(begins)) - 1]))

    matches = [_match(match, span) for match in answer["matches"]]
    related = [_match(match, span) for match in answer["related"]]
    report = answer["report"]
    errors = [{**error, "line": line(error["line"]), "span": span(error["span"])} for error in report["errors"]]
    seen = {
        **report,
        "errors": errors,
        "lines": excerpt.lines,
        "truncated": bool(report["truncated"] or excerpt.trimmed),
    }
    # An older server tells nothing of versions.
    if "versions" in report:
        seen["versions"] = [{**row, "span": span(row["span"])} for row in report["versions"]]
    return {**answer, "matches": matches, "related": related, "report": seen}


def _match(match: dict[str, Any], span: Any) -> dict[str, Any]:
    reasons = [{**reason, "spans": [span(one) for one in reason["spans"]]} for reason in match["reasons"]]
    return {**match, "reasons": reasons}
