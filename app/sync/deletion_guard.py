"""Whether missing bundles mean that their entries are to be withdrawn, or that something is wrong with the folder."""

from collections.abc import Collection

# If more files than this are gone at once, nothing is withdrawn unless the caller says to prune.
FEW = 5
SHARE = 0.05


def lost_too_much(gone: Collection[str], known: int, present: int) -> bool:
    """Tell whether nothing may be withdrawn: no bundle is `present`, or over 5 and over 5 % of the `known` are gone."""
    return present == 0 or (len(gone) > FEW and len(gone) > SHARE * known)
