"""Fails where the API broke what the last release promised and CHANGELOG.md does not say so: part of `make lint`.

`docs/api.baseline.json` is the OpenAPI document of the last release without its words; `--release` makes it anew. What
breaks a program is written down in docs/api.md, "What stays". A break is named by a line of the newest version in
CHANGELOG.md that says "Breaking" and the path of the operation.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
SCHEMA, BASELINE = DOCS / "api.schema.json", DOCS / "api.baseline.json"
CHANGELOG = DOCS.parent / "CHANGELOG.md"
# Nothing that a program relies on is in these.
WORDS = frozenset({"description", "summary", "title", "example", "examples", "tags", "headers", "info", "security"})
METHODS = ("get", "put", "post", "delete", "patch")
# A limit of the wider schema, and whether it has to be the larger of the two.
LIMITS = {
    "maximum": True,
    "exclusiveMaximum": True,
    "maxLength": True,
    "maxItems": True,
    "maxProperties": True,
    "minimum": False,
    "exclusiveMinimum": False,
    "minLength": False,
    "minItems": False,
    "minProperties": False,
}
# Of these only the same text is known to mean the same.
ALIKE = ("pattern", "format", "not", "allOf")
Schema = dict[str, Any]


def without_words(node: Any, *, is_map: bool = False) -> Any:
    """Return a document without what only people read; names of properties and paths are no words."""
    if isinstance(node, list):
        return [without_words(one) for one in node]
    if not isinstance(node, dict):
        return node
    maps = ("properties", "schemas", "paths", "responses", "parameters", "content", "$defs")
    return {
        name: without_words(value, is_map=name in maps and not is_map)
        for name, value in node.items()
        if is_map or name not in WORDS
    }


class Comparison:
    """What a program that was written for `before` cannot do or read any more in `after`."""

    def __init__(self, before: Schema, after: Schema) -> None:
        self._before = before
        self._after = after

    def breaks(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each broken operation and what is broken in it."""
        for path, operations in self._before["paths"].items():
            for method in METHODS:
                if method in operations:
                    now = self._after["paths"].get(path, {}).get(method)
                    found = ["is gone"] if now is None else self._operation(operations[method], now)
                    yield from ((path, f"{method.upper()} {path}: {what}") for what in dict.fromkeys(found))

    def _operation(self, before: Schema, after: Schema) -> Iterator[str]:
        if before.get("operationId") != after.get("operationId"):
            yield f"its name {before.get('operationId')} is another one"
        yield from self._parameters(before, after)
        yield from self._body(before.get("requestBody"), after.get("requestBody"))
        yield from self._answers(before["responses"], after["responses"])

    def _parameters(self, before: Schema, after: Schema) -> Iterator[str]:
        old, new = _by_name(before, self._before), _by_name(after, self._after)
        for name, one in old.items():
            if name not in new:
                yield f"the parameter {name} is gone"
            else:
                yield from self._misfits(one["schema"], new[name]["schema"], f"parameter {name}", is_request=True)
        yield from (
            f"the parameter {name} is needed now"
            for name, one in new.items()
            if one.get("required") and not old.get(name, {}).get("required")
        )

    def _body(self, before: Schema | None, after: Schema | None) -> Iterator[str]:
        if after and after.get("required") and not (before and before.get("required")):
            yield "a body is needed now"
        for media, one in (before or {}).get("content", {}).items():
            now = (after or {}).get("content", {}).get(media)
            if now is None:
                yield f"it takes no {media} any more"
            else:
                yield from self._misfits(one["schema"], now["schema"], "body", is_request=True)

    def _answers(self, before: Schema, after: Schema) -> Iterator[str]:
        for status, one in before.items():
            if not status.startswith("2"):
                continue
            for media, content in one.get("content", {}).items():
                now = after.get(status, {}).get("content", {}).get(media)
                if now is None:
                    yield f"it answers no {status} of {media} any more"
                else:
                    yield from self._misfits(now["schema"], content["schema"], f"answer {status}", is_request=False)

    def _misfits(self, one: Schema, wide: Schema, where: str, *, is_request: bool) -> list[str]:
        """Return why a value that fits `one` may not fit `wide`.

        Of a request `one` is the earlier schema, of an answer the present one: what was sent must still be taken, and
        what is answered must be what was promised. An answer may have more fields than that.
        """
        first, second = (self._before, self._after) if is_request else (self._after, self._before)
        return list(_misfits(_resolved(one, first), _resolved(wide, second), where, (first, second), is_request))


def _by_name(operation: Schema, document: Schema) -> dict[str, Schema]:
    return {one["name"]: one for one in (_resolved(one, document) for one in operation.get("parameters", ()))}


