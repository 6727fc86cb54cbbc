"""Whether a typed sentence quotes an error line; a type, a flag or a metric alone is a word of the question."""

import pytest

from app.matching.parsing.quoted_line import quotes_an_error


@pytest.mark.parametrize(
    "text",
    [
        "I get: ValueError: the mesh has no such axis",
        "Hi, how to fix requests.exceptions.ReadTimeout: the pool gave up ?",
        "报错ValueError：the mesh has no such axis，怎么办",
        "启动时提示“RuntimeError: 端口 已被 占用”，是什么原因？",
        "after the upgrade it says `orjson.JSONDecodeError: unexpected end of data`, what now?",
        "RayTaskError(KeyError): the key is gone, I think",
    ],
)
def test_a_sentence_with_an_error_line_quotes_it(text: str) -> None:
    assert quotes_an_error(text)


@pytest.mark.parametrize(
    "text",
    [
        "when is a StopIteration raised here?",
        "what does KeyError: 7 mean?",
        "how do I catch a TimeoutError in my worker?",
        "set on_error: skip the row, is that right?",
        "ErrorBudget: how much of it do we have left?",
        "loss 为 nan 怎么办？",
        "--fail-on-error: what does it do?",
        "",
    ],
)
def test_a_type_alone_is_a_word_of_the_question(text: str) -> None:
    assert not quotes_an_error(text)
