"""What an entry has several of, as rows of boxes: signatures, sources, example pastes.

A row is one box for each cell. What was shown and comes back as it was shown is the part of the entry that it was made
from, whatever a box cannot hold of it.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from pydantic import ValidationError

from app.content.schema import EntryDocument, Signature, Source
from app.site.frame.forms import Fields

# of one list; a form of more fields would not be read to its end
MOST_ROWS = 200
LONGEST_EXAMPLE = 200_000
TypedRow = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A box of a row: its name in the form, what it shows of a part, and what its text says of the part's values.

    `options` are the words of a box in which one is chosen, the first one until somebody chooses. `wrong` is the text
    key for a box that cannot be used, where the row has no better one. One that `is_rare` is folded while it says
    nothing.
    """

    name: str
    show: Callable[[Any], str]
    read: Callable[[str], dict[str, Any]]
    options: tuple[str, ...] = ()
    is_long: bool = False
    wrong: str = ""
    is_rare: bool = False

    @property
    def blank(self) -> str:
        """What it holds until somebody types or chooses."""
        return self.options[0] if self.options else ""


@dataclass(frozen=True, slots=True)
class RowList:
    """A list of an entry. A row whose first box is empty is none; `make` makes a part of the values of all boxes.

    `wrong` is the text key for a row of which nothing can be made.
    """

    name: str
    cells: tuple[Cell, ...]
    make: Callable[[dict[str, Any]], Any]
    wrong: str

    @property
    def key(self) -> str:
        """The name of the first box, by which the form and its texts call the list."""
        return self.cells[0].name

    def begun(self, text: str) -> TypedRow:
        """Return a row of which only the first box is filled in."""
        return (text, *self.blank[1:])

    @property
    def blank(self) -> TypedRow:
        """A row in which nothing was typed."""
        return tuple(cell.blank for cell in self.cells)

    @property
    def has_rare(self) -> bool:
        """Whether some of the boxes are folded while they say nothing."""
        return any(cell.is_rare for cell in self.cells)


def _weight(signature: Signature) -> str:
    return "-".join(name for name in ("weak", "unconfirmed") if getattr(signature, name))


def _signature(values: dict[str, Any]) -> Signature:
    text, what = values.pop("text"), values.pop("what")
    return Signature.model_validate(values | {what: text})


def _example(values: dict[str, Any]) -> str:
    if len(values["text"]) > LONGEST_EXAMPLE:
        raise ValueError("too long")
    return str(values["text"])


# A further value of a part is one more cell here, and its texts: `submit.field.NAME` and its hint, or for a box with
# options `submit.choice.NAME` and `NAME-OPTION`.
ROW_LISTS = (
    RowList(
        "signatures",
        (
            Cell("signature", lambda one: one.pattern or one.frame, lambda text: {"text": text.strip()}, is_long=True),
            Cell(
                "signature_is",
                lambda one: "frame" if one.frame else "pattern",
                lambda word: {"what": word},
                ("pattern", "frame"),
                is_rare=True,
            ),
            Cell(
                "signature_weight",
                _weight,
                lambda word: {name: name in word for name in ("weak", "unconfirmed")},
                ("", "weak", "unconfirmed", "weak-unconfirmed"),
                is_rare=True,
            ),
            Cell(
                "signature_unless",
                lambda one: "\n".join(one.unless),
                lambda text: {"unless": tuple(line.strip() for line in text.split("\n") if line.strip())},
                is_long=True,
                wrong="field.signature-unless.wrong",
                is_rare=True,
            ),
        ),
        _signature,
        "field.signature.wrong",
    ),
    RowList(
        "examples",
        (Cell("example", str, lambda text: {"text": text}, is_long=True),),
        _example,
        "field.example.long",
    ),
    RowList(
        "sources",
        (
            Cell("source", lambda one: one.title, lambda text: {"title": text.strip()}),
            Cell(
                "source_url",
                lambda one: one.url,
                lambda text: {"url": text.strip()},
                wrong="field.source-url.wrong",
            ),
            Cell(
                "source_license",
                lambda one: one.license,
                lambda text: {"license": text.strip()},
                wrong="field.source-license.wrong",
            ),
        ),
        Source.model_validate,
        "field.source.wrong",
    ),
)


