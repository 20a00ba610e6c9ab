#!/usr/bin/python3
"""Where the files are that follow from the definitions: schemas of commands, asyncapi.json, the page of all chapters.

`folder` names the folder and has `tools/build.py` write it when it is missing or older than its sources. In the repository of Baton it is
`.build/protocol`, where this folder stands as it is released; a copy of this folder without the repository, as a release is,
holds them itself. As a program it prints that folder.
"""

import functools
import os
import subprocess
import sys

PROTOCOL = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
ROOT = os.path.dirname(PROTOCOL)
# Sources outside of this folder, which only the repository has: the client for browsers, and what the hub's page knows of keeping in step.
BROWSER = f"{ROOT}/examples/browser"
IN_STEP = f"{ROOT}/Sources/Web/WebRemote/page/listening/instep.js"
IS_IN_REPOSITORY = os.path.exists(f"{BROWSER}/bundle.py") and os.path.exists(IN_STEP)
FOLDER = f"{ROOT}/.build/protocol" if IS_IN_REPOSITORY else PROTOCOL
# The file that is written last: its time is that of the folder.
LAST = "asyncapi.json"


def newest(path):
    """When a file, or anything in a folder, was last changed. A folder changes when a file comes or goes."""
    latest = os.stat(path).st_mtime_ns
    if os.path.isdir(path):
        with os.scandir(path) as entries:
            return max([latest, *(newest(entry.path) for entry in entries if entry.name != "__pycache__")])
    return latest


def is_current():
    """Whether the folder is there, and as new as its sources."""
    last = f"{FOLDER}/{LAST}"
    if not os.path.exists(last):
        return False
    # A release that others have installed is as it came.
    if not IS_IN_REPOSITORY and not os.access(PROTOCOL, os.W_OK):
        return True
    sources = [PROTOCOL, BROWSER, IN_STEP] if IS_IN_REPOSITORY else [PROTOCOL]
    return max(map(newest, sources)) <= os.stat(last).st_mtime_ns


@functools.cache
def folder():
    """The folder with all that is written from the definitions. BATON_PROTOCOL names another one, which is taken as it is."""
    named = os.environ.get("BATON_PROTOCOL")
    if named and not os.path.exists(f"{named}/{LAST}"):
        sys.exit(f"BATON_PROTOCOL names {named}, which has no {LAST}: have it written by python3 {PROTOCOL} build --to {named}")
    if named:
        return named
    if not is_current():
        # A build that reads what it is to write would start itself without end.
        if os.environ.get("BATON_BUILDS"):
            sys.exit("The build of the protocol asks for its own result: one of its tools imports `built` too early.")
        ended = subprocess.run(
            [sys.executable, PROTOCOL, "build", "--built"], stdout=sys.stderr, env={**os.environ, "BATON_BUILDS": "1"}, check=False)
        if ended.returncode != 0:
            sys.exit(ended.returncode)
    return FOLDER


if __name__ == "__main__":
    print(folder())
