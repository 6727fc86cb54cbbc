"""What is counted for whoever watches the service; `/metrics` shows it in the text format of Prometheus.

With several workers each counts into files of its own in one folder, and any of them adds all up. Whoever starts them
names the folder in the variable `FOLDER` before this module is imported.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from app.asking.question_service import Answer
from app.errors import Unavailable
from app.store import entries, submissions
from app.store.session import reading

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)

_counted = CollectorRegistry()
_requests = Counter("errdex_requests", "Requests that were answered.", ("route", "method", "status"), registry=_counted)
_seconds = Histogram(
    "errdex_request_seconds", "Time until a request was answered.", ("route",), buckets=BUCKETS, registry=_counted
)
_running = Gauge(
    "errdex_requests_running", "Requests that are being answered.", multiprocess_mode="livesum", registry=_counted
)
_answers = Counter(
    "errdex_answers", "Answers to pastes, by the confidence of the first match.", ("confidence",), registry=_counted
)
_refused = Counter(
    "errdex_hosts_refused", "Requests that were refused for the name they gave the site.", registry=_counted
)
for _confidence in ("high", "likely", "none"):
    _answers.labels(_confidence)


def request(route: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request; `route` is the template of its address, never the address."""
    _requests.labels(route, method if method in METHODS else "other", str(status)).inc()
    _seconds.labels(route).observe(seconds)


@contextmanager
def running() -> Iterator[None]:
    """Count a request as being answered."""
    with _running.track_inprogress():
        yield


def answered(answer: Answer) -> None:
    """Count an answer that was given to somebody."""
    _answers.labels(answer.matches[0].confidence if answer.matches else "none").inc()


def host_refused() -> None:
    """Count a request whose Host header is not believed."""
    _refused.inc()


def exposition(engine: Engine) -> bytes:
    """Return all figures as text; those of the database are left out while it is away (`errdex_database_up` is 0)."""
    registry = CollectorRegistry()
    folder = os.environ.get(FOLDER)
    if folder:
        _forget_the_dead(Path(folder))
        multiprocess.MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    else:
        registry.register(_counted)
    registry.register(_Stored(engine))
    return generate_latest(registry)


class _Stored(Collector):
    """What the database holds at the moment."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def collect(self) -> Iterable[Metric]:
        try:
            with reading(self._engine) as session:
                published, waiting = entries.total(session), submissions.waiting(session)
        except (Unavailable, SQLAlchemyError):
            yield GaugeMetricFamily("errdex_database_up", "Whether the database answers.", 0)
            return
        yield GaugeMetricFamily("errdex_database_up", "Whether the database answers.", 1)
        yield GaugeMetricFamily("errdex_entries_published", "Published entries.", published)
        yield GaugeMetricFamily("errdex_submissions_waiting", "Submissions that wait for review.", waiting)


def _forget_the_dead(folder: Path) -> None:
    """Forget the requests that killed workers were answering. What those workers had counted stays."""
    for path in folder.glob("gauge_live*_*.db"):
        worker = int(path.stem.rpartition("_")[2])
        if not _lives(worker):
            multiprocess.mark_process_dead(worker, str(folder))  # type: ignore[no-untyped-call]


def _lives(worker: int) -> bool:
    try:
        os.kill(worker, 0)
    except ProcessLookupError:
        return False
    return True
