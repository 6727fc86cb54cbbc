"""An example of each answer for the OpenAPI document, by the name of its shape; a test holds them to these shapes."""

from typing import Any

_SITE = "http://errdex.lan"
_SLUG = "verl/tensordict-membership-check"
_PAGE = f"{_SITE}/en/e/{_SLUG}"
_TITLE = "NotImplementedError: TensorDict does not support membership checks with `in`"
_DIGEST = "9f2c4be1a0d37a5c6be17fd0a1f1c8e9b8b9c1b5a7e44c21d0f0b7a3c65d8e12"
_AT = "2026-11-20T08:00:00+00:00"
_PATTERN = "NotImplementedError: TensorDict does not support membership checks with the `in` keyword"
_MATCH: dict[str, Any] = {
    "slug": _SLUG,
    "title": _TITLE,
    "lang": "en",
    "url": _PAGE,
    "score": 91.4,
    "confidence": "high",
    "reasons": [
        {"key": "message", "text": f"An error matches this: {_PATTERN}", "contribution": 91.4, "spans": [[0, 88]]}
    ],
    "why_not": None,
    "actions": {"needs": "human"},
    "versions": [
        {
            "package": "tensordict",
            "seen": "0.1.2",
            "verdict": "affected",
            "fixed": "0.4.0",
            "with": {},
            "text": "your tensordict 0.1.2 is affected; upgrade to 0.4.0",
        }
    ],
}
_ERROR = {
    "type": "NotImplementedError",
    "message": _PATTERN,
    "role": "cause",
    "incident": 1,
    "line": 1,
    "span": [0, 88],
}
_ANSWER: dict[str, Any] = {
    "matches": [_MATCH],
    "related": [],
    "report": {
        "errors": [_ERROR],
        "versions": [{"package": "tensordict", "version": "0.1.2", "span": [89, 106]}],
        "lines": 2,
        "truncated": False,
    },
    "next": None,
}
_PROBLEM = {
    "type": "/problems/too-slow",
    "title": "This question took too long",
    "status": 503,
    "detail": "We gave up after 20 seconds. Send the part around the first error: a few hundred lines are plenty.",
    "instance": "/api/v1/match/batch",
}
_ENTRY: dict[str, Any] = {
    "slug": _SLUG,
    "components": ["tensordict"],
    "updated": "2026-11-20",
    "signatures": [{"pattern": _PATTERN}],
    "en": {"title": _TITLE, "body": "## Fix\n\nUpgrade tensordict to 0.4.0."},
}
_REVISION = {
    "number": 2,
    "at": _AT,
    "actor": "rita",
    "author": "ann",
    "self_approved": False,
    "note": "names the release",
    "digest": _DIGEST,
}
_ANSWERED = {name: _MATCH[name] for name in ("slug", "title", "lang", "url", "score", "confidence")}
_CURSOR = "mRkO3Vp8InZlcmwveCI"
_TOKEN = "Zm9yLXRoZS1leGFtcGxlLW9ubHktMTIz"  # noqa: S105
_LISTED = (
    *("match", "search", "entries", "changes", "projects", "components", "tags", "signatures", "families"),
    *("wanted", "submissions", "audit"),
)

EXAMPLES: dict[str, Any] = {
    "Index": {
        "version": "0.1.0",
        "openapi": f"{_SITE}/openapi.json",
        **{name: f"{_SITE}/api/v1/{name}" for name in _LISTED},
    },
    "AnswerShown": _ANSWER,
    "BatchAnswered": {"answers": [{"answer": _ANSWER, "problem": None}, {"answer": None, "problem": _PROBLEM}]},
    "MatchList": {"items": [_MATCH], "next": _CURSOR},
    "EntryList": {
        "items": [
            {
                "slug": _SLUG,
                "project": "verl",
                "kind": "error",
                "title": _TITLE,
                "lang": "en",
                "url": _PAGE,
                "revision": 2,
                "digest": _DIGEST,
            }
        ],
        "next": _CURSOR,
    },
    "EntryShown": _ENTRY | {"revision": 2, "url": _PAGE},
    "RevisionList": {"items": [_REVISION], "next": "2"},
    "RevisionShown": _REVISION | {"entry": _ENTRY},
    "ChangeList": {
        "items": [
            {"id": 4711, "slug": _SLUG, "number": 2, "what": "changed", "former": [], "digest": _DIGEST, "at": _AT}
        ],
        "next": None,
    },
    "FacetList": {"items": [{"key": "verl", "name": "verl", "entries": 92}], "next": None},
    "SignatureList": {
        "items": [{"slug": _SLUG, "revision": 2, "signatures": [{"pattern": _PATTERN}]}],
        "next": _CURSOR,
    },
    "FamilyList": {
        "items": [
            {
                "key": "out-of-memory",
                "question": "What was running when the memory ran out?",
                "members": [{"slug": "skyrl/cuda-oom-training", "look": "The stack goes through `loss.backward()`."}],
            }
        ],
        "next": None,
    },
    "WantedList": {
        "items": [
            {
                "fingerprint": "5d1f0a9be27c4c38",
                "pattern": "RuntimeError: the tensor of the <*> has no gradient",
                "asked": 17,
                "first": _AT,
                "last": _AT,
                "released": True,
            }
        ],
        "next": None,
    },
    "FeedbackNoted": {"slug": _SLUG, "said": "solved"},
    "DraftShown": {
        "entry": {
            "slug": "verl/the-gasket-leaks",
            "updated": "2026-11-20",
            "components": [],
            "tags": [],
            "signatures": [{"pattern": "RuntimeError: the gasket of ring <*> leaks"}],
            "en": {"title": "RuntimeError: the gasket of ring … leaks", "body": "## Symptom\n\n## Cause\n\n## Fix"},
            "examples": ["RuntimeError: the gasket of ring 0x7f3a12 leaks"],
        },
        "missing": ["en.body"],
        "answered": [_ANSWERED],
    },
    "Received": {
        "id": 17,
        "slug": "verl/new-error",
        "state": "open",
        "token": _TOKEN,
        "url": f"{_SITE}/en/s/{_TOKEN}",
        "answered": [],
    },
    "SubmissionShown": {
        "id": 17,
        "slug": "verl/new-error",
        "state": "rejected",
        "at": _AT,
        "reviews": [{"decision": "rejected", "actor": "rita", "reason": "It is in the guide already.", "at": _AT}],
        "url": f"{_SITE}/en/s/{_TOKEN}",
    },
    "AuditList": {
        "items": [
            {
                "number": 9,
                "at": _AT,
                "actor": 2,
                "name": "rita",
                "origin": "site",
                "act": "approved",
                "kind": "submission",
                "about": 17,
                "before": "",
                "after": "",
            }
        ],
        "next": None,
    },
    "Health": {"status": "ok"},
}
