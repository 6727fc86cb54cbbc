"""Make the client's data from the server's: secret rules, needles, texts. Run `python clients/python/make_data.py`."""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from app import i18n  # noqa: E402
from app.files import put  # noqa: E402
from app.matching.parsing.error_lines import needles  # noqa: E402
from app.privacy.secrets import RULES  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "src" / "errdex_client" / "data"
# The texts that a client words an answer with.
TEXTS = ("answer-text.", "confidence.", "role.", "versions.seen")
RULE_KEYS = ("placeholder", "needs", "whole", "again", "pattern", "not_if", "not_after", "not_before")


def files() -> dict[str, str]:
    """Return {name: text} of every file of data."""
    rules = json.loads(RULES.read_text(encoding="utf-8"))
    slim = {
        "pieces": rules["pieces"],
        "rules": [{key: row[key] for key in RULE_KEYS if key in row} for row in rules["rules"]],
    }
    texts = {
        lang: {key: text for key, text in sorted(i18n.texts(lang).items()) if key.startswith(TEXTS)}
        for lang in i18n.LANGS
    }
    return {"secret-rules.json": _json(slim), "needles.json": _json(needles()), "texts.json": _json(texts)}


def _json(values: Any) -> str:
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for name, text in files().items():
        put(FOLDER / name, text.encode())
