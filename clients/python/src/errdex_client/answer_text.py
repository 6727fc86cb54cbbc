"""An answer in words, made from its JSON alone: for a terminal, as markdown, for GitHub. The server uses it, too.

A line is a list of (text, style) pieces; styles are "", "bold", "dim", "good" and "fair".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, List, Tuple

from errdex_client.data import read_data

Line = List[Tuple[str, str]]
# Control characters of a pasted text must not reach the terminal of its reader.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
LONGEST_MESSAGE = 300
# Packages of a paste with their versions; a whole list of what is installed is not repeated.
MOST_VERSIONS = 12
_STYLES = {"high": "good", "likely": "fair", "low": "dim"}


@lru_cache(maxsize=None)
def _texts() -> Any:
    return read_data("texts.json")


def word(lang: str, key: str, **params: object) -> str:
    """Return the text `key` in a language ("zh", else English), with its placeholders filled."""
    text: str = _texts()["zh" if lang == "zh" else "en"][key]
    return text.format_map(params)


def plain(text: str) -> str:
    """Return a text without control characters other than tab and newline."""
    return _CONTROL.sub("", text)


def terminal_lines(answer: dict[str, Any], lang: str, *, explain: bool = False) -> list[Line]:
    """Return what a terminal shows of an answer: the first cause, then the entries with the reasons for them.

    `explain` adds the other errors, and the points of each reason.
    """
    errors = answer["report"]["errors"]
    shown = errors if explain else [error for error in errors if error["role"] == "cause"][:1]
    lines = [_error_line(error, lang) for error in shown]
    if seen := _versions_seen(answer):
        lines.append([(f"{word(lang, 'versions.seen')} {plain(seen)}", "")])
    if not answer["matches"]:
        lines.append([(word(lang, "answer-text.no-entry"), "")])
        # an older server does not know the way on
        if answer.get("next"):
            lines.append([(plain(f"{answer['next']['tracker']}: {answer['next']['url']}"), "")])
    for match in answer["matches"]:
        lines += _match_lines(match, lang, explain)
    if answer["related"]:
        lines += [], [(word(lang, "answer-text.related"), "")]
    for match in answer["related"]:
        lines += _match_lines(match, lang, explain)
    return lines


def _versions_seen(answer: dict[str, Any]) -> str:
    """Return what a paste tells of versions in a line: each package once, with all that were seen of it."""
    found: dict[str, dict[str, None]] = {}
    for one in answer["report"].get("versions", []):
        found.setdefault(one["package"], {})[one["version"]] = None
    return " · ".join([f"{package} {', '.join(versions)}" for package, versions in found.items()][:MOST_VERSIONS])


def _verdicts(match: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows on versions without those that say the same again: those of one pair, or of one package."""
    rows: dict[Any, dict[str, Any]] = {}
    for row in match.get("versions", []):
        pair = frozenset((row["package"], *row["with"]))
        rows.setdefault(pair if len(pair) > 1 else row["text"], row)
    return list(rows.values())


def _error_line(error: dict[str, Any], lang: str) -> Line:
    first = plain(error["message"].splitlines()[0] if error["message"] else "")[:LONGEST_MESSAGE]
    return [(f"{_role(error, lang)}: ", "bold"), (first, ""), (f"  [{error['line']}]", "dim")]


def _role(error: dict[str, Any], lang: str) -> str:
    # a newer server may know more roles
    known = f"role.{error['role']}" in _texts()["en"]
    return word(lang, f"role.{error['role']}") if known else str(error["role"])


def _confidence(match: dict[str, Any], lang: str) -> str:
    known = f"confidence.{match['confidence']}" in _texts()["en"]
    return word(lang, f"confidence.{match['confidence']}") if known else str(match["confidence"])


