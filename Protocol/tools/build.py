"""Writes what follows from the definitions in `commands/`, `registries/` and `schema/`.

    python3 Protocol build                writes all of it
    python3 Protocol build --check        writes nothing, and fails with a sentence for each page that is out of date
    python3 Protocol build --to FOLDER    writes this folder as it is released to another place, and nothing else
    python3 Protocol build --built        writes what is not in git, if it is missing or old

The tables of Core and of the profiles are written where they stand. The schemas of commands, asyncapi.json, and site/index.html are in no
repository: in that of Baton they are written to `.build/protocol`, beside a copy of all else, and elsewhere into this folder. It needs Python 3.11 and nothing else.
"""

import argparse
import os
import sys

from runner import built
from tools import agreement, release
from tools.definitions import PROTOCOL, Definitions, Wrong, text_of


def arguments():
    parser = argparse.ArgumentParser(description="Writes what follows from the definitions in commands/ and registries/.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="write nothing, and fail for each page that is out of date")
    choice.add_argument("--to", metavar="FOLDER", help="write this folder as it is released to another place, and nothing else")
    choice.add_argument("--built", action="store_true", help="write what is not in git, if it is missing or old")
    return parser.parse_args()


def old(definitions):
    """Files in git that say something else than the definitions, as path -> text."""
    # It reads the scenarios, whose judge needs the schemas that this program writes.
    from tools import core_tables
    wanted = {os.path.normpath(f"{PROTOCOL}/{path}"): text for path, text in core_tables.outputs(definitions).items()}
    return {path: text for path, text in wanted.items() if not os.path.exists(path) or text_of(path) != text}


def build(chosen, definitions):
    """Carries out what was chosen, and gives back what is out of date."""
    if chosen.check:
        return [f"{os.path.relpath(path, PROTOCOL)} is out of date: run python3 Protocol build" for path in old(definitions)]
    if chosen.to:
        release.write(os.path.abspath(chosen.to), definitions)
        return []
    if not chosen.built:
        for path, text in old(definitions).items():
            release.update(path, text)
            print(f"build.py: wrote {os.path.relpath(path, PROTOCOL)}")
    with release.alone():
        if not chosen.built or not built.is_current():
            release.renew(definitions)
    return []


def main():
    chosen = arguments()
    try:
        definitions = Definitions()
        # What is written from lists that disagree would be wrong as well.
        wrong = list(agreement.complaints(definitions)) or build(chosen, definitions)
    except (Wrong, ValueError, release.Taken) as error:
        sys.exit(f"build.py: {error}")
    except PermissionError as error:
        sys.exit(f"build.py: {error.filename} cannot be written: write it elsewhere with --to FOLDER, and name that folder in BATON_PROTOCOL")
    for sentence in wrong:
        print(f"build.py: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
