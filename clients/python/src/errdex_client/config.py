"""Which server is asked: ERRDEX_URL and ERRDEX_TOKEN, else a file in the place that the platform has for such files."""

from __future__ import annotations

import os
import sys
from typing import Mapping, NamedTuple

# A configuration is read to this many characters; what is longer is none.
LONGEST_FILE = 20_000


class Misconfigured(Exception):
    """A setting makes no sense; the text says which one and why."""


class Config(NamedTuple):
    """The address of a server without a slash at its end ("": none is known) and the token to show it ("": none).

    `source` says where the address is from: "environment", the path of the file, or "".
    """

    url: str = ""
    token: str = ""
    source: str = ""


def read_config(environ: Mapping[str, str] | None = None) -> Config:
    """Return the configuration in force; a variable goes before the file. Raises `Misconfigured`."""
    env = os.environ if environ is None else environ
    path = config_path(env)
    kept = _read_file(path)
    url = env.get("ERRDEX_URL", "").strip()
    token = env.get("ERRDEX_TOKEN", "").strip()
    if url:
        named = _checked(url, "ERRDEX_URL")
        # The token in the file belongs to the server that the file names, and is sent to no other.
        same = "url" not in kept or _checked(kept["url"], path) == named
        return Config(named, token or (kept.get("token", "") if same else ""), "environment")
    if not kept.get("url"):
        return Config(token=token)
    return Config(_checked(kept["url"], path), token or kept.get("token", ""), path)


def config_path(env: Mapping[str, str]) -> str:
    """Return where the file is looked for, whether it is there or not."""
    home = os.path.expanduser("~")  # noqa: PTH111
    if sys.platform == "win32":
        folder = env.get("APPDATA") or os.path.join(home, "AppData", "Roaming")  # noqa: PTH118
    elif sys.platform == "darwin":
        folder = os.path.join(home, "Library", "Application Support")  # noqa: PTH118
    else:
        folder = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")  # noqa: PTH118
    return os.path.join(folder, "errdex", "client.ini")  # noqa: PTH118


def _read_file(path: str) -> dict[str, str]:
    """Return the rows `name = value` of the file; `#` begins a comment. No file, or one of no text: no rows."""
    try:
        with open(path, encoding="utf-8") as stream:  # noqa: PTH123
            text = stream.read(LONGEST_FILE + 1)
    except (OSError, ValueError):
        return {}
    if len(text) > LONGEST_FILE:
        return {}
    rows: dict[str, str] = {}
    for line in text.splitlines():
        name, sign, value = line.partition("=")
        if sign and not name.lstrip().startswith(("#", ";")):
            rows[name.strip().lower()] = value.strip()
    return rows


def _checked(url: str, where: str) -> str:
    if not url.startswith(("http://", "https://")) or len(url.split("://", 1)[1].strip("/")) == 0:
        raise Misconfigured(f"{where}: an address begins with http:// or https://, as http://errdex.lan:8000")
    if any(char.isspace() or ord(char) < 0x20 for char in url):
        raise Misconfigured(f"{where}: an address holds no blanks")
    return url.rstrip("/")
