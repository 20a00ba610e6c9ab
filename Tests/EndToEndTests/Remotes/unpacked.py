# deploy/test: tier 2, judges Protocol examples.
"""The protocol as an archive: unpacked in an empty folder, where there is no repository, its programs check it, and its small hub runs."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from Support.hubs import ROOT, main
from tools import archive

PYTHON = f"{ROOT}/.build/venv/bin/python"
NAME = "baton-protocol-1.0"
CHECKS = ("levels", "tables --check", "vectors", "documents", "build --check", "coverage", "conversations --check", "implementations --check",
          "checklist --level network")


def run(*words, cwd=None, **environment):
    """Code and words of a program that knows nothing of the repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "BATON"))}
    ended = subprocess.run(words, cwd=cwd, env={**kept, "PYTHONDONTWRITEBYTECODE": "1", **environment}, capture_output=True, text=True, timeout=300, check=False)
    return ended.returncode, ended.stdout + ended.stderr


class Unpacked(unittest.TestCase):
    """One archive, in a folder that has nothing else."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix="bt-", dir="/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.packed = f"{cls.home}/{NAME}.tar.xz"
        code, said = run(sys.executable, f"{ROOT}/Protocol", "archive", cls.packed)
        if code:
            raise AssertionError(said)
        os.mkdir(f"{cls.home}/empty")
        subprocess.run(["tar", "-C", f"{cls.home}/empty", "-xf", cls.packed], check=True, timeout=60)
        cls.folder = f"{cls.home}/empty/{NAME}"

    def test_checks(self):
        """All checks pass, and what is written from definitions is not written anew."""
        written = os.stat(f"{self.folder}/Protocol/asyncapi.json").st_mtime_ns
        for check in CHECKS:
            with self.subTest(check):
                code, said = run(sys.executable, "Protocol", *check.split(), cwd=self.folder)
                self.assertEqual(code, 0, said)
        code, said = run("node", "Protocol/vectors/check.mjs", cwd=self.folder)
        self.assertEqual((code, "not read" in said), (0, False), said)
        self.assertEqual(os.stat(f"{self.folder}/Protocol/asyncapi.json").st_mtime_ns, written)

    def test_small_hub(self):
        """The small hub of the archive runs from it, and keeps to the conversations."""
        words = ["conversations", "--hub", "Protocol/runner/adapters/minihub", "--only", "dup", "--only", "http"]
        code, said = run(sys.executable, "Protocol", *words, cwd=self.folder, MINIHUB_PYTHON=PYTHON)
        self.assertEqual((code, "2 pass, 0 FAIL" in said), (0, True), said)

    def test_judge(self):
        """The judge as one file finds the same of the small hub, with the folder of nobody around it."""
        shutil.copy(f"{self.folder}/baton-check.pyz", self.home)
        hub = subprocess.Popen([PYTHON, f"{self.folder}/examples/minihub", "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(hub.stdout.close)
        self.addCleanup(hub.wait)
        self.addCleanup(hub.terminate)
        address = re.search(r"ws://\S+?(?=/)", hub.stdout.readline())[0]
        words = [address, "--level", "core", "--only", "=add-places", "--yes", "--playable", "demo:track/1,demo:track/2,demo:track/3"]
        code, said = run(sys.executable, "baton-check.pyz", *words, cwd=self.home)
        self.assertEqual((code, "core 1.0: 1 of 1" in said), (0, True), said)

    def test_watch_builds(self):
        """So does the watch in C."""
        code, said = run("make", "-s", "-C", "examples/c", f"OUT={self.home}/remote", cwd=self.folder)
        self.assertEqual(code, 0, said)

    def test_same_bytes(self):
        code, said = run(sys.executable, f"{ROOT}/Protocol", "archive", f"{self.home}/empty/{NAME}.tar.xz")
        self.assertEqual(code, 0, said)
        sums = []
        for path in (self.packed, f"{self.home}/empty/{NAME}.tar.xz"):
            with open(path, "rb") as file:
                sums.append(hashlib.sha256(file.read()).hexdigest())
        self.assertEqual(*sums)

    def test_licences(self):
        """The licences are those that they are called."""
        for path, word in (("LICENSE", "Apache License"), ("Protocol/legal/Apache-2.0.txt", "Apache License"),
                           ("Protocol/legal/Community-Specification-License-1.0.md", "2.1.1.2")):
            with open(f"{self.folder}/{path}", encoding="utf-8") as file:
                self.assertIn(word, file.read())
        with open(f"{ROOT}/LICENSE", "rb") as one, open(f"{ROOT}/Protocol/legal/Apache-2.0.txt", "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_names_what_is_missing(self):
        """A page that names what the archive does not have is found, by its link and by its name alone."""
        os.mkdir(f"{self.home}/other")
        self.addCleanup(shutil.rmtree, f"{self.home}/other")
        for text, found in (("See [this](gone.md#part).", 1), ("Run `python3 examples/gone`.", 1),
                            ("Run `examples/gone` in the repository of Baton.", 0), ("See [that](https://www.w3.org/).", 0)):
            with open(f"{self.home}/other/README.md", "w", encoding="utf-8") as file:
                file.write(text)
            self.assertEqual(len(list(archive.complaints(f"{self.home}/other"))), found, text)


if __name__ == "__main__":
    main()
