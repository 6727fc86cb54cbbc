"""A proposal is held against the rules of `errdex check`, beside what shares its terms, within bounds."""

from starlette.testclient import TestClient

from app import i18n
from app.content.name_rows import Own, name_row
from app.content.schema import EntryDocument
from app.quality import proposal_check
from app.store import entries
from app.store.session import reading, writing
from app.wiki import proposals

RACE = "roll/torch-compile-cache-race"
NEW = {"slug": "verl/valve", "updated": "2026-01-02", "en": {"title": "ValveError", "body": "## Symptom\nStuck.\n"}}


def test_what_is_wrong_with_a_proposal_is_found_in_a_process_of_its_own() -> None:
    plain = NEW | {"tags": ["nobody-named-this"], "related": ["verl/no-such-entry", "verl/there"]}
    # as long as a busy machine takes
    held = proposal_check.hold_against_rules(EntryDocument.model_validate(plain), (), {"verl/there"}, seconds=60)
    assert held.is_whole
    assert {one.kind for one in held.findings} == {"language", "sections", "examples", "tag", "slug"}
    assert sum("verl/there" in one.text for one in held.findings) == 0
    assert all(i18n.has(f"rules.kind.{one.what}") for one in held.findings)


def test_what_the_team_and_the_proposal_name_is_named() -> None:
    document = EntryDocument.model_validate(NEW | {"tags": ["dry", "other"]})
    own: Own = {"tags": {"dry": name_row("tags", {"en": "dry", "zh": "干"})}}
    held = proposal_check.hold_against_rules(document, (), (), seconds=60, names=own)
    assert [one.text for one in held.findings if one.kind == "tag"] == [
        "no tag is called 'other'; name it in tags.toml"
    ]


def test_a_reviewer_holds_a_submission_against_the_rules(reviewer: TestClient) -> None:
    with writing(reviewer.app.state.services.engine) as session:  # type: ignore[attr-defined]
        number = proposals.submit(session, EntryDocument.model_validate(NEW), lang="en")[0].id
    assert f"/en/review/{number}/rules" in reviewer.get(f"/en/review/{number}").text
    assert "Checked against the rules" in reviewer.get(f"/en/review/{number}/rules").text
    assert reviewer.get("/en/review/0/rules").status_code == 404


def test_what_signatures_say_wrongly_of_numbers_and_exceptions_has_words_in_both_languages() -> None:
    signatures = [{"pattern": "ValveError: <number<x> bar"}, {"pattern": "ValveError: stuck", "unless": ["a drill"]}]
    wrong = NEW | {"signatures": signatures, "examples": ["a drill\nValveError: stuck", "ValveError: stuck"]}
    document = EntryDocument.model_validate(wrong)
    assert {"hole", "unless"} <= {one.kind for one in proposal_check.findings(document, [], ())}
    assert all(i18n.has(f"rules.kind.{kind}") for kind in ("hole", "unless"))


def test_an_entry_that_takes_the_example_of_another_one_is_told_and_one_that_is_right_too_is_not(
    reviewer: TestClient,
) -> None:
    engine = reviewer.app.state.services.engine  # type: ignore[attr-defined]
    with reading(engine) as session:
        race = entries.documents_of(session, [RACE])[RACE]
    other = EntryDocument.model_validate_json(race)
    thief = other.model_copy(update={"slug": "roll/a-thief", "examples": (), "also": (), "former": ()})
    found = {one.kind for one in proposal_check.findings(thief, [other], {*other.also, *other.related})}
    assert {"same-pattern", "examples", "taken"} <= found
    assert race in proposal_check.neighbours(engine, thief)
    # an entry does not take its own
    assert "taken" not in {one.kind for one in proposal_check.findings(other, [], {*other.also, *other.related})}


def test_who_has_no_time_is_told_that_not_all_was_checked() -> None:
    held = proposal_check.hold_against_rules(EntryDocument.model_validate(NEW), (), (), seconds=0.001)
    assert not held.is_whole
