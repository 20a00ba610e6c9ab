"""Whether the runner has to prove itself again: mutants and models depend on Protocol/ and on no hub.

They take most of the runner's time, and their verdict changes only when the runner, the scenarios, the schemas, the
models or the client of the runner itself change. So the content for which they passed last is written down in `proved`, and the
tests run them when it differs, or when everything is asked for.

It ends with 0 when nothing has changed, and with 1 otherwise. With `--record` it runs all of them and writes
down that they passed: commit `proved` together with the change. Without that nothing is wrong, but each run takes longer.
"""

import hashlib
import os
import subprocess
import sys

from runner import built

HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOL = os.path.dirname(HERE)
RECORD = os.path.join(HERE, "proved")
# Those of the folder with the schemas of commands.
FOLDERS = ("models", "registries", "runner", "scenarios", "schema", "vectors")
CLIENT = f"{sys.executable} {PROTOCOL} reference"
PROGRAMS = {
    "mutants": [PROTOCOL, "mutants", "--jobs", "5"],
    "client mutants": [PROTOCOL, "mutants", "--jobs", "5", "--clients", CLIENT],
    "models": [PROTOCOL, "models"],
}


def files():
    """What decides, in a fixed order: all but texts for people, and the record itself."""
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(built.folder(), folder)):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                if not name.endswith(".md") and name != "proved":
                    yield os.path.join(path, name)


def content():
    """One number for all of it."""
    whole = hashlib.sha256()
    for path in files():
        with open(path, "rb") as file:
            data = file.read()
        whole.update(f"{os.path.relpath(path, built.folder())} {len(data)}\n".encode() + data)
    return whole.hexdigest()


def has_changed():
    """Whether the content is another than that for which mutants and models passed last."""
    try:
        with open(RECORD, encoding="ascii") as file:
            return file.read().strip() != content()
    except FileNotFoundError:
        return True


def record():
    # What is changed while they run must not count as proved.
    proved = content()
    for name, words in PROGRAMS.items():
        print(f"proved.py: {name}", flush=True)
        if subprocess.run([sys.executable, *words], check=False).returncode != 0:
            sys.exit(f"proved.py: {name} did not pass, so nothing was written down")
    with open(RECORD, "w", encoding="ascii") as file:
        file.write(proved + "\n")
    print(f"proved.py: written down in {os.path.relpath(RECORD)}; commit it")


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    elif sys.argv[1:]:
        sys.exit("proved.py: there is --record, and nothing else")
    else:
        sys.exit(1 if has_changed() else 0)
