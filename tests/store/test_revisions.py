"""Publishing is a compare-and-set, and every published version is kept."""

import threading
from datetime import date

import pytest
from sqlalchemy import Engine

from app.asking.question_service import Questions
from app.content.schema import EntryDocument, Signature, Text
from app.errors import Conflict
from app.people.accounts import Who
from app.store import entries
from app.store.session import reading, writing
from app.wiki import proposals, publishing
from tests.conftest import add_person


def entry(body: str, pattern: str = "ZorbError: the frob left <*>") -> EntryDocument:
    return EntryDocument(
        slug="team/zorb",
        updated=date(2026, 11, 20),
        signatures=(Signature(pattern=pattern),),
        en=Text(title="ZorbError", body=body),
    )


def test_every_publication_is_a_revision_and_the_same_text_again_is_none(engine: Engine) -> None:
    for body in ("one", "two", "two"):
        with writing(engine) as session:
            publishing.publish(session, entry(body), actor="rita")
    with reading(engine) as session:
        assert [(row.number, row.actor) for row in entries.revisions(session, "team/zorb")] == [
            (2, "rita"),
            (1, "rita"),
        ]


def test_a_change_made_from_an_older_revision_is_refused(engine: Engine) -> None:
    with writing(engine) as session:
        publishing.publish(session, entry("one"), actor="rita")
        publishing.publish(session, entry("two"), actor="rita", expected=1)
    with pytest.raises(Conflict), writing(engine) as session:
        publishing.publish(session, entry("three"), actor="rita", expected=1)
    with reading(engine) as session:
        assert publishing.published(session, "team/zorb")[1].en == Text(title="ZorbError", body="two")


def test_of_two_reviewers_at_the_same_moment_one_wins_and_the_other_is_told(engine: Engine) -> None:
    add_person(engine, "sam", "another long password")
    with writing(engine) as session:
        row, _ = proposals.submit(session, entry("one"), lang="en")
    number, outcomes, start = row.id or 0, [], threading.Barrier(2)

    def decide(name: str) -> None:
        start.wait()
        try:
            with writing(engine) as session:
                proposals.approve(session, number, 1, Who(1, name, "reviewer"))
            outcomes.append("won")
        except Conflict:
            outcomes.append("told")

    people = [threading.Thread(target=decide, args=(name,)) for name in ("rita", "sam")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(outcomes) == ["told", "won"]
    with reading(engine) as session:
        assert len(entries.revisions(session, "team/zorb")) == 1


def test_a_published_entry_is_found_at_once_by_a_service_that_knew_the_old_one(engine: Engine) -> None:
    questions = Questions(engine)
    with writing(engine) as session:
        publishing.publish(session, entry("one"), actor="rita")
    assert questions.ask("ZorbError: the frob left home").matches[0].slug == "team/zorb"
    with writing(engine) as session:
        publishing.publish(session, entry("one", "QuuxError: nothing to quux"), actor="rita")
    assert questions.ask("QuuxError: nothing to quux").matches[0].slug == "team/zorb"
    assert not questions.ask("ZorbError: the frob left home").matches
