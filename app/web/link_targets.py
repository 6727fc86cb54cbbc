"""Where a link of a text may lead: http and https, an entry, or a place on this site."""

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from app.content.schema import SLUG

ENTRY = "errdex:"
# An address has at most so many characters, as in the sources of an entry. Longer ones only cost time.
LONGEST = 2000
# A host in other than Latin letters has at most so many characters: encoding it for the name service takes time that
# grows with the square of its length.
LONGEST_HOST = 63
_HOST = re.compile(r"[^/?#]*//([^/?#]*)")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_WEB = re.compile(r"https?://[^/\\?#]", re.IGNORECASE)
# An address with one of these is no link: browsers take a backslash for a slash, and drop tabs and line ends before
# they look for the host.
_NEVER = re.compile(r"[\\\x00-\x20\x7f-\x9f]")
# An address may have been percent-encoded so many times over.
_LAYERS = 4


def may_lead_to(url: str) -> bool:
    """Tell whether a link may lead to `url`.

    `//host`, and anything that a browser or a proxy could read as that, percent-encoded or not, is no place on this
    site.
    """
    if not is_short(url) or _NEVER.search(url):
        return False
    scheme = _SCHEME.match(url)
    if scheme is None:
        return _is_on_this_site(url)
    if scheme.group().lower() == ENTRY:
        return bool(SLUG.fullmatch(url[len(ENTRY) :]))
    return bool(_WEB.match(url))


def is_short(url: str) -> bool:
    """Tell whether `url` is short enough, in its host too, to be looked at any further."""
    host = _HOST.match(url)
    return len(url) <= LONGEST and (url.isascii() or host is None or len(host[1]) <= LONGEST_HOST)


def _is_on_this_site(url: str) -> bool:
    path = re.split("[?#]", url, maxsplit=1)[0]
    for read in islice(_layers(path), _LAYERS):
        if read.startswith("//") or _NEVER.search(read.replace(" ", "")) or _SCHEME.match(read):
            return False
    return unquote(read) == read


def _layers(path: str) -> Iterator[str]:
    """Yield a path as it stands, and with one layer of percent-encoding after another taken off."""
    yield path
    while (inner := unquote(path)) != path:
        path = inner
        yield path
