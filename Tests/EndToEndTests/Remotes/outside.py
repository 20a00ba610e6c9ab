# deploy/test: tier 2, judges Sources/Client Sources/Wire Package.swift.
# deploy/test: slow, for it builds two minutes long on both processors.
"""The client library seen from another package, with --slow: a package that depends on it builds, the runner judges a remote made
with it, and its documentation is complete and has no broken link. The library is compiled once more for it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from Support.hubs import ROOT, binaries, main
from Support.suite import slow

LIBRARY = ("BatonClient", "BatonCore", "BatonProtocol", "BatonWire", "WebClient", "Crypto")
TYPES = {"swift.struct", "swift.enum", "swift.class", "swift.protocol"}
VERBS = {"swift.method", "swift.type.method", "swift.func"}


@slow
class Outside(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Kept between runs, since the first build takes a minute.
        cls.build = os.path.join(ROOT, ".build/outside")
        cls.symbols = os.path.join(cls.build, "symbols")
        os.makedirs(cls.symbols, exist_ok=True)
        told = ["-emit-symbol-graph", "-emit-symbol-graph-dir", cls.symbols]
        words = ["swift", "build", "--package-path", f"{ROOT}/examples/swift", "--scratch-path", cls.build, "--disable-index-store"]
        words += [word for flag in told for word in ("-Xswiftc", flag)]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=500, check=False)
        if ended.returncode:
            raise AssertionError(ended.stdout[-4000:] + ended.stderr[-2000:])

    def test_remote(self):
        """The remote that was built outside is one by the rules."""
        words = [sys.executable, f"{ROOT}/Protocol", "clients", "--client", f"{self.build}/debug/swift-remote"]
        words += ["--only", "usual", "--only", "answer-lost", "--only", "wheel"]
        environment = {**os.environ, "BATON_BIN": binaries(), "PYTHONDONTWRITEBYTECODE": "1"}
        ended = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_own_transport(self):
        """A transport from another package carries a remote, and its errors arrive as sentences."""
        ended = subprocess.run([f"{self.build}/debug/own-transport"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((ended.returncode, ended.stdout), (0, "30 35 true\nNobody listens at elsewhere:9442.\n"), ended.stderr)

    def graph(self, module):
        with open(f"{self.symbols}/{module}.symbols.json", encoding="utf-8") as file:
            return json.load(file)["symbols"]

    def test_documented(self):
        """Each public type says what it is, and each public verb what it does, where no protocol has said it."""
        symbols = [symbol for module in LIBRARY for symbol in self.graph(module)]
        promised = {"Cryptography", "Transport", "Channel", "CommandRequest"}
        said = {symbol["pathComponents"][-1] for symbol in symbols if symbol["pathComponents"][0] in promised and "docComment" in symbol}
        silent, types = [], 0
        for symbol in symbols:
            kind, path = symbol["kind"]["identifier"], symbol["pathComponents"]
            types += kind in TYPES
            is_made = "::SYNTHESIZED::" in symbol["identifier"]["precise"]
            if kind in TYPES | VERBS and "docComment" not in symbol and path[-1] not in said and not is_made:
                silent.append(".".join(path))
        self.assertEqual(silent, [])
        self.assertGreater(types, 40)

    def catalogue(self, folder, path, module):
        """The pages that DocC makes of a catalogue, without a warning."""
        docc = shutil.which("docc") or os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift"))), "docc")
        os.makedirs(f"{folder}/graphs-{module}")
        shutil.copy(f"{self.symbols}/{module}.symbols.json", f"{folder}/graphs-{module}")
        words = [docc, "convert", f"{ROOT}/Sources/{path}/{module}/{module}.docc", "--additional-symbol-graph-dir", f"{folder}/graphs-{module}"]
        ended = subprocess.run(
            [*words, "--output-path", f"{folder}/{module}", "--warnings-as-errors"], capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return [name for _, _, names in os.walk(f"{folder}/{module}") for name in names]

    def test_catalogues(self):
        """DocC makes pages of the catalogues without a warning, the pictures of the states among them."""
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            client = self.catalogue(folder, "Client", "BatonClient")
            self.assertIn("reconnectinghub.json", client)
            self.assertTrue(any(name.startswith("states") and name.endswith(".svg") for name in client), client[:20])
            seams = self.catalogue(folder, "Seams", "BatonSeams")
            self.assertTrue(any(name.startswith("command") and name.endswith(".svg") for name in seams), seams[:20])


if __name__ == "__main__":
    main()
