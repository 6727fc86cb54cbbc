"""A bundle of which a file is no file: it is named, its entry is left alone, and nothing waits for it."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config import ROOT, Settings
from app.content import bundle
from app.content.bundle import LARGEST, BrokenBundle
from app.store.engine import connect
from app.store.migrate import migrate
from tests.databases import document

ERRDEX = str(Path(sys.executable).with_name("errdex"))


def _socket(path: Path) -> None:
    # the address of a socket is short, the path of a test is not
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _long(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(LARGEST + 1)


def _out(path: Path) -> None:
    outside = next(one for one in path.parents if one.name == "root").with_name("outside.md")
    outside.write_text("# Not ours\n", encoding="utf-8")
    path.symlink_to(outside)


UNFIT: dict[str, tuple[Callable[[Path], None], str]] = {
    "a pipe": (os.mkfifo, "a named pipe and not a file"),
    "a socket": (_socket, "a socket and not a file"),
    "a folder": (Path.mkdir, "a folder and not a file"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "a link that leads out of the folder"),
    "a link to a file elsewhere": (_out, "a link that leads out of the folder"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "cannot be read"),
    "a link to nothing": (lambda path: path.symlink_to("nothing.md"), "cannot be read: No such file"),
    "a file that is too long": (_long, f"larger than {LARGEST} bytes"),
}


def folder(root: Path, slug: str = "verl/first") -> Path:
    bundle.write(root / slug, document(slug))
    return root / slug


@pytest.mark.parametrize("name", ["entry.toml", "en.md", "examples/01.txt"])
@pytest.mark.parametrize("kind", UNFIT)
def test_what_is_no_file_is_named(tmp_path: Path, kind: str, name: str) -> None:
    make, told = UNFIT[kind]
    path = folder(tmp_path / "root") / name
    path.unlink()
    make(path)
    with pytest.raises(BrokenBundle) as broken:
        bundle.read(tmp_path / "root" / "verl/first", "verl/first")
    found = [one for one in broken.value.findings if one.path == f"verl/first/{name}"]
    assert told in found[0].text


def test_a_link_within_the_folder_is_a_file(tmp_path: Path) -> None:
    path = folder(tmp_path / "root") / "zh.md"
    path.rename(path.with_name("text.md"))
    path.symlink_to("text.md")
    linked = tmp_path / "linked"
    linked.symlink_to(tmp_path / "root")
    assert bundle.read(linked / "verl/first", "verl/first") == document()


@pytest.mark.database
@pytest.mark.parametrize("command", ["check", "ingest", "fmt", "sync"])
def test_no_command_waits_for_a_pipe(tmp_path: Path, command: str) -> None:
    root = tmp_path / "root"
    good = folder(root, "verl/good")
    (folder(root) / "en.md").unlink()
    os.mkfifo(root / "verl/first/en.md")
    # a temporary name of what `fmt` is about to write
    os.mkfifo(good / ".entry.toml.part")
    if command == "sync":
        found = Settings(database_url=f"sqlite:///{tmp_path}/errdex.db")
        made = connect(found)
        migrate(found, made)
        made.dispose()
    env = os.environ | {"ERRDEX_DATABASE_URL": f"sqlite:///{tmp_path}/errdex.db", "ERRDEX_MIRROR": str(root)}
    # no other entries beside these
    env["ERRDEX_CONTENT"] = str(tmp_path / "none")
    words = [ERRDEX, command, *([] if command == "sync" else [str(root)])]
    done = subprocess.run(words, cwd=ROOT, env=env, timeout=60, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "verl/first/en.md:1: a named pipe and not a file" in done.stdout + done.stderr


def test_a_bundle_whose_title_shows_nothing_is_named(tmp_path: Path) -> None:
    (folder(tmp_path) / "zh.md").write_text("# \u200b\u2060\n\n## 修复\n\n等。\n", encoding="utf-8")
    with pytest.raises(BrokenBundle) as broken:
        bundle.read(tmp_path / "verl/first", "verl/first")
    assert [(one.path, "invisible" in one.text) for one in broken.value.findings] == [("verl/first/zh.md", True)]
