"""Old addresses of entries that were renamed more than once, or withdrawn."""

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.content.schema import EntryDocument, Text
from app.store.session import writing
from app.wiki import publishing

PAGES = ("/en/e/{}", "/zh/e/{}", "/en/e/{}.md", "/en/e/{}/edit")


def publish(engine: Engine, slug: str, *former: str, status: str = "published") -> None:
    """Publish an entry that once had other names."""
    plain = {"slug": slug, "updated": "2026-11-20", "en": Text(title=slug, body="## Fix\nx"), "former": former}
    with writing(engine) as session:
        publishing.publish(session, EntryDocument.model_validate(plain | {"status": status}), actor="rita")


@pytest.mark.parametrize("page", PAGES)
def test_withdrawn_entries_that_bear_each_others_names_are_not_found(
    empty_client: TestClient, engine: Engine, page: str
) -> None:
    for slug, former in (("verl/a", "verl/b"), ("verl/b", "verl/c"), ("verl/c", "verl/a")):
        publish(engine, slug)
        publish(engine, slug, former, status="withdrawn")
    for slug in ("verl/a", "verl/b", "verl/c"):
        assert empty_client.get(page.format(slug), follow_redirects=False).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_names_one_after_another_lead_to_the_last_at_once(empty_client: TestClient, engine: Engine, page: str) -> None:
    names = ["verl/first", "verl/second", "verl/third"]
    for at, slug in enumerate(names):
        publish(engine, slug, *names[at - 1 : at])
        if slug != names[-1]:
            publish(engine, slug, *names[at - 1 : at], status="withdrawn")
    for slug in names[:2]:
        answer = empty_client.get(page.format(slug), follow_redirects=False)
        assert answer.status_code in (301, 303, 307, 308)
        assert answer.headers["location"] == page.format(names[-1])
    assert empty_client.get(page.format(names[-1])).status_code == 200
