"""An Errdex server over its REST API: within a few seconds, and whatever its version."""

from __future__ import annotations

import json
from typing import Any, Callable

from errdex_client import __version__

# One question may take so many seconds, from looking up the host name to the last byte.
PATIENCE = 5.0
# At most so many bytes of an answer are read.
LONGEST = 32 * 1024 * 1024
# the status for who shows no token, or one that is good for nothing
NOT_KNOWN = 401
# what the types of problems begin with; an older server says the second
_PROBLEMS = ("/problems/", "urn:errdex:problem:")
_WHERE_FROM = "The token is that of ERRDEX_TOKEN, or of the file of the client"
_STRANGE = "what answers there is no Errdex server, or one of another kind"
# A server may be too old to know these parameters.
_OPTIONAL = ("include",)


class Unreachable(Exception):
    """No server is configured, none answered in time, or what answered is none; the text says which."""


class Refused(Exception):
    """The server did not take the request: `status` is that of HTTP, `problem` its RFC 9457 document."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        told = [str(problem[part]).rstrip(".") for part in ("title", "detail") if problem.get(part)]
        if status == NOT_KNOWN:
            told.append(_WHERE_FROM)
        super().__init__(". ".join(told) if told else f"the server answered {status}")
        self.status = status
        self.problem = problem


class Server:
    """The server at `url`; `token` is shown to it where it is not empty. `patience` is in seconds, for each request."""

    def __init__(self, url: str, token: str = "", patience: float = PATIENCE) -> None:
        self.url = url
        self._token = token
        self._patience = patience

    def match(self, text: str, lang: str, limit: int) -> dict[str, Any]:
        """Return the answer to a text. Raises `Unreachable`, `Refused`."""
        query = {"lang": lang, "limit": str(limit), "include": "fix"}
        answer = self._known(
            "POST", "/api/v1/match", query, text.encode("utf-8", "replace"), "text/plain; charset=utf-8"
        )
        _need(isinstance(answer.get("report"), dict) and _matches(answer, "matches") and _matches(answer, "related"))
        _need(all(_has(error, "line", "span", "role", "message") for error in answer["report"].get("errors", [None])))
        # An older server tells nothing of versions.
        _need(all(_has(row, "package", "version", "span") for row in answer["report"].get("versions", [])))
        return answer

    def search(self, words: str, lang: str, limit: int) -> list[dict[str, Any]]:
        """Return the entries for words, best first. Raises `Unreachable`, `Refused`."""
        answer = self.ask("GET", "/api/v1/search", {"q": words, "lang": lang, "limit": str(limit)})
        _need(_matches(answer, "items"))
        found: list[dict[str, Any]] = answer["items"]
        return found

    def entry(self, slug: str) -> dict[str, Any]:
        """Return an entry in both languages, under the slug that it has now. Raises `Unreachable`, `Refused`."""
        from urllib.parse import quote

        entry = self.ask("GET", f"/api/v1/entries/{quote(slug, safe='/')}", {})
        _need("slug" in entry)
        return entry

    def submit(self, proposed: dict[str, Any]) -> dict[str, Any]:
        """Put an entry into the queue and return what was received. Raises `Unreachable`, `Refused`."""
        received = self.ask("POST", "/api/v1/submissions", {}, proposed)
        _need("url" in received)
        return received

    def ask(self, method: str, path: str, query: dict[str, str], body: Any = None) -> dict[str, Any]:
        """Return the JSON object that a path of the API answers; `body` is sent as JSON unless it is None.

        Raises `Unreachable`, `Refused`.
        """
        if body is None:
            return self._known(method, path, query)
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        return self._known(method, path, query, content, "application/json")

    def _known(
        self, method: str, path: str, query: dict[str, str], body: bytes | None = None, media: str = ""
    ) -> dict[str, Any]:
        """Ask once; what an older server does not know is left out, and it is asked once more."""
        try:
            return self._within(lambda: self._once(method, path, query, body, media))
        except Refused as refused:
            unknown = _unknown(refused) & set(query)
            if not unknown:
                raise
        known = {name: value for name, value in query.items() if name not in unknown}
        return self._within(lambda: self._once(method, path, known, body, media))

    def _within(self, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Run in a thread of its own: neither a name that is looked up nor slow bytes can be waited for longer."""
        from threading import Thread

        found: list[Any] = []

        def work() -> None:
            try:
                found.append(run())
            except BaseException as error:
                found.append(error)

        thread = Thread(target=work, name="errdex", daemon=True)
        thread.start()
        thread.join(self._patience)
        if not found:
            raise self._late()
        if isinstance(found[0], BaseException):
            raise found[0]
        answer: dict[str, Any] = found[0]
        return answer

    def _late(self) -> Unreachable:
        return Unreachable(f"{self.url} did not answer within {self._patience:g} seconds")

    def _once(self, method: str, path: str, query: dict[str, str], body: bytes | None, media: str) -> dict[str, Any]:
        # They are imported here, for they take longer to load than all the rest.
        import socket
        import urllib.error
        from http.client import HTTPException
        from urllib.parse import urlencode, urljoin
        from urllib.request import Request, urlopen

        address = f"{self.url}{path}" + (f"?{urlencode(query)}" if query else "")
        headers = {"accept": "application/json", "user-agent": f"errdex-client/{__version__}"}
        if media:
            headers["content-type"] = media
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        for _ in range(3):
            request = Request(address, data=body, headers=headers, method=method)
            try:
                with urlopen(request, timeout=self._patience) as response:
                    return _plain(response.read(LONGEST + 1))
            except urllib.error.HTTPError as error:
                with error:
                    place = error.headers.get("location", "")
                    # An earlier slug is redirected with 308, which Python before 3.11 does not follow by itself.
                    if error.code == 308 and method == "GET" and place:
                        to = urljoin(address, place)
                        # The token is for this server alone, so no other address is followed.
                        _need(to.startswith(f"{self.url}/"))
                        address = to
                        continue
                    raise _refusal(error.code, error.read(LONGEST)) from None
            except (OSError, HTTPException, ValueError) as error:
                reason = getattr(error, "reason", error)
                # Before Python 3.10 the one of sockets was no TimeoutError.
                if isinstance(reason, (TimeoutError, socket.timeout)):
                    raise self._late() from None
                raise Unreachable(f"{self.url} cannot be reached: {_one_line(reason)}") from None
        raise Unreachable(f"{self.url}: {_STRANGE}")


