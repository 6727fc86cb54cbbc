"""How the time of masking secrets grows with the length of texts that make careless expressions slow.

    python -m bench.secrecy_growth

Prints a Markdown table of the exponents (1 is linear, 2 quadratic), the worst first. Ends with 1 over 1.3.
"""

import argparse
import sys

from app.privacy.secrets import mask, rules
from bench.figures import cpu_clock, exponent, say

SIZES = (50_000, 100_000, 200_000, 400_000)
REPEATS = 3
SHOWN = 10
MOST = 1.3

# Each is repeated up to the wanted length, and so is everything that a rule needs in order to be tried.
HOSTILE = (
    "a",
    "0",
    ".",
    "-",
    "@",
    "a@",
    "a.",
    "1.",
    "1.1.1.",
    "2:",
    "2001::",
    "/home/",
    "://a:",
    "Bearer a",
    "eyJaaaaaaaa.",
    'password="',
    "token=a",
    "a-",
    "a=a;",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----a",
    "x@y.co.",
    "sk-a",
    "wandb login ",
    "wandb key ",
    "Cookie: a=",
    "Authorization: Bearer ",
    ":1:1 [0] ",
    "a.corp",
    "a-1.local.",
    '\\"password\\":',
)


def growths() -> list[tuple[float, float, str]]:
    """Return for each text the exponent of its growth, the seconds of the longest, and what was repeated."""
    found: list[tuple[float, float, str]] = []
    for unit in (*sorted({need for rule in rules() for need in rule.needs}), *HOSTILE):
        say(f"masking: growth, {unit!r}")
        texts = [(unit * (size // len(unit) + 1))[:size] for size in SIZES]
        seconds = [min(cpu_clock(lambda text=text: mask(text)) for _ in range(REPEATS)) for text in texts]  # type: ignore[misc]
        found.append((exponent(SIZES, seconds), seconds[-1], unit))
    return sorted(found, reverse=True)


def main() -> int:
    """Print the table; return 1 when one grows faster than it may."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    rows = growths()
    print("| repeated | exponent | seconds per million characters |\n|---|---:|---:|")
    for grown, longest, unit in rows[:SHOWN]:
        print(f"| `{unit!r}` | {grown:.2f} | {longest / SIZES[-1] * 1e6:.2f} |")
    return int(rows[0][0] > MOST)


if __name__ == "__main__":
    sys.exit(main())
