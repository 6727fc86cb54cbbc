"""Reading a form as a browser would send it."""

from html.parser import HTMLParser

from app.site.contribute.row_fields import ROW_LISTS

# boxes of rows, of which there may be several
BOXES = {cell.name for rows in ROW_LISTS for cell in rows.cells}


class _Form(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self._area: str | None = None
        self._text = ""
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        name = values.get("name", "")
        if tag == "textarea":
            self._area, self._text = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and "selected" in values:
            self.fields.setdefault(self._select, []).append(values.get("value", ""))
        elif tag == "input" and (values.get("type") != "radio" or "checked" in values):
            self.fields.setdefault(name, []).append(values.get("value", ""))

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._area is not None:
            # the first line end after <textarea> is not part of the text
            self.fields.setdefault(self._area, []).append(self._text.removeprefix("\n"))
            self._area = None


def typed_fields(page: str) -> dict[str, str | list[str]]:
    """Return what the largest form of the page would send; each box of rows as a list."""
    parser = _Form()
    parser.feed(max(page.split("<form")[1:], key=len).partition("</form>")[0].partition(">")[2])
    return {name: values if name in BOXES else values[0] for name, values in parser.fields.items()}
