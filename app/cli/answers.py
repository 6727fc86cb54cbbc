"""An answer as the command line prints it, wherever it is from."""

from enum import StrEnum
from typing import Any

from app.asking.answer_text import github, markdown, terminal_lines
from app.cli.output import console, is_styled, write, write_json
from app.i18n import Lang

_STYLES = {"good": "bold green", "fair": "bold yellow"}


class Form(StrEnum):
    """How an answer can be printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    GITHUB = "github"


def write_answer(answer: dict[str, Any], lang: Lang, form: Form, *, explain: bool = False) -> None:
    """Print an answer (as JSON values) in a form; `explain` shows in text every reason with its points."""
    if form is Form.JSON:
        write_json(answer)
    elif form is Form.MARKDOWN:
        write(markdown(answer, lang))
    elif form is Form.GITHUB:
        write(github(answer, lang))
    elif not is_styled():
        write(
            "".join("".join(text for text, _ in line) + "\n" for line in terminal_lines(answer, lang, explain=explain))
        )
    else:
        from rich.text import Text

        for line in terminal_lines(answer, lang, explain=explain):
            console().print(Text.assemble(*((text, _STYLES.get(style, style)) for text, style in line)))
