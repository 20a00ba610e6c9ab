"""The hub of Core in examples/minihub as a hub under test and as one to play with, wherever it lies.

In an archive it lies beside this program, with the library that it needs. `MINIHUB_PYTHON` names another Python, which has the package `websockets`.
"""

import argparse
import atexit
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile

from runner.failing import Absent
from runner.files import IS_ARCHIVE, PROTOCOL

ROOT = os.path.dirname(PROTOCOL)
FOLDER = f"{ROOT}/examples/minihub"


def words(folder=None):
    """The words that start it, and its environment. In an archive it is taken out of that into a folder."""
    if IS_ARCHIVE:
        return unpacked(folder)
    own, named = f"{ROOT}/.build/venv/bin/python", os.environ.get("MINIHUB_PYTHON")
    if not os.path.isdir(FOLDER):
        raise Absent(f"there is no small hub at {FOLDER}: it is part of the repository of Baton, and of baton-check.pyz")
    if not named and not os.path.exists(own) and not importlib.util.find_spec("websockets"):
        raise Absent("the small hub needs the package websockets: pip install websockets")
    return [named or (own if os.path.exists(own) else sys.executable), FOLDER], None


def unpacked(folder):
    """The small hub of the archive, in a folder that goes when this process ends unless one is named."""
    if not folder:
        folder = tempfile.mkdtemp(prefix="bt-hub-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with zipfile.ZipFile(PROTOCOL) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.startswith(("minihub/", "websockets/"))])
    if not os.path.isdir(f"{folder}/websockets") and not importlib.util.find_spec("websockets"):
        raise Absent("the small hub needs the package websockets: pip install websockets")
    return [sys.executable, f"{folder}/minihub"], {**os.environ, "PYTHONPATH": folder}


def start(*flags, folder=None):
    """The hub as a process, and where it listens."""
    command, environment = words(folder)
    try:
        child = subprocess.Popen([*command, *flags], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    except OSError as error:
        raise Absent(f"the small hub cannot be run by {command[0]}: {error.strerror}") from None
    address = child.stdout.readline().strip().removeprefix("ws://").partition("/")[0]
    if not address:
        # The last line of what Python says has the reason.
        why = (child.stderr.read().strip().splitlines() or ["it said nothing"])[-1]
        child.wait()
        raise Absent("the small hub has not started: " + (f"it needs the package websockets, 14 or newer: pip install websockets ({why})" if "websockets" in why else why))
    threading.Thread(target=pass_on, args=(child.stderr,), daemon=True).start()
    return child, address


def pass_on(errors):
    """What the hub says to people later."""
    for line in errors:
        print(line, end="", file=sys.stderr, flush=True)


def main():
    """An adapter. Why it brings up no hub is a sentence."""
    try:
        return adapter()
    except Absent as absent:
        return str(absent)


def adapter():
    """Translates the runner's contract (README.md) to the flags of the hub."""
    parser = argparse.ArgumentParser(description="minihub under test", allow_abbrev=False)
    for word in ("state-dir", "music", "discovery", "clock", "servers"):
        parser.add_argument(f"--{word}")
    parser.add_argument("--socket", required=True)
    parser.add_argument("--tracks", required=True)
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=N")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--lan-plain")
    asked = parser.parse_args()
    flags = ["--name", "Hub under test", "--port", "0", "--unix", asked.socket, "--tracks", asked.tracks]
    for limit in asked.limit:
        flags += ["--limit", limit]
    for setting in asked.set:
        if setting.startswith("ceiling="):
            flags += ["--range", "0", setting.removeprefix("ceiling=")]
    if asked.lan_plain:
        flags += ["--open", asked.lan_plain]
    # The whole process group is ended by one signal, so the hub has got it too.
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda number, _: None)
    # The folder of the adapter's state is taken away with all that is beside it, however this ends.
    child, address = start(*flags, folder=f"{asked.state_dir}/../kit")
    with open(asked.tracks, encoding="utf-8") as file:
        names = [track["name"] for track in json.load(file)]
    playable = {"all": "demo:album/all"} | {name: f"demo:track/{number}" for number, name in enumerate(names, 1)}
    print(json.dumps({"ready": 1, "tcp": address, "unix": asked.socket, "playable": playable}), flush=True)
    return child.wait()


if __name__ == "__main__":
    sys.exit(main())
