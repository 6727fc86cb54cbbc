"""Reasons in words, where a question was asked in Chinese."""

import re

import pytest
from starlette.testclient import TestClient

from app.matching.model import Reason
from app.site.paste import wording


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ("不够, 存不, 时显, 显存", "时显存不够"),
        ("cuda, 显存, 训练", "cuda、显存、训练"),
        # either of two could go on, so neither is put to it
        ("显存, 存不, 存储", "显存、存不、存储"),
        ("内存, 显存, 存不", "内存、显存、存不"),
        ("来回, 回来", "来回来"),
        ("天天", "天天"),
        ("memory", "memory"),
    ],
)
def test_pairs_of_characters_are_put_together_where_they_belong(found: str, told: str) -> None:
    shown = wording.reason("zh", Reason("body", 10, (("words", found),), ()))
    assert shown.words.endswith(f"：{told}")


def test_a_question_in_chinese_is_not_answered_with_torn_words(client: TestClient) -> None:
    page = client.post("/zh/match", data={"text": "训练时显存不够怎么办"}).text
    told = re.findall(r"比较的词：([^<]+)<", page)
    assert told
    assert not any(", " in one or "存不、" in one for one in told)
