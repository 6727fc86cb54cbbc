"""The description by which a browser's address bar searches the guide (OpenSearch 1.1)."""

from xml.etree.ElementTree import Element

from fastapi import APIRouter, Request
from fastapi.responses import Response

from app import i18n
from app.people.permissions import PROGRAM_READ
from app.site.find.xml import element, written
from app.site.frame.page import HTML_LANG, Language, getter, static
from app.web.dependencies import base_url

program_router = APIRouter()
get = getter(program_router)
KIND = "application/opensearchdescription+xml"
# The format allows a name of 16 characters.
NAMES = {"en": "Errdex", "zh": "报错图鉴"}


@get("/{lang}/opensearch.xml", PROGRAM_READ)
def describe(request: Request, lang: Language) -> Response:
    """Return how the guide is searched in this language, and where its suggestions are."""
    base = base_url(request)
    root = Element("OpenSearchDescription", {"xmlns": "http://a9.com/-/spec/opensearch/1.1/"})
    element(root, "ShortName", NAMES[lang])
    element(root, "Description", i18n.text(lang, "find.opensearch"))
    element(root, "Url", type="text/html", template=f"{base}/{lang}/search?q={{searchTerms}}")
    suggestions = f"{base}/{lang}/suggest?q={{searchTerms}}"
    element(root, "Url", type="application/x-suggestions+json", rel="suggestions", template=suggestions)
    element(root, "Url", type=KIND, rel="self", template=f"{base}/{lang}/opensearch.xml")
    element(root, "Image", base + static("mark.svg"), height="16", width="16", type="image/svg+xml")
    element(root, "Language", HTML_LANG[lang])
    element(root, "InputEncoding", "UTF-8")
    element(root, "OutputEncoding", "UTF-8")
    return Response(written(root), media_type=KIND)
