"""An operator starts the server."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.cli.start_notes import misspelled, start_notes
from app.config import Settings
from app.content import bundle
from tests.conftest import POSTGRESQL
from tests.databases import document
from tests.servers import serving


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_migrates_ingests_answers_and_logs_no_word_of_what_was_asked(
    nothing_yet: Settings, tmp_path: Path, workers: str
) -> None:
    """From nothing to an answer, and what the log keeps."""
    bundle.write(tmp_path / "few" / "verl/first", document())
    with serving(nothing_yet, ERRDEX_WORKERS=workers, ERRDEX_CONTENT=str(tmp_path / "few")) as (address, server):
        assert server.stdout is not None
        lines = [server.stdout.readline(), server.stdout.readline()]
        with httpx2.Client(base_url=address, timeout=60) as client:
            assert client.get("/healthz?q=whispered").status_code == 200
            client.get("/en/s/whispered-token")
            client.post("/api/v1/match", json={"text": "RuntimeError: whispered"})
            client.get("/whispered/in/no/known/place")
        server.terminate()
        log = server.communicate(timeout=60)[1]
    assert "added" in lines[0]
    assert address in lines[1]
    assert "whispered" not in log
    logged = [json.loads(line) for line in log.splitlines()]
    requests = {(line["method"], line["route"], line["status"]) for line in logged if line["event"] == "request"}
    assert requests == {
        ("GET", "/healthz", 200),
        ("GET", "/{lang}/s/{token}", 404),
        ("POST", "/api/v1/match", 200),
        ("GET", "(no such route)", 404),
    }


def test_a_port_that_is_taken_is_told_before_anything_is_done(settings: Settings) -> None:
    """And no database is left behind."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with serving(settings, ERRDEX_PORT=port) as (_, server):
            log = server.communicate(timeout=60)[1]
    assert server.returncode == 3
    assert "ERRDEX_PORT" in log
    assert POSTGRESQL or not Path(str(settings.url.database)).exists()


def test_a_misspelled_setting_is_told_before_anybody_relies_on_it(nothing_yet: Settings) -> None:
    """A guide whose ERRDEX_READING is misspelled would be open, and nobody would notice."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with serving(nothing_yet, ERRDEX_PORT=port, ERRDEX_READNG="members") as (_, server):
            told = server.communicate(timeout=60)[1]
    assert "ERRDEX_READNG is no setting and has no effect; is ERRDEX_READING meant?" in told


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ERRDEX_OIDC_SECRET", "ERRDEX_OIDC_CLIENT_SECRET"),
        ("ERRDEX_OIDC_ROLE", "ERRDEX_OIDC_ROLES"),
        ("ERRDEX_READING", ""),
        ("ERRDEX_URL", ""),
        ("ERRDEX_CLIENT", ""),
        ("ERRDEX_TOKEN", ""),
        ("ERRDEX_TERMINATION_LOG", ""),
        ("ERRDEX_SERVICE_HOST", ""),
        ("ERRDEX_PORT_8000_TCP", ""),
        ("READNG", ""),
    ],
)
def test_only_what_is_like_a_setting_is_called_misspelled(name: str, meant: str) -> None:
    """Variables of the client, and those that a cluster sets for its services, are none of ours."""
    assert misspelled([name]) == ([(name, meant)] if meant else [])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"oidc_roles": "lab=writer", "oidc_client_id": "errdex"}, "ERRDEX_OIDC_CLIENT_ID, ERRDEX_OIDC_ROLES"),
        ({"oidc_issuer": "https://login.lan", "oidc_client_id": "errdex"}, "ERRDEX_BASE_URL is not"),
        (
            {"oidc_issuer": "https://login.lan", "oidc_client_id": "errdex", "base_url": "https://errdex.lan"},
            "",
        ),
        ({"oidc_label": ""}, ""),
        ({}, ""),
    ],
)
def test_sign_on_that_is_half_set_up_is_told(given: dict[str, str], told: str) -> None:
    notes = start_notes(Settings(**given), ())  # type: ignore[arg-type]
    assert [told in note for note in notes] == ([True] if told else [])


def test_what_kubernetes_sets_for_a_service_of_our_name_is_told(run: Callable[..., Any]) -> None:
    done = run("serve", ERRDEX_PORT="tcp://10.0.0.7:80")
    assert done.exit_code == 2
    assert "enableServiceLinks: false" in done.stderr
