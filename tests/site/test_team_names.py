"""A team names its own projects, components and tags, and asks what tells its own entries apart."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.content.name_rows import MOST_NAMES, name_row
from app.content.schema import EntryDocument
from app.i18n import text as t
from app.main import create_app
from app.store import team_names
from app.store.session import reading, writing
from app.wiki import publishing
from tests.conftest import sign_in
from tests.site.forms import typed_fields

MESSAGE = "ReservoirError: the level of reservoir 7 is below its mark"
TEXT = {"project": "", "name": "low-reservoir", "title": "The reservoir runs dry", "symptom": "It runs dry."}
NEW = TEXT | {
    "new_project_en": "Orchard Ops",
    "new_project_zh": "果园运维",
    "new_tags_key": "drought",
    "new_tags_en": "dry spell",
    "new_tags_zh": "干旱",
    "new_components_key": "",
    "new_components_en": "Drip line",
    "new_components_zh": "滴灌管",
    "signature": "ReservoirError: the level of reservoir <*> is below its mark",
}


def own_entry(slug: str, *, title: str = "A reservoir", **more: Any) -> EntryDocument:
    plain = {
        "slug": slug,
        "updated": "2026-11-20",
        "signatures": [{"pattern": "ReservoirError: the level of reservoir <*> is below its mark"}],
        "en": {"title": title, "body": "## Symptom\nIt is dry.\n\n## Fix\n1. Fill it.\n"},
        "zh": {"title": f"{title} 水箱", "body": "## 现象\n没水了。\n\n## 修复\n1. 加水。\n"},
    }
    return EntryDocument.model_validate(plain | more)


def publish(client: TestClient, *documents: EntryDocument) -> None:
    with writing(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        for document in documents:
            publishing.publish(session, document, actor="rita")


def own_names(client: TestClient) -> dict[str, dict[str, tuple[str, str]]]:
    with reading(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        found = team_names.everything(session)
    return {kind: {key: (row.en, row.zh) for key, row in rows.items()} for kind, rows in found.items() if rows}  # type: ignore[union-attr]


def name_fields(page: str) -> dict[str, Any]:
    """Return what the form of a name would send."""
    return typed_fields(page[page.index('id="name-form"') - 200 :].partition("</form>")[0] + "</form>")


def add(client: TestClient, kind: str, **typed: str | list[str]) -> Any:
    return client.post(f"/en/names/{kind}", data={"version": "0"} | typed, follow_redirects=False)


@pytest.fixture
def empty_reviewer(empty_client: TestClient) -> TestClient:
    """The application on an empty database, with a reviewer signed in."""
    return sign_in(empty_client)


def test_what_a_reviewer_names_in_the_form_is_shown_wherever_a_name_is(
    settings: Settings, empty_reviewer: TestClient
) -> None:
    client = empty_reviewer
    sent = client.post("/en/submit", data=NEW | {"publish": "1"}, follow_redirects=False)
    assert sent.headers["location"] == "/en/e/orchard-ops/low-reservoir", sent.text
    assert own_names(client) == {
        "projects": {"orchard-ops": ("Orchard Ops", "果园运维")},
        "components": {"drip-line": ("Drip line", "滴灌管")},
        "tags": {"drought": ("dry spell", "干旱")},
    }
    # another worker, and one that was started again
    with TestClient(create_app(settings)) as other:
        for lang, project, component, tag in (
            ("en", "Orchard Ops", "Drip line", "dry spell"),
            ("zh", "果园运维", "滴灌管", "干旱"),
        ):
            entry = other.get(f"/{lang}/e/orchard-ops/low-reservoir").text
            assert all(name in entry for name in (project, component, tag))
            browse = other.get(f"/{lang}/browse").text
            assert all(name in browse for name in (project, component, tag))
            assert project in other.get(f"/{lang}/").text
            assert project in other.get(f"/{lang}/p/orchard-ops").text
            assert project in other.get(f"/{lang}/changes").text
            assert f'label="{project}"' in other.get(f"/{lang}/changes.atom").text
            found = other.get(f"/{lang}/search?q=reservoir&tag=drought&component=drip-line&project=orchard-ops").text
            assert all(name in found for name in (project, component, tag))
            assert project in other.get(f"/{lang}/suggest?q=reservoir").text
            assert project in other.post(f"/{lang}/match", data={"text": MESSAGE}).text
            assert project in other.get(f"/{lang}/submit").text
            for path, key, shown in (
                ("projects", "orchard-ops", project),
                ("components", "drip-line", component),
                ("tags", "drought", tag),
            ):
                items = other.get(f"/api/v1/{path}?lang={lang}").json()["items"]
                assert {"key": key, "name": shown, "entries": 1} in items
            drafted = other.post("/api/v1/draft", json={"text": "RuntimeError: the Drip line is shut"}).json()
            assert "drip-line" in drafted["entry"]["components"]


def test_a_correction_is_seen_by_a_worker_that_knew_the_name_before(
    settings: Settings, empty_reviewer: TestClient
) -> None:
    publish(empty_reviewer, own_entry("orchard/one"))
    with TestClient(create_app(settings)) as other:
        assert "Orchard" not in other.get("/en/p/orchard").text
        assert add(empty_reviewer, "projects", key="orchard", en="Orchard", zh="果园").status_code == 303
        assert "Entries about Orchard" in other.get("/en/p/orchard").text
        page = empty_reviewer.get("/en/names/projects?key=orchard").text
        sent = name_fields(page) | {"en": "The Orchard"}
        assert empty_reviewer.post("/en/names/projects", data=sent, follow_redirects=False).status_code == 303
        assert "Entries about The Orchard" in other.get("/en/p/orchard").text
        sent = name_fields(empty_reviewer.get("/en/names/projects?key=orchard").text)
        gone = empty_reviewer.post("/en/names/projects/remove", data=sent, follow_redirects=False)
        assert gone.status_code == 303
        assert "Entries about orchard" in other.get("/en/p/orchard").text


def test_what_a_stranger_names_is_a_name_when_a_reviewer_publishes_it(empty_client: TestClient) -> None:
    client = empty_client
    sent = client.post("/zh/submit", data=NEW, follow_redirects=False)
    assert sent.status_code == 303
    assert own_names(client) == {}
    sign_in(client)
    review = client.get("/en/review/1").text
    assert t("en", "names.form.proposed") in review
    assert "果园运维" in review
    # the reviewer corrects a name before it is one
    amend = typed_fields(client.get("/en/review/1/amend").text)
    assert (amend["new_tags_en"], amend["new_tags_key"], amend["new_project_zh"]) == (
        "dry spell",
        "drought",
        "果园运维",
    )
    amended = client.post("/en/review/1/amend", data=amend | {"new_tags_en": "drought"}, follow_redirects=False)
    assert amended.status_code == 303, amended.text
    version = re.search(r'name="version" value="(\d+)"', client.get("/en/review/1").text)
    assert version
    client.post("/en/review/1/approve", data={"version": version[1], "current": "0"})
    assert own_names(client)["tags"] == {"drought": ("drought", "干旱")}
    assert own_names(client)["projects"] == {"orchard-ops": ("Orchard Ops", "果园运维")}


def test_what_was_declined_names_nothing(empty_reviewer: TestClient) -> None:
    empty_reviewer.post("/en/submit", data=NEW)
    empty_reviewer.post("/en/review/1/reject", data={"version": "1", "reason": "no"})
    assert own_names(empty_reviewer) == {}


def test_a_submitter_who_was_asked_for_changes_finds_the_names_again(empty_reviewer: TestClient) -> None:
    link = empty_reviewer.post("/en/submit", data=NEW, follow_redirects=False).headers["location"]
    empty_reviewer.post("/en/review/1/return", data={"version": "1", "reason": "Say more."})
    typed = typed_fields(empty_reviewer.get(f"{link}/again").text)
    assert typed["new_components_zh"] == "滴灌管"
    empty_reviewer.post("/en/submit", data=typed | {"symptom": "More.", "new_components_zh": "滴灌"})
    assert "滴灌</span>" in empty_reviewer.get("/en/review/1").text


@pytest.mark.parametrize(
    ("lang", "typed", "place", "told"),
    [
        ("en", {"new_tags_key": "oom", "new_tags_en": "memory", "project": "verl"}, "new_tags-1", "names.has-name"),
        ("zh", {"project": "verl", "new_project_en": "Ours"}, "new_project-1", "names.has-name"),
        ("en", {"new_project_en": "veRL!"}, "new_project-1", "names.has-name"),
        ("zh", {"project": "verl", "new_tags_key": "Bad key!", "new_tags_en": "bad"}, "new_tags-1", "names.key-wrong"),
        ("en", {"project": "verl", "new_tags_zh": "干旱"}, "new_tags-1", "names.key-wrong"),
        ("zh", {"project": "verl", "new_tags_key": "dry"}, "new_tags-1", "names.needed"),
        ("en", {"project": "verl", "new_tags_en": "x" * 81}, "new_tags-1", "names.long"),
        ("zh", {"project": "verl", "new_tags_key": "dry", "new_tags_en": "\u200b\u2062"}, "new_tags-1", "names.wrong"),
        ("en", {"project": "verl", "new_components_en": ["dry", "wet", "dry"]}, "new_components-1", "names.twice"),
        ("zh", {"project": "verl", "new_components_en": list("abcdefgh")}, "", "names.rows-many"),
        ("en", {"project": "", "new_project_zh": "果园"}, "project", "field.project.needed"),
    ],
)
def test_bad_names_are_told_beside_their_boxes_and_nothing_typed_is_lost(
    empty_client: TestClient, lang: str, typed: dict[str, Any], place: str, told: str
) -> None:
    answer = empty_client.post(f"/{lang}/submit", data=TEXT | typed)
    assert answer.status_code == 422
    assert t(lang, told) in answer.text  # type: ignore[arg-type]
    if place:
        assert f'id="p-{place}"' in answer.text
    kept = typed_fields(answer.text)
    for name, value in (TEXT | typed).items():
        if not isinstance(value, list):
            assert kept[name] == value.lower() if name.endswith("_key") else kept[name] == value
    assert own_names(empty_client) == {}


def test_one_more_row_keeps_what_was_typed(empty_client: TestClient) -> None:
    page = empty_client.post("/en/submit/rows", data=NEW | {"add": "new_tags"}).text
    assert page.count('name="new_tags_en"') == 2
    assert page.count('name="new_components_en"') == 1
    assert 'value="干旱"' in page
    assert typed_fields(page)["project"] == ""


def test_a_family_of_the_teams_asks_its_question(empty_reviewer: TestClient) -> None:
    client = empty_reviewer
    publish(client, own_entry("orchard/one", also=["orchard/two"]), own_entry("orchard/two", also=["orchard/one"]))
    assert "Which reservoir?" not in client.post("/en/match", data={"text": MESSAGE}).text
    two = {"member": ["orchard/one", "orchard/two"], "member_en": ["the `big` one", "the small one"]}
    made = add(
        client, "families", key="reservoirs", en="Which reservoir?", zh="哪个水箱？", **two, member_zh=["大", "小"]
    )
    assert made.status_code == 303, made.text
    for lang, question, look in (("en", "Which reservoir?", "the <code>big</code> one"), ("zh", "哪个水箱？", "大")):
        page = client.post(f"/{lang}/match", data={"text": MESSAGE}).text
        assert question in page
        assert look in page
        assert page.count('name="one-of-family"') == 2
    # equals that a question tells apart are not sure
    found = client.post("/api/v1/match", json={"text": MESSAGE}).json()
    assert [match["confidence"] for match in found["matches"]] == ["likely", "likely"]


def test_a_family_is_given_rows_and_its_faults_stand_beside_them(empty_reviewer: TestClient) -> None:
    client = empty_reviewer
    publish(client, own_entry("orchard/one"))
    rows = client.post("/en/names/families/rows", data={"en": "Which?", "member": ["orchard/one", "a/b"]}).text
    assert rows.count('name="member"') == 3
    assert 'value="Which?"' in rows
    few = add(client, "families", key="f", en="Which?", member=["orchard/one"], member_en=["this"])
    assert (few.status_code, t("en", "names.members-few") in few.text) == (422, True)
    two = {"member": ["orchard/one", "no/such"], "member_en": ["this", "that"]}
    unknown = add(client, "families", key="f", en="Which?", **two)
    assert unknown.status_code == 422
    assert 'id="p-member-2"' in unknown.text
    assert 'value="no/such"' in unknown.text


def test_of_two_who_correct_a_name_the_second_is_told(empty_reviewer: TestClient) -> None:
    client = empty_reviewer
    add(client, "tags", key="dry", en="dry", zh="干")
    first = name_fields(client.get("/en/names/tags?key=dry").text)
    assert client.post("/en/names/tags", data=first | {"en": "drier"}, follow_redirects=False).status_code == 303
    second = client.post("/en/names/tags", data=first | {"zh": "旱"})
    assert second.status_code == 409
    again = name_fields(second.text)
    assert (again["en"], again["zh"]) == ("dry", "旱")
    assert client.post("/en/names/tags", data=again, follow_redirects=False).status_code == 303
    assert own_names(client)["tags"] == {"dry": ("dry", "旱")}
    taken = add(client, "tags", key="dry", en="other")
    assert (taken.status_code, t("en", "names.taken") in taken.text) == (409, True)


def test_a_team_has_a_bounded_number_of_names(empty_reviewer: TestClient) -> None:
    client = empty_reviewer
    with writing(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        for number in range(MOST_NAMES):
            team_names.put(session, "tags", f"t{number}", name_row("tags", {"en": f"T{number}", "zh": f"标{number}"}))
    assert client.get("/en/names").status_code == 200
    full = add(client, "tags", key="one-more", en="One more")
    assert (full.status_code, t("en", "names.too-many") in full.text) == (422, True)
    # an entry is published all the same
    sent = client.post("/en/submit", data=NEW | {"publish": "1"}, follow_redirects=False)
    assert sent.headers["location"] == "/en/e/orchard-ops/low-reservoir"
    assert "drought" not in own_names(client)["tags"]


def test_a_teams_name_stands_in_the_place_of_a_shipped_one(reviewer: TestClient) -> None:
    assert "Entries about our verl" not in reviewer.get("/en/p/verl").text
    add(reviewer, "projects", key="verl", en="our verl")
    assert "Entries about our verl" in reviewer.get("/en/p/verl").text


def test_who_named_what_stands_in_the_audit_log(empty_reviewer: TestClient) -> None:
    client = empty_reviewer
    add(client, "tags", key="dry", en="dry", zh="干")
    sent = name_fields(client.get("/en/names/tags?key=dry").text)
    client.post("/en/names/tags", data=sent | {"en": "drier"})
    client.post("/en/names/tags/remove", data=name_fields(client.get("/en/names/tags?key=dry").text))
    with reading(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        from app.store import audit

        rows = [row for row in audit.everything(session, audit.AuditFilter()) if row.act.startswith("name-")]
    assert [(row.act, row.actor, row.before, row.after) for row in rows] == [
        ("name-removed", 1, "tags/dry: drier · 干", ""),
        ("name-changed", 1, "tags/dry: dry · 干", "tags/dry: drier · 干"),
        ("name-added", 1, "", "tags/dry: dry · 干"),
    ]


@pytest.mark.parametrize("path", ["/names", "/names/tags"])
def test_only_reviewers_see_the_page(empty_client: TestClient, path: str) -> None:
    answer = empty_client.get(f"/en{path}", follow_redirects=False)
    assert answer.status_code == 303
    assert "/sign-in" in answer.headers["location"]
    assert empty_client.post("/en/names/tags", data={"key": "a", "en": "b"}, follow_redirects=False).status_code == 303
    assert own_names(empty_client) == {}


def test_a_teams_own_entry_comes_before_a_shipped_equal(client: TestClient) -> None:
    from app.store.installation_tables import SyncBase
    from app.store.recall import SHIPPED

    shipped, own = own_entry("aaa/shipped"), own_entry("zzz/own")
    publish(client, shipped, own)

    def first() -> str:
        return str(client.post("/api/v1/match", json={"text": MESSAGE}).json()["matches"][0]["slug"])

    assert first() == "aaa/shipped"
    with writing(client.app.state.services.engine) as session:  # type: ignore[attr-defined]
        session.add(SyncBase(folder=SHIPPED, slug="aaa/shipped", digest=shipped.digest()))
        publishing.publish(session, own.model_copy(update={"tags": ("dry",)}), actor="rita")
    assert first() == "zzz/own"


def test_who_may_not_read_a_guide_is_not_told_what_its_team_named(
    settings: Settings, empty_reviewer: TestClient
) -> None:
    add(empty_reviewer, "tags", key="drought", en="drought")
    closed = settings.model_copy(update={"reading": "members"})
    typed = TEXT | {"project": "verl", "new_tags_key": "drought", "new_tags_en": "dry"}
    with TestClient(create_app(closed)) as stranger:
        sent = stranger.post("/en/submit", data=typed, follow_redirects=False)
        assert sent.status_code == 303
        assert stranger.post("/en/submit", data=typed | {"new_tags_key": "oom"}).status_code == 422
    empty_reviewer.post("/en/review/1/approve", data={"version": "1", "current": "0"})
    assert own_names(empty_reviewer)["tags"] == {"drought": ("drought", "drought")}
