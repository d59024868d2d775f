"""The command line: python -m storage COMMAND. `--json` prints one document and nothing else."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from sqlalchemy.exc import DBAPIError

from storage import __version__
from storage.commands import Answer, all_commands
from storage.engine import DatabaseError
from storage.opening import open_database
from storage.queries import NotStored

REFUSED = 2


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(
        prog="python -m storage", description="Rank 13 from the command line."
    )
    top.add_argument("--version", action="version", version=f"Rank 13 {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in all_commands().items():
        one = commands.add_parser(name, help=module.HELP, description=module.HELP)
        module.arguments(one)
        one.add_argument("--json", action="store_true", help="print one JSON document")
        one.add_argument(
            "--database", metavar="URL", help="else SELECTION_DATABASE_URL, else beside app.py"
        )
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 done, 1 judged and failed, 2 refused."""
    options = parser().parse_args(arguments)
    try:
        database = open_database(options.database)
        try:
            answer = all_commands()[options.command].run(database, options)
        finally:
            database.close()
    except (DatabaseError, NotStored, ValueError) as error:
        return _refuse(str(error.args[0] if error.args else error))
    except DBAPIError as error:
        return _refuse(f"The database refused: {error.orig}. Nothing was stored.")
    except OSError as error:
        return _refuse(f"{error.filename or 'A file'}: {error.strerror or error}.")
    return _print(answer, as_json=options.json)


def _refuse(text: str) -> int:
    print(text, file=sys.stderr)
    return REFUSED


def _print(answer: Answer, *, as_json: bool) -> int:
    text = json.dumps(answer.document, allow_nan=False) if as_json else answer.text
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough; a closed pipe must not end in a traceback at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return answer.code


if __name__ == "__main__":
    raise SystemExit(main())
