"""The figures as a page: `docs/benchmarks.md`."""

from collections.abc import Iterable, Sequence
from typing import Any

Figures = dict[str, Any]

HEAD = """# Benchmarks

Written by `make bench`; do not edit by hand. Every section is one run on one machine, Errdex and its peers in turn, so
what counts are the ratios. Nothing leaves the machine.
"""


def written(sections: Figures) -> str:
    """Return the page of the sections that were measured: {name: its figures with `date` and `machine`}."""
    parts = [HEAD]
    writers = {"scale": _scale, "ours": _ours, "http": _http, "typing": _typing, "logs": _logs}
    for name, write in writers.items():
        if name in sections:
            parts += [*write(sections[name]), _measured(sections[name])]
    return "\n".join(parts)


def _measured(figures: Figures) -> str:
    said = "; ".join(f"{what} {which}" for what, which in figures["machine"].items())
    return f"Measured {figures['date']}, in {figures['seconds']:.0f} s: {said}.\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _absent(title: str, what: str) -> list[str]:
    return [f"## {title}\n", f"Not measured: {what} is not here.\n"]


def _scale(figures: Figures) -> list[str]:
    title = "Many entries"
    if "absent" in figures:
        return _absent(title, figures["absent"])
    rows, sizes = figures["rows"], figures["sizes"]
    parts = [
        f"## {title}\n",
        f"{sizes[-1]:,} places where public Python packages raise an exception, as entries; {figures['queries']:,} "
        f"tracebacks as a terminal shows them, asked one at a time in process, {figures['turns']} times, the engines "
        "in turn. *Right first*: the first answer prints the same message; *own site*: it is the very place. × is the "
        "median's ratio to Errdex on SQLite with the same indexed. Errdex starts each turn with empty caches and keeps "
        "the entries in its database; the peers are filled anew and keep theirs in memory, as bare indexes. They are "
        "asked each word of a paste once. Where an engine is slow it was asked fewer pastes, once.\n",
    ]
    for size in sizes[::-1]:
        parts += [f"### {size:,} entries\n", _scale_table([row for row in rows if row["entries"] == size])]
    if figures["same_on_both"] is not None:
        share = f"{figures['same_on_both']:.1%}"
        parts.append(f"SQLite and PostgreSQL give the same first answer to {share} of the pastes.\n")
    return [*parts, "![Median of one question over the number of entries](benchmarks/questions.svg)\n"]


def _scale_table(rows: Sequence[Figures]) -> str:
    base = {row["indexed"]: row["median_ms"] for row in rows if row["engine"] == "Errdex on SQLite"}
    head = (
        "engine", "indexed", "query", "pastes", "right first", "own site", "median ms", "p99 ms", "×", "entries/s in",
    )  # fmt: skip
    return _table(
        head,
        (
            (
                row["engine"],
                row["indexed"],
                row["query"],
                str(row["asked"]),
                f"{row['right']:.3f}",
                f"{row['own']:.3f}",
                f"{row['median_ms']:.2f}",
                f"{row['p99_ms']:.2f}",
                _ratio(row["median_ms"] / base[row["indexed"]]),
                f"{row['filled_per_second']:,.0f}",
            )
            for row in rows
        ),
    )


def _ratio(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2f}"


def _ours(figures: Figures) -> list[str]:
    title = "The shipped entries"
    if "absent" in figures:
        return _absent(title, figures["absent"])
    parts = [
        f"## {title}\n",
        f"{figures['entries']} entries, all that they say indexed in every engine: titles, texts and patterns of both "
        "languages. *Answered right*: what is stood behind first is right; *found*: a right one is first, or among the "
        "first three, of all that is shown; *wrong*: a wrong one is stood behind; *false*: something is stood behind "
        "where no entry helps; *auc*: how well the top score tells the two apart (1 perfect, 0.5 chance). A peer "
        "stands behind whatever it finds first. Chinese is cut by jieba for all of them (rjieba, which cuts Chinese "
        "into the same words).\n",
    ]
    for name, rows in figures["sets"].items():
        positive, total = figures["counts"][name]
        parts += [f"### `{name}`: {positive} pastes with an entry, {total - positive} without\n", _ours_table(rows)]
    return parts


