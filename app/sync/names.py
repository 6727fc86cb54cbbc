"""The files of a team's names, `projects.toml` and its neighbours, brought level with the database, name by name.

It writes the database, then the file, then the base. If a run stops half-way, the next one finishes it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from app.content.bundle import Finding
from app.content.name_rows import (
    KINDS,
    LARGEST_FILE,
    NameKind,
    NameRow,
    canonical_row,
    file_name,
    name_row,
    names_toml,
    plain_row,
    read_names,
)
from app.content.names import shipped_rows
from app.content.schema import digest_of
from app.errors import BadInput
from app.files import UnfitFile, put, read_regular
from app.store import team_names
from app.store.session import reading, writing
from app.sync.base import Digests
from app.sync.deletion_guard import lost_too_much
from app.sync.outcome import Outcome
from app.sync.reconcile import Run
from app.wiki import names

Rows = Mapping[str, NameRow]


@dataclass(frozen=True, slots=True)
class NamesFile:
    """A file of names as it was seen: its bytes (None: there is none), its rows by key, what is wrong with it."""

    content: bytes | None = None
    rows: Rows = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


@dataclass(slots=True)
class _Plan:
    """What is to be done for a kind. `taken` goes into the database (None: forgotten), `wanted` is in the file after.

    `clashed` are keys that both sides changed, `gone` those that the file lost.
    """

    taken: dict[str, NameRow | None] = field(default_factory=dict)
    wanted: dict[str, NameRow] = field(default_factory=dict)
    clashed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def level_names(run: Run, *, prune: bool = False, is_whole: bool = True) -> None:
    """Bring all four files level with the database; nothing is forgotten unless the run `is_whole`.

    Raises `Unavailable`, `OSError`.
    """
    base = {kind: dict(run.base.names.get(kind, {})) for kind in KINDS}
    for kind in KINDS:
        base[kind] = _level(run, kind, base[kind], prune=prune, is_whole=is_whole)
    if not run.dry_run and run.base.move_names({kind: digests for kind, digests in base.items() if digests}):
        run.step("base moved")


def look(root: Path, kind: NameKind) -> NamesFile:
    """Return what a folder holds of a kind. Never raises for what is in the folder."""
    name = file_name(kind)
    path = root / name
    if path.is_symlink():
        return _unread(name, "a link; put the file itself there")
    try:
        content = read_regular(path, LARGEST_FILE)
        text = content.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except FileNotFoundError:
        return NamesFile()
    except UnicodeDecodeError:
        return _unread(name, "not UTF-8; save the file as UTF-8")
    except UnfitFile as error:
        return _unread(name, error.why)
    except OSError as error:
        return _unread(name, f"cannot be read: {error.strerror}")
    rows, findings = read_names(kind, text)
    return NamesFile(content, rows, tuple(findings))


def _unread(name: str, why: str) -> NamesFile:
    return NamesFile(findings=(Finding(name, 1, why),))


def own_rows(kind: NameKind, rows: Rows) -> dict[str, NameRow]:
    """Return those rows of a file that are not the shipped ones."""
    shipped = shipped_rows(kind)
    return {key: row for key, row in rows.items() if key not in shipped or row != name_row(kind, shipped[key])}


def digest(row: NameRow | None) -> str | None:
    """Return the digest of a row, None of none."""
    return digest_of(canonical_row(row)) if row is not None else None


def _level(run: Run, kind: NameKind, base: Digests, *, prune: bool, is_whole: bool) -> Digests:
    """Bring one file level and return its base after."""
    seen = look(run.root, kind)
    with reading(run.engine) as session:
        ours = {key: known.row for key, known in team_names.all_of(session, kind).items()}
    if seen.findings:
        run.outcome.findings += seen.findings
        return base
    theirs = own_rows(kind, seen.rows)
    plan = _planned(theirs, ours, base)
    if plan.gone and (not is_whole or (not prune and lost_too_much(plan.gone, len(base), len(theirs)))):
        if is_whole:
            run.outcome.kept += [f"{file_name(kind)}: {key}" for key in plan.gone]
        # What the file lost is left as it is on both sides, so that another run can still tell.
        if seen.content is None:
            return base
        for key in plan.gone:
            del plan.taken[key]
    _tell(run.outcome, kind, plan)
    if not run.dry_run and not (_carry_in(run, kind, plan, ours) and _carry_out(run, kind, seen, plan)):
        return base
    if run.dry_run:
        _note_file(run, kind, seen, plan)
    kept = {key: base[key] for key in plan.gone if key not in plan.taken}
    return kept | {key: digest_of(canonical_row(row)) for key, row in plan.wanted.items()}


def _planned(theirs: Rows, ours: Rows, base: Digests) -> _Plan:
    plan = _Plan()
    for key in [*theirs, *(key for key in ours if key not in theirs), *base]:
        mine, own = digest(theirs.get(key)), digest(ours.get(key))
        before = base.get(key)
        if key in plan.wanted or key in plan.taken:
            continue
        if mine == own or (mine == before and own is not None):
            _want(plan, key, ours.get(key))
        elif own == before or (own is None and mine != before):
            # Changed in the folder alone, or there against a removal on the site: no words are lost.
            plan.taken[key] = theirs.get(key)
            _want(plan, key, theirs.get(key))
            if key not in theirs:
                plan.gone.append(key)
        elif own is not None:
            _want(plan, key, ours[key])
            if key in theirs:
                plan.clashed.append(key)
    return plan


def _want(plan: _Plan, key: str, row: NameRow | None) -> None:
    if row is not None:
        plan.wanted[key] = row


def _tell(outcome: Outcome, kind: NameKind, plan: _Plan) -> None:
    name = file_name(kind)
    outcome.names += [f"{name}: {key}" for key in plan.taken]
    told = "changed here and on the site, whose words stay; make the change anew"
    outcome.findings += [Finding(name, 1, f"{key}: {told}") for key in plan.clashed]


def _carry_in(run: Run, kind: NameKind, plan: _Plan, ours: Rows) -> bool:
    """Take what the folder has into the database; tell whether nobody was quicker."""
    if not plan.taken:
        return True
    try:
        with writing(run.engine) as session:
            team_names.alone(session)
            now = {key: known.row for key, known in team_names.all_of(session, kind).items()}
            if now != ours:
                return _again(run, kind, plan)
            for key, row in plan.taken.items():
                names.carry_in(session, kind, key, row)
    except BadInput as full:
        run.outcome.findings.append(Finding(file_name(kind), 1, str(full.params.get("detail", full))))
        return False
    run.step("committed")
    return True


def _again(run: Run, kind: NameKind, plan: _Plan) -> bool:
    told = {f"{file_name(kind)}: {key}" for key in plan.taken}
    run.outcome.names = [one for one in run.outcome.names if one not in told]
    text = "changed while it was synced; the next run takes it"
    run.outcome.findings.append(Finding(file_name(kind), 1, text))
    return False


def _note_file(run: Run, kind: NameKind, seen: NamesFile, plan: _Plan) -> bool:
    """Tell whether the file is to be written, and note it. What is shipped, and stands in it, stays."""
    needed = own_rows(kind, seen.rows) != plan.wanted
    if needed:
        run.outcome.written.append(file_name(kind))
    return needed


def _carry_out(run: Run, kind: NameKind, seen: NamesFile, plan: _Plan) -> bool:
    """Write the file where its meaning changes; tell whether it is as it shall be."""
    if not _note_file(run, kind, seen, plan):
        return True
    path = run.root / file_name(kind)
    own = own_rows(kind, seen.rows)
    rows = {key: plan.wanted.get(key, row) for key, row in seen.rows.items() if key in plan.wanted or key not in own}
    content = names_toml(kind, {key: plain_row(row) for key, row in (rows | plan.wanted).items()}).encode()
    # This is checked as late as possible, for what somebody saves from here on is overwritten.
    if look(run.root, kind).content != seen.content:
        run.outcome.written.remove(file_name(kind))
        return _again(run, kind, plan)
    put(path, content)
    run.step("placed")
    return True


def take_names(engine: Engine, root: Path, base: Mapping[str, Digests], outcome: Outcome) -> dict[str, Digests]:
    """Take the names of a folder that is only read, where the team has not named the thing otherwise; return the base.

    What is gone from the folder stays named. Raises `Unavailable`.
    """
    after: dict[str, Digests] = {}
    for kind in KINDS:
        seen, before = look(root, kind), base.get(kind, {})
        outcome.findings += seen.findings
        wanted = own_rows(kind, seen.rows)
        new = {key: row for key, row in wanted.items() if digest(row) != before.get(key)}
        if new:
            with writing(engine) as session:
                for key, row in new.items():
                    known = team_names.one(session, kind, key)
                    if known is None or digest(known.row) == before.get(key):
                        names.carry_in(session, kind, key, row)
                        outcome.names.append(f"{file_name(kind)}: {key}")
        after[kind] = {**before, **{key: digest_of(canonical_row(row)) for key, row in wanted.items()}}
    return {kind: digests for kind, digests in after.items() if digests}
