"""What `errdex check` finds, kind by kind, and that it finds nothing where nothing is wrong."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.config import ROOT
from app.content import bundle, check, duplicate_patterns, translations
from app.content.bundle import Finding
from app.content.check import Bundle, Known
from app.content.schema import EntryDocument
from app.quality import back_test, folder_check, healthy_logs

# What answers an example is asked of a database of its own.
pytestmark = pytest.mark.database
EN = (
    "## Symptom\n\n```text\nWidgetError: gasket leaked\n```\n\n"
    "## Cause\n\nIt is old.\n\n## Fix\n\n```bash\nfix it\n```\n"
)
ZH = EN.replace("Symptom", "现象").replace("Cause", "原因").replace("Fix", "修复").replace("It is old.", "太旧了。")
Change = dict[str, Any]


def entry(slug: str = "demo/gasket", **change: Any) -> EntryDocument:
    """A good entry, changed."""
    plain: dict[str, Any] = {
        "slug": slug,
        "updated": "2026-11-20",
        "signatures": [{"pattern": "WidgetError: gasket leaked"}],
        "en": {"title": "Gasket leaked", "body": EN},
        "zh": {"title": "垫圈漏了", "body": ZH},
        "examples": ["WidgetError: gasket leaked\n", "垫圈漏了怎么办\n"],
    }
    return EntryDocument.model_validate(plain | change)


def text(body: str, title: str = "Gasket leaked") -> Change:
    """A text with this body."""
    return {"title": title, "body": body}


def test_a_good_entry_has_no_findings() -> None:
    """Silence means that it is right."""
    assert list(check.alone(Bundle(entry()))) == []
    told = entry(affects={"torch": "<2.4"}, fixed=[{"package": "torch", "release": "2.4"}])
    assert list(check.alone(Bundle(told))) == []


@pytest.mark.parametrize(
    ("change", "kind", "path", "line"),
    [
        ({"zh": None}, "language", "zh.md", 1),
        (
            {"signatures": [{"pattern": "WidgetError: leaked"}, {"pattern": "WidgetError: leaked", "weak": True}]},
            "repeated",
            "entry.toml",
            1,
        ),
        (
            {"signatures": [{"pattern": "leaked <number<many> drops"}]},
            "hole",
            "entry.toml",
            1,
        ),
        (
            {"signatures": [{"pattern": "gasket leaked", "unless": ["only <*><number<2>"]}]},
            "hole",
            "entry.toml",
            1,
        ),
        (
            {"affects": {"torch": "<2.4"}, "fixed": [{"package": "torch", "release": "2.3.1"}]},
            "fixed",
            "entry.toml",
            1,
        ),
        ({"en": text(EN.replace("## Cause", "## Reason"))}, "sections", "en.md", 1),
        ({"en": text(EN.replace("## Cause", "## Fixx").replace("## Fix\n", "## Cause\n"))}, "sections", "en.md", 9),
        ({"en": text(EN + "## Fix\n")}, "sections", "en.md", 18),
        ({"en": text("## Cause\n\nx\n\n" + EN.replace("## Cause\n\nIt is old.\n\n", ""))}, "sections", "en.md", 7),
        ({"zh": text(ZH.replace("fix it", "修"))}, "code", "zh.md", 15),
        ({"zh": text(ZH.replace("```bash\nfix it\n```\n", ""))}, "code", "zh.md", 1),
        ({"en": text(EN + "\n### More\n")}, "headings", "zh.md", 1),
        ({"en": text(EN, "long " * 25)}, "title", "en.md", 1),
        ({"en": text(EN.replace("```text", "```"))}, "code-language", "en.md", 5),
        ({"examples": ["WidgetError: gasket leaked"]}, "examples", "entry.toml", 1),
        (
            {"examples": ["a", "x\nexport HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyzABCDEF\n"]},
            "private",
            "examples/02.txt",
            2,
        ),
        ({"examples": ["a", "to mila@kestrel-lab.io"]}, "private", "examples/02.txt", 1),
        ({"examples": ["a", "connect to 93.184.216.34:6379"]}, "private", "examples/02.txt", 1),
    ],
)
def test_each_kind_of_mistake_is_found_where_it_is(change: Change, kind: str, path: str, line: int) -> None:
    """File and line are those that one opens."""
    found = [(item.kind, item.path, item.line) for item in check.alone(Bundle(entry(**change)))]
    assert (kind, f"demo/gasket/{path}", line) in found


@pytest.mark.parametrize(
    "harmless",
    [
        "10.0.3.7 192.168.1.1:6379 127.0.0.1 203.0.113.9 0.0.0.0",
        "nvidia-cublas-cu12==12.4.5.8 torch-2.7.1.100",
        "git@github.com:org/name.git mila@example.com",
        "step sk-learn task-runner max_new_tokens=512 eos_token: <|end|>",
        "password=<your password> token: $HF_TOKEN",
    ],
)
def test_what_is_not_private_is_left_alone(harmless: str) -> None:
    """A finding that is none teaches people to look away."""
    assert list(check.alone(Bundle(entry(examples=["a", harmless])))) == []


def test_code_inside_a_list_is_compared_without_its_indentation_and_hash_lines_are_no_headings() -> None:
    """Markdown as people write it."""
    indented = "1. Do\n\n   ```bash\n   # ## Fix\n   fix it\n   ```\n"
    flat = "1. Do\n\n```bash\n# ## Fix\nfix it\n```\n"
    shown = entry(kind="question", en=text(indented), zh=text(flat))
    assert list(check.alone(Bundle(shown))) == []


@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"tags": ["leaky"]}, "tag", "leaky"),
        ({"components": ["pump"]}, "component", "pump"),
        ({"also": ["demo/none"]}, "slug", "there is no entry demo/none"),
        ({"related": ["demo/old"]}, "slug", "demo/old is now demo/piston"),
        ({"former": ["demo/piston"]}, "slug", "entry of its own"),
        ({"en": text(EN + "See [this](errdex:demo/none).")}, "link", "there is no entry demo/none"),
        ({"zh": text(ZH + "见 [这里](errdex:none)。")}, "link", "not project/name"),
    ],
)
def test_a_reference_to_what_is_not_there_is_found(change: Change, kind: str, said: str) -> None:
    """Dead ends are told before a reader runs into one."""
    known = Known({"demo/gasket", "demo/piston"}, {"demo/old": "demo/piston"}, {"install"}, {"ray"})
    found = list(check.references(Bundle(entry(**change)), known))
    assert [item.kind for item in found] == [kind]
    assert said in found[0].text


def test_nothing_is_said_of_tags_when_nobody_says_which_there_are() -> None:
    """A team's folder need not have the lists."""
    assert list(check.references(Bundle(entry(tags=["leaky"])), Known({"demo/gasket"}))) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, True),
        ({"signatures": [{"pattern": "WIDGETERROR: gasket leaked"}]}, True),
        ({"signatures": [{"pattern": "WidgetError: piston stuck"}]}, False),
        ({"signatures": [{"pattern": "WidgetError: gasket leaked", "weak": True}]}, False),
        ({"also": ["demo/gasket"]}, False),
        ({"signatures": [{"pattern": "WidgetError: gasket leaked"}, {"frame": "widget/pump.py:run"}]}, False),
        ({"status": "withdrawn"}, False),
    ],
)
def test_two_entries_with_one_pattern_must_say_what_tells_them_apart(change: Change, found: bool) -> None:
    """By `also`, or by a frame."""
    pair = [Bundle(entry()), Bundle(entry("demo/seal", **change))]
    assert bool(list(duplicate_patterns.same_patterns(pair))) is found


