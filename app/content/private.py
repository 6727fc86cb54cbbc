"""What must not be published with a paste: keys, tokens, e-mail addresses, public addresses of machines."""

import ipaddress
import re
from collections.abc import Iterator

# An ordered table. Add a row for a new kind of token; keep the literal prefix in it, so that ordinary words do not fit.
_KINDS: tuple[tuple[str, str], ...] = (
    ("an AWS key", r"\bA(?:KIA|SIA)[0-9A-Z]{16}\b"),
    ("a GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{18,}"),
    ("a Hugging Face token", r"\bhf_[A-Za-z0-9]{28,}\b"),
    ("an API key", r"\b(?:sk|rk|pk)-[A-Za-z0-9_-]{20,}"),
    ("a Google key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("a Slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    ("a signed token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}"),
    ("a private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    ("a password in an address", r"[a-z][a-z0-9+.-]*://[^/\s:@<>{}$]+:[^/\s@<>{}$*]+@"),
    (
        "a secret",
        r"(?i:api[_-]?key|secret|passwd|password|access[_-]?token|auth[_-]?token)[\"']?\s*[=:]\s*[\"']?"
        r"(?=[A-Za-z+/_-]*\d)(?=[\d+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{16,}",
    ),
    ("an e-mail address", r"\b[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}\b"),
    ("a public address", r"(?<![\w.=-])(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])"),
)
_ALL = re.compile("|".join(f"(?P<k{number}>{expression})" for number, (_, expression) in enumerate(_KINDS)))
_HARMLESS_MAIL = re.compile(
    r"@(?:[\w-]+\.)*(?:example(?:\.\w+)?|invalid|local|localhost|internal|users\.noreply\.github\.com)$|^git@",
    re.IGNORECASE,
)


def private(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line, from 1, and the kind of everything in a text that looks private.

    Private, loopback and documentation addresses are fine, as are addresses at example domains.
    """
    for number, line in enumerate(text.split("\n"), 1):
        for found in _ALL.finditer(line):
            kind = _KINDS[int(str(found.lastgroup)[1:])][0]
            if not _harmless(kind, found.group(), line[: found.start()]):
                yield number, kind


def _harmless(kind: str, text: str, before: str) -> bool:
    if kind == "an e-mail address":
        return _HARMLESS_MAIL.search(text) is not None
    if kind == "a public address":
        return _is_version(before) or not _is_public(text)
    return False


def _is_version(before: str) -> bool:
    return re.search(r"(?i)(?:version|release|driver|cudnn|cu1\d|[a-z0-9]-)\W*$", before[-24:]) is not None


def _is_public(text: str) -> bool:
    try:
        found = ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return found.is_global and not found.is_multicast
