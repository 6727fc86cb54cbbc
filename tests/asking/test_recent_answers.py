"""The same text again is answered from memory, as long as nothing was published since."""

import pickle
from datetime import date

import pytest
from sqlalchemy import Engine

from app.asking.question_service import Questions
from app.asking.recent_answers import LONGEST
from app.config import Settings
from app.content.schema import EntryDocument, Signature, Text
from app.store.engine import connect
from app.store.session import writing
from app.wiki import publishing

PASTE = "ZorbError: the frob left home"


def entry(
    slug: str = "team/zorb", pattern: str = "ZorbError: the frob left <*>", status: str = "published"
) -> EntryDocument:
    return EntryDocument(
        slug=slug,
        status=status,
        updated=date(2026, 11, 20),
        signatures=(Signature(pattern=pattern),),
        en=Text(title="The frob left", body="Call it back."),
        zh=Text(title="frob 离开了", body="把它叫回来。"),
    )


def published(engine: Engine, document: EntryDocument) -> None:
    with writing(engine) as session:
        publishing.publish(session, document, actor="rita")


def kept(questions: Questions) -> list[object]:
    """What it has in memory."""
    return list(questions._remembered._values.values())


def is_remembered(questions: Questions, text: str) -> bool:
    questions.ask(text)
    return len(kept(questions)) == 1


def test_a_text_that_was_asked_is_answered_again_in_either_language_and_with_any_limit(engine: Engine) -> None:
    published(engine, entry())
    published(engine, entry("team/other"))
    questions = Questions(engine, remembered=4)
    first = questions.ask(PASTE, "en", 1)
    again = questions.ask(PASTE, "zh", 5)
    assert again.report == first.report
    assert [match.title for match in first.matches] == ["The frob left"]
    assert [match.title for match in again.matches] == ["frob 离开了", "frob 离开了"]
    assert again == Questions(engine).ask(PASTE, "zh", 5)


@pytest.mark.parametrize(
    "change",
    [entry(status="withdrawn"), entry(pattern="QuuxError: nothing to quux"), entry("team/better")],
    ids=["withdrawn", "changed", "another one published"],
)
def test_what_another_process_publishes_is_in_the_next_answer(
    engine: Engine, settings: Settings, change: EntryDocument
) -> None:
    published(engine, entry())
    questions = Questions(engine, remembered=4)
    before = questions.ask(PASTE)
    elsewhere = connect(settings)
    published(elsewhere, change)
    elsewhere.dispose()
    after = questions.ask(PASTE)
    assert after == Questions(engine).ask(PASTE)
    assert [match.slug for match in after.matches] != [match.slug for match in before.matches]


def test_the_oldest_answers_make_room(engine: Engine) -> None:
    questions = Questions(engine, remembered=2)
    for text in ("one", "two", "three"):
        questions.ask(text)
    assert len(kept(questions)) == 2


def test_a_long_text_or_any_where_none_are_kept_is_read_anew(engine: Engine) -> None:
    assert is_remembered(Questions(engine, remembered=2), PASTE)
    assert not is_remembered(Questions(engine, remembered=2), PASTE + "\n" * LONGEST)
    assert not is_remembered(Questions(engine), PASTE)


def test_nothing_of_a_paste_is_in_memory_after_its_answer(engine: Engine) -> None:
    published(engine, entry())
    questions = Questions(engine, remembered=4)
    stack = 'Traceback (most recent call last):\n  File "/home/canary/train.py", line 3, in canary\n    canary()\n'
    first = questions.ask(f"why does my canary fail?\n{stack}CanaryError: {PASTE}\ncanary again\n")
    assert first.matches
    assert len(kept(questions)) == 1
    assert b"canary" not in pickle.dumps(kept(questions)).lower()


def test_a_text_that_was_put_right_is_read_anew(engine: Engine) -> None:
    mojibake = "RuntimeError: 显存不足，请检查显卡驱动".encode().decode("gbk", "replace")
    assert not is_remembered(Questions(engine, remembered=2), mojibake)


def test_half_of_a_surrogate_pair_is_remembered_like_any_text(engine: Engine) -> None:
    assert is_remembered(Questions(engine, remembered=2), f"\ud83d {PASTE}")
