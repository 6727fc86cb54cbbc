"""A form held against the rules of `errdex check`: what they find stands beside the boxes that it speaks of."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlalchemy import Engine

from app.content.schema import EntryDocument
from app.errors import BadInput
from app.i18n import Lang
from app.quality import proposal_check
from app.quality.proposal_check import HeldAgainst
from app.site.contribute import entry_form
from app.site.contribute.entry_form import EntryForm
from app.site.contribute.form_places import held_form
from app.store import entries, team_names
from app.store.session import reading
from app.store.team_names import Suggested
from app.wiki import links, publishing


def against_rules(engine: Engine, document: EntryDocument, proposed: Sequence[Suggested] = ()) -> HeldAgainst:
    """Return what the rules find in a document, beside the published entries that are near it; within two seconds.

    `proposed` are the names that come with it. It reads in transactions of its own, and none is open while the rules
    are at work.
    """
    with reading(engine) as session:
        wanted = [*document.also, *document.related, *links.linked(document)]
        known = entries.present(session, wanted)
        own = team_names.everything(session)
    names = {kind: {**rows, **{one.key: one.row for one in proposed if one.kind == kind}} for kind, rows in own.items()}
    beside = proposal_check.neighbours(engine, document)
    return proposal_check.hold_against_rules(document, beside, known | {document.slug}, names=names)


def hold_document(
    engine: Engine, form: EntryForm, document: EntryDocument, lang: Lang, proposed: Sequence[Suggested] = ()
) -> EntryForm:
    """Return the form of a document with what the rules find in it; `proposed` are the names that come with it."""
    found = against_rules(engine, document, proposed)
    held = held_form(found.findings, document, lang, form.rows.filled(), is_whole=found.is_whole)
    return replace(form, held=held)


def hold_form(engine: Engine, form: EntryForm, lang: Lang, make: Callable[[], EntryDocument]) -> EntryForm:
    """Return the form with what the rules find in the document that `make` makes of it.

    Where none can be made the form has the problems instead.
    """
    try:
        document = make()
    except BadInput as wrong:
        if wrong.fields != entry_form.UNCHANGED or not form.slug:
            return replace(form, problems=wrong.fields)
        # what nobody has changed can be looked over, too
        with reading(engine) as session:
            document = publishing.published(session, form.slug)[1]
    return hold_document(engine, form, document, lang, form.new_names.suggested(document))