def _ours_table(rows: Sequence[Figures]) -> str:
    keys = ("answered@1", "found@1", "found@3", "wrong", "false", "auc")
    head = ("engine", "query", "answered right", "found first", "found in 3", "wrong", "false", "auc")
    return _table(head, ((row["engine"], row["query"], *(_share(row[key]) for key in keys)) for row in rows))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _http(figures: Figures) -> list[str]:
    asked, typed = figures["match"], figures["typed"]
    rows = [
        (f"`POST /api/v1/match`, {name}", str(asked["entries"]), str(figures["connections"]), asked[key])
        for key, name in (("first", "never asked before"), ("again", "asked before"))
    ]
    if "absent" not in typed:
        paths = ("/api/v1/search", "/en/search")
        rows += [(f"`GET {path}`", f"{typed['entries']:,}", "1", typed[path]) for path in paths]
    return [
        "## One worker over HTTP\n",
        f"`errdex serve` beside a bare Starlette echo of the same bytes, same client, kept-open connections, in turn. "
        f"The pastes are the {asked['pastes']} of this repository with 25 to 35 lines, in turn ({asked['lines']} lines "
        f"and {asked['bytes']:,} bytes on average); in process one takes {asked['in_process_ms']:.2f} ms on average. "
        "*Never asked before*: copies that differ in their first line, more than the server remembers, in a circle. "
        "*Asked before*: the same texts again, whose answers it remembers while nothing is published "
        "([why](decisions/remembered.md)). The searches are what someone types, letter by letter.\n",
        _table(
            ("request", "entries", "connections", "a second", "median ms", "p99 ms", "echo a second", "share of echo"),
            ((path, entries, connections, *_rates(found)) for path, entries, connections, found in rows),
        ),
    ]


def _typing(figures: Figures) -> list[str]:
    what = "raise sites" if figures["sites"] else "made of words"
    rows = figures["rows"]
    return [
        "## Search as you type\n",
        "`GET /{lang}/search/typing`, which the search box asks at every letter, from one worker of `errdex serve` "
        f"with {figures['entries']:,} entries ({what}, each with a Chinese title) and the shipped ones, beside a bare "
        "Starlette application that answers as many bytes; same client, one kept-open connection, in turn. × is the "
        "ratio of the medians of a round, in the middle of all rounds. *For the first time*: more beginnings than the "
        "server remembers, in a circle, so that each is looked up anew.\n",
        _table(
            ("typed", "beginnings", "bytes of an answer", "median ms", "p99 ms", "echo median ms", "×"),
            (
                (
                    name,
                    str(row["asked"]),
                    f"{row['bytes']:,.0f}",
                    f"{row['errdex']['median_ms']:.2f}",
                    f"{row['errdex']['p99_ms']:.2f}",
                    f"{row['echo']['median_ms']:.3f}",
                    f"{row['ratio']:.1f}",
                )
                for name, row in rows.items()
            ),
        ),
    ]


def _rates(found: Figures) -> tuple[str, ...]:
    ours, echo = found["errdex"], found["echo"]
    return (
        f"{ours['per_second']:,.0f}",
        f"{ours['median_ms']:.2f}",
        f"{ours['p99_ms']:.2f}",
        f"{echo['per_second']:,.0f}",
        f"{found['share']:.1%}",
    )


def _logs(figures: Figures) -> list[str]:
    logs = _table(
        ("log", "found", "s", "grep s", "× grep", "peak memory, whole", "peak memory, 64 KiB chunks"),
        (
            (
                row["kind"],
                "yes" if row["found"] else "no",
                f"{row['seconds']:.2f}",
                f"{row['grep_seconds']:.3f}",
                f"{row['ratio']:.1f}",
                f"{row['peak_whole']:.2f} ×",
                f"{row['peak_chunks']:.2f} ×",
            )
            for row in figures["log"]
        ),
    )
    return [
        "## Large logs\n",
        "10 MB of training log with one error in the middle. *grep* is one pass of "
        "`(?m)^.*(?:Error|Exception).*$` over the same text; "
        "seconds are of processor time; memory is what is held at once, in bytes of the text.\n",
        logs,
        "### Growth\n",
        "Exponent of the processor seconds of reading and preparing a text made of one repeated piece: 1 is "
        "linear, 2 quadratic. "
        "*Lines*: 1 to 8 million characters in lines of 200; *one line*: 125,000 to 1,000,000 without a newline; "
        "*within a line*: 2,000 to 16,000, alone or before an error, the worse of both. Below 1: long lines are read "
        "only in part. *s* are seconds for a million characters, of the largest that was measured.\n",
        _table(
            ("repeated", "lines", "s", "one line", "s", "within a line", "s"),
            (
                (f"`{_visible(row['kind'])}`", *_grown(row, "size"), *_grown(row, "one_line"), *_grown(row, "piece"))
                for row in figures["growth"]
            ),
        ),
    ]


def _grown(row: Figures, which: str) -> tuple[str, str]:
    found = row.get(which)
    if found is None:
        return "", ""
    grown = found["exponent"]
    return ("over 2 s at once" if grown is None else f"{grown:.2f}"), f"{found['worst']:.2f}"


def _visible(text: str) -> str:
    return (
        text.encode("unicode_escape").decode() if not text.isprintable() else text.replace(" ", "␠").replace("|", "│")
    )
