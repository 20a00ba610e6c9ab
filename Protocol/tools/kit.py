"""Writes the judge of hubs and clients as one file, which Python runs: baton-check.pyz.

    python3 Protocol kit [FILE]

It has all that the judge reads, and the small hub with the library that this needs, where that is installed: nothing else is needed to run it.
The same sources give the same bytes.
"""

import argparse
import importlib.util
import os
import sys
import zipfile

from runner import built
from tools.definitions import PROTOCOL

NAME = "baton-check.pyz"
FIRST = b"#!/usr/bin/env python3\n"
# The parts of the library websockets that a hub needs which reads its sockets itself, and its licence.
LIBRARY = ("__init__", "datastructures", "exceptions", "extensions/__init__", "extensions/base", "frames", "headers", "http11", "imports", "protocol", "server", "streams",
           "typing", "utils", "version")
PARTS = ("__main__.py", "levels.json", "runner/", "scenarios/", "core/", "profiles/", "commands/", "registries/", "vectors/v1/bad.json", "vectors/v1/modes.json", "schema/v1/")
ENDINGS = (".py", ".json", ".md")
# What belongs to the repository, and reads what is in no archive.
WITHOUT = ("runner/compare.py", "runner/coverage.py", "runner/proved.py", "README.md", "evidence.md")


def own(folder):
    """Files of the folder as it is released, as name in the archive -> path."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ("__pycache__", "adapters")]
        for name in names:
            path = os.path.relpath(os.path.join(place, name), folder)
            if path.startswith(PARTS) and path.endswith(ENDINGS) and not path.endswith(WITHOUT):
                yield path, os.path.join(place, name)


def library():
    """The folder of the library websockets, or nothing."""
    places = [f"{built.ROOT}/.build/venv/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/websockets"]
    found = importlib.util.find_spec("websockets")
    places += found.submodule_search_locations if found and found.submodule_search_locations else []
    return next((place for place in places if os.path.isdir(place)), None)


def beside():
    """The small hub and its library."""
    hub, folder = f"{built.ROOT}/examples/minihub", library()
    if os.path.isdir(hub):
        yield from ((f"minihub/{name}", f"{hub}/{name}") for name in os.listdir(hub) if name.endswith((".py", ".json")))
    if folder:
        yield from ((f"websockets/{name}.py", f"{folder}/{name}.py") for name in LIBRARY)
        for place in (os.path.dirname(folder), folder):
            yield from (("websockets/LICENSE", path) for path in licences(place))


def licences(place):
    for path, _, names in os.walk(place):
        if "websockets" in path and "LICENSE" in names:
            yield os.path.join(path, "LICENSE")


def write(target):
    """Writes the archive, and gives back its size."""
    with open(target, "wb") as file:
        file.write(FIRST)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, path in sorted(dict([*own(built.folder()), *beside()]).items()):
                with open(path, "rb") as content:
                    archive.writestr(entry(name), content.read())
    os.chmod(target, 0o755)
    return os.path.getsize(target)


def entry(name):
    one = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    one.compress_type, one.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    return one


def main():
    parser = argparse.ArgumentParser(description="Writes the judge of hubs and clients as one file that Python runs.")
    parser.add_argument("file", nargs="?", default=os.path.join(built.ROOT if os.path.isdir(f"{built.ROOT}/.build") else PROTOCOL, ".build" if os.path.isdir(f"{built.ROOT}/.build") else "", NAME))
    target = parser.parse_args().file
    print(f"{target}: {write(target) // 1024} KiB" + ("" if library() else "; without the library of the small hub, which is not installed here"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
