"""The canonical `entry.toml`: one order of keys, `[[…]]` for what repeats, a line for a short list."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, get_args, get_origin

import tomli_w

from app.content.schema import EntryDocument, Part

WIDTH = 120
# The slug is the name of the folder, and the texts and examples have files of their own.
OTHER_FILES = frozenset(("slug", "en", "zh", "examples"))


def facts(document: EntryDocument) -> str:
    """Return the canonical `entry.toml` of a document; it ends with a newline.

    Every field of the schema but those that have files of their own, in the order of the schema: first what is one
    line, also where it is empty, then the tables that hold something.
    """
    plain = document.plain()
    fields = {name: field for name, field in type(document).model_fields.items() if name not in OTHER_FILES}
    tables = [name for name, field in fields.items() if _holds_tables(field.annotation)]
    lines = [
        _pair(name, value) for name in fields if name not in tables and (value := getattr(document, name)) is not None
    ]
    for name in tables:
        if name in plain:
            lines += _tables(name, plain[name])
    return "\n".join(lines) + "\n"


def _holds_tables(annotation: Any) -> bool:
    """Tell whether a field of this type is written as TOML tables: it is a mapping, or has parts with fields."""
    if get_origin(annotation) is dict or (isinstance(annotation, type) and issubclass(annotation, Part)):
        return True
    return any(_holds_tables(inner) for inner in get_args(annotation))


def _tables(name: str, value: Any) -> Iterator[str]:
    """Yield the lines of a table, of a table of tables, or of each table of a list."""
    if isinstance(value, list):
        for row in value:
            yield from ("", f"[[{name}]]", *pairs(row))
    elif value and all(isinstance(inner, dict) for inner in value.values()):
        for key, inner in value.items():
            yield from ("", f"[{name}.{_key(key)}]", *pairs(inner))
    else:
        yield from ("", f"[{name}]", *pairs(value))


def pairs(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the line of each key of a table, or its lines where a list is long."""
    return (_pair(key, value) for key, value in table.items())


def _pair(key: str, value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = [_value(item) for item in value]
        line = f"{_key(key)} = [{', '.join(items)}]"
        return line if len(line) <= WIDTH else "\n".join([f"{_key(key)} = [", *(f"    {item}," for item in items), "]"])
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items())
        return f"{_key(key)} = {{ {inner} }}"
    return f"{_key(key)} = {_value(value)}"


def _value(value: str | bool | int | date) -> str:
    return tomli_w.dumps({"x": value})[len("x = ") : -1]


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0})[: -len(" = 0\n")]
