"""Questions read with connections that stay with them."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from sqlalchemy import Engine, QueuePool
from sqlalchemy.exc import DBAPIError

from app.errors import Unavailable
from app.store.installation_tables import Stored
from app.store.session import read_transaction, writing
from app.store.sqlite import AT_HAND

MANY = 12
COUNT = "SELECT COUNT(*) FROM stored"


def test_each_of_many_readers_has_a_connection_of_its_own_and_few_stay_with_them(engine: Engine) -> None:
    together = Barrier(MANY)

    def read(_number: int) -> int:
        with read_transaction(engine) as transaction:
            # nobody goes on before all have begun
            together.wait(60)
            return int(transaction.select(COUNT)[0][0])

    for _ in range(3):
        with ThreadPoolExecutor(MANY) as pool:
            before = list(pool.map(read, range(MANY)))
        assert len(set(before)) == 1
        with writing(engine) as session:
            session.add(Stored(name=f"row {before[0]}", text=""))
        with read_transaction(engine) as transaction:
            assert int(transaction.select(COUNT)[0][0]) == before[0] + 1
    assert isinstance(engine.pool, QueuePool)
    assert engine.pool.checkedout() <= AT_HAND
    engine.dispose()
    with read_transaction(engine) as transaction:
        assert int(transaction.select(COUNT)[0][0]) == before[0] + 1


def test_a_statement_that_fails_leaves_nothing_behind(engine: Engine) -> None:
    for _ in range(AT_HAND + 1):
        with pytest.raises((Unavailable, DBAPIError)), read_transaction(engine) as transaction:
            transaction.select("SELECT 1 FROM no_such_table")
    with read_transaction(engine) as transaction:
        assert transaction.select("SELECT 1")[0][0] == 1