@dataclass(frozen=True, slots=True)
class TypedRows:
    """What the form holds of each list, as {name of the list: its rows}."""

    of_list: Mapping[str, tuple[TypedRow, ...]]

    @classmethod
    def of(cls, document: EntryDocument) -> "TypedRows":
        """Return what the boxes show of a document."""
        return cls({one.name: tuple(_shown(one, part) for part in getattr(document, one.name)) for one in ROW_LISTS})

    @classmethod
    def sent(cls, sent: Fields) -> "TypedRows":
        """Return what was typed."""
        return cls({one.name: _sent(one, sent) for one in ROW_LISTS})

    def with_blank(self, key: str) -> "TypedRows":
        """Return the rows with a blank one at the end of the list whose first box has this name."""
        added = {one.name: (*self.of_list.get(one.name, ()), one.blank) for one in ROW_LISTS if one.key == key}
        return TypedRows({**self.of_list, **added})

    def rows(self, rows: RowList) -> tuple[TypedRow, ...]:
        """Return the rows of a list as the form shows them: at least one to type into."""
        return self.of_list.get(rows.name) or (rows.blank,)

    def count(self, rows: RowList) -> int:
        """Return how many rows of a list are filled in."""
        return sum(not _is_blank(row) for row in self.of_list.get(rows.name, ()))

    def problems(self, base: EntryDocument | None) -> dict[str, str]:
        """Return {box, and the number of its row from 2 on: text key} for the boxes that cannot be used."""
        found: dict[str, str] = {}
        for rows in ROW_LISTS:
            typed = self.of_list.get(rows.name, ())
            if len(typed) > MOST_ROWS:
                found[rows.key] = "field.rows.many"
            for number, row in enumerate(typed, 1):
                if _restored(rows, [row], base) is None:
                    cell = _wrong_cell(rows, row)
                    found[f"{cell.name}-{number}" if number > 1 else cell.name] = cell.wrong or rows.wrong
        return found

    def filled(self) -> dict[str, tuple[int, ...]]:
        """Return the numbers, from 1, of the rows that are filled in, by the name of their first box."""
        return {
            rows.key: tuple(at for at, row in enumerate(self.of_list.get(rows.name, ()), 1) if not _is_blank(row))
            for rows in ROW_LISTS
        }

    def values(self, base: EntryDocument | None) -> dict[str, Any]:
        """Return the fields of the document that the rows describe, where none of them is a problem."""
        return {rows.name: _restored(rows, self.of_list.get(rows.name, ()), base) or () for rows in ROW_LISTS}


def _shown(rows: RowList, part: Any) -> TypedRow:
    return tuple(_normal(cell.show(part)) for cell in rows.cells)


def _sent(rows: RowList, sent: Fields) -> tuple[TypedRow, ...]:
    columns = [sent.all(cell.name) for cell in rows.cells]
    typed = zip_longest(*(column[: len(columns[0])] for column in columns), fillvalue="")
    return tuple(
        tuple(_chosen(cell, _normal(text)) for cell, text in zip(rows.cells, row, strict=True)) for row in typed
    )


def _chosen(cell: Cell, text: str) -> str:
    return text if not cell.options or text in cell.options else cell.options[0]


def _restored(rows: RowList, typed: Sequence[TypedRow], base: EntryDocument | None) -> tuple[Any, ...] | None:
    """Return the parts that rows describe, those of `base` where a row is as it was shown; None where one is wrong."""
    before = getattr(base, rows.name) if base else ()
    shown = [_key(_shown(rows, part)) for part in before]
    if [_key(row) for row in typed] == shown:
        return tuple(before)
    known: dict[TypedRow, list[Any]] = defaultdict(list)
    for key, part in zip(shown, before, strict=True):
        known[key].append(part)
    made = []
    for row in typed:
        if parts := known.get(_key(row)):
            # two that look the same are taken in their order
            made.append(parts.pop(0) if len(parts) > 1 else parts[0])
        elif not _is_blank(row):
            try:
                made.append(_made(rows, row))
            except ValueError:
                return None
    return tuple(made)


def _made(rows: RowList, row: TypedRow) -> Any:
    """Raises `ValueError`, of which pydantic's is one."""
    values: dict[str, Any] = {}
    for cell, text in zip(rows.cells, row, strict=True):
        values |= cell.read(text)
    return rows.make(values)


def _wrong_cell(rows: RowList, row: TypedRow) -> Cell:
    """Return the box of a row by which nothing can be made of it: the first one where that is not told."""
    try:
        _made(rows, row)
    except ValidationError as error:
        refused = {str(item["loc"][0]) for item in error.errors() if item["loc"]}
        cells = zip(rows.cells, row, strict=True)
        return next((cell for cell, text in cells if refused & cell.read(text).keys()), rows.cells[0])
    except ValueError:
        pass
    return rows.cells[0]


def _key(row: TypedRow) -> TypedRow:
    return tuple(text.strip() for text in row)


def _is_blank(row: TypedRow) -> bool:
    return not row[0].strip()


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
