"""/llms.txt: where a language model, or whoever feeds one, finds the guide as plain text."""

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from app.people.permissions import OPEN
from app.site.frame.page import getter
from app.web.dependencies import SettingsDep, base_url

router = APIRouter()
get = getter(router)

_TEXT = """# Errdex

> A troubleshooting knowledge base (报错图鉴): paste an error or a log, get the entry that explains and fixes it, in
> English or Chinese, with the reason why it matched; or an honest "no known entry".

Do not guess from entries that look alike: ask with the whole error, and act on `matches` only.{members}

## Ask

- [Match an error or a log]({base}/api/v1/match): POST the text as `text/plain`, or JSON
  `{{"text": "…", "include": "fix"}}`; with `Accept: text/markdown` the answer comes in words
- [Model Context Protocol]({base}/mcp): the same as tools for coding agents
- [OpenAPI document]({base}/openapi.json): all operations
- [Problem types]({base}/en/problems): what an error of the API means and what to do

## Read

- [All entries]({base}/api/v1/entries): slugs, titles and addresses, page by page
- An entry as markdown: `{base}/en/e/PROJECT/NAME.md`, in Chinese `{base}/zh/e/PROJECT/NAME.md`
- [Signatures]({base}/api/v1/signatures): the message patterns and frames that each error is known by
- [What changed]({base}/api/v1/changes): to keep a copy up to date

## Optional

- [Sitemap]({base}/sitemap.xml)
- [Feed of changes]({base}/en/changes.atom)
"""
_MEMBERS = " Only members read here: send a token of one of them as `Authorization: Bearer errdex_…`."


@get("/llms.txt", OPEN)
def for_models(request: Request, settings: SettingsDep) -> PlainTextResponse:
    """Say where the guide is as text. Nothing of its content is in it."""
    members = _MEMBERS if settings.reading == "members" else ""
    return PlainTextResponse(_TEXT.format(base=base_url(request), members=members))
