"""Most wanted: errors that were asked for again and again and have no entry yet."""

from dataclasses import dataclass

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.asking import unanswered
from app.asking.unanswered import Missing
from app.network.addresses import client_address
from app.people.permissions import PAGE_READ, REVIEW
from app.site.frame.forms import FormFields
from app.site.frame.page import Language, getter, limited, poster, render_page, same_page
from app.web.dependencies import MaybeWho, Reading, SettingsDep, SignedIn, Writing
from app.web.services import services_of

router = APIRouter()
get = getter(router)
post = poster(router)
_MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class WantedPage:
    """Context of `wanted.html`; `counted` says that counting is on, `next` is the number of the next page or 0."""

    missing: tuple[Missing, ...]
    counted: bool
    next: int


@get("/{lang}/wanted", PAGE_READ, dependencies=[Depends(limited("match", "rate_match"))])
def most_wanted(
    *, request: Request, lang: Language, session: Reading, settings: SettingsDep, who: MaybeWho, page: int = 0
) -> HTMLResponse:
    """List the masked errors that found no entry, those asked most first; to reviewers those that wait for them too."""
    number = min(max(0, page), _MOST_PAGES)
    # The counter is written first, so that an error which was asked about a moment ago is in the list.
    services = services_of(request)
    services.counter.write()
    missing, more = unanswered.most(session, services.questions, number, who)
    return render_page(request, "wanted.html", WantedPage(tuple(missing), settings.wanted, number + 1 if more else 0))


@post("/{lang}/wanted/too", PAGE_READ, limited("feedback", "rate_feedback"))
def met_too(
    *, request: Request, lang: Language, who: MaybeWho, fields: FormFields, session: Writing, page: int = 0
) -> Response:
    """Count that somebody met an error too, and lead back to the page of the list that it stands on."""
    key = services_of(request).key()
    for one in fields.all("fingerprint")[:1]:
        unanswered.met_too(session, key, one, client_address(request), who)
    return RedirectResponse(f"/{lang}/wanted{same_page(page)}", 303)


@post("/{lang}/wanted/dismiss", REVIEW)
def dismiss(lang: Language, who: SignedIn, fields: FormFields, session: Writing, page: int = 0) -> Response:
    """Take an error out of the list and lead back to the page of the list that it stood on."""
    unanswered.dismiss(session, who, fields.all("fingerprint")[:1])
    return RedirectResponse(f"/{lang}/wanted{same_page(page)}", 303)


@post("/{lang}/wanted/release", REVIEW)
def release(lang: Language, who: SignedIn, fields: FormFields, session: Writing, page: int = 0) -> Response:
    """Have everybody see an error, and lead back to the page of the list that it stood on."""
    unanswered.release(session, who, fields.all("fingerprint")[:1])
    return RedirectResponse(f"/{lang}/wanted{same_page(page)}", 303)


@post("/{lang}/wanted/withdraw", REVIEW)
def withdraw(lang: Language, who: SignedIn, fields: FormFields, session: Writing, page: int = 0) -> Response:
    """Have only reviewers see an error again, and lead back to the page of the list that it stood on."""
    unanswered.withdraw(session, who, fields.all("fingerprint")[:1])
    return RedirectResponse(f"/{lang}/wanted{same_page(page)}", 303)
