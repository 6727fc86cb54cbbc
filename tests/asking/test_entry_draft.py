"""What is read off a paste for a new entry."""

from datetime import date
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.asking import entry_draft
from app.asking.entry_draft import Draft, pattern_of
from app.config import ROOT
from app.content import bundle
from app.content.names import projects
from app.content.schema import SLUG, EntryDocument, Signature, Text
from app.matching.parsing.parser import parse
from app.matching.ranking.candidate import Features, load
from app.matching.ranking.pattern import compile_pattern, fit, reads
from app.matching.ranking.query import Query
from app.matching.ranking.rank import rank
from app.store import entry_index

DOCUMENTS = {slug: bundle.read(folder, slug) for slug, folder in bundle.folders(ROOT / "content")}
# One example of each second entry, the first of one and the second of the next: each is held against all entries, so
# that the time grows with the square of their number.
EXAMPLES = [
    pytest.param(document, document.examples[place % len(document.examples)], id=slug)
    for place, (slug, document) in enumerate(list(DOCUMENTS.items())[::2])
]


@cache
def features_of_all() -> dict[str, Features]:
    """What the engine compares of each entry, made only where a test asks: every run reads this file."""
    return {
        slug: load(place, entry_index.features(document), entry_index.words(document))
        for place, (slug, document) in enumerate(DOCUMENTS.items())
    }


def draft_of(text: str) -> Draft:
    """The draft for a paste."""
    return entry_draft.from_report(parse(text), text)


def entry_of(draft: Draft) -> EntryDocument:
    """The entry that a person makes of a draft without thinking much."""
    signatures = [Signature(pattern=pattern) for pattern in draft.signatures]
    return EntryDocument(
        slug=f"{draft.project or 'project'}/draft",
        updated=date(2026, 11, 20),
        signatures=tuple(signatures + ([Signature(frame=draft.frame, weak=True)] if draft.frame else [])),
        en=Text(title=draft.title, body=""),
        examples=(draft.example,),
    )


def bordering(document: EntryDocument) -> set[str]:
    """The entry and those that border on it: where it is missing, one of them may be the right answer."""
    own = {document.slug, *document.also, *document.related}
    return own | {slug for slug, one in DOCUMENTS.items() if document.slug in (*one.also, *one.related)}


def answer(text: str, entries: list[Features]) -> str | None:
    """The slug of what is answered first, when there is an answer."""
    found = rank(Query.of(parse(text), projects()), entries)
    return found[0].features.slug if found and found[0].why_not is None else None


@pytest.mark.parametrize(("document", "example"), EXAMPLES)
def test_an_entry_made_from_the_draft_answers_its_paste_first(document: EntryDocument, example: str) -> None:
    draft, known = draft_of(example), features_of_all()
    made = load(len(known), entry_index.features(entry := entry_of(draft)), entry_index.words(entry))
    others = [features for slug, features in known.items() if slug not in bordering(document)]
    for text in {example, draft.example}:
        assert answer(text, [*others, made]) == made.slug


@pytest.mark.parametrize(("document", "example"), EXAMPLES)
def test_a_draft_is_ready_for_the_form(document: EntryDocument, example: str) -> None:
    draft = draft_of(example)
    assert 0 < len(draft.title) <= 120
    assert draft.name == "" or SLUG.fullmatch(f"x/{draft.name}")
    assert len(draft.name) <= 60
    assert draft.example in example
    assert len(draft.example) <= 8_000
    assert all("\n" not in pattern and 3 <= len(pattern) <= 500 for pattern in draft.signatures)


