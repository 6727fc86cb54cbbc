"""What versions mean for an entry, as sentences for a page and a terminal."""

from collections.abc import Sequence

from app import i18n
from app.asking.verdict import Verdict
from app.i18n import Lang
from app.matching.model import VersionSeen


def verdict_lines(rows: Sequence[Verdict], lang: Lang) -> tuple[tuple[str, str], ...]:
    """Return (verdict, sentence) for each row; the rows of one pair, or of two versions of a package, share one."""
    lines: dict[tuple[str, str], None] = {}
    paired: set[frozenset[str]] = set()
    for row in rows:
        pair = frozenset((row.package, *(name for name, _ in row.together)))
        if len(pair) > 1 and pair in paired:
            continue
        if len(pair) > 1:
            paired.add(pair)
        lines[row.verdict, verdict_text(row, rows, lang)] = None
    return tuple(lines)


def verdict_text(row: Verdict, rows: Sequence[Verdict], lang: Lang) -> str:
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
    found: dict[str, dict[str, None]] = {}
    for one in seen:
        found.setdefault(one.package, {})[one.version] = None
    return tuple((f"{package} {', '.join(versions)}", len(versions) > 1) for package, versions in found.items())[:most]
