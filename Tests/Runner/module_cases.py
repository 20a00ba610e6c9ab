"""How programs in Python are started, and what they import: cases of runner_tests.py."""

import ast
import os
import re
import subprocess

import judged
import modules
from made import RunnerCase

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
# The ways to look for modules in another folder. PYTHONPATH finds them, which modules.py sets.
CHANGES_PATH = re.compile(r"\bsys\.path\b|\baddsitedir\b|\bspec_from_file_location\b")


def programs():
    """All files of the project that Python reads, by their paths."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True).stdout.split("\n")
    for path in filter(None, listed):
        whole = os.path.join(ROOT, path)
        if not os.path.isfile(whole) or os.path.islink(whole):
            continue
        with open(whole, "rb") as file:
            if path.endswith(".py") or re.match(rb"#!.*python", file.readline(100)):
                yield path


class Modules(RunnerCase):
    def test_words(self):
        """A suite is started as a module of its package, and other programs by their paths."""
        self.assertEqual(modules.words("Tests/EndToEndTests/Page/page_app.py"), [modules.PYTHON, "-m", "Page.page_app"])
        self.assertEqual(modules.words("Tests/Runner/runner_tests.py"), [modules.PYTHON, "Tests/Runner/runner_tests.py"])
        self.assertEqual(modules.words("Tests/EndToEndTests/Remotes/pairing_model.sh"), ["./Tests/EndToEndTests/Remotes/pairing_model.sh"])

    def test_found(self):
        """A suite is found by its name, and one that is not there is a sentence."""
        for name, path in (("page_queue", "EndToEndTests/PageLibrary/page_queue.py"), ("sappho.py", "EndToEndTests/Servers/sappho.py"),
                           ("pairing_model", "EndToEndTests/Remotes/pairing_model.sh"), ("runner_tests", "Runner/runner_tests.py")):
            self.assertEqual(modules.find(name, ROOT), f"Tests/{path}")
        self.assertIsNone(modules.find("browser", ROOT), "what suites share is no suite")
        ended = subprocess.run([f"{ROOT}/deploy/suite", "gone"], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (1, "There is no suite gone; Tests/README.md says where they are.\n"))

    def test_one(self):
        """A person runs one test of a suite by name, from any folder."""
        ended = subprocess.run([f"{ROOT}/deploy/suite", "runner_tests", "Shown.test_tail"], cwd="/", capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, "Ran 1 test" in ended.stderr), (0, True), ended.stderr)

    def test_imports(self):
        """Imports by whole names are followed: a module, one of a package, and one beside it by a dot."""
        text = "import json\nimport Made.one\nfrom Made import two, nothing\nfrom Made.three import value\nfrom . import four\nfrom plain import value\n"
        self.project.write("Tests/EndToEndTests/Made/all.py", text)
        for name in ("one", "two", "three", "four", "plain", "json"):
            self.project.write(f"Tests/EndToEndTests/Made/{name}.py", "value = 1\n")
        self.project.write("Tests/Contract/plain.py", "value = 1\n")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.project.folder)
        judged.imported.cache_clear()
        self.addCleanup(judged.imported.cache_clear)
        self.assertEqual(judged.imported("Tests/EndToEndTests/Made/all.py"), {
            *(f"Tests/EndToEndTests/Made/{name}.py" for name in ("one", "two", "three", "four")), "Tests/Contract/plain.py"})

    def test_whole_names(self):
        """Each module that a suite names is there, so what it imports is known before it runs."""
        shared = {os.path.splitext(name)[0] for _, _, names in os.walk(f"{ROOT}/{modules.SUITES}") for name in names if name.endswith(".py")}
        packages = {name for name in os.listdir(f"{ROOT}/{modules.SUITES}") if os.path.isdir(f"{ROOT}/{modules.SUITES}/{name}")}
        roots = [f"{ROOT}/{root}" for root in modules.ROOTS]
        for path in programs():
            if not path.startswith(f"{modules.SUITES}/"):
                continue
            with open(f"{ROOT}/{path}", encoding="utf-8") as file:
                nodes = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.ImportFrom)]
            for node in nodes:
                if node.module.partition(".")[0] in packages and "." in node.module:
                    self.assertIsNotNone(modules.file_of(node.module, roots), f"{path}:{node.lineno}: there is no module {node.module}")
                elif node.module in shared:
                    self.assertIsNotNone(modules.file_of(node.module, roots), f"{path}:{node.lineno}: say the whole name of {node.module}")

    def test_path(self):
        """No program looks for modules in a folder that it names itself."""
        found = []
        for path in programs():
            with open(f"{ROOT}/{path}", encoding="utf-8") as file:
                found += [f"{path}:{number}" for number, line in enumerate(file, 1) if CHANGES_PATH.search(line)]
        own = os.path.relpath(__file__, ROOT)
        self.assertEqual([place for place in found if not place.startswith(f"{own}:")], [], "Import it by its whole name; Tests/README.md says how.")
        self.assertTrue(CHANGES_PATH.search("sys.path[:0] = [HERE]"))
