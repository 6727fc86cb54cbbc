"""The guide that the stories of one file share, and what they know of it: each file changes a copy of its own."""

from collections.abc import Iterator

import pytest

from app.config import Settings
from app.i18n import Lang
from tests.site.acts import guide, has_scripts
from tests.site.pages import Furnished


@pytest.fixture(scope="module")
def site(
    request: pytest.FixtureRequest, furnished: Furnished, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Settings, str]]:
    """A furnished guide for one file; what its stories write has names of their own."""
    name = request.module.__name__.rpartition("_")[2]
    with guide(furnished, tmp_path_factory.mktemp(name)) as served:
        yield served


@pytest.fixture
def address(site: tuple[Settings, str]) -> str:
    """Where the guide is."""
    return site[1]


@pytest.fixture
def settings(site: tuple[Settings, str]) -> Settings:
    """What the guide runs with."""
    return site[0]


@pytest.fixture
def scripted(request: pytest.FixtureRequest) -> bool:
    """Whether the visitor has JavaScript."""
    return has_scripts(request)


@pytest.fixture
def own(scripted: bool, lang: Lang) -> str:
    """A word that no other story writes."""
    return f"{lang}{'script' if scripted else 'plain'}"