def _plain(content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content) if len(content) <= LONGEST else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Unreachable(_STRANGE)
    return value


def _refusal(status: int, content: bytes) -> Exception:
    try:
        problem = json.loads(content)
    except (ValueError, RecursionError):
        problem = None
    if not isinstance(problem, dict) or not str(problem.get("type", "")).startswith(_PROBLEMS):
        return Unreachable(f"{_STRANGE} (HTTP {status})")
    return Refused(status, problem)


def _unknown(refused: Refused) -> set[str]:
    """Return the parameters that a server says it does not know."""
    fields = refused.problem.get("fields")
    named = set(fields) if isinstance(fields, dict) else set()
    if str(refused.problem.get("type", "")).endswith(":unknown-parameter"):
        return named or set(_OPTIONAL)
    return named & set(_OPTIONAL)


def _matches(answer: dict[str, Any], name: str) -> bool:
    rows = answer.get(name)
    return isinstance(rows, list) and all(
        _has(row, "slug", "title", "url", "score", "confidence", "reasons")
        and isinstance(row["reasons"], list)
        and all(_has(reason, "text", "contribution", "spans") for reason in row["reasons"])
        for row in rows
    )


def _has(row: Any, *names: str) -> bool:
    return isinstance(row, dict) and all(name in row for name in names)


def _need(holds: bool) -> None:
    if not holds:
        raise Unreachable(_STRANGE)


def _one_line(reason: object) -> str:
    return " ".join(str(getattr(reason, "strerror", None) or reason).split())[:200] or type(reason).__name__
