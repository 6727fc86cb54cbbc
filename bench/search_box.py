"""Search as you type over HTTP: what a letter costs among 10,000 entries, beside an echo of as many bytes."""

import json
import random
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.config import Settings
from app.finding.search_service import REMEMBERED
from app.store.engine import connect
from app.store.migrate import migrate
from app.transfer.jsonl import import_lines
from bench import client, pastes, servers
from bench.figures import say, spread
from bench.raise_sites import UPDATED, entry, rows

ENTRIES = 10_000
ROUNDS = 7
SECONDS = 1.0
# English is typed letter by letter from the second letter on, Chinese from the first character, as an input method
# hands it over.
ENGLISH = (
    "nccl timeout", "cuda out of memory", "tensor size mismatch", "checkpoint not found", "invalid argument",
    "ray actor died", "could not import module", "unsupported dtype",
)  # fmt: skip
CHINESE = (
    "显存不足怎么办", "权重加载失败", "训练卡死", "张量形状不匹配", "连接超时", "检查点损坏", "梯度同步变慢",
    "端口被占用", "数据集路径错误", "模型版本不兼容", "进程意外退出", "配置项无法识别", "缓存目录写满",
    "分词器找不到", "通信初始化失败", "采样结果重复",
)  # fmt: skip
_WHAT = (
    "显存", "权重", "张量", "检查点", "梯度", "端口", "数据集", "模型", "进程", "配置项", "缓存", "分词器",
    "通信", "采样", "训练", "推理引擎", "奖励", "学习率", "优化器", "注意力", "并行", "节点", "驱动", "内核",
)  # fmt: skip
_HOW = (
    "不足", "加载失败", "卡死", "形状不匹配", "超时", "损坏", "变慢", "被占用", "路径错误", "版本不兼容",
    "意外退出", "无法识别", "写满", "找不到", "初始化失败", "重复", "为空", "不支持", "被拒绝", "溢出",
)  # fmt: skip
_ENGLISH = (
    "invalid", "tensor", "argument", "checkpoint", "timeout", "module", "import", "memory", "cuda", "shape",
    "mismatch", "unsupported", "dtype", "connection", "config", "file", "not", "found", "size", "expected",
    "device", "worker",
)  # fmt: skip


def measure() -> dict[str, Any]:
    """Return the figures of the suggestions: English and Chinese, asked for the first time or again."""
    with tempfile.TemporaryDirectory() as folder, servers.echo() as echo:
        url = f"sqlite:///{Path(folder) / 'many.db'}"
        settings = Settings(database_url=url)
        engine = connect(settings)
        migrate(settings, engine)
        say(f"typing: importing {ENTRIES} entries")
        import_lines(engine, _lines())
        engine.dispose()
        with servers.errdex(url) as port:
            found = {name: _compared(port, echo, texts) for name, texts in _sets().items()}
    return {"entries": ENTRIES, "sites": pastes.SITES.is_file(), "rows": found}


def _sets() -> dict[str, list[str]]:
    """Return beginnings by what they show; those for the first time are more than the server remembers."""
    dice = random.Random(2)
    english = _typed([" ".join(dice.choices(_ENGLISH, k=3)) for _ in range(110)])
    chinese = _typed([f"{dice.choice(_WHAT)}{dice.choice(_HOW)}{dice.choice(_WHAT)}" for _ in range(480)])
    english, chinese = (list(dict.fromkeys(texts)) for texts in (english, chinese))
    number = min(len(english), len(chinese))
    return {
        "English, for the first time": english[:number],
        "Chinese, for the first time": chinese[:number],
        "both, for the first time": [text for pair in zip(english, chinese, strict=False) for text in pair],
        "both, typed before": _typed((*ENGLISH, *CHINESE)),
    }


def _typed(texts: Sequence[str]) -> list[str]:
    return [text[:end] for text in texts for end in range(2 if text.isascii() else 1, len(text) + 1)]


def _lines() -> Iterator[str]:
    """Yield the entries: raise sites where they are there, else made of words; each with a Chinese title too."""
    # This is not for secrets: every run has the same titles.
    dice = random.Random(1)
    sites = rows(pastes.SITES) if pastes.SITES.is_file() else _made(dice)
    for site in islice(sites, ENTRIES):
        made = entry(site, False)
        made["zh"] = {"title": f"{site['type']}：{dice.choice(_WHAT)}{dice.choice(_HOW)}", "body": dice.choice(_WHAT)}
        yield json.dumps(made, ensure_ascii=False)


def _made(dice: random.Random) -> Iterator[dict[str, Any]]:
    for number in range(ENTRIES):
        said = " ".join(dice.choices(_ENGLISH, k=dice.randint(3, 9)))
        yield {"slug": f"made/site-{number}", "type": "ValueError", "template": f"{said} {number}", "updated": UPDATED}


def _compared(port: int, echo: int, words: Sequence[str]) -> dict[str, Any]:
    """Measure both in turn; the echo gives back as many bytes as the suggestions for the same letters have."""
    # There is one connection, since a person types one letter after the other.
    ours = [client.get(f"/{'en' if word.isascii() else 'zh'}/search/typing?q={quote(word)}") for word in words]
    sizes = [client.size(port, request) for request in ours]
    bare = [client.get(f"/bytes/{size}") for size in sizes]
    took: dict[int, list[float]] = {port: [], echo: []}
    for of, requests in ((port, ours), (echo, bare)):
        client.load(of, requests, 1, SECONDS / 2)
    ratios: list[float] = []
    say(f"typing: {len(words)} beginnings")
    # They are asked in a circle, so that either all of them are remembered or none is.
    assert not REMEMBERED // 2 <= len(words) <= REMEMBERED
    for _ in range(ROUNDS):
        medians: list[float] = []
        for of, requests in ((port, ours), (echo, bare)):
            part = client.load(of, requests, 1, SECONDS)
            took[of] += part
            medians.append(statistics.median(part))
        ratios.append(medians[0] / medians[1])
    return {
        "asked": len(words),
        "bytes": statistics.median(sizes),
        "ratio": statistics.median(ratios),
        "ratios": ratios,
        "errdex": spread(took[port]),
        "echo": spread(took[echo]),
    }
