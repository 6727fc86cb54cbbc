"""The front door: language choice, the paste box, and what the guide holds."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from sqlmodel import Session

from app import i18n
from app.content.names import name, names
from app.i18n import LANGS, Lang
from app.site.page import Language, getter, render_page, static
from app.site.samples import Sample, samples
from app.store import entries
from app.store.entries import Head
from app.web import Reading, base_url

router = APIRouter()
get = getter(router)
NEWEST = 6


@dataclass(frozen=True, slots=True)
class ProjectCount:
    """A project and how many entries it has."""

    key: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class HomePage:
    """Context of `home.html`; `message` is a text key, empty when all is well."""

    message: str
    samples: tuple[Sample, ...]
    projects: tuple[ProjectCount, ...]
    newest: tuple[Head, ...]
    total: int


@get("/")
def choose_language(request: Request) -> RedirectResponse:
    """Send the visitor to the pages in their language."""
    lang = i18n.negotiate(request.cookies.get(i18n.COOKIE), request.headers.get("accept-language", ""))
    headers = {"vary": "accept-language, cookie"}
    return RedirectResponse(f"/{lang}/", 303, headers)


@get("/favicon.ico")
def favicon() -> RedirectResponse:
    """Send browsers that ask for an icon by habit to the mark."""
    return RedirectResponse(static("mark.svg"), 302)


@get("/robots.txt")
def robots(request: Request) -> PlainTextResponse:
    """Tell crawlers to stay away from forms, queues and searches."""
    kept_out = [
        f"/{lang}/{place}" for lang in LANGS for place in ("s/", "review", "sign-in", "submit", "search", "match")
    ]
    lines = ["User-agent: *", *(f"Disallow: {place}" for place in kept_out), "Disallow: /api/", ""]
    return PlainTextResponse("\n".join(lines), headers={"link": f'<{base_url(request)}/>; rel="canonical"'})


@get("/{lang}/")
def home(request: Request, lang: Language, session: Reading) -> HTMLResponse:
    """Show the paste box."""
    return render_page(request, "home.html", home_page(session, lang))


def home_page(session: Session, lang: Lang, message: str = "") -> HomePage:
    """Return the context of the home page, with the text key of a message if something was amiss."""
    counts = entries.counts(session)
    projects = projects_of(counts, lang)
    return HomePage(message, samples(lang), projects, tuple(entries.newest(session, NEWEST)), sum(counts.values()))


def projects_of(counts: dict[str, int], lang: Lang) -> tuple[ProjectCount, ...]:
    """Return the projects in the order of `content/projects.toml`, those that it does not name at the end."""
    known = list(names("projects"))
    order = sorted(counts, key=lambda key: (known.index(key) if key in known else len(known), key))
    return tuple(ProjectCount(key, name("projects", key, lang), counts[key]) for key in order)
