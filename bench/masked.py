"""What masking secrets costs: the figures of the labelled pastes as they are, and with what looks secret masked.

    python -m bench.masked

Prints a Markdown table, one row a set and figure, with the difference. Ends with 1 when one is larger than 0.01.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

from app.asking.question_service import Questions
from app.privacy import secrets
from app.quality import evaluation
from app.quality.evaluation import Case
from bench import databases, pastes

FIGURES = ("answered@1", "found@1", "found@3", "wrong", "false", "auc", "high right", "likely right")
MOST = 0.01


def differences() -> Iterator[tuple[str, str, float, float]]:
    """Yield for each set and figure its name, the figure without and with masking."""
    with databases.shipped() as engine:
        questions = Questions(engine)
        for name, cases in pastes.labelled().items():
            masked = [_masked(case) for case in cases]
            changed = sum(one.text != other.text for one, other in zip(cases, masked, strict=True))
            print(f"{name}: {changed} of {len(cases)} texts hold something that looks secret", file=sys.stderr)
            plain, hidden = (evaluation.figures(evaluation.run(questions, rows)) for rows in (cases, masked))
            for figure in FIGURES:
                if plain[figure] is not None:
                    yield name, figure, float(plain[figure] or 0), float(hidden[figure] or 0)


def _masked(case: Case) -> Case:
    return replace(case, text=secrets.mask(case.text).text)


def main() -> int:
    """Print the table; return 1 when a figure moved by more than it may."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("| set | figure | as it is | masked | difference |\n|---|---|---:|---:|---:|")
    worst = 0.0
    for name, figure, plain, hidden in differences():
        worst = max(worst, abs(hidden - plain))
        print(f"| {name} | {figure} | {plain:.3f} | {hidden:.3f} | {hidden - plain:+.3f} |")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
