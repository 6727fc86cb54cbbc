"""Make the database and the backup beside this file anew, by the code of an early revision of this repository.

`.venv/bin/python tests/store/written_by_0_1_0/make.py`, in a clone that has the revision. What is checked in was
written once and stays: it stands for what teams have. `REVISION` is the last one before members (tables 0004).
"""

import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
REVISION = "30b79150"
# run by the code of the revision: its own words for what a guide holds, and two people who are signed in
WRITE = """
import json, sqlite3, sys
from pathlib import Path
from app.config import Settings
from app.people import accounts
from app.store.engine import connect
from app.store.migrate import migrate
from app.store.session import writing
from app.transfer import backup
from tests.databases import fill

here = Path(sys.argv[1])
settings = Settings(database_url="sqlite:///errdex.db")
engine = connect(settings)
migrate(settings, engine)
fill(engine)
key = accounts.signing_key(engine, "")
with writing(engine) as session:
    # for ever, or nearly: a test of another year signs nobody in
    cookies = {person.name: accounts.open_session(session, person.id, 36500, key)
               for person in accounts.everyone(session)}
backup.backup(engine, here / "errdex.backup")
engine.dispose()
with sqlite3.connect("errdex.db") as connection:
    (here / "errdex.sql").write_text("\\n".join(connection.iterdump()) + "\\n", encoding="utf-8", newline="")
(here / "cookies.json").write_text(json.dumps(cookies, ensure_ascii=False, indent=1) + "\\n", encoding="utf-8")
"""


def main() -> None:
    """Write the files by the code of `REVISION`."""
    packed = subprocess.run(["git", "archive", REVISION], cwd=HERE.parents[2], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        for name in ("errdex.backup", "errdex.sql"):
            (HERE / name).unlink(missing_ok=True)
        code = f"import sys; sys.path.insert(0, '')\n{WRITE}"
        subprocess.run([sys.executable, "-c", code, str(HERE)], cwd=folder, check=True)


if __name__ == "__main__":
    main()
