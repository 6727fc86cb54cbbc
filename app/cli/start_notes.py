"""What `errdex serve` says of its settings before it begins: those that do nothing, or not what is hoped for."""

from collections.abc import Iterable
from difflib import get_close_matches

from app.config import Settings

# by difflib; ERRDEX_READNG and ERRDEX_OIDC_SECRET are as like as this
LIKENESS = 0.8
# the variables of the client and its recipes that are like a setting
OF_THE_CLIENT = ("ERRDEX_URL", "ERRDEX_CLIENT")


def start_notes(found: Settings, names: Iterable[str]) -> list[str]:
    """Return a sentence for each thing to know of the settings; `names` are those of all variables that are set."""
    notes = [f"{name} is no setting and has no effect; is {meant} meant?" for name, meant in misspelled(names)]
    idle = sorted(key for key in found.model_fields_set if key.startswith("oidc_") and getattr(found, key))
    if idle and not found.oidc_issuer:
        told = ", ".join(f"ERRDEX_{key.upper()}" for key in idle)
        notes.append(f"Nobody signs on by a provider, for there is no ERRDEX_OIDC_ISSUER; without effect: {told}.")
    if found.oidc_issuer and not found.base_url:
        notes.append(
            "ERRDEX_OIDC_ISSUER is set and ERRDEX_BASE_URL is not: the provider is told to send people back to the "
            "address that they came by, and refuses every one that is not registered there."
        )
    return notes


def misspelled(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the variables that are no setting but are named much like one, with that one.

    Others that begin so are not ours to judge: those of the client, or what a cluster sets for a service of this name.
    """
    known = [f"ERRDEX_{name.upper()}" for name in Settings.model_fields]
    strange = sorted(name for name in names if name.startswith("ERRDEX_") and name not in {*known, *OF_THE_CLIENT})
    return [(name, near[0]) for name in strange if (near := get_close_matches(name, known, 1, LIKENESS))]