def test_a_pattern_that_a_healthy_run_prints_is_found() -> None:
    """Unless it is weak."""
    logs = healthy_logs.prepared({"run.txt": "INFO pump started\nINFO widget gasket leaked test passed, all fine\n"})
    loud = {"pattern": "widget gasket leaked test passed"}
    assert [f.kind for f in healthy_logs.set_off(Bundle(entry(signatures=[loud])), logs)] == ["noise"]
    assert list(healthy_logs.set_off(Bundle(entry(signatures=[loud | {"weak": True}])), logs)) == []
    assert list(healthy_logs.set_off(Bundle(entry()), logs)) == []


def test_an_unless_that_strikes_an_example_of_its_own_entry_is_found(tmp_path: Path) -> None:
    signature = {"pattern": "WidgetError: gasket leaked", "unless": ["frame:widget/test.py:run", "only a drill"]}
    good = entry(signatures=[signature])
    assert folder_check.check_folder(folder(tmp_path / "good", good)) == []
    drill = good.model_copy(update={"examples": (*good.examples, "only a drill\nWidgetError: gasket leaked\n")})
    found = [item for item in folder_check.check_folder(folder(tmp_path / "bad", drill)) if item.kind == "unless"]
    lines = (tmp_path / "bad" / drill.slug / "entry.toml").read_text(encoding="utf-8").splitlines()
    assert [(item.path, "only a drill" in lines[item.line - 1]) for item in found] == [("demo/gasket/entry.toml", True)]
    assert "examples/03.txt" in found[0].text


