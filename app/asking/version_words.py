"""What versions mean for an entry, as sentences: as JSON values for programs, and as lines for a page.

Which rows are shown is decided by `errdex_client.answer_text`, from the JSON, for every face alike.
"""

from collections.abc import Sequence
from typing import Any

from app import i18n
from app.asking.verdict import Verdict
from app.i18n import Lang
from app.matching.model import VersionSeen
from errdex_client.answer_text import distinct_verdicts, versions_seen


def verdict_lines(rows: Sequence[Verdict], lang: Lang) -> tuple[tuple[str, str], ...]:
    """Return (verdict, sentence) for each row; the rows of one pair, or of two versions of a package, share one."""
    return tuple((row["verdict"], row["text"]) for row in distinct_verdicts(verdicts_json(rows, lang)))


def verdicts_json(rows: Sequence[Verdict], lang: Lang) -> list[dict[str, Any]]:
    """Return the rows of an entry as JSON values, each with its sentence in `lang`."""
    return [
        {
            "package": row.package,
            "seen": row.seen,
            "verdict": row.verdict,
            "fixed": row.fixed,
            "with": dict(row.together),
            "text": _text(row, rows, lang),
        }
        for row in rows
    ]


def _text(row: Verdict, rows: Sequence[Verdict], lang: Lang) -> str:
    """Return a row of those of an entry as a sentence."""
    values = {"package": row.package, "seen": row.seen or "", "fixed": row.fixed or ""}
    if row.together:
        together = ("、" if lang == "zh" else ", ").join(f"{name} {version}" for name, version in row.together)
        return i18n.text(lang, f"versions.{row.verdict}-together", **values, together=together)
    said: str = row.verdict if row.seen else "unseen"
    seen = [other.seen for other in rows if other.package == row.package and other.seen]
    if row.verdict == "unknown" and len(set(seen)) > 1:
        said = "several"
        values["seen"] = ("、" if lang == "zh" else ", ").join(dict.fromkeys(seen))
    suffix = "-fixed" if row.fixed and said not in ("fixed", "not-affected") else ""
    return i18n.text(lang, f"versions.{said}{suffix}", **values)


def seen_lines(seen: Sequence[VersionSeen], most: int) -> tuple[tuple[str, bool], ...]:
    """Return at most `most` packages with the versions that were seen of each, and whether those are several."""
    return tuple(versions_seen([one._asdict() for one in seen], most))
