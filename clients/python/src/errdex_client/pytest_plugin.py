"""pytest: `--errdex` answers the failures of a run in its summary. Without the option nothing is asked or sent."""

from __future__ import annotations

from typing import Any

# Failures that are asked about: the same cause mostly fails many tests, and the server is not to be flooded.
MOST = 10


def pytest_addoption(parser: Any) -> None:
    """Add the option."""
    group = parser.getgroup("errdex")
    group.addoption("--errdex", action="store_true", help="ask the Errdex server of ERRDEX_URL about failures")


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Add a section with the entries that explain failures, each once, and the tests that they explain."""
    if not config.getoption("errdex", False):
        return
    reports = [*terminalreporter.stats.get("failed", []), *terminalreporter.stats.get("error", [])]
    texts: dict[str, list[str]] = {}
    for report in reports:
        texts.setdefault(str(report.longreprtext), []).append(report.nodeid)
    try:
        _summarise(terminalreporter, texts)
    except Exception as error:
        # The result of the run is that of the tests, whatever goes wrong here.
        terminalreporter.write_line(f"errdex: {' '.join(str(error).split())}")


def _summarise(reporter: Any, texts: dict[str, list[str]]) -> None:
    from errdex_client import match
    from errdex_client.answer_text import terminal_lines

    explained: dict[str, tuple[Any, list[str]]] = {}
    for text, names in list(texts.items())[:MOST]:
        answer = match(text, limit=1)
        if answer["matches"]:
            slug = answer["matches"][0]["slug"]
            explained.setdefault(slug, (answer, []))[1].extend(names)
    if not explained:
        return
    reporter.section("errdex")
    for answer, names in explained.values():
        for name in names:
            reporter.write_line(name)
        for line in terminal_lines({**answer, "related": []}, "en"):
            reporter.write_line("".join(text for text, _style in line))
