"""Draws the growth of one question's time with the number of entries."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

INK, PAPER = "#222222", "#ffffff"
COLOURS = ("#b3261e", "#7d5260", "#1f5fa8", "#2e7d4f", "#8a6d1a", "#5f4b8b")
MARKS = "osD^vP"


def questions(rows: Sequence[dict[str, Any]], target: Path) -> None:
    """Draw the median milliseconds of one question over the number of entries, both logarithmic, as SVG.

    `rows` are those of the section `scale`; only those with everything indexed are drawn.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    series: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if "file" in row["indexed"] and (row["query"] == "whole paste" or "rapidfuzz" in row["engine"]):
            series.setdefault(f"{row['engine']}, {row['query']}", []).append((row["entries"], row["median_ms"]))
    # The same figures give the same bytes: there is no date and no random id, and letters stay letters.
    mpl.rcParams.update({"svg.hashsalt": "errdex", "svg.fonttype": "none", "font.family": "sans-serif"})
    figure = Figure(figsize=(8, 4.6), facecolor=PAPER, layout="constrained")
    axes = figure.subplots()
    for (name, points), colour, mark in zip(series.items(), COLOURS, MARKS, strict=False):
        ours = name.startswith("Errdex")
        sizes, took = zip(*sorted(points), strict=True)
        axes.plot(sizes, took, label=name, color=colour, marker=mark, linewidth=2.4 if ours else 1.2)
    axes.set(xscale="log", yscale="log", xlabel="entries", ylabel="median of one question, ms")
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    target.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})
