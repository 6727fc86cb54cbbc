"""Where the command line asks: the server of ERRDEX_URL, else the configured database. Both give the same values."""

import os
from typing import Any

from app.asking.answer_json import answer_json, match_json
from app.asking.answer_text import with_fix
from app.asking.ask import AnswerService
from app.asking.question_service import Questions
from app.cli.database import filled, settings
from app.cli.exits import NOTHING, Stop
from app.cli.output import note
from app.content.schema import EntryDocument
from app.errors import Moved, NotFound
from app.i18n import Lang
from app.store.session import reading
from app.wiki import publishing
from errdex_client import remote
from errdex_client.asking import restored
from errdex_client.config import read_config
from errdex_client.excerpts import Excerpt
from errdex_client.secrets import Masked


def is_remote() -> bool:
    """Tell whether a server is to be asked: one that the environment names, or the client's file if no database is.

    Raises `Misconfigured`.
    """
    found = read_config()
    return bool(found.url) and (found.source == "environment" or "ERRDEX_DATABASE_URL" not in os.environ)


def match(excerpt: Excerpt, lang: Lang, limit: int) -> dict[str, Any]:
    """Return the answer to a text, with the fix of each match; places are those of the whole text."""
    if is_remote():
        return remote.match(excerpt, lang, limit)
    with filled() as engine:
        found = AnswerService(Questions(engine)).ask(excerpt.text, lang, limit)
        answer = with_fix(answer_json(found, lang, settings().base_url), engine)
    # Nothing leaves the machine, so nothing is masked.
    return restored(answer, Masked(excerpt.text, ()), excerpt)


def search(words: str, lang: Lang, limit: int) -> list[dict[str, Any]]:
    """Return the entries for words, best first."""
    if is_remote():
        return remote.search(words, lang, limit)
    with filled() as engine:
        found = Questions(engine).search(words, lang, limit)
    return [match_json(match, lang, settings().base_url) for match in found]


def document(slug: str) -> dict[str, Any]:
    """Return an entry as JSON values, under the slug that it has now. Raises `Stop` when there is none."""
    if is_remote():
        return remote.show(slug)
    with filled() as engine, reading(engine) as session:
        try:
            found: EntryDocument = publishing.named(session, slug)[1]
        except Moved as moved:
            note(str(moved))
            found = publishing.named(session, moved.slug)[1]
        except NotFound:
            raise Stop(NOTHING, f"there is no entry {slug}; `errdex search` finds one by its words") from None
    return found.plain()
