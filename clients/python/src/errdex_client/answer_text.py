"""An answer in words, made from its JSON alone: for a terminal, as markdown, for GitHub. The server uses it, too.

A line is a list of (text, style) pieces; styles are "", "bold", "dim", "good" and "fair".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Iterable, List, Mapping, Tuple

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


def received(answer: dict[str, Any], lang: str) -> str:
    """Return what is said of a submission that the server took, or has already from somebody else."""
    # The page of a submission is for whoever sent it first.
    key = "answer-text.received" if answer["url"] else "answer-text.waits"
    return plain(word(lang, key, slug=answer.get("slug", ""), url=answer["url"] or ""))


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
    # An older server tells nothing of versions.
    if seen := versions_seen(answer["report"].get("versions", []), MOST_VERSIONS):
        packages = " · ".join(text for text, _ in seen)
        lines.append([(f"{word(lang, 'versions.seen')} {plain(packages)}", "")])
    if not answer["matches"]:
        lines.append([(word(lang, "answer-text.no-entry"), "")])
        # An older server sends no way on.
        if answer.get("next"):
            lines.append([(plain(f"{answer['next']['tracker']}: {answer['next']['url']}"), "")])
    for match in answer["matches"]:
        lines += _match_lines(match, lang, explain)
    if answer["related"]:
        lines += [], [(word(lang, "answer-text.related"), "")]
    for match in answer["related"]:
        lines += _match_lines(match, lang, explain)
    return lines


def versions_seen(rows: Iterable[Mapping[str, Any]], most: int) -> list[tuple[str, bool]]:
    """Return the first `most` packages of the rows `report.versions` of an answer, each once with all its versions.

    The second of each is whether there are several versions.
    """
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        found.setdefault(row["package"], {})[row["version"]] = None
    return [(f"{package} {', '.join(versions)}", len(versions) > 1) for package, versions in found.items()][:most]


def distinct_verdicts(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows `versions` of a match without those that say the same again.

    The versions of a pair have a row for each of its packages, and a package a row for each version that was seen.
    """
    found: dict[Any, Mapping[str, Any]] = {}
    for row in rows:
        pair = frozenset((row["package"], *row["with"]))
        found.setdefault(pair if len(pair) > 1 else row["text"], row)
    return list(found.values())


def _error_line(error: dict[str, Any], lang: str) -> Line:
    first = plain(error["message"].splitlines()[0] if error["message"] else "")[:LONGEST_MESSAGE]
    return [(f"{_role(error, lang)}: ", "bold"), (first, ""), (f"  [{error['line']}]", "dim")]


def _role(error: dict[str, Any], lang: str) -> str:
    # A newer server may send roles that this client does not know.
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
    for row in distinct_verdicts(match.get("versions", [])):
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
    parts += [plain(row["text"]) for row in distinct_verdicts(match.get("versions", []))]
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
