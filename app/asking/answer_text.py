"""An answer with its fix, and in words: as markdown, for a terminal, for GitHub. All faces show an answer by this.

The words are put by `errdex_client.answer_text`, from the JSON alone, so that a client far away shows the same.
"""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine

from app.content.headings import SECTIONS
from app.content.outline import outline, sections
from app.i18n import LANGS, Lang
from app.store import entries
from app.store.session import reading
from errdex_client.answer_text import github, markdown, terminal_lines, word

__all__ = ["github", "markdown", "terminal_lines", "with_fix", "word"]

# An answer shows about so many characters of a section, cut where a paragraph, list item or code ends. The page has the
# rest.
LONGEST = 1_200
_HEADINGS = {
    name: {section.heading(lang) for section in SECTIONS if section.name == name for lang in LANGS}
    for name in ("cause", "fix")
}


def with_fix(answer: Mapping[str, Any], engine: Engine) -> dict[str, Any]:
    """Return an answer (as JSON values) whose matches have their `fix`; what is only related has none.

    Raises `Unavailable` when the database cannot be read.
    """
    found = answer["matches"]
    if not found:
        return dict(answer)
    with reading(engine) as session:
        documents = entries.documents_of(session, [match["slug"] for match in found])
    matches = [match | {"fix": _fix(documents.get(match["slug"]), match["lang"])} for match in found]
    return {**answer, "matches": matches}


def _fix(document: str | None, lang: Lang) -> dict[str, Any] | None:
    """Return what an entry says of cause and fix in a language; None when it was withdrawn a moment ago."""
    text = (json.loads(document).get(lang) or {}) if document else {}
    return fix_of(str(text["body"])) if text else None


def fix_of(body: str) -> dict[str, Any]:
    """Return cause and first steps of a text as markdown, and whether its page has more of them.

    A text with other headings, as that of a question may have, begins with its answer.
    """
    parts = {head.text: text for head, text in sections(body)}
    cause = next((parts[name] for name in parts if name in _HEADINGS["cause"]), "")
    steps = next((parts[name] for name in parts if name in _HEADINGS["fix"]), "")
    if not steps and not cause:
        steps = body.strip()
    short_cause, short_steps = beginning(cause), beginning(steps)
    return {"cause": short_cause, "steps": short_steps, "more": (short_cause, short_steps) != (cause, steps)}


def beginning(text: str, most: int = LONGEST) -> str:
    """Return the first blocks of a markdown text with about `most` characters, no code cut in two.

    The first block is there in any case, unless it is more than twice as long: then its first lines.
    """
    if len(text) <= most:
        return text
    lines = text.split("\n")
    inside = {line for block in outline(text).blocks for line in range(block.line, block.end + 1)}
    size = end = 0
    for number, line in enumerate(lines, 1):
        if number > 1 and number not in inside and (not line.strip() or line[:1].isdigit()):
            if end and size > most:
                break
            end = number - 1
        size += len(line) + 1
        if size > 2 * most and end:
            break
    kept = "\n".join(lines[:end]).rstrip() if end else ""
    return kept or text[:most].rpartition("\n")[0] or text[:most]
