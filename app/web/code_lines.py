"""Where the lines of a command may break: between words, and not within a flag or a path that has room on a line.

Browsers break after a hyphen, so that `--gpu-` ends a line and `memory` begins the next, which nobody can read or type.
"""

import re

# A line of so many characters fits into the narrowest window that is served, so it is never broken.
FITS = 26
# Browsers break a line after these characters although there is no space.
_BREAKS = re.compile(r"[-/?|&;%]")
# This is a run of characters of a highlighted line, with the element around it if it has one.
_PIECE = re.compile(r"(<span[^>]*>)?([^<]+)(</span>)?")
_TAG = re.compile(r"<[^>]*>")
_SPACES = re.compile(r"(\s+)")


def with_whole_words(html: str) -> str:
    """Return highlighted code with every word that a browser could break in an element `span.word` of its own.

    A line that may not fit is put into a `span.long` with its line end, so that the style sheet can indent what comes
    after a break: nobody then takes it for the next command. `html` is escaped text with `span` elements that are
    neither nested nor longer than a line.
    """
    return "".join(map(_line, html.splitlines(keepends=True)))


def _line(html: str) -> str:
    if len(html) <= FITS or len(_TAG.sub("", html)) <= FITS:
        return html
    made: list[str] = []
    word: list[str] = []
    for start, text, end in _PIECE.findall(html):
        for part in _SPACES.split(text):
            if part.isspace():
                made += [_whole(word), part]
                word = []
            elif part:
                word.append(f"{start}{part}{end}")
    return f'<span class="long">{"".join([*made, _whole(word)])}</span>'


def _whole(word: list[str]) -> str:
    html = "".join(word)
    return f'<span class="word">{html}</span>' if _BREAKS.search(_TAG.sub("", html)) else html
