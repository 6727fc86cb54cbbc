"""What an address that leads nowhere could have meant."""

import re
from dataclasses import dataclass

from fastapi import Request
from rapidfuzz import fuzz, process
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from app.errors import Unavailable
from app.store import entries
from app.store.entries import Head
from app.store.session import reading
from app.web.services import services_of

SHOWN = 4
LIKE = 62
LONGEST = 170
_WORDS = re.compile(r"[^\W_]+")
# These parts of an address say nothing about what was looked for.
_FRAME = frozenset({"e", "p", "s", "join", "edit", "history", "md", "html"})


@dataclass(frozen=True, slots=True)
class NearAddress:
    """The words of an address, for the search, and entries with a similar one."""

    words: str
    heads: tuple[Head, ...]


def near(request: Request, path: str) -> NearAddress:
    """Return what `path`, an address below the language, could have meant."""
    path = path[:LONGEST].lower()
    words = " ".join(word for word in _WORDS.findall(path) if word not in _FRAME)
    if not path.startswith("/e/") or not words:
        return NearAddress(words, ())
    try:
        with reading(services_of(request).engine) as session:
            return NearAddress(words, _similar(session, path.removeprefix("/e/").removesuffix(".md")))
    except (Unavailable, SQLAlchemyError):
        return NearAddress(words, ())


def _similar(session: Session, slug: str) -> tuple[Head, ...]:
    project, _, name = slug.partition("/")
    slugs = entries.published(session)
    own = [one for one in slugs if one.startswith(f"{project}/")] or slugs
    names = {one: one.partition("/")[2].replace("-", " ") for one in own}
    found = process.extract(
        name.partition("/")[0].replace("-", " "), names, scorer=fuzz.token_sort_ratio, limit=SHOWN, score_cutoff=LIKE
    )
    order = [one for _, _, one in found]
    heads = {head.slug: head for head in entries.heads(session, slugs=order)}
    return tuple(heads[one] for one in order if one in heads)
