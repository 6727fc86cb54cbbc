"""Votes and askings of many people at the same moment: the unique constraints decide, and none is lost."""

import threading
from collections.abc import Callable
from functools import partial

from sqlalchemy import Engine, text

from app.asking import counted_pattern
from app.asking.unanswered import ENOUGH_ASKED
from app.asking.unanswered_counter import UnansweredCounter
from app.content.schema import EntryDocument, Text
from app.matching.parsing.parser import parse
from app.store import feedback as votes
from app.store.session import reading, writing
from app.wiki import feedback
from app.wiki.publishing import publish
from tests import askers
from tests.askers import KEY

ERROR = "ValueError: the verifier has no conversion for the unit in this table"
MANY = 8


def published(engine: Engine, **more: object) -> EntryDocument:
    plain = {"slug": "verl/valve", "updated": "2026-11-20", "en": Text(title="Valve", body="## Fix\nWait.")}
    document = EntryDocument.model_validate(plain | more)
    with writing(engine) as session:
        publish(session, document, actor="rita")
    return document


def at_once(run: Callable[[int], None]) -> None:
    """Run something in many threads that start together; an error in one fails the test."""
    start, failed = threading.Barrier(MANY), list[BaseException]()

    def one(number: int) -> None:
        start.wait()
        try:
            run(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(MANY)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed


def test_one_person_who_votes_in_many_windows_at_once_counts_once(engine: Engine) -> None:
    document = published(engine)

    def vote(number: int) -> None:
        with writing(engine) as session:
            feedback.say(session, "verl/valve", "somebody", feedback.SAID[number % 3], note="")

    at_once(vote)
    with reading(engine) as session:
        counts = feedback.counts(session, document)
        assert counts.solved + counts.not_this + counts.outdated == 1


def test_many_people_who_vote_at_once_are_all_counted(engine: Engine) -> None:
    document = published(engine)

    def vote(number: int) -> None:
        with writing(engine) as session:
            feedback.say(session, "verl/valve", f"person:{number}", "solved")

    at_once(vote)
    with reading(engine) as session:
        assert feedback.counts(session, document) == feedback.Counts(solved=MANY)


def test_an_error_that_many_ask_at_once_is_counted_each_time(engine: Engine) -> None:
    at_once(lambda number: askers.ask_as(engine, ERROR, f"192.0.2.{number}"))
    with reading(engine) as session:
        rows = session.execute(text("SELECT asked, pattern FROM wanted")).all()
    assert [tuple(row) for row in rows] == [(MANY, ERROR)]


def one_of_three(engine: Engine, pattern: str, number: int) -> None:
    askers.ask_as(engine, pattern, f"192.0.2.{number % ENOUGH_ASKED}")


def test_three_who_ask_at_the_same_moment_are_three(engine: Engine) -> None:
    for turn in range(5):
        pattern = f"{ERROR} {'again ' * turn}".strip()
        at_once(partial(one_of_three, engine, pattern))
        with reading(engine) as session:
            kept = session.execute(text("SELECT count(*) FROM wanted WHERE pattern <> ''")).scalar_one()
        assert kept == turn + 1


def test_votes_belong_to_a_revision_and_follow_a_new_name(engine: Engine) -> None:
    published(engine)
    with writing(engine) as session:
        feedback.say(session, "verl/valve", "one", "solved")
    published(engine, tags=("install",))
    with writing(engine) as session:
        feedback.say(session, "verl/valve", "two", "solved")
    with writing(engine) as session:
        publish(session, published_gone(), actor="rita")
    moved = published(engine, slug="verl/frozen-valve", former=("verl/valve",))
    with writing(engine) as session:
        assert feedback.say(session, "verl/valve", "two", "solved") == "verl/frozen-valve"
    with reading(engine) as session:
        assert feedback.counts(session, moved) == feedback.Counts(solved=2)
        assert feedback.counts(session, moved, 1) == feedback.Counts(solved=2)
        assert votes.counts(session, ["verl/valve"], 2) == {"solved": 1}


def published_gone() -> EntryDocument:
    text_en = Text(title="Valve", body="## Fix\nWait.")
    return EntryDocument.model_validate(
        {"slug": "verl/valve", "updated": "2026-11-20", "en": text_en, "status": "withdrawn"}
    )


def test_a_count_that_cannot_be_written_raises_nothing(engine: Engine) -> None:
    with writing(engine) as session:
        session.execute(text("DROP TABLE wanted"))
    tally = UnansweredCounter(engine, lambda: KEY)
    tally.count(counted_pattern.pattern_of(parse(ERROR)), "192.0.2.1")
    tally.close()


def test_askings_of_a_busy_second_are_written_together_and_none_is_lost(engine: Engine) -> None:
    tally, pattern = UnansweredCounter(engine, lambda: KEY), counted_pattern.pattern_of(parse(ERROR))
    at_once(lambda number: tally.count(pattern, f"192.0.2.{number}"))
    tally.close()
    with reading(engine) as session:
        assert session.execute(text("SELECT asked, pattern FROM wanted")).all() == [(MANY, pattern)]
