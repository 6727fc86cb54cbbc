"""What must not be published with a paste: keys, tokens, e-mail addresses, public addresses of machines."""

from collections.abc import Iterator

from app.privacy import secrets

# Only these kinds are secrets in a published text. Names of folders and machines in an example tell where the error was
# met, and harm nobody once a reviewer has read them.
_KINDS = frozenset({"TOKEN", "EMAIL", "ADDRESS"})


def private(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, from 1, the name and the kind (token, email, address) of everything in a text that looks private.

    Private, loopback and documentation addresses are fine, as are addresses at example domains.
    """
    found = sorted((place, rule.name, rule.placeholder) for place, rule in secrets.spotted(text, _KINDS))
    for place, name, kind in found:
        yield text.count("\n", 0, place) + 1, name, kind.lower()
