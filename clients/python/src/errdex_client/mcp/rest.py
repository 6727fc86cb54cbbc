"""The REST API as the tools ask it: of a server far away, by `at`, or of an application in the server's own process."""

from asyncio import wrap_future
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from threading import Thread
from typing import Any, NamedTuple

from errdex_client.asking import ask as ask_match
from errdex_client.config import Config
from errdex_client.excerpts import excerpt_of
from errdex_client.secrets import mask_examples
from errdex_client.server import Refused, Server, Unreachable

# A question is waited for so many seconds; the server gives it up earlier.
PATIENCE = 60
# Whoever asks over standard streams is on this machine.
HERE = "http://127.0.0.1"
# Here a text is asked about.
MATCH = "/api/v1/match"


class Caller(NamedTuple):
    """The caller of a tool: the address of their machine, the address by which they know the site, their token, their
    languages.
    """

    address: str = "127.0.0.1"
    base: str = HERE
    authorization: str = ""
    languages: str = ""


class RestAnswer(NamedTuple):
    """A status and the JSON values that came with it."""

    status: int
    value: dict[str, Any]


# The arguments are method, path, query, JSON body and caller.
Rest = Callable[[str, str, dict[str, str], Any, Caller], Awaitable[RestAnswer]]


def at(url: str, token: str) -> Rest:
    """Return the API of the server at an address; `token` is sent to it unless it is empty.

    What looks secret in a text that is asked about, or in the examples of an entry that is proposed, is masked before.
    A server that does not answer is a status of 503.
    """
    config = Config(url, token)
    server = Server(url, token, PATIENCE)

    def asked(method: str, path: str, query: dict[str, str], body: Any) -> RestAnswer:
        try:
            if path == MATCH:
                excerpt = excerpt_of(body["text"])
                lang, limit = body["lang"], body["limit"]
                return RestAnswer(200, ask_match(excerpt, lang=lang, limit=limit, patience=PATIENCE, config=config))
            return RestAnswer(200, server.ask(method, path, query, without_secrets(body)))
        except Refused as refused:
            return RestAnswer(refused.status, refused.problem)
        except Unreachable as error:
            return RestAnswer(503, {"detail": str(error)})

    async def ask(method: str, path: str, query: dict[str, str], body: Any, _caller: Caller) -> RestAnswer:
        return await _beside(lambda: asked(method, path, query, body))

    return ask


def without_secrets(body: Any) -> Any:
    """Return a body with what looks secret in the examples of its entry masked, where it has one."""
    entry = body.get("entry") if isinstance(body, dict) else None
    return body | {"entry": mask_examples(entry)} if isinstance(entry, dict) else body


async def _beside(run: Callable[[], RestAnswer]) -> RestAnswer:
    """Run in a thread that nobody waits for once the question is given up, or the process ends."""
    found: Future[RestAnswer] = Future()

    def work() -> None:
        if found.set_running_or_notify_cancel():
            try:
                found.set_result(run())
            except BaseException as error:
                found.set_exception(error)

    Thread(target=work, name="errdex", daemon=True).start()
    return await wrap_future(found)
