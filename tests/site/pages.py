"""Every page of the site: the list that the tests of all pages go through.

A page is reached by its address below the language, or by sending a form there. One whose address needs nothing else is
found among the routes of the site; any other has a line below. What an address needs of the database stands in braces
and is made by `furnish`. A route that is no page stands in `NO_PAGE` with what it is instead; a test compares all with
the routes of the site, so that none is forgotten.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi.routing import APIRoute
from httpx2 import Response
from sqlalchemy import Engine, text
from starlette.testclient import TestClient

from app.asking import counted_pattern, share_link
from app.config import ROOT, Settings
from app.content import translations
from app.content.name_rows import NameKind, name_row
from app.content.schema import EntryDocument
from app.matching.parsing.parser import parse
from app.people import accounts, members, tokens
from app.people.accounts import Who
from app.site import router
from app.store.people_tables import Person
from app.store.session import writing
from app.store.team_names import Suggested
from app.wiki import feedback, names, proposals, publishing
from tests.askers import ask, release
from tests.conftest import NAME

LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
FAMILY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
UNKNOWN = "GreenhouseValveError: valve 17 has frozen shut and the gardener is away"
# all of its words are ones that public software prints
UNRELEASED = "ValueError: the verifier has no conversion for the unit in this table"
LONG = "".join(f"step {n}: loss {n / 7:.3f}, all is well with worker {n % 8}\n" for n in range(9000))


@dataclass(frozen=True, slots=True)
class Furnished:
    """A database with something for every page to show, and the values for the braces of the addresses."""

    settings: Settings
    made: dict[str, str]

    def address(self, page: "Known", lang: str) -> str:
        """Return where the page is in a language, without the host."""
        return f"/{lang}{page.path.format_map(self.made)}"

    def ask(self, client: TestClient, page: "Known", lang: str) -> Response:
        """Open the page, or send the form that it answers."""
        address = self.address(page, lang)
        return client.get(address) if page.form is None else client.post(address, data=page.form)


@dataclass(frozen=True, slots=True)
class Known:
    """A page: its route, its address below the language, the form that is sent there, and who looks at it."""

    name: str
    route: str
    path: str
    form: dict[str, str] | None = None
    signed_in: bool = False
    status: int = 200


def seen(name: str, path: str, route: str = "", **more: int | bool) -> Known:
    """A page that is opened by its address."""
    return Known(name, route or "/{lang}" + path, path, **more)  # type: ignore[arg-type]


def sent(name: str, path: str, form: dict[str, str], route: str = "", **more: int | bool) -> Known:
    """A page that answers a form."""
    return Known(name, route or "/{lang}" + path, path, form, **more)  # type: ignore[arg-type]


ENTRY = "/{lang}/e/{project}/{name}"
SUBMISSION = "/{lang}/s/{token}"
JOIN, PERSON, NAMED = "/{lang}/join/{token}", "/{lang}/people/{number}", "/{lang}/names/{kind}"
SHORT_FORM = {"project": "verl", "title": "The valve leaks", "fix": "```bash\nsleep 1\n```", "signature": "ValveError"}
EMPTY_FORM = {"title": "", "symptom": "", "slug": "", "revision": "0", "signature": "x"}

LISTED = (
    seen("home", "/"),
    sent("home, nothing in the box", "/match", {"text": " "}, status=422),
    sent("result", "/match", {"text": LOG}),
    sent("result, a question", "/match", {"text": "CUDA out of memory during training"}),
    sent("result, a family", "/match", {"text": FAMILY}),
    sent("result, no entry", "/match", {"text": UNKNOWN}),
    seen("result, of a link", "/match?s={link}", "/{lang}/match"),
    seen("home, a broken link", "/match?s=1.eNqLVg", "/{lang}/match", status=400),
    sent("result, a long log", "/match", {"text": LONG + LOG + LONG}),
    seen("entry", "/e/roll/torch-compile-cache-race", ENTRY),
    seen("entry, said by a reviewer", "/e/roll/torch-compile-cache-race?said=outdated", ENTRY, signed_in=True),
    seen("entry, long", "/e/skyrl/cuda-oom-training", ENTRY),
    seen("entry, a question", "/e/trinity-rft/debug-workflow", ENTRY),
    seen("entry, outdated was said", "/e/roll/torch-compile-cache-race?said=outdated", ENTRY),
    seen("entry, one language", "/e/verl/english-only", ENTRY),
    seen("entry, a language behind", "/e/verl/behind", ENTRY),
    seen("history", "/e/verl/behind/history", ENTRY + "/history"),
    seen("revision", "/e/verl/behind/history/2", ENTRY + "/history/{number}"),
    seen("revision, may be restored", "/e/verl/behind/history/1", ENTRY + "/history/{number}", signed_in=True),
    seen("edit", "/e/roll/torch-compile-cache-race/edit", ENTRY + "/edit"),
    seen("project", "/p/skyrl", "/{lang}/p/{project}"),
    seen("problem type", "/problems/too-many", "/{lang}/problems/{key}"),
    seen("search, nothing asked", "/search"),
    seen("search", "/search?q=out+of+memory", "/{lang}/search"),
    seen("search, narrowed down", "/search?q=memory&project=skyrl&kind=error", "/{lang}/search"),
    seen("search, nothing found", "/search?q=qzxjvwkrp", "/{lang}/search"),
    seen("browse", "/browse"),
    seen("what changed", "/changes"),
    seen("most wanted", "/wanted"),
    seen("most wanted, to a reviewer", "/wanted", signed_in=True),
    seen("submit", "/submit"),
    sent("submit, drafted", "/submit/draft", {"text": UNKNOWN}),
    sent("submit, fields need another look", "/submit", EMPTY_FORM, status=422),
    sent("submit, the language was switched", "/submit/switch", EMPTY_FORM | {"symptom": "It waits."}),
    sent("submit, one more row", "/submit/rows", EMPTY_FORM | {"add": "source"}),
    sent("submit, held against the rules", "/submit/check", SHORT_FORM),
    sent("submit, as it will look", "/submit/preview", SHORT_FORM),
    seen("submission, open", "/s/{open}", SUBMISSION),
    seen("submission, declined", "/s/{declined}", SUBMISSION),
    seen("submission, published", "/s/{approved}", SUBMISSION),
    seen("submission, to be sent again", "/s/{declined}/again", SUBMISSION + "/again"),
    seen("sign in", "/sign-in"),
    sent("sign in, wrong", "/sign-in", {"name": NAME, "password": "wrong", "next": ""}, status=401),
    seen("queue", "/review", signed_in=True),
    seen("notes of readers", "/review/feedback", signed_in=True),
    seen("review, new", "/review/1", "/{lang}/review/{number}", signed_in=True),
    seen("review, a change", "/review/2", "/{lang}/review/{number}", signed_in=True),
    seen("review, declined", "/review/3", "/{lang}/review/{number}", signed_in=True),
    sent("review, no reason", "/review/1/reject", {"version": "1"}, "/{lang}/review/{number}/reject",
         signed_in=True, status=422),
    sent("review, nothing to change", "/review/1/return", {"version": "1"}, "/{lang}/review/{number}/return",
         signed_in=True, status=422),
    seen("queue, decided", "/review?state=decided", "/{lang}/review", signed_in=True),
    sent("review, somebody was faster", "/review/3/approve", {"version": "9", "note": "mine"},
         "/{lang}/review/{number}/approve", signed_in=True, status=409),
    seen("review, the rules", "/review/1/rules", "/{lang}/review/{number}/rules", signed_in=True),
    seen("amend", "/review/1/amend", "/{lang}/review/{number}/amend", signed_in=True),
    sent("amend, the language was switched", "/review/1/amend/switch", EMPTY_FORM | {"version": "1"},
         "/{lang}/review/{number}/amend/switch", signed_in=True),
    sent("amend, one more row", "/review/1/amend/rows", EMPTY_FORM | {"version": "1", "add": "signature"},
         "/{lang}/review/{number}/amend/rows", signed_in=True),
    seen("names", "/names", signed_in=True),
    seen("name, new", "/names/projects", NAMED, signed_in=True),
    seen("name, to be corrected", "/names/tags?key=greenhouse", NAMED, signed_in=True),
    seen("name, a family", "/names/families?key=greenhouse-valves", NAMED, signed_in=True),
    sent("name, fields need another look", "/names/families", {"version": "0", "member": "x", "en": ""}, NAMED,
         signed_in=True, status=422),
    sent("name, one more row", "/names/families/rows", {"version": "0", "member": "x"}, NAMED + "/rows",
         signed_in=True),
    sent("submit, names need another look", "/submit", EMPTY_FORM | {"new_tags_en": "Verl", "new_project_en": "x"},
         status=422),
    sent("amend, held against the rules", "/review/1/amend/check", SHORT_FORM | {"version": "1"},
         "/{lang}/review/{number}/amend/check", signed_in=True),
    sent("amend, as it will look", "/review/1/amend/preview", SHORT_FORM | {"version": "1"},
         "/{lang}/review/{number}/amend/preview", signed_in=True),
    seen("join", "/join/{invite}", JOIN),
    sent("join, fields need another look", "/join/{invite}", {"name": NAME, "password": "short"}, JOIN, status=422),
    seen("join, a new password", "/join/{reset}", JOIN),
    seen("join, the link is over", "/join/nobody", JOIN, status=410),
    seen("account", "/account", signed_in=True),
    sent("account, another password is wrong", "/account/password", {"old_password": "no", "password": "short"},
         signed_in=True, status=422),
    sent("account, a token needs another look", "/account/tokens", {"name": "", "scope": "read", "days": "90"},
         signed_in=True, status=422),
    sent("account, a token", "/account/tokens", {"name": "bot", "scope": "read", "days": "90"}, signed_in=True),
    seen("people", "/people", signed_in=True),
    sent("people, no such role", "/people", {"role": "emperor"}, signed_in=True, status=422),
    sent("people, an invite", "/people", {"role": "writer"}, signed_in=True),
    seen("person", "/people/{otto}", PERSON, signed_in=True),
    seen("person, deactivated", "/people/{gone}", PERSON, signed_in=True),
    sent("person, the last admin", "/people/1/role", {"role": "reader"}, PERSON + "/role", signed_in=True, status=409),
    sent("person, last admin in", "/people/1/state", {"state": "no"}, PERSON + "/state", signed_in=True, status=409),
    sent("person, not removed", "/people/{otto}/remove", {"name": "x"}, PERSON + "/remove", signed_in=True, status=422),
    sent("person, a new password", "/people/{otto}/reset", {}, PERSON + "/reset", signed_in=True),
    seen("who did what", "/audit", signed_in=True),
    seen("who did what, nothing", "/audit?act=removed&actor=1&since=2026-01-01", "/{lang}/audit", signed_in=True),
    seen("not found", "/e/roll/torch-compile-cache-rac", ENTRY, status=404),
    seen("our fault", "/e/verl/damaged", ENTRY, status=500),
    sent("not in this way", "/search", {"text": "x"}, "", status=405),
)  # fmt: skip

# parts of pages that are fetched while somebody types
PARTS = (
    seen("suggestions", "/search/typing?q=memory", "/{lang}/search/typing"),
    seen("suggestions, none", "/search/typing?q=qzxjvwkrp", "/{lang}/search/typing"),
    seen("found", "/search/found?q=memory&project=skyrl", "/{lang}/search/found"),
    sent("answered already", "/submit/answered", {"title": "", "example": LOG}),
    seen("found, nothing", "/search/found?q=qzxjvwkrp", "/{lang}/search/found"),
)

NO_PAGE = {
    ("GET", "/"): "leads to the language",
    ("GET", "/favicon.ico"): "leads to the mark",
    ("GET", "/problems/{key}"): "leads to the language",
    ("GET", "/robots.txt"): "text for crawlers",
    ("GET", "/llms.txt"): "text for language models",
    ("GET", "/{lang}/sign-on"): "leads to the identity provider",
    ("GET", "/sign-on/back"): "leads on from there",
    ("GET", "/{lang}/signed-out"): "is there only where there is a provider, see tests/people/test_sign_on.py",
    ("GET", "/sitemap.xml"): "for search engines",
    ("GET", "/sitemap-{number}.xml"): "for search engines",
    ("GET", "/{lang}/changes.atom"): "a feed",
    ("GET", "/{lang}/opensearch.xml"): "for the address bar",
    ("GET", "/{lang}/suggest"): "for the address bar",
    ("GET", ENTRY + "/feedback"): "leads to the entry",
    ("POST", ENTRY + "/feedback"): "leads to the entry",
    ("POST", "/{lang}/review/feedback/{number}/seen"): "leads to the notes",
    ("POST", "/{lang}/wanted/dismiss"): "leads to the list",
    ("POST", "/{lang}/wanted/too"): "leads to the list",
    ("POST", "/{lang}/wanted/release"): "leads to the list",
    ("POST", "/{lang}/wanted/withdraw"): "leads to the list",
    ("GET", "/{lang}/submit/draft"): "leads to the empty form",
    ("GET", "/{lang}/submit/switch"): "leads to the empty form",
    ("GET", "/{lang}/submit/rows"): "leads to the empty form",
    ("GET", "/{lang}/submit/check"): "leads to the empty form",
    ("GET", "/{lang}/submit/preview"): "leads to the empty form",
    ("GET", "/{lang}/review/{number}/amend/switch"): "leads to the form",
    ("GET", "/{lang}/review/{number}/amend/rows"): "leads to the form",
    ("GET", "/{lang}/names/{kind}/rows"): "leads to the form",
    ("GET", "/{lang}/names/{kind}/remove"): "leads to the form",
    ("POST", "/{lang}/names/{kind}/remove"): "leads to the list; its conflict looks like the form",
    ("GET", "/{lang}/review/{number}/amend/check"): "leads to the form",
    ("GET", "/{lang}/review/{number}/amend/preview"): "leads to the form",
    ("GET", ENTRY + ".md"): "markdown",
    ("POST", "/{lang}/sign-out"): "leads to the front page",
    ("POST", "/{lang}/account/language"): "leads to the account",
    ("POST", "/{lang}/account/sessions"): "leads to the account",
    ("POST", "/{lang}/account/tokens/{number}/revoke"): "leads to the account",
    ("POST", "/{lang}/people/{number}/sessions"): "leads to the person",
    ("POST", ENTRY + "/history/{number}/restore"): "leads to the history; its conflict looks like the revision",
    ("POST", "/{lang}/review/{number}/amend"): "leads to the review; its problems look like those of the form",
}


def routes() -> set[tuple[str, str]]:
    """The method and the template of every route of the site."""
    return {(method, path) for method, path in _routes(router.routes) if method != "HEAD"}


def _routes(found: object) -> Iterator[tuple[str, str]]:
    for route in found:  # type: ignore[attr-defined]
        if isinstance(route, APIRoute):
            yield from ((method, route.path) for method in route.methods or ())
        else:
            yield from _routes(route.original_router.routes)


def _plain() -> Iterator[Known]:
    """Yield the pages that have no line: those that the language alone leads to."""
    listed = {page.route for page in (*LISTED, *PARTS)}
    for method, path in sorted(routes()):
        name = path.removeprefix("/{lang}/")
        if (
            method == "GET"
            and name != path
            and "{" not in name
            and {(method, path), path}.isdisjoint((*NO_PAGE, *listed))
        ):
            yield seen(name, f"/{name}")


PAGES = (*LISTED, *_plain())


BEHIND = {
    "slug": "verl/behind",
    "updated": "2026-11-01",
    "signatures": [{"pattern": "BehindError: <*> is behind"}],
    "affects": {"torch": "<2.4"},
    "sources": [{"title": "An issue", "url": "https://example.org/issue/1", "license": "NOASSERTION"}],
    "en": {"title": "One language is `behind`", "body": "## Symptom\nIt waits.\n\n## Fix\n```bash\nsleep 1\n```\n"},
    "zh": {"title": "有一种语言`落后`了", "body": "## 现象\n一直等。\n\n## 修复\n```bash\nsleep 1\n```\n"},
}
NEW = {
    "slug": "verl/valve",
    "updated": "2026-11-20",
    "en": {"title": "The valve is frozen", "body": "## Symptom\nIt does not move.\n\n## Fix\n1. Wait.\n"},
    "examples": [UNKNOWN],
}

NAMES: dict[NameKind, object] = {
    "tags": {"en": "greenhouse", "zh": "温室"},
    "families": {
        "question": {"en": "Which `valve`?", "zh": "哪个`阀门`？"},
        "look": {
            "verl/behind": {"en": "It waits.", "zh": "在等。"},
            "verl/valve-two": {"en": "It is cold.", "zh": "冷。"},
        },
    },
}


def furnish(engine: Engine) -> dict[str, str]:
    """Put what the pages show into the shipped corpus; return the values for the braces of the addresses."""
    who = Who(1, NAME, "reviewer")
    first = translations.recorded(EntryDocument.model_validate(BEHIND))
    assert first.en
    ahead = first.en.model_copy(update={"body": first.en.body.replace("It waits.", "It waits for ever.")})
    second = first.model_copy(update={"en": ahead})
    new = EntryDocument.model_validate(NEW)
    alone = {"slug": "verl/english-only", "zh": None}
    with writing(engine) as session:
        for document in (first, second, EntryDocument.model_validate(BEHIND | alone)):
            publishing.publish(session, document, actor="ann", note="a note")
        publishing.publish(session, EntryDocument.model_validate(BEHIND | {"slug": "verl/damaged"}), actor="ann")
        session.execute(text("UPDATE entry SET document = '{}' WHERE slug = 'verl/damaged'"))
        tag, family = (name_row(kind, plain) for kind, plain in NAMES.items())
        names.add(session, who, "tags", "greenhouse", tag)
        names.add(session, who, "families", "greenhouse-valves", family)
        named = new.model_copy(update={"tags": ("valves",)})
        suggested = [Suggested("tags", "valves", tag)]
        _, opened = proposals.submit(session, named, lang="en", submitter="ann", note="Met it twice.", names=suggested)
        change = second.model_copy(update={"tags": ("install",)})
        proposals.submit(session, change, lang="zh")
        row, declined = proposals.submit(session, new, lang="en")
        proposals.reject(session, row.id or 0, row.version, who, "It is in the guide already.")
        row, approved = proposals.submit(session, new.model_copy(update={"slug": "verl/valve-two"}), lang="en")
        proposals.approve(session, row.id or 0, row.version, who)
        feedback.say(session, "roll/torch-compile-cache-race", "a", "solved")
        feedback.say(session, "roll/torch-compile-cache-race", "b", "outdated", note="The flag has another name now.")
    report = parse(UNKNOWN)
    patterns = [counted_pattern.pattern_of(report), counted_pattern.pattern_of(parse(UNRELEASED))]
    for pattern in patterns:
        ask(engine, pattern)
    release(engine, patterns[0])
    link = share_link.encode(share_link.share(report, ()))
    return _people(engine) | {"open": opened, "declined": declined, "approved": approved, "link": link}


def _people(engine: Engine) -> dict[str, str]:
    """Make the reviewer of the tests an admin, who may look at every page; add others, and links that are unused."""
    with writing(engine) as session:
        accounts.named(session, NAME).role = "admin"
        others = {name: Person(name=name, password="", role="writer") for name in ("otto", "gone", "lost")}
        session.add_all(others.values())
        session.flush()
        members.set_state(session, others["gone"], is_active=False, by=1)
        made = {name: str(person.id) for name, person in others.items()}
        invite = members.make_link(session, "invite", by=1, role="writer")
        reset = members.make_link(session, "reset", by=1, person=others["lost"])
        tokens.add(session, accounts.named(session, NAME), "a bot", "read", 90, by=1)
    return made | {"invite": invite, "reset": reset}
