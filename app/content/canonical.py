"""The canonical `entry.toml`: one order of keys, `[[…]]` for what repeats, a line for a short list."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import tomli_w

from app.content.schema import EntryDocument

WIDTH = 120


def facts(document: EntryDocument) -> str:
    """Return the canonical `entry.toml` of a document; it ends with a newline."""
    plain = document.plain()
    lines = [_pair("kind", document.kind), _pair("status", document.status)]
    lines += [_pair("components", document.components), _pair("tags", document.tags)]
    lines.append(_pair("updated", document.updated))
    lines += [_pair(key, getattr(document, key)) for key in ("also", "former", "related")]
    for key in ("titles", "signatures", "affects", "actions", "sources", "level"):
        if key in plain:
            lines += _tables(key, plain[key])
    return "\n".join(lines) + "\n"


def _tables(name: str, value: Any) -> Iterator[str]:
    """Yield the lines of a table, of a table of tables, or of each table of a list."""
    if isinstance(value, list):
        for row in value:
            yield from ("", f"[[{name}]]", *_pairs(row))
    elif value and all(isinstance(inner, dict) for inner in value.values()):
        for key, inner in value.items():
            yield from ("", f"[{name}.{_key(key)}]", *_pairs(inner))
    else:
        yield from ("", f"[{name}]", *_pairs(value))


def _pairs(table: Mapping[str, Any]) -> Iterator[str]:
    return (_pair(key, value) for key, value in table.items())


def _pair(key: str, value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = [_value(item) for item in value]
        line = f"{_key(key)} = [{', '.join(items)}]"
        return line if len(line) <= WIDTH else "\n".join([f"{_key(key)} = [", *(f"    {item}," for item in items), "]"])
    return f"{_key(key)} = {_value(value)}"


def _value(value: str | bool | int | date) -> str:
    return tomli_w.dumps({"x": value})[len("x = ") : -1]


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0})[: -len(" = 0\n")]
