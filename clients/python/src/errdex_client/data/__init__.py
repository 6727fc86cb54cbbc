"""Data that `clients/python/make_data.py` makes from the server's: edit it there, not here."""

from __future__ import annotations

import json
import os
from typing import Any


def read_data(name: str) -> Any:
    """Return the values of one of the JSON files in this folder."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)  # noqa: PTH100, PTH118, PTH120
    with open(path, encoding="utf-8") as stream:  # noqa: PTH123
        return json.load(stream)
