"""Reviewers sign in and out."""

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app

NAME, PASSWORD = "rita", "correct horse battery"


def sign_in(client: TestClient, **fields: str) -> tuple[int, str, str]:
    answer = client.post("/en/sign-in", data={"name": NAME, "password": PASSWORD} | fields, follow_redirects=False)
    return answer.status_code, answer.headers.get("location", ""), answer.text


def test_a_reviewer_signs_in_and_is_led_to_the_queue(empty_client: TestClient) -> None:
    assert sign_in(empty_client)[:2] == (303, "/en/review")
    cookie = next(one for one in empty_client.cookies.jar if one.name == "errdex_session")
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert not cookie.secure


def test_the_way_back_is_kept(empty_client: TestClient) -> None:
    answer = empty_client.get("/en/review/3", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/sign-in?next=%2Fen%2Freview%2F3")
    assert sign_in(empty_client, next="/en/review/3")[1] == "/en/review/3"


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "/x\r\nSet-Cookie: a=b"]
)
def test_the_way_back_stays_on_this_site(empty_client: TestClient, target: str) -> None:
    assert sign_in(empty_client, next=target)[1] == "/en/review"


def test_a_wrong_password_is_said_and_the_name_is_kept(empty_client: TestClient) -> None:
    status, _, page = sign_in(empty_client, password="wrong")
    assert status == 401
    assert "do not match" in page
    assert 'value="rita"' in page


def test_odd_names_are_only_wrong(empty_client: TestClient) -> None:
    for name in ("", "\0", "x" * 10_000, "里塔"):
        assert sign_in(empty_client, name=name)[0] == 401


def test_signing_out_ends_the_session(reviewer: TestClient) -> None:
    assert reviewer.get("/en/review").status_code == 200
    token = reviewer.cookies["errdex_session"]
    reviewer.post("/en/sign-out")
    reviewer.cookies.set("errdex_session", token)
    assert reviewer.get("/en/review", follow_redirects=False).status_code == 303


def test_only_a_signed_in_reviewer_sees_the_way_to_the_queue(client: TestClient, reviewer: TestClient) -> None:
    assert 'href="/en/review"' in reviewer.get("/en/").text
    reviewer.cookies.clear()
    assert 'href="/en/review"' not in client.get("/en/").text


def test_guessing_passwords_is_slowed_down_and_said_in_words(empty_client: TestClient) -> None:
    stranger = TestClient(empty_client.app, client=("203.0.113.7", 50000))
    answers = [stranger.post("/zh/sign-in", data={"name": NAME, "password": "guess"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert "登录失败次数太多" in answers[-1].text
    assert 'value="rita"' in answers[-1].text


def test_another_secret_key_signs_everybody_out(client: TestClient, settings: Settings) -> None:
    assert sign_in(client)[0] == 303
    assert client.get("/en/review").status_code == 200
    other = settings.model_copy(update={"secret_key": SecretStr("another")})
    with TestClient(create_app(other)) as restarted:
        restarted.cookies = client.cookies
        assert restarted.get("/en/review", follow_redirects=False).status_code == 303
