"""How a pattern fits a message."""

import pytest

from app.matching.ranking.pattern import compile_pattern, contradiction, fit, reads

FITS = [
    ("ValueError: bad <*> value", "ValueError: bad 17 value", 1.0),
    (
        "num_gen_batches=<*> >= max_num_gen_batches=<*>",
        "ValueError: num_gen_batches=10 >= max_num_gen_batches=10.",
        1.0,
    ),
    ("Checkpoint step_<*> not found", "FileNotFoundError: Checkpoint step_1200 not found", 1.0),
    ("Token id <*> is out of vocabulary", "TOKEN ID 151703  is out of vocabulary!", 1.0),
    ("enable_http_endpoint must be True", "enable_http_end\npoint must be True", 1.0),
    ("actor/pg_loss: nan", "step:3 - actor/pg_loss:np.float64(nan) - actor/lr:np.float64(1e-06)", 1),
]


@pytest.mark.parametrize(("pattern", "text", "coverage"), FITS)
def test_a_whole_pattern_fits_whatever_fills_its_holes(pattern: str, text: str, coverage: float) -> None:
    found = [match for item in reads(text) if (match := fit(compile_pattern(pattern), item))]
    assert max(match.coverage for match in found) == coverage


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("reward/avg: 0.0, reward/raw: 0.0", "reward/avg: 0.62, reward/raw: 0.58"),
        ("CUDA error: invalid device ordinal", "CUDA error: out of memory"),
        ("actor with name 'explorer'", "explorer name with actor"),
    ],
)
def test_another_message_does_not_fit_whole(pattern: str, text: str) -> None:
    found = [match for item in reads(text) if (match := fit(compile_pattern(pattern), item))]
    assert all(match.coverage < 0.9 for match in found)


SLOW = "gen throughput (token/s): <number<20>, #queue"


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        (SLOW, "Decode batch. gen throughput (token/s): 2.91, #queue-req: 0", True),
        (SLOW, "gen throughput (token/s): 0.00, #queue-req: 0", True),
        (SLOW, "gen throughput (token/s): -3, #queue-req: 0", True),
        (SLOW, "gen throughput (token/s): 2e1, #queue-req: 0", False),
        (SLOW, "gen throughput (token/s): 1,520.5, #queue-req: 0", False),
        (SLOW, "gen throughput (token/s): nan, #queue-req: 0", False),
        # a version, and a number elsewhere
        (SLOW, "gen throughput (token/s): 1.2.3, #queue-req: 0", False),
        (SLOW, "#token: 7, gen throughput (token/s): 2150.00, #queue-req: 0", False),
        ("<number>=8> ranks of <*> are gone", "8 ranks of 12 are gone", True),
        ("<number>8> ranks of <*> are gone", "8 ranks of 12 are gone", False),
        ("grad_norm: <number<=-0.5>", "step:3 - grad_norm:np.float64(-0.5)", True),
        ("grad_norm: <number<=-0.5>", "step:3 - grad_norm:np.float64(0.5)", False),
        # no such hole: the words must be there
        ("queue of <number> is full", "queue of 7 is full", False),
    ],
)
def test_a_hole_for_a_number_is_filled_by_a_number_that_holds(pattern: str, text: str, fits: bool) -> None:
    found = fit(compile_pattern(pattern), reads(text)[0])
    assert (found is not None and found.coverage == 1) is fits


@pytest.mark.parametrize(
    ("pattern", "text", "other"),
    [
        # another subject
        ("piston <*> has the wrong bore", "has the wrong bore", "valve 7 has the wrong bore"),
        ("marker gaskets cannot have rings", "gaskets cannot have rings", "auto gaskets cannot have rings"),
        # another value of the same name, and another number of an error
        (
            "worker lost its channel, OpType=BROADCAST",
            "worker lost its channel, OpType",
            "worker lost its channel, OpType=ALLREDUCE",
        ),
        ("No pump named 'basin'", "No pump named 'basin'", "No pump named 'basin.upper'"),
        ("[Errno 98] the inlet is taken", "the inlet is taken", "[Errno 99] the inlet is taken"),
        # another argument, attribute or name that Python does not know
        *(
            (f"Pump() {unknown} 'bore'", f"Pump() {unknown}", f"Pump() {unknown} 'stroke'")
            for unknown in ("got an unexpected keyword argument", "has no attribute", "cannot import name")
        ),
        # another package that an installer looked for
        (
            "no release meets the requirement hose==<*>",
            "no release meets the requirement",
            "no release meets the requirement valve==2",
        ),
        (
            "no plumbing distribution found for hose==<*>",
            "no plumbing distribution found for",
            "no plumbing distribution found for hose-clip==2",
        ),
    ],
)
def test_another_word_counts_more_against_a_pattern_than_a_missing_one(pattern: str, text: str, other: str) -> None:
    missing, contradicted = (fit(compile_pattern(pattern), reads(said)[0]) for said in (text, other))
    assert missing is not None
    assert contradicted is None or contradicted.coverage < missing.coverage


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        # another form of a word, the type of another release, and a word at the end
        ("the pump takes <*> gaskets but got none", "the pump takes 1 gasket but got none"),
        ("PumpError: the inlet <*> is frozen shut", "RuntimeError: the inlet 3 is frozen shut"),
        ("pump<*> of the inlet is frozen shut", "pump_upper of the inlet is frozen shut"),
        ("[Errno 98] the inlet is taken", "[Errno 98] the inlet is taken, after [Errno 99]"),
    ],
)
def test_another_form_or_type_contradicts_nothing(pattern: str, text: str) -> None:
    compiled, read = compile_pattern(pattern), reads(text)[0]
    pairs = [(at, read.words.index(word)) for at, word in enumerate(compiled.words) if word in read.words]
    assert contradiction(compiled, read.words, pairs) == 0


def test_the_characters_that_fit_are_told() -> None:
    text = "xx Token id 42 is out of vocabulary yy"
    found = fit(compile_pattern("Token id <*> is out of vocabulary"), reads(text)[0])
    assert found is not None
    assert [text[low:high] for low, high in found.ranges] == ["Token id", "is out of vocabulary"]


def test_many_holes_on_a_long_hostile_line_stay_quick_and_right() -> None:
    pattern = compile_pattern("a1 <*> b2 " * 30 + "end of it")
    text = "a1 b2 " * 20_000
    found = fit(pattern, reads(text)[0])
    assert found is None or found.coverage < 1
