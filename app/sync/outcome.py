"""What a sync did."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.content.bundle import Finding

Progress = Callable[[int, int], None]
"""Called with how many bundles are done, and of how many."""


@dataclass(slots=True)
class Outcome:
    """What a sync did, by slug, and what it found wrong.

    `added`, `changed` and `withdrawn` are entries, as the folder had it; `submitted` are texts of the folder that wait
    for review; `written` are bundles that took the published text, `removed` those of renamed entries; `kept` are
    entries whose bundle is gone and that stay until told to prune. `names` are the team's names that were taken from a
    file, each as `tags.toml: key`; such a file can be among `written`, such a name among `kept`.
    """

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    submitted: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    unchanged: int = 0
    findings: list[Finding] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    @property
    def quiet(self) -> bool:
        """Whether nothing changed and nothing is wrong."""
        done = (self.added, self.changed, self.submitted, self.withdrawn, self.written, self.removed, self.names)
        return not (any(done) or self.findings or self.kept)
