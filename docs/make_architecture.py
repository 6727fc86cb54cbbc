"""Draws `docs/architecture.svg` and the table of rooms in `docs/architecture.md`: `python -m docs.make_architecture`.

Both are made from the imports and the docstrings of `app/`. An arrow leads from a room to one that it imports. It is
left out where another way of arrows leads there too: most rooms also import most of what lies below.
"""

import ast
from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from statistics import mean
from typing import NamedTuple

from app.config import ROOT
from tests.test_imports import APP, FILES, imported, room_of

PICTURE = ROOT / "docs" / "architecture.svg"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- rooms -->\n", "<!-- end of rooms -->\n"
# Sizes are in pixels: width and height of a box, the lane of an arrow that passes a row, the gap between boxes, the
# distance of rows, the margin.
BOX, HEIGHT, LANE, GAP, ROW, MARGIN = 112, 34, 18, 22, 82, 24
# The rows are put in order by what they are joined to so many times; more sweeps change nothing.
SWEEPS = 24
STYLE = (
    "text{font:15px sans-serif;text-anchor:middle;fill:#1d2b36}"
    "rect{fill:#f3f6f8;stroke:#5b6b78}path{fill:none;stroke:#8a99a6;stroke-width:1.4}"
)

Graph = Mapping[str, set[str]]


class Place(NamedTuple):
    """Something in a row: a room, or the lane of an arrow that passes the row between two rooms."""

    room: str
    target: str = ""


# It has the upper place, the lower place, and the row of the upper one.
Piece = tuple[Place, Place, int]


def imports() -> dict[str, set[str]]:
    """Return for each room the rooms that its files import. `__init__`, which has the version alone, is left out."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        room = room_of(path)
        if room != "__init__":
            found.setdefault(room, set()).update(imported(path)[0] - {room, "__init__"})
    return found


def reduced(graph: Graph) -> dict[str, set[str]]:
    """Return the graph without the edges that a longer way makes needless. It must have no cycle."""
    reach: dict[str, set[str]] = {}

    def below(room: str) -> set[str]:
        if room not in reach:
            reach[room] = graph[room].union(*(below(other) for other in graph[room]))
        return reach[room]

    return {
        room: {other for other in others if not any(other in below(between) for between in others)}
        for room, others in graph.items()
    }


def ranks(graph: Graph) -> dict[str, int]:
    """Return the row of each room, from 0 at the ground: one above the highest that it imports."""
    found: dict[str, int] = {}

    def rank(room: str) -> int:
        if room not in found:
            found[room] = 1 + max((rank(other) for other in graph[room]), default=-1)
        return found[room]

    for room in graph:
        rank(room)
    return found


def rows(graph: Graph) -> tuple[list[list[Place]], list[Piece]]:
    """Return the rows from the ground up, and the pieces of arrows: upper place, lower place, row of the upper one."""
    rank = ranks(graph)
    placed: list[list[Place]] = [[] for _ in range(max(rank.values()) + 1)]
    pieces: list[Piece] = []
    for room in sorted(graph):
        placed[rank[room]].append(Place(room))
    for room in sorted(graph):
        for other in sorted(graph[room]):
            lanes = [Place(room, other) for _ in range(rank[other] + 1, rank[room])]
            for row, lane in zip(range(rank[room] - 1, rank[other], -1), lanes, strict=True):
                placed[row].append(lane)
            way = [Place(room), *lanes, Place(other)]
            pieces += [(upper, lower, rank[room] - step) for step, (upper, lower) in enumerate(pairwise(way))]
    return placed, pieces


def ordered(placed: list[list[Place]], pieces: list[Piece]) -> list[dict[Place, float]]:
    """Return the middle of each place in pixels, row by row: each as near as may be to what it is joined to."""
    middles = [_spread(row) for row in placed]
    for sweep in range(SWEEPS):
        upwards = sweep % 2 == 0
        for row in range(len(placed)) if upwards else reversed(range(len(placed))):
            other = row - 1 if upwards else row + 1
            if not 0 <= other < len(placed):
                continue
            ends = [(a, b) if upwards else (b, a) for a, b, high in pieces if high == max(row, other)]
            joined = {place: [middles[other][end] for one, end in ends if one == place] for place in placed[row]}
            wanted = {place: mean(found) if (found := joined[place]) else middles[row][place] for place in placed[row]}
            placed[row].sort(key=lambda place: (wanted[place], place))
            middles[row] = _spread(placed[row])
    return middles


def _spread(row: list[Place]) -> dict[Place, float]:
    widths = [LANE if place.target else BOX for place in row]
    at = -(sum(widths) + GAP * (len(row) - 1)) / 2
    found: dict[Place, float] = {}
    for place, width in zip(row, widths, strict=True):
        found[place] = at + width / 2
        at += width + GAP
    return found


def picture(graph: Graph) -> str:
    """Return the picture of a graph of rooms as SVG."""
    placed, pieces = rows(reduced(graph))
    middles = ordered(placed, pieces)
    half = max(abs(middle) for row in middles for middle in row.values()) + BOX / 2 + MARGIN
    tall = ROW * (len(placed) - 1) + HEIGHT + 2 * MARGIN
    tops = [MARGIN + ROW * (len(placed) - 1 - row) for row in range(len(placed))]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * half:.0f} {tall:.0f}" role="img" '
        'aria-label="The rooms of Errdex and which imports which">',
        f"<style>{STYLE}</style>",
        '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>',
        '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" style="fill:#8a99a6;stroke:none"/></marker>',
    ]
    lines += [_piece(piece, middles, tops, half) for piece in pieces]
    for row, top in enumerate(tops):
        for place, middle in middles[row].items():
            if not place.target:
                lines += _box(place.room, half + middle, top)
    return "\n".join([*lines, "</svg>", ""])


def _piece(piece: Piece, middles: list[dict[Place, float]], tops: list[int], half: float) -> str:
    upper, lower, row = piece
    a, b = half + middles[row][upper], half + middles[row - 1][lower]
    # A lane is drawn from its top to its bottom.
    start, end = tops[row] + HEIGHT, tops[row - 1]
    lane = f"M{a:.0f} {tops[row]}V{start}" if upper.target else f"M{a:.0f} {start}"
    head = "" if lower.target else ' marker-end="url(#head)"'
    return f'<path d="{lane}C{a:.0f} {start + 26} {b:.0f} {end - 26} {b:.0f} {end}"{head}/>'


def _box(room: str, middle: float, top: int) -> Iterator[str]:
    yield f'<rect x="{middle - BOX / 2:.0f}" y="{top}" width="{BOX}" height="{HEIGHT}" rx="5"/>'
    yield f'<text x="{middle:.0f}" y="{top + HEIGHT / 2 + 5:.0f}">{escape(room)}</text>'


def table(graph: Graph) -> str:
    """Return the rooms, the highest first, with what their own docstrings say of them."""
    rank = ranks(graph)
    order = sorted(graph, key=lambda room: (-rank[room], room))
    return "| room | what is in it |\n|---|---|\n" + "".join(f"| `{room}` | {_said(room)} |\n" for room in order)


def _said(room: str) -> str:
    path = APP / room / "__init__.py" if (APP / room).is_dir() else APP / f"{room}.py"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


def page(written: str, graph: Graph) -> str:
    """Return the page `written` with the table of today between its two marks."""
    before, _, rest = written.partition(BEGIN)
    return before + BEGIN + table(graph) + END + rest.partition(END)[2]


def main() -> None:
    """Draw the picture and write the table."""
    graph = imports()
    PICTURE.write_text(picture(graph), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), graph), encoding="utf-8")


if __name__ == "__main__":
    main()
