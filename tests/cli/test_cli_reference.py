"""The pages on commands and settings say what the code says.

After a change of a help text: `ERRDEX_REWRITE=1 pytest tests/cli/test_cli_reference.py` writes the pages anew; what
stands above the first generated line is kept.
"""

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.cli.reference import HIDDEN, knobs
from app.cli.root import COMMANDS, every_command
from app.config import ROOT, Settings
from app.content.schema import EntryDocument

Run = Callable[..., Any]


def commands(command: Any, path: str) -> Iterator[str]:
    """Yield a section of the page for each command."""
    children = getattr(command, "commands", None)
    if children is None:
        yield section(command, path)
        return
    for name, child in children.items():
        yield from commands(child, f"{path} {name}")


def sections() -> Iterator[str]:
    """Yield the sections of all commands."""
    for name, command in every_command():
        yield from commands(command, f"errdex {name}")


def section(command: Any, path: str) -> str:
    """One command: what it does, then its arguments and options."""
    rows = [f"| {usage(item)} | {item.help} |" for item in command.params]
    table = "\n".join(["| | |", "|---|---|", *rows])
    text = "\n\n".join(" ".join(part.split()) for part in command.help.strip().split("\n\n"))
    return f"## `{path}`\n\n{text}\n" + (f"\n{table}\n" if rows else "")


def usage(item: Any) -> str:
    """An argument or option as it is typed."""
    if item.param_type_name == "argument":
        return f"`{item.metavar or item.name.upper()}`"
    return f"`{', '.join(item.opts)}`"


def settings_table() -> str:
    """All settings as a table."""
    rows = [
        f"| `{knob.name}` | {f'`{knob.default}`' if knob.default else ''} | {knob.help} |" for knob in knobs(Settings())
    ]
    return "\n".join(["| variable | default | what it does |", "|---|---|---|", *rows]) + "\n"


@pytest.mark.parametrize(
    ("name", "first", "generated"),
    [
        ("cli.md", "## `errdex ", lambda: "\n".join(sections())),
        ("settings.md", "| variable |", settings_table),
    ],
)
def test_the_page_says_what_the_code_says(name: str, first: str, generated: Callable[[], str]) -> None:
    """Help texts and settings have one source."""
    path = ROOT / "docs" / name
    text = path.read_text(encoding="utf-8")
    head = text.partition(first)[0]
    wanted = head + generated()
    if os.environ.get("ERRDEX_REWRITE"):
        path.write_text(wanted, encoding="utf-8")
    assert text == wanted, f"docs/{name} differs; ERRDEX_REWRITE=1 pytest {__file__} writes it"


def test_the_checked_in_schema_is_the_one_of_the_code(run: Run) -> None:
    """`errdex schema > docs/entry.schema.json` after a change."""
    assert run("schema").stdout == (ROOT / "docs" / "entry.schema.json").read_text(encoding="utf-8")


def test_every_shipped_entry_fits_the_schema() -> None:
    """The schema is that of JSON lines, TOML and API alike."""
    import jsonschema

    from app.content import bundle

    validator = jsonschema.Draft202012Validator(EntryDocument.model_json_schema())
    for slug, folder in bundle.folders(ROOT / "content"):
        validator.validate(bundle.read(folder, slug).plain())


def test_config_prints_every_setting_and_no_secret(run: Run) -> None:
    """Also not the password inside an address, wherever it stands."""
    env = {
        "ERRDEX_SECRET_KEY": "hunter2hunter2",
        "ERRDEX_DATABASE_URL": "postgresql+psycopg://u:hunter2@db/x?password=hunter2&sslmode=require",
    }
    for words in (["config"], ["config", "--json"]):
        result = run(*words, **env)
        assert result.exit_code == 0
        assert "hunter2" not in result.stdout
        assert HIDDEN in result.stdout
        for name in Settings.model_fields:
            assert f"ERRDEX_{name.upper()}" in result.stdout
    port = next(
        row for row in json.loads(run("config", "--json", ERRDEX_PORT="9").stdout) if row["name"] == "ERRDEX_PORT"
    )
    assert (port["value"], port["default"], port["source"]) == ("9", "8000", "environment")


def test_help_and_version_need_no_database(run: Run) -> None:
    """Every command explains itself."""
    assert run("--version").stdout.strip()
    for name in COMMANDS:
        assert run(name, "--help").exit_code == 0, name


def test_the_list_of_commands_says_what_each_command_says() -> None:
    for name, command in every_command():
        first = " ".join((command.help or "").split("\n\n")[0].split())
        assert COMMANDS[name].help == first, name
