"""A PostgreSQL server for as long as a test runs: on loopback, in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.browser.serving import free_port

NAMED = "R13_POSTGRES"
"""The variable that names a running server, as an address without a database."""


def binaries() -> Path | None:
    """Where initdb and pg_ctl are; Debian keeps them off the path, a folder a version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        folders.append(Path(os.path.realpath(on_path)).parent)
    return next((one for one in folders if (one / "pg_ctl").is_file()), None)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Serve an empty cluster in a folder; gives its address without a database.

    :raises RuntimeError: where PostgreSQL is not installed or does not start.
    """
    found = binaries()
    if found is None:
        raise RuntimeError("PostgreSQL is not installed (Debian: the package postgresql).")
    user = _somebody()
    folder.mkdir(parents=True, exist_ok=True)
    if user:
        shutil.chown(folder, user)
        for one in folder.parents[:3]:
            # What pytest makes is closed to others, and the server runs as another user.
            if one.is_relative_to("/tmp") and one != Path("/tmp"):
                one.chmod(0o755)
    data, port = folder / "data", free_port()
    _run([found / "initdb", "-D", data, "-A", "trust", "-U", "rank13", "-E", "UTF8"], user)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    control = [found / "pg_ctl", "-D", data, "-w", "-l", folder / "log"]
    _run([*control, "-o", options, "start"], user)
    try:
        yield f"postgresql+psycopg://rank13@127.0.0.1:{port}"
    finally:
        _run([found / "pg_ctl", "-D", data, "-m", "immediate", "stop"], user)


def _somebody() -> str | None:
    """Whom the server runs as: it refuses root."""
    if os.getuid() != 0:
        return None
    names = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(command: list[Path | str], user: str | None) -> None:
    done = subprocess.run(
        [str(one) for one in command],
        user=user,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")


def fresh_database(base: str) -> str:
    """Make an empty database on a server; gives its address."""
    name = f"rank13_{uuid.uuid4().hex}"
    engine = create_engine(f"{base}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    engine.dispose()
    return f"{base}/{name}"
