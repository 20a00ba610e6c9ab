#!/usr/bin/python3
"""The protocol as others see it: the runner's verdict on the shipped batond, and the runner's own proof.

`Protocol/` is a product of its own, so what is shown here uses nothing of the hub but its binaries.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "Support"))
from hubs import ROOT, binaries, main  # noqa: E402

RUNNER = os.path.join(ROOT, "Protocol/runner")
sys.path.insert(0, RUNNER)
import schema  # noqa: E402
import trace as traces  # noqa: E402


def program(*words, limit=300):
    """Runs a program of `Protocol/` on the shipped binaries; gives back its code and what it printed."""
    environment = {**os.environ, "BATON_BIN": binaries(), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, timeout=limit, check=False)
    return ended.returncode, ended.stdout + ended.stderr


class Hub(unittest.TestCase):
    """Every scenario against the hub; the traces are kept for the tests that read them."""

    def test_scenarios(self):
        """Every scenario passes, over TCP, and each frame the hub sent is one of the schemas'."""
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            code, said = program(f"{RUNNER}/run.py", "--quiet", "--traces", folder, "--report", f"{folder}/report.html")
            self.assertEqual(code, 0, said)
            with open(f"{folder}/report.html", encoding="utf-8") as page:
                self.assertIn("cases passed", page.read())
            self.judge_frames(folder)

    def judge_frames(self, folder):
        """The same frames once more, judged by a validator that is not ours."""
        try:
            import jsonschema
        except ImportError:
            self.fail("python3-jsonschema is not installed; deploy/packages test brings it")
        schemas = {path: content for path, content in schema.load().items()}
        store = {f"baton:/{path}.json": {"$id": f"baton:/{path}.json", **content} for path, content in schemas.items()}
        judges, seen = {}, set()
        for path in sorted(glob.glob(f"{folder}/*.jsonl")):
            for entry in traces.read(path):
                value = traces.message(entry) if entry["kind"] == "in" else None
                if value is None or (shape := self.shape(value)) in seen:
                    continue
                seen.add(shape)
                name = f"baton:/hub/{value['t']}.json"
                if name not in judges:
                    resolver = jsonschema.RefResolver(name, store[name], store=store)
                    judges[name] = jsonschema.Draft202012Validator(store[name], resolver=resolver)
                wrong = [error.message for error in judges[name].iter_errors(value)]
                self.assertEqual(wrong, [], f"{path}: {json.dumps(value)[:300]}")
        self.assertGreater(len(seen), 50)

    def shape(self, value):
        """Messages of one shape are judged once: names and kinds of values, to the leaves."""
        if isinstance(value, dict):
            return tuple(sorted((name, value[name] if name in ("t", "st", "why", "code") else self.shape(value[name])) for name in value))
        if isinstance(value, list):
            return tuple(sorted({repr(self.shape(item)) for item in value}))
        return type(value).__name__

    def test_unix(self):
        """The handshake, the answers and the queue are the same over the unix socket."""
        code, said = program(f"{RUNNER}/run.py", "--quiet", "--channel", "unix", "--only", "hello-", "--only", "dup", "--only", "resume-", "--only", "add-places")
        self.assertEqual(code, 0, said)


if __name__ == "__main__":
    main("python3")
