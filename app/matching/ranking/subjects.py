"""What a question is about: the things that it names and the kinds of trouble that it tells. Words that it shares
with an entry about another thing, or of another kind, are no answer, however many they are.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from app.matching.ranking.candidate import Features
from app.matching.ranking.pattern import MUSTS
from app.matching.ranking.terms import known_terms, prose_terms
from app.matching.text.rules import subjects, weights

# The forms of a name, or the words of a kind of trouble: each is the terms that must be there together.
Forms = tuple[frozenset[str], ...]


class Subject(NamedTuple):
    """What a question names, the kinds of trouble that its words tell, those that a sign of it tells, and whether it is
    about nan or inf.
    """

    names: frozenset[Forms]
    kinds: frozenset[Forms]
    shown: frozenset[Forms]
    musts: frozenset[str]


def subject_of(asked: frozenset[str], plain: frozenset[str], shown: Iterable[str]) -> Subject:
    """Return the subject of a question: of its terms, of those that are not of identifiers, and of what its signs ask
    for.
    """
    return Subject(_held(_names(), asked), _held(_kinds(), plain), _held(_kinds(), frozenset(shown)), asked & MUSTS)


def names_a_program(subject: Subject) -> bool:
    """Tell whether a question names a program of the field; a platform is named in every field."""
    return not subject.names <= _platforms()


def is_foreign(subject: Subject, features: Features, agreement: float) -> bool:
    """Tell whether an entry is about another thing than a question, or of another kind of trouble.

    Many questions also name what somebody works with, so that names tell nothing against an entry with which the other
    words agree well (`agreement`, 0–1), unless versions are asked for, which are those of what is named. A platform is
    named by whoever has trouble with it.
    """
    if _is_of_an_unnamed_platform(subject, features):
        return True
    # what turned into nan is not what falls or does not rise
    if subject.musts and subject.musts.isdisjoint(features.title_words):
        return True
    names_count = agreement < float(weights()["prose"]["named"]) or _versions() in subject.kinds
    if names_count and _is_about_another(subject, features):
        return True
    return _is_of_a_rival(subject, features) or _is_of_another_kind(subject, features)


def _is_about_another(subject: Subject, features: Features) -> bool:
    """Tell whether an entry is about another program than a question names; or whether a question names mostly programs
    that the entry never mentions, and nothing of its titles.
    """
    own = _mostly_said(_names(), features)
    if own and subject.names and subject.names.isdisjoint(own):
        return True
    # An entry on which versions of two programs go together is not asked for by who names one of them.
    if _versions() in subject.kinds and subject.names and not own <= subject.names:
        return True
    titled = features.title_words | known_terms(features.slug.partition("/")[0])
    if any(_is_said(forms, titled) for forms in subject.names):
        return False
    unmet = sum(not _is_said(forms, features.body) for forms in subject.names - _platforms())
    return 2 * unmet > len(subject.names)


def _is_of_an_unnamed_platform(subject: Subject, features: Features) -> bool:
    """Tell whether most titles of an entry name a platform that a question does not name."""
    own = _mostly_said(_platforms(), features)
    return bool(own) and subject.names.isdisjoint(own)


def _is_of_a_rival(subject: Subject, features: Features) -> bool:
    """Tell whether most titles of an entry name something that people use instead of what a question names, and the
    entry does not mention that.
    """
    for rivals in _rivals():
        named = subject.names & rivals
        own = _mostly_said(rivals, features) if named else frozenset[Forms]()
        if own and named.isdisjoint(own) and not any(_is_said(forms, features.body) for forms in named):
            return True
    return False


def _is_of_another_kind(subject: Subject, features: Features) -> bool:
    """Tell whether most titles of an entry are of some kind, and a question tells of others only; or whether no title
    is of the kind that a sign tells.
    """
    if subject.shown and not _held(subject.shown, features.title_words):
        return True
    if not subject.kinds:
        return False
    own = _mostly_said(_kinds(), features)
    return bool(own) and subject.kinds.isdisjoint(own)


def _mostly_said(known: Iterable[Forms], features: Features) -> frozenset[Forms]:
    """Return those that at least half of the titles of an entry say."""
    titles = features.titles
    said = _held(known, features.title_words)
    return frozenset(forms for forms in said if 2 * sum(_is_said(forms, title) for title in titles) >= len(titles))


def _held(known: Iterable[Forms], terms: frozenset[str]) -> frozenset[Forms]:
    return frozenset(forms for forms in known if _is_said(forms, terms))


def _is_said(forms: Forms, terms: frozenset[str]) -> bool:
    return any(form <= terms for form in forms)


@cache
def _names() -> frozenset[Forms]:
    return frozenset(map(_forms, subjects()["programs"])) | _platforms()


@cache
def _platforms() -> frozenset[Forms]:
    return frozenset(map(_forms, subjects()["platforms"]))


@cache
def _rivals() -> tuple[frozenset[Forms], ...]:
    known = {form: forms for forms in _names() for form in forms}
    return tuple(frozenset(known[form] for form in _forms(row)) for row in subjects()["rivals"])


@cache
def _kinds() -> frozenset[Forms]:
    return frozenset(map(_forms, subjects()["kinds"].values()))


@cache
def _versions() -> Forms:
    return _forms(subjects()["kinds"]["version"])


def _forms(row: str) -> Forms:
    # a form without a term, as a word that is all numbers and single letters, would be in every text
    return tuple(form for form in map(prose_terms, row.split("; ")) if form)
