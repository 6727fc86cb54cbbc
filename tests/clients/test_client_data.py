"""What the client knows is the server's, and it runs on an old Python without anything else."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config import ROOT
from app.privacy import secrets as on_server
from clients.python.make_data import FOLDER, files
from errdex_client import secrets
from tests.privacy.corpus import CASES, JOINTS, Case

PACKAGE = ROOT / "clients" / "python" / "src" / "errdex_client"
MODULES = sorted(PACKAGE.rglob("*.py"))
# These are imported only where the SDK of MCP is, which needs a later Python.
OF_SDK = {PACKAGE / "mcp" / "rest.py", PACKAGE / "mcp" / "tools.py"}
SDK = {"mcp", "mcp_types", "pydantic"}


@pytest.mark.parametrize("name", sorted(files()))
def test_the_data_is_what_the_script_makes_of_the_server_s(name: str) -> None:
    """`python clients/python/make_data.py` after a change of rules, needles or texts."""
    assert (FOLDER / name).read_text(encoding="utf-8") == files()[name]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_secret_is_masked_as_the_server_masks_it(case: Case) -> None:
    assert secrets.mask(case.text).text == case.masked


@given(st.lists(st.one_of(st.sampled_from([case.text for case in CASES]), st.sampled_from(JOINTS)), max_size=8))
def test_mixed_texts_are_masked_as_the_server_masks_them_and_what_stays_is_found_again(parts: list[str]) -> None:
    text = "".join(parts)
    masked = secrets.mask(text)
    assert masked.text == on_server.mask(text).text
    starts = [masked.start(at) for at in range(len(masked.text) + 1)]
    ends = [masked.end(at) for at in range(len(masked.text) + 1)]
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    assert (starts[0], ends[-1]) == (0, len(text)) or not masked.passes
    for at, char in enumerate(masked.text):
        if ends[at + 1] - starts[at] == 1:
            assert text[starts[at]] == char or "<" in masked.text


HUB = "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH"


@pytest.mark.parametrize(
    ("text", "word", "stands_for"),
    [
        (f"x\nexport HF_TOKEN={HUB}\nValueError: bad", "<TOKEN#1>", HUB),
        (f"x\nexport HF_TOKEN={HUB}\nValueError: bad", "ValueError", "ValueError"),
        ("api_key=sk-abcdefghijklmnopqrstuvwx1234567890 KeyError: 'a'", "KeyError: 'a'", "KeyError: 'a'"),
    ],
)
def test_a_place_in_the_masked_text_is_one_of_the_text_before(text: str, word: str, stands_for: str) -> None:
    masked = secrets.mask(text)
    at = masked.text.index(word)
    assert text[masked.start(at) : masked.end(at + len(word))] == stands_for


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_written_for_python_3_8_and_needs_only_its_library(path: Path) -> None:
    """The newer syntax that matters is told by the parser; `ruff` holds the folder to py38 besides."""
    oldest = (3, 10) if path in OF_SDK else (3, 8)
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=oldest)
    needed = {*sys.stdlib_module_names, "errdex_client"} | (SDK if path.parent.name == "mcp" else set())
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.partition(".")[0] in needed, name


def test_importing_it_loads_nothing_of_the_network(env: dict[str, str]) -> None:
    code = "import errdex_client, sys; print(*{'urllib.request', 'http.client', 'ssl', 'socket'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
