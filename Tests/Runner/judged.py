"""The files that decide how a job ends, as one number: those of the job itself, what it imports, and what it judges.

Only contents count. A file that moves changes nothing by that, and no text for people does.
"""

import ast
import functools
import hashlib
import os

# Folders in which suites find what they import, beside their own.
IMPORTED = (
    "Tests/EndToEndTests/Support", "Tests/EndToEndTests/Music", "Tests/EndToEndTests/Page", "Tests/EndToEndTests/Servers",
    "Tests/EndToEndTests/Faults", "Tests/Contract", "Tests/Runner", "Protocol/runner", "Protocol/tools", "examples/python")


class Missing(Exception):
    """A path that is not there. Its text is a sentence."""


def files(path):
    if not os.path.isdir(path):
        yield path
        return
    for place, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (os.path.join(place, name) for name in names if not name.endswith((".md", ".pyc")))


@functools.cache
def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).digest()


@functools.cache
def imported(path):
    """The files that a program in Python imports from the folders above."""
    with open(path, encoding="utf-8") as file:
        nodes = list(ast.walk(ast.parse(file.read(), path)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    folders = (os.path.dirname(path), *IMPORTED)
    every = ((os.path.join(folder, f"{name.replace('.', '/')}.py") for folder in folders) for name in names)
    found = (next(filter(os.path.exists, places), None) for places in every)
    return {at for at in found if at}


def imports(path):
    """Those of the program, and those that these import."""
    found, waiting = set(), {path}
    while waiting:
        waiting |= imported(waiting.pop()) - found
        found |= waiting
    return found


def paths(job):
    """All that decides: a sentence is raised for what is not there."""
    own = job.own or ((job.path,) if job.path else ())
    for path in job.judges:
        if not os.path.exists(path):
            raise Missing(f"{job.name} judges {path}, and there is none: correct the head of {job.path or f'Tests/{job.name}'}.")
    return {*own, *job.judges, *(imports(job.path) if job.path.endswith(".py") else ())}


def content(job):
    """One number for the contents."""
    every = {os.path.normpath(file) for path in paths(job) for file in files(path)}
    return hashlib.sha256(b"".join(sorted(digest(file) for file in every))).hexdigest()
