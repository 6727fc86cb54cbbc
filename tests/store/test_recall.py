"""Which entries are candidates: for a paste those that share what is rare, for a search box all that share a word."""

from datetime import date

from sqlalchemy import Engine

from app.asking.question_service import Questions
from app.content.schema import EntryDocument, Signature, Text
from app.store.session import writing
from app.wiki import publishing

COMMON = 12


def entry(number: int, words: str) -> EntryDocument:
    return EntryDocument(
        slug=f"team/e{number}",
        updated=date(2026, 11, 20),
        signatures=(Signature(pattern=f"PumpError: {words}"),),
        en=Text(title=words, body=""),
    )


def test_a_search_finds_first_what_holds_all_words_and_a_paste_asks_for_the_rare_ones(engine: Engine) -> None:
    words = [f"valve gasket{chr(97 + number)} broke" for number in range(COMMON)]
    with writing(engine) as session:
        for number, said in enumerate([*words, "valve zorb frob quux grue"]):
            publishing.publish(session, entry(number, said), actor="rita")
    questions = Questions(engine, remembered=2)
    found = [match.slug for match in questions.search("valve zorb frob quux grue")]
    assert found[0] == f"team/e{COMMON}"
    assert len(found) <= COMMON + 1
    answer = questions.ask("PumpError: valve zorb frob quux grue")
    assert [match.slug for match in (*answer.matches, *answer.related)] == [f"team/e{COMMON}"]
