"""What somebody says that it is not, that they do without, or that is in order: such words are not asked for.

Each time one word in Latin letters. "No module named x" and "is not a directory" are what an error says, so that these
forms deny nothing; nor does what only holds for a while ("the loss is fine for 60 steps"), nor a question (是不是 OOM).
"""

import re

_WORD = r"[`'\"]?(?P<{}>[A-Za-z][A-Za-z0-9_./-]{{0,60}}+)[`'\"]?"
_CLOSES = r"(?=\s*(?:[,.;:)，。；）]|and\b|but\b|$))"
# what is absent, in every place of the text
_ABSENT = re.compile(
    "|".join(
        (
            rf"\bwithout\s+{_WORD.format('without')}",
            rf"\bno\s+{_WORD.format('no')}(?=\s*(?:[,;()，。；（）]|and no\b|or\b|$))",
            rf"(?:(?<!是)不是|并非)\s*{_WORD.format('not')}(?!\s*就是)",
            rf"(?<=[,;(，；（])\s*{_WORD.format('off')}\s+(?:is\s+)?(?:off|disabled){_CLOSES}",
            rf"(?:没开|没启用|关了|关掉了|未开启)\s*{_WORD.format('closed')}",
        )
    ),
    re.IGNORECASE,
)
# what is in order, here
_IN_ORDER = re.compile(
    rf"(?<![A-Za-z0-9_./-])[A-Za-z][A-Za-z0-9_/-]{{0,60}}+"
    rf"(?:\s+(?:is|are|looks?|stays?)\s+(?:fine|ok|okay|normal|healthy|stable){_CLOSES}"
    r"|\s*(?:[也都还在很一直是]\s*){0,4}(?:正常(?!吗|么|嘛|？|\?|的吗)|没问题|没有问题|不为\s*0))",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"\b(?:without|no|off|disabled|fine|ok|okay|normal|healthy|stable)\b|不是|并非|没开|没启用|关了|关掉|未开启|正常|问题|不为",
    re.IGNORECASE,
)


def without_denied(text: str) -> str:
    """Return what a person wrote with the words that they deny as spaces, so that places stay the same."""
    if not _HINT.search(text):
        return text
    absent = {found[found.lastgroup].strip("./-") for found in _ABSENT.finditer(text) if found.lastgroup}
    left = _IN_ORDER.sub(_blank, _ABSENT.sub(_blank, text))
    if absent:
        again = "|".join(map(re.escape, sorted(absent)))
        left = re.sub(rf"(?<![A-Za-z0-9])(?:{again})(?![A-Za-z0-9])", _blank, left, flags=re.IGNORECASE)
    return left


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())
