"""For reviewers: what the team calls its own projects, components and tags, and its families of entries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from sqlmodel import Session

from app import sync
from app.content.name_rows import KINDS, MOST_MEMBERS, FamilyRow, NameKind, NameRow
from app.errors import BadInput, Conflict, NotFound
from app.i18n import Lang
from app.people.accounts import Who, reviewer
from app.people.permissions import REVIEW
from app.site.contribute import name_form
from app.site.contribute.name_form import NameForm
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, poster, render_page
from app.store import team_names
from app.web.dependencies import Reading, SignedIn, Writing, afterwards
from app.web.services import services_of
from app.wiki import names

router = APIRouter()
get = getter(router)
post = poster(router)


@dataclass(frozen=True, slots=True)
class NamesPage:
    """Context of `names.html`: the team's own names by kind, each as {key: (English, Chinese)}."""

    kinds: Mapping[NameKind, Mapping[str, tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class NamePage:
    """Context of `name.html`: the form of one name. `is_new` says that there is none for its key yet."""

    kind: NameKind
    form: NameForm
    is_new: bool


@get("/{lang}/names", REVIEW)
def listed(request: Request, lang: Language, who: SignedIn, session: Reading) -> HTMLResponse:
    """List the team's own names."""
    reviewer(who)
    kinds = {kind: {key: _said(known.row) for key, known in team_names.all_of(session, kind).items()} for kind in KINDS}
    return render_page(request, "names.html", NamesPage(kinds))


def _said(row: NameRow) -> tuple[str, str]:
    return row.said.en, row.said.zh


@get("/{lang}/names/{kind}", REVIEW)
def form(
    *, request: Request, lang: Language, kind: str, who: SignedIn, session: Reading, key: str = ""
) -> HTMLResponse:
    """Show the form of a new name, or of the one with this key."""
    reviewer(who)
    found = _kind(kind)
    if not key:
        return _page(request, found, NameForm())
    known = team_names.one(session, found, key)
    if known is None:
        raise NotFound(what=key[:200])
    return _page(request, found, name_form.from_row(key, known.row, known.version))


@post("/{lang}/names/{kind}", REVIEW)
def save(
    *, request: Request, lang: Language, kind: str, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Keep a new or a corrected name, and lead to the list."""
    found, typed = _kind(kind), name_form.from_fields(fields)
    try:
        _save(session, who, found, typed)
    except BadInput as wrong:
        return _page(request, found, replace(typed, problems=wrong.fields), wrong.status)
    except Conflict as conflict:
        session.rollback()
        known = team_names.one(session, found, typed.key)
        # Sent again, it is a correction of what is there by now; a name that is taken is not one to correct.
        version = known.version if known and typed.version else 0
        problems = {"form": "names.changed"} if typed.version else {"key": "names.taken"}
        return _page(request, found, replace(typed, version=version, problems=problems), conflict.status)
    return _led_to_list(request, lang)


def _save(session: Session, who: Who, kind: NameKind, typed: NameForm) -> None:
    known = team_names.one(session, kind, typed.key) if typed.version else None
    key, row = name_form.to_row(kind, typed, known.row if known else None)
    if isinstance(row, FamilyRow) and (unknown := names.unknown_members(session, row)):
        places = {slug: number for number, (slug, _, _) in enumerate(typed.members, 1)}
        fields = {f"member-{places[slug]}": "names.member-unknown" for slug in unknown}
        raise BadInput(detail="no such entry", fields=fields)
    if typed.version:
        names.change(session, who, kind, key, row, version=typed.version)
    else:
        names.add(session, who, kind, key, row)


@post("/{lang}/names/{kind}/rows", REVIEW)
def with_row(request: Request, lang: Language, kind: str, who: SignedIn, fields: FormFields) -> HTMLResponse:
    """Show the form of a family with what was typed and room for one more member."""
    reviewer(who)
    typed = name_form.from_fields(fields)
    more = (name_form.BLANK,) if len(typed.members) < MOST_MEMBERS else ()
    return _page(request, _kind(kind), replace(typed, members=(*typed.rows, *more)))


@post("/{lang}/names/{kind}/remove", REVIEW)
def remove(
    *, request: Request, lang: Language, kind: str, who: SignedIn, fields: FormFields, session: Writing
) -> Response:
    """Forget a name, and lead to the list."""
    found, typed = _kind(kind), name_form.from_fields(fields)
    try:
        names.remove(session, who, found, typed.key, typed.version)
    except Conflict as conflict:
        session.rollback()
        known = team_names.one(session, found, typed.key)
        shown = name_form.from_row(typed.key, known.row, known.version) if known else typed
        return _page(request, found, replace(shown, problems={"form": "names.changed"}), conflict.status)
    return _led_to_list(request, lang)


@get("/{lang}/names/{kind}/rows", REVIEW)
@get("/{lang}/names/{kind}/remove", REVIEW)
def nothing_was_sent(lang: Language, kind: str) -> RedirectResponse:
    """Lead someone who opens the address of a form that is sent to the form."""
    return RedirectResponse(f"/{lang}/names/{_kind(kind)}", 303)


def _kind(asked: str) -> NameKind:
    for kind in KINDS:
        if kind == asked:
            return kind
    raise NotFound(what=asked[:200])


def _page(request: Request, kind: NameKind, form: NameForm, status: int = 200) -> HTMLResponse:
    return render_page(request, "name.html", NamePage(kind, form, not form.version), status)


def _led_to_list(request: Request, lang: Lang) -> RedirectResponse:
    engine, folder = services_of(request).engine, services_of(request).settings.mirror_folder
    written = afterwards(request, sync.write_out_later, engine, folder, [])
    return RedirectResponse(f"/{lang}/names", 303, background=written)
