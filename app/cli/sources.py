"""Where the command line asks: the server of ERRDEX_URL, else the configured database. Both give the same values."""

import os
from typing import Any

from app.asking.answer_json import answer_json, match_json
from app.asking.answer_text import with_fix
from app.asking.ask import AnswerService
from app.asking.question_service import Questions
from app.cli.addresses import address
from app.cli.database import filled, settings
from app.cli.exits import NOTHING, UNREACHABLE, USAGE, Stop
from app.cli.output import note
from app.content.schema import EntryDocument
from app.errors import Moved, NotFound
from app.i18n import Lang
from app.store.session import reading
from errdex_client import remote
from errdex_client.asking import restored
from errdex_client.config import read_config
from errdex_client.excerpts import Excerpt
from errdex_client.secrets import Masked

# the first status of those that say no, and of those that say that the server could not
BAD, BROKEN = 400, 500


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
    # It imports what compares passwords, which no other question needs.
    from app.wiki import publishing

    with filled() as engine, reading(engine) as session:
        try:
            found: EntryDocument = publishing.named(session, slug)[1]
        except Moved as moved:
            note(str(moved))
            found = publishing.named(session, moved.slug)[1]
        except NotFound:
            raise Stop(NOTHING, f"there is no entry {slug}; `errdex search` finds one by its words") from None
    return found.plain()


def submit(content: bytes, lang: Lang, submitter: str, text: str) -> dict[str, Any]:
    """Put an entry, read from JSON, into the queue; return what was received, `text` being for the reviewer.

    Raises `Stop`, `Ended`.
    """
    if is_remote():
        return remote.submit(content, lang, submitter, text)
    proposed = remote.proposal(content, lang, submitter, text)
    # What the API says of an entry it says here, too, so that it has to be said once.
    from asyncio import run

    from app.main import create_app
    from app.mcp.rest import inside
    from errdex_client.mcp.rest import Caller, RestAnswer

    with filled():
        pass
    found = settings()
    ask = inside(create_app(found))

    async def answered() -> RestAnswer:
        return await ask("POST", "/api/v1/submissions", {}, proposed, Caller(base=address(found), languages=lang))

    answer = run(answered())
    if answer.status >= BAD:
        told = [str(answer.value.get(key, "")).rstrip(".") for key in ("title", "detail")]
        fields = [f"{name}: {what}" for name, what in (answer.value.get("fields") or {}).items()]
        raise Stop(UNREACHABLE if answer.status >= BROKEN else USAGE, ". ".join(filter(None, [*told, *fields])))
    return answer.value
