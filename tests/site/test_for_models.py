"""What language models are told: where the guide is as plain text."""

import re

import pytest
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.config import Settings
from tests.people.members import client_of, guide_for

SLUG = "verl/tensordict-membership-check"


def test_every_address_in_it_leads_somewhere(client: TestClient) -> None:
    said = client.get("/llms.txt")
    assert said.headers["content-type"] == "text/plain; charset=utf-8"
    assert said.text.startswith("# Errdex\n\n> ")
    addresses = re.findall(r"\]\((http[^)]+)\)", said.text)
    assert len(addresses) > 5
    for address in addresses:
        # some take only what is sent
        assert client.get(address).status_code in (200, 405, 406), address
    assert "token" not in said.text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_of_an_entry_names_its_markdown(client: TestClient, lang: str) -> None:
    page = client.get(f"/{lang}/e/{SLUG}").text
    found = re.search(r'<link rel="alternate" type="text/markdown" href="([^"]+)">', page)
    assert found
    text = client.get(found[1])
    assert (text.status_code, text.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert text.text.startswith("# ")


def test_where_only_members_read_it_says_so_and_nothing_of_the_guide(settings: Settings, engine: Engine) -> None:
    with guide_for(settings, ("members", "members")) as app:
        said = client_of(app).get("/llms.txt")
    assert said.status_code == 200
    assert "Bearer errdex_" in said.text
