"""What one running application holds: `create_app` makes it once, every request reaches it."""

from collections.abc import Callable
from dataclasses import dataclass

from anyio import CapacityLimiter
from fastapi import Request
from sqlalchemy import Engine

from app.asking.ask import AnswerService
from app.asking.deadline import TimedQuestions
from app.asking.unanswered_counter import UnansweredCounter
from app.config import Settings
from app.finding.search_service import Lookup
from app.people.identity_provider import IdentityProvider
from app.people.sign_in import SignIns
from app.store.team_names import TeamNames
from app.web.rates import Rates
from app.web.render_places import Places
from app.web.writing_turns import Turns


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one application, each safe to use from several requests at once.

    `key` returns the secret of the installation, and raises `Unavailable` while the database is away. `answers` asks
    `questions` and counts into `counter`. `identity_provider` is None where people
    sign in with passwords alone. `lookup` is the search box, `names` what things are called. `afterwards` bounds how
    many threads do what is left to do when an answer has been sent.
    """

    settings: Settings
    engine: Engine
    key: Callable[[], str]
    sign_ins: SignIns
    identity_provider: IdentityProvider | None
    counter: UnansweredCounter
    questions: TimedQuestions
    answers: AnswerService
    lookup: Lookup
    names: TeamNames
    afterwards: CapacityLimiter
    turns: Turns
    places: Places
    rates: Rates

    def close(self) -> None:
        """Take no more work, write down what was counted, and close the database."""
        self.questions.close()
        self.sign_ins.close()
        self.counter.close()
        self.engine.dispose()


def services_of(request: Request) -> Services:
    """Return the services of the application that a request came to."""
    services: Services = request.app.state.services
    return services