def _resolved(node: Schema, document: Schema) -> Schema:
    while "$ref" in node:
        found: Any = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    return node


def _misfits(one: Schema, wide: Schema, where: str, documents: tuple[Schema, Schema], strict: bool) -> Iterator[str]:
    one, wide = _resolved(one, documents[0]), _resolved(wide, documents[1])
    if one == wide and documents[0] is documents[1]:
        return
    ours, theirs = _alternatives(one), _alternatives(wide)
    if len(ours) > 1 or len(theirs) > 1:
        for alternative in ours:
            tried = [list(_misfits(alternative, other, where, documents, strict)) for other in theirs]
            # The reason that helps is that of the alternative which comes nearest: one of the same type.
            yield from min(zip(tried, theirs, strict=True), key=lambda two: _distance(two, alternative))[0]
        return
    yield from _of_type(one, wide, where)
    for name, is_more in LIMITS.items():
        if name in wide and not _within(one.get(name), wide[name], is_more):
            yield f"{where}: {name} {wide[name]} does not cover {one.get(name, 'any')}"
    yield from (
        f"{where}: {name} is {wide[name]!r} and was not" if strict else f"{where}: {name} was {wide[name]!r}"
        for name in ALIKE
        if name in wide and wide[name] != one.get(name)
    )
    yield from _of_object(one, wide, where, documents, strict)
    if "items" in one and "items" in wide:
        yield from _misfits(one["items"], wide["items"], f"{where}[]", documents, strict)


def _distance(tried: tuple[list[str], Schema], alternative: Schema) -> tuple[bool, bool, int]:
    return bool(tried[0]), tried[1].get("type") != alternative.get("type"), len(tried[0])


def _alternatives(node: Schema) -> list[Schema]:
    # Beside `properties` they are conditions on one object, and not several shapes.
    found = [] if "properties" in node else node.get("anyOf") or node.get("oneOf") or []
    return list(found) or [node]


def _of_type(one: Schema, wide: Schema, where: str) -> Iterator[str]:
    values, allowed = ([node["const"]] if "const" in node else node.get("enum") for node in (one, wide))
    if allowed is not None and (values is None or any(value not in allowed for value in values)):
        yield f"{where}: {values or 'any value'} is more than {allowed}"
    kinds = {"integer", "number"} if wide.get("type") == "number" else {wide.get("type")}
    if "type" in wide and one.get("type") not in kinds:
        yield f"{where}: {one.get('type', 'anything')} is no {wide['type']}"


def _within(value: float | None, limit: float, is_more: bool) -> bool:
    if value is None:
        return not is_more and limit <= 0
    return value <= limit if is_more else value >= limit


def _of_object(one: Schema, wide: Schema, where: str, documents: tuple[Schema, Schema], strict: bool) -> Iterator[str]:
    ours, theirs = one.get("properties", {}), wide.get("properties", {})
    for name in wide.get("required", ()):
        if name not in one.get("required", ()):
            yield f"{where}: {name} is needed now" if strict else f"{where}: {name} may be missing"
    for name, schema in ours.items():
        if name in theirs:
            yield from _misfits(schema, theirs[name], f"{where}.{name}", documents, strict)
        elif strict and wide.get("additionalProperties") is False:
            yield f"{where}: {name} is not known any more"
    mine, rest = one.get("additionalProperties"), wide.get("additionalProperties")
    if isinstance(mine, dict) and isinstance(rest, dict):
        yield from _misfits(mine, rest, f"{where}.*", documents, strict)


def named(changelog: str) -> str:
    """Return what the newest version of a change log says of breaks: its points with the word Breaking."""
    newest = re.split(r"^## ", changelog, flags=re.MULTILINE)[1]
    points = re.split(r"^- ", newest, flags=re.MULTILINE)
    return "\n".join(point for point in points if "Breaking" in point)


def unnamed(before: Schema, after: Schema, changelog: str) -> list[str]:
    """Return the breaks between two documents that the change log does not name."""
    told = set(re.findall(r"`(?:[A-Z]+ )?(/[^`?]*)[^`]*`", named(changelog)))
    return [what for path, what in Comparison(before, after).breaks() if path not in told]


def main() -> None:
    """Compare, or with `--release` take the present document as what is promised from here on."""
    after = without_words(json.loads(SCHEMA.read_text(encoding="utf-8")))
    if "--release" in sys.argv:
        BASELINE.write_text(json.dumps(after, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
        return
    before = json.loads(BASELINE.read_text(encoding="utf-8"))
    found = unnamed(before, after, CHANGELOG.read_text(encoding="utf-8"))
    if found:
        sys.exit(
            "\n".join([*found, "", "The API breaks programs here. Mend it, or name it: see docs/api.md, What stays."])
        )


if __name__ == "__main__":
    main()
