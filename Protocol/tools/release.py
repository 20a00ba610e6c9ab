"""The folder as it is released: this one, with all that is written from its definitions."""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys

from runner import built
from tools import asyncapi, schemas, site_page
from tools.definitions import PROTOCOL, text_of

# The client for browsers as one file, with what stands beside it in a package of npm.
PACKAGE = ("baton.d.ts", "node.d.ts", "node.js", "package.json")


class Taken(Exception):
    """The folder for a release has something in it."""


def update(path, text):
    """Writes a file, and tells whether it was another."""
    if os.path.exists(path) and text_of(path) == text:
        return False
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return True


def write(folder, definitions):
    """This folder in another one, which is empty or not there, or in its own place."""
    if folder != PROTOCOL:
        if os.path.exists(folder) and os.listdir(folder):
            raise Taken(f"{folder} is not empty: name a folder that is, or one that does not exist")
        shutil.copytree(PROTOCOL, folder, ignore=shutil.ignore_patterns("__pycache__", ".*"), dirs_exist_ok=True)
    for outputs in (schemas.outputs(definitions), site_page.outputs(folder), asyncapi.outputs(definitions)):
        for path, text in outputs.items():
            update(f"{folder}/{path}", text)
    if built.IS_IN_REPOSITORY:
        shutil.copy(built.IN_STEP, f"{folder}/vectors/in_step.mjs")
        os.mkdir(f"{folder}/browser")
        for name in PACKAGE:
            shutil.copy(f"{built.BROWSER}/{name}", f"{folder}/browser")
        run(f"{built.BROWSER}/bundle.py", f"{folder}/browser/baton.js")
        # Tests of the hub are evidence, too, so that elsewhere the page of the release stays.
        run(PROTOCOL, "coverage", "--page", f"{folder}/COVERAGE.md", BATON_PROTOCOL=folder)
    os.utime(f"{folder}/{built.LAST}")


def run(*words, **environment):
    if subprocess.run([sys.executable, *words], env={**os.environ, **environment}, check=False).returncode != 0:
        sys.exit(f"build.py: {' '.join(words[:2])} failed")


def renew(definitions):
    """Writes the folder where this one's programs look for it. In the repository it comes into its place whole."""
    if built.FOLDER == PROTOCOL:
        return write(PROTOCOL, definitions)
    new, old = f"{built.FOLDER}.new", f"{built.FOLDER}.old"
    for folder in (new, old):
        shutil.rmtree(folder, ignore_errors=True)
    write(new, definitions)
    if os.path.exists(built.FOLDER):
        os.rename(built.FOLDER, old)
    os.rename(new, built.FOLDER)
    shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def alone():
    """Two programs that find the folder old do not write it at a time."""
    handle = os.open(PROTOCOL, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