PATTERNS = {
    "RuntimeError: size 12.50 MiB at 0x7f3a, rank 3": "RuntimeError: size <*> MiB at <*>, rank <*>",
    "FileNotFoundError: No model file at /data/run-3/model.pt": "FileNotFoundError: No model file at <*>",
    "ValueError: No such column: 'step_1200_of_/tmp/x'": "ValueError: No such column: '<*>'",
    "KeyError: 'response_mask'": "KeyError: 'response_mask'",
    "KeyError: '/data/x.parquet'": "KeyError: '/data/x.parquet'",
    "ImportError: cannot import name 'Engine' from 'sglang' (/opt/x.py)": (
        "ImportError: cannot import name 'Engine' from 'sglang' (<*>)"
    ),
    "TypeError: got shapes [1, 2, 3] and [4, 5] for c10d": "TypeError: got shapes [<*>] and [<*>] for c10d",
    "/opt/a.py:12: UserWarning: None of the inputs\trequire  grad": "UserWarning: None of the inputs require grad",
    "HTTPError: 401 for http://10.0.0.7:8000/v1 of bob@example.org": "HTTPError: <*> for <*> of <*>",
    "ModuleNotFoundError: No module named 'verl'\nplease install it": "ModuleNotFoundError: No module named 'verl'",
    "!!!": "",
    "": "",
}


@pytest.mark.parametrize(("message", "pattern"), PATTERNS.items())
def test_variable_parts_of_a_message_are_holes_of_its_pattern(message: str, pattern: str) -> None:
    assert pattern_of(message) == pattern


PIECES = st.sampled_from(
    [
        *("ValueError: ", "failed at ", "/a/b.py", "0x7f", "x550e8400-e29b-41d4-a716-446655440000", "a@b.c", "12", "_"),
        *("http://h:1/x", "deadbeef1234", "C:\\x", "1.5e3", "报错", "rank3", "\n", " ", "\u1680", "\u2028", ","),
        *("'", '"', "`", "<*>", "<", ">"),
    ]
)


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join)))
def test_a_message_fits_the_pattern_made_from_it(message: str) -> None:
    pattern = pattern_of(message)
    assert len(pattern) <= 500
    if not pattern:
        return
    found = [match for read in reads(message) if (match := fit(compile_pattern(pattern), read))]
    assert max(match.coverage for match in found) == 1


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text(max_size=2000), st.lists(PIECES, max_size=400).map("".join)), st.integers(1, 40))
def test_the_example_of_any_paste_is_a_part_of_it(text: str, times: int) -> None:
    draft = draft_of(text * times)
    assert draft.example in text * times
    assert len(draft.example) <= 8_000
    assert len(draft.title) <= 120


@pytest.mark.parametrize(
    ("text", "project"),
    [
        ('  File "/home/u/verl/verl/trainer/main.py", line 1, in fit\nValueError: x', "verl"),
        (
            '  File "/site-packages/verl/x.py", line 1, in f\n  File "/src/skyrl-train/y.py", line 2, in g\nE: x',
            "skyrl",
        ),
        ('  File "/w/Trinity-RFT/trinity/cli/launcher.py", line 1, in run\nValueError: x', "trinity-rft"),
        ('  File "/w/ROLL/roll/pipeline/base.py", line 1, in run\nValueError: x', "roll"),
        ("ModuleNotFoundError: No module named 'roll.pipeline.rlvr'", "roll"),
        ("RLinf 训练时报 ValueError: x", "rlinf"),
        ("在verl里训练卡住了", "verl"),
        ("please roll back the overlap of the verlet solver", ""),
        ("ValueError: rolling window", ""),
    ],
)
def test_the_project_is_guessed_from_paths_and_words(text: str, project: str) -> None:
    assert draft_of(text).project == project


def test_the_example_is_cut_around_the_cause() -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/w/verl/a.py", line 1, in fit\n    go()\nZorbError: the frob left'
    )
    lines = [f"step {number}: fine" for number in range(500)]
    draft = draft_of("\n".join([*lines, trace, *lines]))
    assert trace in draft.example
    assert 25 <= len(draft.example.split("\n")) <= 34
    assert draft.frame == "verl/a.py:fit"
    assert draft.title == "ZorbError: the frob left"
    assert draft.name == "zorberror-the-frob-left"


def test_an_overlong_line_is_cut() -> None:
    draft = draft_of("x " * 50_000 + "\nZorbError: " + "the frob left " * 10_000)
    assert draft.example.startswith(("x", "ZorbError", " "))
    assert "ZorbError: the frob left" in draft.example
    assert len(draft.example) <= 8_000
    assert len(draft.title) <= 120


def test_nothing_makes_an_empty_draft() -> None:
    assert draft_of("") == Draft(title="", project="", name="", signatures=(), example="")