@pytest.mark.parametrize(
    ("signature", "components", "kind"),
    [
        ({"pattern": "PumpError: <*> gasket leaked at <*>"}, [], "elsewhere"),
        ({"pattern": "PumpError: <*> gasket leaked at <*>"}, ["pumplib"], None),  # only one stranger is left
        ({"pattern": "PumpError: <*> gasket leaked at <*>", "weak": True}, [], None),
        ({"pattern": "PumpError: leaked gasket valve"}, [], None),  # printed by nobody else in this order
        ({"frame": "pumplib/gasket.py:leaked"}, [], None),
        ({"pattern": "KeyError: 'gasket'"}, [], None),  # one rare word and its type
        ({"pattern": "valve"}, [], "little"),
        ({"pattern": "valve", "weak": True}, [], None),
    ],
)
def test_a_pattern_that_others_print_or_that_says_too_little_is_found(
    signature: dict[str, Any], components: list[str], kind: str | None
) -> None:
    """Two packages that the entry does not name are enough; one may have copied the code."""
    table = (
        back_test.Printed("pumperror gasket leaked at", ("pumplib", "sealkit")),
        back_test.Printed("pumperror the gasket leaked at <*> bar", ("sealkit", "torch")),
        back_test.Printed("keyerror unknown gasket", ("sealkit",)),
    )
    document = entry(signatures=[signature], components=["pytorch", *components])
    assert [f.kind for f in back_test.unspecific([Bundle(document)], table)] == ([kind] if kind else [])


def test_the_table_of_messages_is_small_and_names_packages() -> None:
    """At most one megabyte in the repository."""
    assert back_test.TABLE.stat().st_size <= 1_000_000
    rows = back_test.read_table()
    assert len(rows) > 50_000
    assert {"torch", "transformers", "ray"} <= {package for row in rows for package in row.packages}


def test_the_logs_of_healthy_runs_are_as_long_as_logs_are() -> None:
    """30 to 80 lines each, a dozen of them, without anything private."""
    logs = sorted((ROOT / "bench" / "noise").glob("*.txt"))
    assert len(logs) == 12
    for log in logs:
        assert 30 <= len(log.read_text(encoding="utf-8").splitlines()) <= 80, log.name


def folder(root: Path, *documents: EntryDocument) -> Path:
    """A content folder with these entries."""
    for document in documents:
        bundle.write(root / document.slug, document)
    return root


def kinds(found: list[Finding]) -> list[tuple[str, str]]:
    """Path and kind of each finding."""
    return [(item.path, item.kind) for item in found]


def test_an_example_that_another_entry_answers_first_is_found(tmp_path: Path) -> None:
    """Entries are tests."""
    thief = entry(
        "demo/seal",
        signatures=[{"pattern": "SealError: seal burst under pressure"}],
        en=text(EN, "Seal burst"),
        zh=text(ZH, "密封破裂"),
        examples=["SealError: seal burst under pressure\n", "WidgetError: gasket leaked\n"],
    )
    assert kinds(folder_check.check_folder(folder(tmp_path / "a", entry(), thief))) == [
        ("demo/seal/examples/02.txt", "answer")
    ]
    friend = thief.model_copy(update={"also": ("demo/gasket",)})
    assert folder_check.check_folder(folder(tmp_path / "b", entry(), friend)) == []


