"""The front door: language choice, the paste box, and what the guide holds."""

import json
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlmodel import Session

from app import i18n
from app.content.names import Names, names
from app.i18n import Lang
from app.matching.parsing.error_lines import needles
from app.people.permissions import OPEN, PAGE_READ
from app.site.frame.page import Language, getter, names_of, render_page, static
from app.site.paste.samples import Sample, samples
from app.site.paste.team_needs import TeamNeeds, team_needs
from app.store import entries
from app.store.entries import Head
from app.web.dependencies import MaybeWho, Reading
from app.web.services import services_of

router = APIRouter()
get = getter(router)
NEWEST = 6
# The page shows so many projects; the others are folded below them.
SHOWN_PROJECTS = 8
OF_SCRIPT = "paste.page."


@dataclass(frozen=True, slots=True)
class ProjectCount:
    """A project and how many entries it has."""

    key: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class HomePage:
    """Context of `home.html`.

    `more_projects` are those that stand folded below the others.
    `message` is a text key, empty when all is well; `typed` is given back in the box then. `most` is the largest paste
    in bytes. `texts` are the texts of the page's script, `needles` what it looks for in a large log, as JSON.
    `needs` is what the team needs now, for a reviewer.
    """

    message: str
    typed: str
    most: int
    texts: str
    needles: str
    samples: tuple[Sample, ...]
    projects: tuple[ProjectCount, ...]
    more_projects: tuple[ProjectCount, ...]
    newest: tuple[Head, ...]
    total: int
    needs: TeamNeeds | None = None


@get("/", OPEN)
def choose_language(request: Request) -> RedirectResponse:
    """Send the visitor to the pages in their language."""
    lang = i18n.negotiate(request.cookies.get(i18n.COOKIE), request.headers.get("accept-language", ""))
    headers = {"vary": "accept-language, cookie"}
    return RedirectResponse(f"/{lang}/", 303, headers)


@get("/favicon.ico", OPEN)
def favicon() -> RedirectResponse:
    """Send browsers that ask for an icon by habit to the mark."""
    return RedirectResponse(static("mark-32.png"), 302)


@get("/{lang}/", PAGE_READ)
def home(request: Request, lang: Language, session: Reading, who: MaybeWho) -> HTMLResponse:
    """Show the paste box, and to a reviewer what the team needs."""
    page = replace(home_page(request, session, lang), needs=team_needs(request, session, who))
    return render_page(request, "home.html", page)


def home_page(request: Request, session: Session, lang: Lang, message: str = "", typed: str = "") -> HomePage:
    """Return the context of the home page, with the text key of a message if something was amiss."""
    counts = entries.counts(session)
    projects = projects_of(counts, lang, names_of(request))
    return HomePage(
        message=message,
        typed=typed,
        most=services_of(request).settings.max_paste,
        texts=_texts(lang),
        needles=json.dumps(needles(), ensure_ascii=False),
        samples=samples(lang),
        projects=projects[:SHOWN_PROJECTS],
        more_projects=projects[SHOWN_PROJECTS:],
        newest=tuple(entries.newest(session, NEWEST)),
        total=sum(counts.values()),
    )


def _texts(lang: Lang) -> str:
    found = i18n.texts(lang)
    own = {key.removeprefix(OF_SCRIPT): text for key, text in found.items() if key.startswith(OF_SCRIPT)}
    shared = {key: found[f"paste.{key}"] for key in ("packed", "binary")}
    return json.dumps(own | shared, ensure_ascii=False)


def projects_of(counts: dict[str, int], lang: Lang, known: Names) -> tuple[ProjectCount, ...]:
    """Return the projects: a team's own before those of `content/projects.toml`, those with most entries first."""
    shipped = names("projects")
    order = sorted(counts, key=lambda key: (key in shipped, -counts[key], key))
    return tuple(ProjectCount(key, known.name("projects", key, lang), counts[key]) for key in order)
