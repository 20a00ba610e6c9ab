"""The files of this folder by their paths below it, wherever it lies: on a disk, or in one file that Python runs as a program.

`tools/kit.py` makes such a file. It has all that the programs in it read, schemas that are written from definitions too.
"""

import functools
import json
import os
import re
import zipfile

PROTOCOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
IS_ARCHIVE = os.path.isfile(PROTOCOL)


@functools.cache
def archived():
    """The content of the archive, by path."""
    with zipfile.ZipFile(PROTOCOL) as archive:
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist() if not name.endswith(("/", ".py"))}


def text(path, folder=PROTOCOL):
    """The text of a file below a folder, which is that of the protocol unless given."""
    if IS_ARCHIVE and folder == PROTOCOL:
        return archived()[path]
    with open(os.path.join(folder, path), encoding="utf-8") as file:
        return file.read()


def read(path, folder=PROTOCOL):
    """The value of a file of JSON below a folder."""
    return json.loads(text(path, folder))


def names(under, ending=".json", folder=PROTOCOL):
    """Paths of files below `under` in a folder, sorted; those in folders of their own too."""
    if IS_ARCHIVE and folder == PROTOCOL:
        return sorted(path for path in archived() if path.startswith(under + "/") and path.endswith(ending))
    found = []
    for place, _, inside in os.walk(os.path.join(folder, under)):
        found += [os.path.relpath(os.path.join(place, name), folder) for name in inside if name.endswith(ending)]
    return sorted(found)


def version():
    """The version of the text that this kit judges by."""
    return re.sub(r"[^\w.]", "", read("levels.json")["profiles"]["core"]["version"])
