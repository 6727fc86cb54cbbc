"""`errdex config` and `schema`: what can be set, and what an entry looks like."""

import os
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from pydantic import SecretStr
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from app.cli import output
from app.cli.database import settings
from app.config import Settings
from app.content.schema import EntryDocument

HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class Knob:
    """A setting: the variable, what it does, what it is without the variable, what is in force and where it is from."""

    name: str
    help: str
    default: str
    value: str
    source: str


def knobs(found: Settings) -> list[Knob]:
    """Return every setting in the order of `Settings`, with secrets hidden."""
    rows: list[Knob] = []
    for key, field in Settings.model_fields.items():
        name = f"ERRDEX_{key.upper()}"
        source = "environment" if any(name == other.upper() for other in os.environ) else "default"
        default, value = shown(key, field.default), shown(key, getattr(found, key))
        rows.append(Knob(name, field.description or "", default, value, source))
    return rows


def shown(key: str, value: Any) -> str:
    """Return a setting's value as it may be shown: without secrets, and without passwords inside an address."""
    if isinstance(value, SecretStr):
        return HIDDEN if value.get_secret_value() else ""
    if key != "database_url":
        return str(value)
    try:
        url = make_url(value)
    except (ArgumentError, ValueError):
        return f"{HIDDEN} (not understood)"
    hidden = {name: HIDDEN if "password" in name.lower() else text for name, text in url.query.items()}
    return url.set(query=hidden).render_as_string(hide_password=True)


def config(as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False) -> None:
    """Print every setting with its help and the value in force; secrets are hidden."""
    rows = knobs(settings())
    if as_json:
        output.write_json(
            [{"name": k.name, "value": k.value, "default": k.default, "source": k.source, "help": k.help} for k in rows]
        )
        return
    for knob in rows:
        mark = "" if knob.source == "default" else f"  (default: {knob.default})"
        output.say(f"{knob.name}={knob.value}{mark}")
        output.say(f"    {knob.help}")


def schema() -> None:
    """Print the JSON Schema of an entry: of TOML, JSON lines and API alike."""
    output.write_json({"$schema": "https://json-schema.org/draft/2020-12/schema"} | EntryDocument.model_json_schema())
