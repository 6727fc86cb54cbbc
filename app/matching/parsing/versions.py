"""Which versions a paste tells: of packages that are installed or running where it comes from.

Told are rows of a list (`pkg==1.2`, tables of pip and conda), what a program says of itself, names of wheels, folders
and images, tables of drivers, and what people say they have. Not told are requirements, versions inside an address,
and what somebody had before.
"""

import re
from collections.abc import Iterator
from itertools import chain

from app.matching.model import Span, VersionSeen
from app.matching.parsing import version_forms as forms
from app.matching.text.needles import found_at

# The first and the last characters of a text are all read, those between only in lines that hold a needle: so that the
# time stays bounded whatever is pasted.
HEAD = 64 * 1024
TAIL = 16 * 1024
MOST_TELLING = 420
LONGEST = 8_000
MOST_SEEN = 100
# characters before and behind a version that say whether it is there
WINDOW = 60
_CLAUSES = re.compile(r"[,;，；。!?！？]|\.\s|\bbut\b|但")
_UPGRADE = re.compile(r"(?:up|down)grad\w*|升级到|降级到|安装|since|从", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_FRAME = 'File "'
_PATH = re.compile(r'File "/[\w./-]+"', re.ASCII)
# What is the name of a file or folder with a version in it holds one of these.
_IN_PATHS = tuple(
    needle
    for needle in (*(needle for needle, _ in forms.PRINTED), *(needle for needle, _, _ in forms.SPECIAL))
    if re.fullmatch(r"[\w./-]+", needle)
)
# what a line ends with below which there are the rows of a list
_ANNOUNCES = (":", "：", ".txt", "[", "```")
# A number with a point in it; a search for the point alone is quick.
_TOLD = re.compile(r"\.(?<=\d\.)\d")
_NEEDLES = ("==", "ersion", ".dist-info", ".whl", "ou have ", "Successfully installed", "already satisfied")


def versions_in(text: str) -> tuple[VersionSeen, ...]:
    """Return the versions that a text tells, each of a package once, in the order of the text; at most 100.

    `package` is the normalised name, `version` is as printed without a leading `v`, `span` is where both stand.
    """
    found: dict[tuple[str, str], VersionSeen] = {}
    for start, block in _blocks(text):
        for seen in _block_versions(block, start):
            found.setdefault((seen.package, seen.version), seen)
            if len(found) >= MOST_SEEN:
                break
    return tuple(sorted(found.values(), key=lambda seen: seen.span))


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that are read, with their offsets: its beginning, telling lines, its end."""
    if len(text) <= HEAD + TAIL:
        yield 0, text
        return
    head = text.rfind("\n", 0, HEAD) + 1 or HEAD
    tail = text.find("\n", len(text) - TAIL) + 1 or len(text) - TAIL
    yield 0, text[:head]
    for start in _telling(text, head, tail):
        end = text.find("\n", start, tail)
        yield start, text[start : min(tail if end < 0 else end, start + LONGEST)]
    yield tail, text[tail:]


def _telling(text: str, start: int, end: int) -> list[int]:
    """Return where lines between two places begin that hold a needle: of each needle the first ones."""
    starts: set[int] = set()
    for needle in _NEEDLES:
        at = text.find(needle, start, end)
        for _ in range(MOST_TELLING // len(_NEEDLES)):
            if at < 0:
                break
            line = max(text.rfind("\n", start, at) + 1, start, at - LONGEST // 2)
            starts.add(line)
            following = text.find("\n", at, end)
            at = text.find(needle, following, end) if following >= 0 else -1
    return sorted(starts)


def _block_versions(block: str, offset: int) -> Iterator[VersionSeen]:
    lists = forms.may_list(block)
    table = required = False
    at = offset
    for line in block.split("\n"):
        start, at = at, at + len(line) + 1
        said = line[:LONGEST]
        bare = said.strip() if lists else ""
        if lists and not (bare and _DIGIT.search(bare)):
            # a heading says what the rows below it are, up to an empty line
            if bare:
                table = (table and not bare.strip("- ")) or bool(forms.HEADING.match(said))
                required = bare.endswith(_ANNOUNCES) and bool(forms.REQUIREMENTS.search(bare))
            elif not required:
                table = False
            continue
        if "." not in said or not _TOLD.search(said) or _is_stack_line(said):
            continue
        if any(held in said for held in forms.ADDRESS_HOLDS):
            said = forms.ADDRESS.sub(lambda address: " " * len(address[0]), said)
        yield from _line_versions(said, start, table, required)
        required = required and bool(forms.PINNED.match(said.strip()))


def _is_stack_line(line: str) -> bool:
    """Tell whether a line is one of a stack that tells no version: the numbers in its path are none.

    Most lines of a paste with a number are such.
    """
    at = line.find(_FRAME)
    if at < 0:
        return False
    if not line[:at].strip():
        return not any(needle in line for needle in _NEEDLES)
    # something was printed before it
    path = _PATH.match(line, at)
    return (
        path is not None
        and not any(needle in path[0] for needle in _IN_PATHS)
        and not _TOLD.search(line, 0, at)
        and not _TOLD.search(line, path.end())
    )


def _line_versions(line: str, start: int, table: bool, required: bool) -> Iterator[VersionSeen]:
    """Yield what a line tells; `table` says that it is below a heading of a list, `required` below one of demands."""
    if row := (forms.TABLE_ROW.match(line) if table else None) or forms.LABELLED.match(line):
        yield _seen(normalised(row["name"]), row, start)
    elif (row := forms.ROW.match(line)) and (row["version"] or normalised(row["name"]) in forms.PACKAGES):
        if not required and not (row["version"] and _is_taken_out(line)):
            yield _seen(normalised(row["name"]), row, start, "version" if row["version"] else "told")
    elif done := forms.DONE.search(line):
        for one in forms.DONE_ROW.finditer(line, done.start("rows")):
            yield _seen(normalised(one["name"]), one, start)
    else:
        yield from _printed_versions(line, start)
        if "/" in line and ":" in line:
            yield from _image_versions(line, start)
        yield from _said_versions(line, start)


def _seen(name: str, found: re.Match[str], start: int, group: str = "version", *, alone: bool = False) -> VersionSeen:
    span = Span(start + found.start(group if alone else 0), start + found.end(group))
    return VersionSeen(name, found[group].removeprefix("v"), span)


def _printed_versions(line: str, start: int) -> Iterator[VersionSeen]:
    """Yield what programs print in a form of their own, and names of files."""
    for needle, form in forms.PRINTED:
        if needle in line:
            for one in form.finditer(line):
                yield _seen(normalised(one["name"]), one, start)
    for needle, package, form in forms.SPECIAL:
        if needle in line:
            for one in form.finditer(line):
                if _is_there(line, one):
                    yield _seen(package, one, start)


def _said_versions(line: str, start: int) -> Iterator[VersionSeen]:
    """Yield what a line says of known names: `torch 2.6.0`, and of `from A to B` only B."""
    names = _names_at(line)
    if not names and "==" not in line:
        return
    read = 0
    for one in found_at(names, forms.MOVED, line):
        read = one.end()
        if not forms.ADVICE.search(line, max(0, one.start() - WINDOW), one.start()):
            yield _seen(_named(one["name"]), one, start, alone=True)
    taken: set[int] = set()
    pinned = forms.PINNED.finditer(line, read) if "==" in line else ()
    for one in chain(pinned, found_at([at for at in names if at >= read], forms.SAYS, line)):
        if one.end("version") not in taken and _is_there(line, one):
            taken.add(one.end("version"))
            name = normalised(one["name"]) if one.re is forms.PINNED else _named(one["name"])
            yield _seen(name, one, start)


def _names_at(line: str) -> list[int]:
    """Return where a known name may begin in a line."""
    if not line.isascii():
        # outside of ASCII a letter may have another length in lower case, and other letters may count as it
        return [match.start() for match in forms.NAMED.finditer(line)]
    return [match.start() for match in forms.HINTED.finditer(line.lower())]


def _is_there(line: str, found: re.Match[str]) -> bool:
    """Tell whether a version is what is there, by what stands before it in its clause and right behind it."""
    near = line[max(0, found.start() - WINDOW) : found.end() + WINDOW]
    before = line[max(0, found.start() - WINDOW) : found.start()]
    clause = _CLAUSES.split(before)[-1]
    if forms.AFTER_UPGRADE.search(near):
        clause = _UPGRADE.sub(" ", clause)
    return not forms.NOT_THERE.search(clause) and not forms.NOT_THIS.match(line, found.end())


def _image_versions(line: str, start: int) -> Iterator[VersionSeen]:
    for one in forms.IMAGE.finditer(line):
        tag, at = one["tag"], start + one.start("tag")
        rows = [(forms.IN_TAGS[found["name"]], found["version"], found) for found in forms.IN_TAG.finditer(tag)]
        package = forms.IMAGES.get(one["image"])
        first = forms.TAG_BEGINS.match(tag) if package and "nvcr.io" not in one[0] else None
        if package and first:
            rows.append((package, first["version"], first))
        if package or rows:
            rows += [("cuda", f"{cu['version'][:2]}.{cu['version'][2:]}", cu) for cu in forms.CU.finditer(tag)]
        for name, version, found in rows:
            yield VersionSeen(name, version, Span(at + found.start(), at + found.end()))


def _is_taken_out(line: str) -> bool:
    # uv tells what it took out as ` - name==1.0`; a list in Markdown has no blank before its hyphen
    return line.startswith(" - ")


def normalised(name: str) -> str:
    """Return the name of a package in lower case with single hyphens, as PyPI compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _named(name: str) -> str:
    return forms.NAMES[re.sub(r"[-_ ]+", " ", name).lower()]
