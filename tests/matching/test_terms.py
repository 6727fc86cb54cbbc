"""What a paste asks the recall index for."""

import os
import subprocess
import sys

from app.config import ROOT

ASK = """
from random import Random
from app.matching.parsing.parser import parse
from app.matching.parsing.project_names import Projects
from app.matching.ranking.query import Query
pick = Random(1)
lines = (" ".join("".join(pick.choices("abcdefghij", k=7)) for _ in range(6)) for _ in range(400))
terms = Query.of(parse("\\n".join(f"ValueError: {line}" for line in lines)), Projects()).terms
print(len(terms), sorted(terms))
"""


def test_which_terms_of_a_large_paste_are_left_out_is_the_same_in_each_process() -> None:
    # sets of texts have another order with another seed
    told = [
        subprocess.run(
            [sys.executable, "-c", ASK],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0].startswith("2000 ")
    assert told[0] == told[1]
