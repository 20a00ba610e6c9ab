"""Writes the protocol as one archive that works without the repository: this folder as it is released, the examples, the judge in one file.

    python3 Protocol archive [FILE.tar.xz]

Everything that its pages name is in it: a link that leads nowhere, or the name of a file that is not there, is a fault. The same sources
give the same bytes; all files have the date of SOURCE_DATE_EPOCH, or that of Core.
"""

import argparse
import calendar
import lzma
import os
import re
import shutil
import sys
import tarfile
import tempfile
import time

from runner import built, pages
from tools import checklist, kit, release
from tools.definitions import Definitions, text_of

# Examples that a stranger can run, and that of a Swift package. The others are parts of the hub.
EXAMPLES = ("browser", "c", "minihub", "python", "shell", "swift", "watch-simulator", "worker")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"`(?:python3 |node )?((?:Protocol|examples)/[\w./-]*\w)")
# What the pages say of the repository itself.
ELSEWHERE = re.compile(r"in the (?:repository|sources) of Baton", re.IGNORECASE)


def readme(name):
    """The first page of the archive."""
    return f"""# The Baton protocol, {name}

| here | |
| --- | --- |
| [Protocol/README.md](Protocol/README.md) | the specification: begin here |
| [Protocol/TUTORIAL.md](Protocol/TUTORIAL.md) | a remote in an hour |
| [Protocol/MANUAL.md](Protocol/MANUAL.md) | the programs: judge a hub or a client |
| [Protocol/conversations](Protocol/conversations/README.md) | what crosses the wire, byte by byte |
| [Protocol/checklists](Protocol/checklists) | a list to tick for each profile, for hubs and for clients |
| [Protocol/LICENSE.md](Protocol/LICENSE.md), [Protocol/GOVERNANCE.md](Protocol/GOVERNANCE.md) | what you may do, and how it is changed |
| [examples](examples) | remotes in five languages, a small hub, a worker |
| `baton-check.pyz` | the judge as one file |

```
python3 baton-check.pyz talk                      # type to a hub, and see every message
python3 baton-check.pyz --playground              # a hub to try a remote on
python3 baton-check.pyz ws://127.0.0.1:9442       # how well a hub keeps Core, and the profiles that it lists
python3 baton-check.pyz --client "./my-remote"    # the same for a client
python3 Protocol                                  # all programs
```

It needs Python 3.11 or newer, and nothing else; the small hub of `examples` needs the package `websockets`.
"""


def left_out(folder, names):
    """What is built where the examples lie."""
    for name in names:
        path = os.path.join(folder, name)
        if name == "__pycache__" or name.startswith(".") or name.endswith((".o", ".pyc")) or (os.path.isfile(path) and is_built(path)):
            yield name


def is_built(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def lay_out(folder, name):
    """Everything that is in the archive, in a folder."""
    release.write(f"{folder}/Protocol", Definitions())
    checklist.write(f"{folder}/Protocol/checklists")
    for one in EXAMPLES:
        shutil.copytree(f"{built.ROOT}/examples/{one}", f"{folder}/examples/{one}", ignore=left_out)
    kit.write(f"{folder}/baton-check.pyz")
    shutil.copy(f"{folder}/Protocol/legal/Apache-2.0.txt", f"{folder}/LICENSE")
    with open(f"{folder}/README.md", "w", encoding="utf-8") as file:
        file.write(readme(name))


def complaints(folder):
    """What a page names and the archive does not have."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md") and place != f"{folder}/Protocol/legal":
                path = os.path.join(place, name)
                for missing in missing_in(text_of(path), place, folder):
                    yield f"{os.path.relpath(path, folder)} names {missing}, which is not in the archive"


def missing_in(text, place, folder):
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for address in LINK.findall(plain):
        target = address.partition("#")[0]
        if target and "://" not in target and not os.path.exists(os.path.join(place, target)):
            yield address
    for paragraph in re.split(r"\n\s*\n|\n(?=[|#-])", text):
        if not ELSEWHERE.search(paragraph):
            yield from (name for name in NAMED.findall(paragraph) if not os.path.exists(f"{folder}/{name}"))


def moment():
    """The date of everything in the archive."""
    date = time.strptime(pages.profiles()["core"]["date"], "%Y-%m-%d")
    return int(os.environ.get("SOURCE_DATE_EPOCH", calendar.timegm(date)))


def pack(folder, name, target):
    """Writes a folder as an archive in which it is called `name`."""
    def plain(one):
        one.uid = one.gid = 0
        one.uname = one.gname = ""
        one.mtime, one.mode = moment(), 0o755 if one.isdir() or one.mode & 0o100 else 0o644
        return one
    with lzma.open(target, "wb", preset=9) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        archive.add(folder, name, recursive=False, filter=plain)
        # A folder stands right before what is in it: otherwise programs that unpack it give the folder the time of now.
        inside = [os.path.join(place, one) for place, folders, names in os.walk(folder) for one in folders + names]
        for path in sorted(inside, key=lambda path: path.split("/")):
            archive.add(path, f"{name}/{os.path.relpath(path, folder)}", recursive=False, filter=plain)


def main():
    parser = argparse.ArgumentParser(description="Writes the protocol as one archive that works without the repository.")
    parser.add_argument("file", nargs="?", help="baton-protocol-VERSION.tar.xz unless given")
    asked = parser.parse_args()
    target = asked.file or f"baton-protocol-{pages.version('core')}.tar.xz"
    if not target.endswith(".tar.xz"):
        sys.exit("the name of the archive ends with .tar.xz")
    if not os.path.isdir(f"{built.ROOT}/examples/minihub"):
        sys.exit(f"there are no examples beside {built.PROTOCOL}: only the repository of Baton, and an archive of it, have them")
    name = os.path.basename(target).removesuffix(".tar.xz")
    with tempfile.TemporaryDirectory(prefix="bt-") as home:
        lay_out(f"{home}/{name}", name)
        wrong = list(complaints(f"{home}/{name}"))
        if not wrong:
            pack(f"{home}/{name}", name, target)
    for sentence in wrong:
        print(f"archive.py: {sentence}")
    if not wrong:
        print(f"{target}: {os.path.getsize(target):,} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
