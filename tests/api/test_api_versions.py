"""What the versions of a paste mean for its answers, and the way on where there is none."""

from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.testclient import TestClient

from tests.api.test_api_match import ask

ERROR = "Fatal Python error: none_dealloc: deallocating None: bug likely caused by a refcount error in a C extension"
SLUG = "vllm/none-dealloc-refcount"
Row = tuple[str, str | None, str, str | None]


@pytest.mark.parametrize(
    ("version", "row", "confidence"),
    [
        ("vLLM API server version 0.8.5", ("vllm", "0.8.5", "affected", "0.10.2"), "high"),
        ("vllm==0.11.0", ("vllm", "0.11.0", "fixed", "0.10.2"), "likely"),
        ("vLLM version 0.10.2rc1", ("vllm", "0.10.2rc1", "unknown", "0.10.2"), "high"),
        ("pip install vllm==0.11.0", ("vllm", None, "unknown", "0.10.2"), "high"),
    ],
)
def test_a_match_says_whether_the_version_of_the_paste_has_the_problem(
    client: TestClient, version: str, row: Row, confidence: str
) -> None:
    plain, answer = ask(client, text=ERROR), ask(client, text=f"{ERROR}\n{version}\n")
    match = answer.matches[0]
    found = match.versions[0]
    assert (match.slug, (found.package, found.seen, found.verdict, found.fixed)) == (SLUG, row)
    assert (match.confidence, match.score) == (confidence, plain.matches[0].score)
    assert [seen.version for seen in answer.report.versions] == ([row[1]] if row[1] else [])
    assert answer.next is None


def test_a_pair_names_the_other_version(client: TestClient) -> None:
    text = (
        "AttributeError: 'Qwen2ForCausalLM' object has no attribute 'warnings_issued'\ntrl==0.26.0\ntransformers==5.1.0"
    )
    rows = {row.package: row for row in ask(client, text=text).matches[0].versions if row.with_}
    assert rows["transformers"].verdict == "affected"
    assert rows["transformers"].with_ == {"trl": "0.26.0"}


def test_without_an_entry_the_way_on_is_told(client: TestClient) -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "/opt/venv/lib/python3.10/site-packages/vllm/worker/worker.py", line 12, in load\n'
        "RuntimeError: The requested memory buffer of worker secret42 was not released by the scheduler in time\n"
    )
    for lang, word in (("en", "traceback"), ("zh", "报错栈")):
        answer = ask(client, text=text, lang=lang)
        assert not answer.matches
        assert answer.next is not None
        address = urlsplit(answer.next.url)
        assert (address.netloc, address.path) == ("github.com", "/vllm-project/vllm/issues")
        query = parse_qs(address.query)["q"][0]
        assert "memory buffer" in query
        assert "secret42" not in query
        assert word in answer.next.asks
