"""What stands at the door of the API: a typo is told, HEAD and OPTIONS are answered, and the language is negotiated."""

import pytest
from starlette.testclient import TestClient

from app.api.schemas import Index, Problem

PASTE = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"
SLUG = "verl/tensordict-membership-check"
# An address of each operation that only reads, by the name that the document gives it.
READ_BY = {
    "read_index": "",
    "search": "search?q=cuda",
    "list_entries": "entries",
    "read_entry": f"entries/{SLUG}",
    "list_revisions": f"entries/{SLUG}/revisions",
    "read_revision": f"entries/{SLUG}/revisions/1",
    "list_changes": "changes",
    "list_projects": "projects",
    "list_components": "components",
    "list_tags": "tags",
    "list_signatures": "signatures",
    "list_families": "families",
    "list_wanted": "wanted",
}
READING = list(READ_BY.values())
# What these answer is for one caller, or for one moment.
NOT_KEPT = {"alive", "ready", "read_submission", "list_audit"}


def unknown(found: object) -> dict[str, str]:
    """The names that a refusal gives, each with its advice."""
    assert found.status_code == 422, found.text  # type: ignore[attr-defined]
    said = Problem.model_validate_json(found.content, strict=True)  # type: ignore[attr-defined]
    assert said.type == "/problems/unknown-parameter"
    return said.fields


def test_every_operation_that_reads_is_among_those_that_are_asked_here(client: TestClient) -> None:
    operations = [one["get"] for one in client.get("/openapi.json").json()["paths"].values() if "get" in one]
    assert {one["operationId"] for one in operations} == READ_BY.keys() | NOT_KEPT
    assert {one["operationId"] for one in operations if "304" in one["responses"]} == READ_BY.keys()


@pytest.mark.parametrize("path", READING)
def test_a_parameter_that_means_nothing_is_refused(client: TestClient, path: str) -> None:
    sign = "&" if "?" in path else "?"
    assert list(unknown(client.get(f"/api/v1/{path}{sign}colour=red"))) == ["colour"]


TYPOS = {
    "entries?projct=verl": {"projct": "unknown; did you mean project?"},
    "entries?Limit=3": {"Limit": "unknown; did you mean limit?"},
    "changes?query=x": {"query": "unknown; known are limit, since"},
    f"entries/{SLUG}/revisions/1?lang=en": {"lang": "unknown; none is taken here"},
}


@pytest.mark.parametrize(("path", "fields"), TYPOS.items())
def test_the_nearest_name_is_given(client: TestClient, path: str, fields: dict[str, str]) -> None:
    assert unknown(client.get(f"/api/v1/{path}")) == fields


def test_a_key_of_a_body_that_means_nothing_is_refused(client: TestClient) -> None:
    asked = unknown(client.post("/api/v1/match", json={"text": PASTE, "langs": "zh"}))
    assert asked == {"langs": "unknown; did you mean lang?"}
    entry = {"slug": "verl/x", "updated": "2026-11-20", "en": {"title": "x", "body": "y"}}
    assert unknown(client.post("/api/v1/submissions", json={"entry": entry, "submiter": "Lin"})) == {
        "submiter": "unknown; did you mean submitter?"
    }
    said = unknown(client.post(f"/api/v1/entries/{SLUG}/feedback", json={"said": "solved", "from": "me"}))
    assert list(said) == ["from"]


def test_many_and_long_names_make_a_short_refusal(client: TestClient) -> None:
    query = "&".join(f"{'x' * 300}{number}=1" for number in range(100))
    found = client.get(f"/api/v1/entries?{query}")
    assert found.status_code == 422
    assert len(found.content) < 3000


@pytest.mark.parametrize(
    "path", [*(f"/api/v1/{path}" for path in READING), "/en/", "/healthz", "/openapi.json", "/nothing"]
)
def test_head_is_the_head_of_get(client: TestClient, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    passing = {"x-request-id", "date"}
    assert {name: value for name, value in head.headers.items() if name not in passing} == {
        name: value for name, value in whole.headers.items() if name not in passing
    }


METHODS = {"match": "OPTIONS, POST", "entries": "GET, HEAD, OPTIONS", f"entries/{SLUG}/feedback": "OPTIONS, POST"}


@pytest.mark.parametrize(("path", "methods"), METHODS.items())
def test_options_tells_the_methods(client: TestClient, path: str, methods: str) -> None:
    found = client.options(f"/api/v1/{path}")
    assert (found.status_code, found.headers["allow"], found.content) == (204, methods, b"")


def test_the_index_leads_to_what_there_is(client: TestClient) -> None:
    found = client.get("/api/v1/")
    index = Index.model_validate_json(found.content, strict=True)
    assert client.get(index.entries).status_code == 200
    assert client.get(index.openapi).json()["info"]["version"] == index.version
    assert client.post(index.match, json={"text": PASTE}).json()["matches"][0]["slug"] == SLUG


@pytest.mark.parametrize("path", ["/api/v2/match", "/api/v10/entries"])
def test_another_version_names_those_that_there_are(client: TestClient, path: str) -> None:
    found = client.get(path)
    assert (found.status_code, found.json()["type"]) == (404, "/problems/unknown-version")
    assert "/api/v1" in found.json()["detail"]


ACCEPTED = [
    ("zh-CN,zh;q=0.9,en;q=0.5", "", "zh"),
    ("fr", "", "en"),
    ("zh", "en", "en"),
    ("en", "zh", "zh"),
    ("", "", "en"),
]


@pytest.mark.parametrize(("accepted", "named", "expected"), ACCEPTED)
def test_the_language_is_the_one_named_or_else_the_one_accepted(
    client: TestClient, accepted: str, named: str, expected: str
) -> None:
    query = f"?lang={named}" if named else "?"
    headers = {"accept-language": accepted}
    for found in (
        client.post(f"/api/v1/match{query}", json={"text": PASTE}, headers=headers),
        client.get(f"/api/v1/entries/{SLUG}{query}", headers=headers),
        client.get(f"/api/v1/search{query}&q=tensordict", headers=headers),
    ):
        assert found.headers["content-language"] == expected
        assert "accept-language" in found.headers["vary"]
        assert f"/{expected}/e/" in found.text


def test_the_language_in_the_body_goes_first(client: TestClient) -> None:
    found = client.post("/api/v1/match?lang=en", json={"text": PASTE, "lang": "zh"}, headers={"accept-language": "en"})
    assert (found.headers["content-language"], found.json()["matches"][0]["lang"]) == ("zh", "zh")