def test_a_new_entry_that_takes_an_example_away_from_a_neighbour_is_found(tmp_path: Path) -> None:
    """The team's own folder is checked beside the shipped corpus."""
    vague = [{"pattern": "WidgetError: gasket"}]
    shipped = folder(
        tmp_path / "shipped",
        entry(signatures=vague, examples=["WidgetError: gasket leaked\n", "WidgetError: gasket x\n"]),
    )
    own = folder(tmp_path / "own", entry("demo/seal", related=["demo/gasket"]))
    assert folder_check.check_folder(shipped) == []
    assert ("demo/gasket/examples/01.txt", "answer") in kinds(folder_check.check_folder(own, neighbours=shipped))


def test_lists_of_names_beside_the_bundles_are_read(tmp_path: Path) -> None:
    """`tags.toml` and `components.toml` say which there are."""
    root = folder(tmp_path, entry(tags=["leaky", "install"]))
    (root / "tags.toml").write_text('[install]\nen = "Installing"\nzh = "安装"\n', encoding="utf-8")
    found = folder_check.check_folder(root)
    assert [(item.kind, "leaky" in item.text) for item in found] == [("tag", True)]
    assert (root / "demo/gasket/entry.toml").read_text(encoding="utf-8").split("\n")[found[0].line - 1].count("leaky")


def test_a_bundle_that_cannot_be_read_does_not_hide_the_others(
    tmp_path: Path, write: Callable[[str, str], Path]
) -> None:
    """All findings at once."""
    root = folder(tmp_path, entry(zh=None))
    write("demo/broken/entry.toml", "kind = ")
    found = {item.kind for item in folder_check.check_folder(root)}
    assert {"unreadable", "language"} <= found


def test_level_is_recorded_once_and_a_later_change_of_one_side_is_stale() -> None:
    """The other side is the one that is behind."""
    first = translations.recorded(entry())
    assert {lang: len(rows) for lang, rows in first.level.items()} == {"en": 3, "zh": 3}
    assert list(translations.stale(first)) == []
    changed = first.model_copy(update={"en": entry(en=text(EN.replace("It is old.", "It is worn."))).en})
    assert [(pair.lang, pair.heading.text, pair.other.text) for pair in translations.stale(changed)] == [
        ("zh", "原因", "Cause")
    ]
    assert translations.recorded(changed).level == first.level
    assert list(translations.stale(translations.recorded(changed, anew=True))) == []


def test_the_canonical_form_keeps_examples_and_their_names(tmp_path: Path) -> None:
    """A paste is verbatim."""
    shutil.copytree(ROOT / "content/skyrl/http-400", tmp_path / "skyrl/http-400")
    for path, wanted in folder_check.canonical(tmp_path):
        assert path.parent.name != "examples"
        path.write_text(wanted, encoding="utf-8", newline="\n")
    assert list(folder_check.canonical(tmp_path)) == []


NAMED_TAG = '[sealing]\nen = "sealing"\nzh = "密封"\n'
PAIR = """
[gaskets.question]
en = "Which gasket?"
zh = "哪个垫圈？"
[gaskets.look]
"demo/gasket" = { en = "the old one", zh = "旧的" }
"demo/SECOND" = { en = "the new one", zh = "新的" }
"""


def test_names_and_families_of_the_folder_are_known(tmp_path: Path) -> None:
    bundle.write(tmp_path / "demo/gasket", entry(tags=["sealing"]))
    bundle.write(tmp_path / "demo/ring", entry("demo/ring", signatures=[{"pattern": "RingError: ring broke"}]))
    (tmp_path / "tags.toml").write_text(NAMED_TAG, encoding="utf-8")
    (tmp_path / "families.toml").write_text(PAIR.replace("SECOND", "ring"), encoding="utf-8")
    kinds = {found.kind for found in folder_check.check_folder(tmp_path)}
    assert not {"tag", "family", "unreadable"} & kinds
    (tmp_path / "families.toml").write_text(PAIR.replace("SECOND", "gone"), encoding="utf-8")
    (tmp_path / "tags.toml").write_text(NAMED_TAG.replace("zh", "zn"), encoding="utf-8")
    found = [(one.path, one.line, one.text) for one in folder_check.check_folder(tmp_path) if "/" not in one.path]
    assert ("families.toml", 1, "gaskets: there is no entry demo/gone") in found
    assert [(path, line) for path, line, _ in found] == [("families.toml", 1), ("tags.toml", 1), ("tags.toml", 1)]