def _match_lines(match: dict[str, Any], lang: str, explain: bool) -> list[Line]:
    sure = f"{_confidence(match, lang)} {match['score']:g}"
    lines: list[Line] = [
        [],
        [(plain(match["title"]), "bold"), ("  ", ""), (sure, _STYLES.get(match["confidence"], ""))],
        [(f"  {match['slug']}", "")],
    ]
    for row in _verdicts(match):
        lines.append([(f"  {plain(row['text'])}", "" if row["verdict"] == "unknown" else "bold")])
    if match.get("why_not"):
        lines.append([(f"  - {plain(match['why_not'])}", "")])
    for reason in match["reasons"]:
        points = f"{reason['contribution']:+g} " if explain else ""
        lines.append([(f"  - {points}{plain(reason['text'])}", "")])
    fix = match.get("fix")
    if fix and match["confidence"] != "low":
        lines += _fix_lines(fix, lang)
    if not match["url"].startswith("/"):
        lines.append([(f"  {match['url']}", "dim")])
    return lines


def _fix_lines(fix: dict[str, Any], lang: str) -> list[Line]:
    lines: list[Line] = []
    for key in ("cause", "steps"):
        if fix.get(key):
            lines.append([(f"  {word(lang, 'answer-text.cause' if key == 'cause' else 'answer-text.fix')}:", "bold")])
            lines += [[(f"    {row}" if row else "", "")] for row in plain(fix[key]).splitlines()]
    if fix.get("more"):
        lines.append([(f"  {word(lang, 'answer-text.more')}", "dim")])
    return lines


def markdown(answer: dict[str, Any], lang: str) -> str:
    """Return it as markdown: the first cause, then entries with cause, fix and address, or that none is known."""
    parts: list[str] = []
    cause = next((error for error in answer["report"]["errors"] if error["role"] == "cause"), None)
    if cause and cause["message"]:
        first = plain(cause["message"].splitlines()[0])[:LONGEST_MESSAGE]
        parts.append(f"**{_role(cause, lang)}** ({cause['line']}): {_code(first)}")
    if not answer["matches"]:
        guess = f" {word(lang, 'answer-text.no-guess')}" if answer["related"] else ""
        parts.append(f"{word(lang, 'answer-text.no-entry')}{guess}")
        if answer.get("next"):
            parts.append(f"[{_link_text(answer['next']['tracker'])}]({answer['next']['url']})")
            parts.append(plain(answer["next"]["asks"]))
    parts += [_match_markdown(match, lang) for match in answer["matches"]]
    if answer["related"]:
        rows = [f"- [{_link_text(match['title'])}]({match['url']})" for match in answer["related"]]
        parts.append(word(lang, "answer-text.related") + "\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _match_markdown(match: dict[str, Any], lang: str) -> str:
    parts = [f"## [{_link_text(match['title'])}]({match['url']})", f"{_confidence(match, lang)} ({match['score']:g})"]
    parts += [plain(row["text"]) for row in _verdicts(match)]
    fix = match.get("fix") or {}
    if fix.get("cause"):
        parts.append(f"**{word(lang, 'answer-text.cause')}**\n\n{plain(fix['cause'])}")
    if fix.get("steps"):
        parts.append(f"**{word(lang, 'answer-text.fix')}**\n\n{plain(fix['steps'])}")
    if fix.get("more"):
        parts.append(f"{word(lang, 'answer-text.more')} {match['url']}")
    return "\n\n".join(parts)


def github(answer: dict[str, Any], lang: str) -> str:
    """Return the workflow command that shows the first match as an annotation; "" when there is none."""
    if not answer["matches"]:
        return ""
    match = answer["matches"][0]
    fix = match.get("fix") or {}
    text = "\n".join(part for part in (fix.get("cause", ""), fix.get("steps", ""), match["url"]) if part)
    return f"::error title={_property(plain(match['title']))}::{_escaped(plain(text))}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _code(text: str) -> str:
    """Return a text as code in a line, whatever backticks it holds."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    mark = "`" * (longest + 1)
    return f"{mark} {text} {mark}" if longest else f"`{text}`"


def _link_text(text: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", " ".join(plain(text).split()))
