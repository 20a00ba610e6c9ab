"""How a program of the tests in Python is started, and in which folders it finds modules.

A suite below Tests/EndToEndTests is a module of a package there, such as PageLibrary.page_queue, and what suites share is Support.
Each import says the whole name. No program changes the path by itself.

    modules.py SUITE [TEST...]      one suite by its name, or some of its tests (deploy/suite)
    modules.py PROGRAM [WORD...]    another program, by its path
"""

import glob
import os
import sys

SUITES = "Tests/EndToEndTests"
# Folders in which modules are looked for: packages of suites, servers for tests, the judge of the protocol, the remote and the hub in Python.
ROOTS = (SUITES, "Tests/Contract", "Protocol", "examples/python", "examples/minihub")
# Debian's own, for which the packages are.
PYTHON = "/usr/bin/python3"


def environment(root):
    """Variables for programs of the project in this folder, and for what they start."""
    folders = [os.path.join(os.path.abspath(root), folder) for folder in ROOTS]
    return {"PYTHONPATH": os.pathsep.join([*folders, *filter(None, [os.environ.get("PYTHONPATH")])]), "PYTHONDONTWRITEBYTECODE": "1"}


def words(path):
    """The command that starts a program, by its path in the project."""
    if not path.endswith(".py"):
        return [os.path.join(".", path)]
    if path.startswith(f"{SUITES}/"):
        return [PYTHON, "-m", os.path.relpath(path, SUITES).removesuffix(".py").replace("/", ".")]
    return [PYTHON, path]


def above(path, level):
    """The folder that an import with so many dots in front begins in."""
    for _ in range(level):
        path = os.path.dirname(path)
    return path


def file_of(module, folders):
    """The file of a module, in the first of the folders that has it, or None."""
    stem = module.replace(".", "/")
    places = (os.path.join(folder, stem + end) for folder in folders for end in (".py", "/__init__.py"))
    return next(filter(os.path.isfile, places), None) if stem else None


def find(name, root):
    """The path of the suite with this name, or None."""
    found = glob.glob(f"{SUITES}/*/{name.removesuffix('.py')}.*", root_dir=root) + glob.glob(f"Tests/*/{name.removesuffix('.py')}.py", root_dir=root)
    return next((path for path in found if path.endswith((".py", ".sh")) and "/Support/" not in path), None)


def main():
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in ("-h", "--help"):
        print(__doc__, end="")
        return
    path = os.path.relpath(name, root) if os.path.isfile(name) else find(name, root)
    if path is None:
        sys.exit(f"There is no suite {name}; Tests/README.md says where they are.")
    command = words(path)
    if command[:2] != [PYTHON, "-m"]:
        command[-1] = os.path.join(root, path)
    os.execvpe(command[0], [*command, *sys.argv[2:]], {**os.environ, **environment(root)})


if __name__ == "__main__":
    main()
