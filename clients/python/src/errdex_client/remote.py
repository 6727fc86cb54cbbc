"""`match`, `search`, `show` and `submit` against a server, for this package's command and the full command line."""

from __future__ import annotations

import json
from typing import Any

from errdex_client.asking import ask
from errdex_client.config import Config, Misconfigured, read_config
from errdex_client.excerpts import Excerpt
from errdex_client.exits import NOTHING, UNREACHABLE, USAGE, Ended
from errdex_client.secrets import mask_examples

LARGEST_PROPOSAL = 1024 * 1024


def configured() -> Config:
    """Return the server that is to be asked. Raises `Ended`."""
    from errdex_client.asking import UNCONFIGURED

    try:
        found = read_config()
    except Misconfigured as error:
        raise Ended(USAGE, str(error)) from None
    if not found.url:
        raise Ended(UNREACHABLE, UNCONFIGURED)
    return found


def match(excerpt: Excerpt, lang: str, limit: int) -> dict[str, Any]:
    """Return the answer of the configured server. Raises `Ended`."""
    config = configured()
    return _asked(lambda: ask(excerpt, lang=lang, limit=limit, config=config))  # type: ignore[no-any-return]


def search(words: str, lang: str, limit: int) -> list[dict[str, Any]]:
    """Return the entries that the configured server finds for words. Raises `Ended`."""
    return _asked(lambda: _server().search(words, lang, limit))  # type: ignore[no-any-return]


def show(slug: str) -> dict[str, Any]:
    """Return an entry as `errdex show --json` prints it. Raises `Ended`."""
    from errdex_client.server import Refused

    server = _server()
    try:
        entry = _asked(lambda: server.entry(slug), keep=(404, 422))
    except Refused:
        raise Ended(NOTHING, f"there is no entry {slug}; `errdex search` finds one by its words") from None
    return {key: value for key, value in entry.items() if key not in ("revision", "url")}


def submit(content: bytes, lang: str, submitter: str, note: str) -> dict[str, Any]:
    """Propose an entry, read from JSON, and return what the server received. Raises `Ended`."""
    proposed = proposal(content, lang, submitter, note)
    return _asked(lambda: _server().submit(proposed))  # type: ignore[no-any-return]


def proposal(content: bytes, lang: str, submitter: str, note: str) -> dict[str, Any]:
    """Return what is proposed of an entry, read from JSON, as the API takes it. Raises `Ended`.

    What looks secret in its examples is masked.
    """
    try:
        plain = json.loads(content) if len(content) <= LARGEST_PROPOSAL else None
    except (ValueError, RecursionError) as error:
        raise Ended(USAGE, f"this is no JSON: {error}") from None
    if not isinstance(plain, dict):
        raise Ended(
            USAGE, f"an entry is one JSON object of at most {LARGEST_PROPOSAL:,} bytes, as `errdex show --json`"
        )
    entry = plain["entry"] if isinstance(plain.get("entry"), dict) else plain
    return {"entry": mask_examples(entry), "lang": lang, "submitter": submitter, "note": note}


def entry_text(entry: dict[str, Any], lang: str) -> str:
    """Return an entry as markdown in a language, or in the other one where it has none."""
    other = "en" if lang == "zh" else "zh"
    text = entry.get(lang) or entry.get(other) or {}
    return f"# {text.get('title', '')}\n\n{text.get('body', '')}\n"


def _server() -> Any:
    from errdex_client.server import Server

    found = configured()
    return Server(found.url, found.token)


def _asked(run: Any, keep: tuple[int, ...] = ()) -> Any:
    from errdex_client.server import Refused, Unreachable

    try:
        return run()
    except Unreachable as error:
        raise Ended(UNREACHABLE, str(error)) from None
    except Refused as error:
        if error.status in keep:
            raise
        away = error.status >= 500 or error.status in (401, 403, 429)
        raise Ended(UNREACHABLE if away else USAGE, f"the server refused: {error}") from None
