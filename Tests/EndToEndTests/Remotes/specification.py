# deploy/test: tier 2, judges Protocol examples/browser Sources/Web/WebRemote/page/listening/instep.js.
"""The specification as a folder of its own: what is generated is current, the documents hold together, and the page works.

All of it is done on a copy of `Protocol/` outside of the repository, as somebody has who copied it from there, or on a release.
"""

import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

from runner import built
from Support.hubs import ROOT, main

try:
    from Support.browser import Browser
except ImportError:
    print("specification.py: skipped, for there is no selenium here")
    sys.exit(77)


def run(*words, **options):
    """Code and words of a program, which finds no modules but its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(words, env=environment, **options, capture_output=True, text=True, timeout=60, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Folder(unittest.TestCase):
    """A copy of `Protocol/` for each test, which may be spoiled."""

    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="bt-")
        self.addCleanup(home.cleanup)
        self.folder = f"{home.name}/Protocol"
        shutil.copytree(f"{ROOT}/Protocol", self.folder, ignore=shutil.ignore_patterns("__pycache__"))

    def run_tool(self, name, *words):
        """Code and words of one of the programs of the copy."""
        return run(sys.executable, self.folder, name, *words)

    def edit(self, path, before, after):
        with open(f"{self.folder}/{path}", encoding="utf-8") as file:
            text = file.read()
        self.assertIn(before, text, path)
        with open(f"{self.folder}/{path}", "w", encoding="utf-8") as file:
            file.write(text.replace(before, after, 1))

    def refuses(self, tool, sentence, *words):
        code, said = self.run_tool(tool, *words)
        self.assertNotEqual(code, 0, said)
        self.assertIn(sentence, said)

    def refuses_edit(self, path, before, after, sentence):
        """The check refuses a file that was changed in one place, which is then put right again."""
        with self.subTest(sentence):
            self.edit(path, before, after)
            self.refuses("build", sentence, "--check")
            self.edit(path, after, before)


class Generated(Folder):
    """What follows from the definitions."""

    def test_is_current(self):
        """The chapters are as the definitions say."""
        self.assertEqual(run(sys.executable, f"{ROOT}/Protocol", "build", "--check"), (0, ""))
        self.assertEqual(self.run_tool("build", "--check"), (0, ""))

    def test_change_is_seen(self):
        """A definition that was changed is named with the chapter that is out of date, and all that follows from it is written."""
        self.edit("commands/vol.set.json", '"maximum": 100', '"maximum": 90')
        self.edit("registries/txt.json", '"about": "The layout', '"about": "Mark layout')
        self.assertEqual(self.run_tool("build", "--check"), (1, "".join(
            f"build.py: {name}.md is out of date: run python3 Protocol build\n" for name in ("core/5-commands", "profiles/network"))))
        self.assertEqual(self.run_tool("build")[0], 0)
        self.assertEqual(self.run_tool("build", "--check"), (0, ""))
        for path in ("core/5-commands.md", "site/index.html"):
            self.assertIn("whole number 0 to 90", content(f"{self.folder}/{path}"))
        self.assertIn('"maximum": 90', content(f"{self.folder}/schema/v1/client/command/vol.set.json"))

    def test_is_written_when_old(self):
        """A program of the folder that reads schemas has them written when they are missing, and again after a change, but not otherwise."""
        self.assertFalse(os.path.exists(f"{self.folder}/schema/v1/client/cmd.json"))
        level = '{"m":"vol.set","t":"cmd","id":1,"p":{"level":95}}'
        judge = (
            "from runner import schema\n"
            f"print(len(schema.Validator().complaints('client/cmd', schema.strict('{level}'))))")
        self.assertEqual(run(sys.executable, "-B", "-c", judge, cwd=self.folder), (0, "0\n"))
        written = os.stat(f"{self.folder}/{built.LAST}").st_mtime_ns
        self.assertEqual(run(sys.executable, "-B", "-c", judge, cwd=self.folder), (0, "0\n"))
        self.assertEqual(os.stat(f"{self.folder}/{built.LAST}").st_mtime_ns, written)
        self.edit("commands/vol.set.json", '"maximum": 100', '"maximum": 90')
        self.assertEqual(run(sys.executable, "-B", "-c", judge, cwd=self.folder), (0, "1\n"))

    def test_copy(self):
        """In a copy of the folder the documents hold together, and vectors and runner need nothing of the repository."""
        self.assertEqual(self.run_tool("documents"), (0, ""))
        code, said = self.run_tool("vectors")
        self.assertEqual(code, 0, said)
        for words in (["node", "vectors/check.mjs"], [sys.executable, "models/playlist.py"]):
            code, said = run(words[0], f"{self.folder}/{words[1]}")
            self.assertEqual(code, 0, said)
        # Without a hub to judge each scenario is read, and no file is missing.
        code, said = self.run_tool("run", "--list")
        self.assertEqual(code, 0, said)
        self.assertIn("hello-full", said)
        code, said = self.run_tool("run", "--hub", "ws://127.0.0.1:1", "--only", "=hello-full")
        self.assertEqual(code, 2, said)
        self.assertIn("there is no connection", said)

    def test_release(self):
        """A release is this folder with all that is written from it, works in its place, and comes only into a folder that is empty."""
        release = f"{os.path.dirname(self.folder)}/release"
        self.assertEqual(run(sys.executable, f"{ROOT}/Protocol", "build", "--to", release), (0, ""))
        for path in ("COVERAGE.md", "asyncapi.json", "browser/baton.js", "browser/node.js", "schema/v1/client/cmd.json", "site/index.html", "core/4-state.md"):
            self.assertTrue(os.path.exists(f"{release}/{path}"), path)
        self.assertEqual(content(f"{release}/vectors/in_step.mjs"), content(built.IN_STEP))
        self.assertNotIn("**nothing**", content(f"{release}/COVERAGE.md"))
        written = os.stat(f"{release}/{built.LAST}").st_mtime_ns
        code, said = run("node", f"{release}/vectors/check.mjs")
        self.assertEqual((code, "not read" in said), (0, False), said)
        self.assertEqual(run(sys.executable, f"{release}/runner/built.py"), (0, f"{release}\n"))
        self.assertEqual(os.stat(f"{release}/{built.LAST}").st_mtime_ns, written, "Nothing was written anew.")
        code, said = run(sys.executable, f"{ROOT}/Protocol", "build", "--to", release)
        self.assertEqual((code, said), (1, f"build.py: {release} is not empty: name a folder that is, or one that does not exist\n"))

    def test_incomplete_definition(self):
        """A definition that is incomplete is refused with a sentence that names its file."""
        for before, after, sentence in (
            ('"role": "remote"', '"role": "owner"', "commands/vol.set.json: class and role must be known ones"),
            ('"errors": {}', '"errors": {"forbiden": {}}', "commands/vol.set.json: forbiden must be a code"),
            ('"level": "core"', '"level": "kernel"', "commands/vol.set.json: kernel is no profile"),
            ('"client-cmd-vol.set"', '"client-cmd-vol.sat"', "commands/vol.set.json: there is no example client-cmd-vol.sat"),
            ('"required": [', '"requires": [', "commands/vol.set.json: there is no member requires"),
            ('"errors": {}', '"notes": {}', "commands/vol.set.json: errors is missing"),
            ('"role": "remote"', '"role": "remote", "order": "rooms"', "commands/vol.set.json: order is servers or none, or left out"),
            ('"role": "remote"', '"role": "remote", "person": true', "commands/vol.set.json: person is true for a command of class Q"),
            ('"controls": true', '"controls": false', "commands/vol.set.json: controls is true or left out"),
            ('"ofRoom": true', '"privacy": true', "commands/vol.set.json: privacy is for commands that name items"),
            ('"maximum": 100', '"most": 100', "commands/vol.set.json: level has a member most, which no parameter has"),
            ('"maximum": 100', '"maximum": 100, "called": "level"', "commands/vol.set.json: level is called level, which is no other word"),
            ('"maximum": 100', '"maximum": 100, "limit": "queueAdd"', "commands/vol.set.json: level ends at 100, and queueAdd is 500"),
            ('"maximum": 100', '"maximum": 100, "absent": 1', "commands/vol.set.json: level has absent, and is required or has a default"),
            ('"result": null', '"groups": {"page": ["from"]}, "result": null', "commands/vol.set.json: groups must not have page"),
        ):
            self.refuses_edit("commands/vol.set.json", before, after, sentence)

    def test_wrong_check(self):
        """A check that names no parameter, asks for a value that cannot be, or has no sentence is refused with its number and the reason."""
        for before, after, sentence in (
            ('"all": [', '"every": [', "commands/sleep.set.json: checks[1] has a member every, which no check has"),
            ('"none": [', '"all": ["ms"], "none": [', "commands/sleep.set.json: checks[0] has one of one, all, any, none"),
            ('"at": "n"', '"at": "m"', "commands/sleep.set.json: checks[0] names m, which is no parameter"),
            ('"at": "n"', '"at": "ms"', "commands/sleep.set.json: checks[0] is at ms, and not about it"),
            ('Leave it out."', 'Leave it out"', "commands/sleep.set.json: checks[0] has no sentence says"),
            ('"track",\n          "chapter"', '"song"', "commands/sleep.set.json: checks[0] asks whether end is song, which it cannot be"),
        ):
            self.refuses_edit("commands/sleep.set.json", before, after, sentence)

    def test_lists_agree(self):
        """A name in a registry that schemas or vectors do not know is seen, and an example whose members stand in another order."""
        for path, before, after, sentence in (
            ("registries/errors.json", '"name": "pin_wrong"', '"name": "code_wrong"', "registries/errors.json and common.json differ: code_wrong, pin_wrong"),
            ("registries/closes.json", '"afterMs": 1000', '"afterMs": 900', "vectors/v1/close.json and registries/closes.json differ in 1012"),
            ("registries/sections.json", '"name": "tl"', '"name": "time"', "registries/sections.json and schema/v1/section differ"),
            ("registries/txt.json", '"name": "fp"', '"name": "pin"', "registries/txt.json and txt.json differ: fp, pin"),
            ("examples/section-lib.json", '"rev":12,"tracks":10412', '"tracks":10412,"rev":12', "examples/section-lib.json: / is written in the order"),
            ("schema/v1/section/jobs.json", '"x-more": "more"', '"x-more": "rest"', "jobs counts the rest in rest, which is no member"),
            ("schema/v1/section/v.json", '"level",', '"level", "most",', "schema/v1/section/v.json: x-pair must name each of prefixItems"),
            ("schema/v1/section/vol.json", '"called": "isMuted"', '"called": "level"', "schema/v1/section/vol.json: two members are called level"),
        ):
            self.refuses_edit(path, before, after, sentence)

    def test_asyncapi(self):
        """asyncapi.json is valid by AsyncAPI's own schema, its references lead somewhere, and a wrong one is not valid."""
        import jsonschema
        folder = built.folder()
        own = json.loads(content(f"{folder}/tools/asyncapi-schema/3.0.0.json"))
        document = json.loads(content(f"{folder}/asyncapi.json"))

        class Local(jsonschema.RefResolver):
            """Every reference of that schema is one within it."""

            def resolve(self, ref):
                return ref, self.resolve_fragment(own, ref.lstrip("#"))

        judge = jsonschema.Draft7Validator(own, resolver=Local("", own))
        self.assertEqual([error.message for error in judge.iter_errors(document)], [])
        self.assertGreater(len(document["operations"]), 60)
        for reference in references(document):
            path, _, place = reference.partition("#")
            target = document
            if path:
                target = json.loads(content(os.path.join(folder, path)))
            for step in place.split("/")[1:]:
                target = target[step]
        document["operations"]["vol.set"]["action"] = "dance"
        self.assertNotEqual(list(judge.iter_errors(document)), [])


class Documents(Folder):
    """The texts."""

    def test_hold_together(self):
        """Links, blocks of JSON, and the sentences that bind."""
        self.assertEqual(self.run_tool("documents"), (0, ""))

    def test_faults_are_seen(self):
        """Each kind of fault in a chapter is named."""
        faults = (
            ("See [there](6-queue.md#nowhere).", "6-queue.md#nowhere leads to no heading"),
            ("See [there](6-nothing.md).", "6-nothing.md leads to no file"),
            ("See [there](../../README.md).", "../../README.md leads out of this folder"),
            ("See [there](https://example.org/page).", "https://example.org/page is on a machine that publishes no standard"),
            ("A hub MUST dance.", "it binds and has no rule: A hub MUST dance."),
            ("It MUST dance. [BT-" "ANY-001]", "it does not say whom it binds: It MUST dance."),
            ("A hub MUST answer. [BT-RES-001]", "BT-RES-001 stands in core/5-commands.md and core/6-queue.md"),
            ('```json\n{"t":"cmd","id":0,"m":"pause"}\n```', "/id must be at least 1"),
            ('```json\n{"level":142,"mute":false}\n```', "core/6-queue.md: {'level': 142"),
            ("```json\n{dance}\n```", "a block is not JSON"),
        )
        with open(f"{self.folder}/core/6-queue.md", "a", encoding="utf-8") as file:
            file.write("".join(f"\n{text}\n" for text, _ in faults))
        code, said = self.run_tool("documents")
        self.assertEqual((code, said.count("documents.py: ")), (1, len(faults)), said)
        for _, sentence in faults:
            with self.subTest(sentence):
                self.assertIn(sentence, said)


class Profiles(Folder):
    """The text of Core and of the profiles."""

    def test_hold_together(self):
        """Each name has its profile, each rule its page and its evidence, and the tables are current."""
        for words in (("levels",), ("tables", "--check")):
            code, said = self.run_tool(*words)
            self.assertEqual(code, 0, said)

    def test_places_of_rules(self):
        """A rule that stands twice, is gone or is cited without its profile is named, and a row that stands on another profile's page."""
        faults = (
            ("profiles/radio.md", "[BT-RAD-010]", "[BT-RAD-010] [BT-POD-001]", "BT-POD-001 stands on 2 pages"),
            ("profiles/radio.md", "[BT-RAD-010]", "[BT-RAD-010] [BT-LIB-010]", "BT-LIB-010 is gone, and stands in profiles/radio.md"),
            ("core/4-state.md", "[BT-STA-010]", "[BT-STA-010] It is as in BT-RAD-005.", "core/4-state.md cites BT-RAD-005, which is of radio"),
            ("profiles/radio.md", "generated: commands radio", "generated: commands podcasts", "BT-CMD-radio.play stands on no page; it is of radio"),
        )
        for path, before, after, sentence in faults:
            with self.subTest(sentence):
                whole = content(f"{self.folder}/{path}")
                self.edit(path, before, after)
                # Its rows are those of its definition.
                if "generated" in after:
                    self.run_tool("tables")
                self.refuses("levels", sentence)
                with open(f"{self.folder}/{path}", "w", encoding="utf-8") as file:
                    file.write(whole)

    def test_levels(self):
        """What uses a thing of a profile that it does not have is named."""
        faults = (
            ("commands/vol.set.json", '"level": "core"', '"level": "louder"', "no profile"),
            ("commands/queue.add.json", '"level": "library",', "", "source_failed is of library, and the command of core"),
            ("scenarios/rooms.json", '"with": ["history"], ', "", "uses queue.undo of history: name it in with"),
            ("scenarios/retry.json", '"level": "core", ', '"level": "core", "with": ["rooms"], ', "names rooms, and uses nothing of it"),
            ("examples/section-modes.json", '"single":"once"', '"single":"once","gain":"album"', "example section-modes is of core, and shows /gain of sound"),
            ("vectors/v1/errors.json", '"with": ["library", ', '"with": [', "shows BT-ERR-source_failed of library: name it in with"),
            ("registries/retired.json", '"levels"', '"levels",\n      "pause"', "command pause is retired, and has a definition"),
        )
        for path, before, after, sentence in faults[1:]:
            with self.subTest(sentence):
                whole = content(f"{self.folder}/{path}")
                self.edit(path, before, after)
                self.refuses("levels", sentence)
                with open(f"{self.folder}/{path}", "w", encoding="utf-8") as file:
                    file.write(whole)
        self.edit(*faults[0][:3])
        self.refuses("build", "commands/vol.set.json: louder is no profile", "--check")

    def test_old_tables(self):
        """A table that is out of date is named, and written anew."""
        self.edit("commands/radio.live.json", '"about": "', '"about": "Mark. ')
        self.refuses("tables", "profiles/radio.md is out of date", "--check")
        self.run_tool("tables")
        self.assertIn("| `radio.live` | Mark. ", content(f"{self.folder}/profiles/radio.md"))


class Versions(Folder):
    """A version that was written down stands still."""

    def refuses_change(self, path, before, after, *sentences):
        """It is refused with the file and the version, and is as it was afterwards."""
        with self.subTest(path):
            self.edit(path, before, after)
            code, said = self.run_tool("versions")
            self.assertEqual(code, 1, said)
            self.assertEqual([line for line in said.splitlines() if not any(sentence in line for sentence in sentences)], [])
            for sentence in sentences:
                self.assertIn(sentence, said)
            self.assertIn("a page changes/", said)
            self.edit(path, after, before)

    def test_stands_still(self):
        """What the text, its definitions and its limits say is what was written down for their versions."""
        code, said = self.run_tool("versions")
        self.assertEqual(code, 0, said)

    def test_changes(self):
        """A rule, a definition or a byte budget that changes alone is refused by its file and its version, and so is what comes or goes."""
        for change in (
            ("core/6-queue.md", "A hub MUST", "A hub MUST always", "core/6-queue.md: BT-", "in core 1.0: give core version 1.1 in levels.json, and a page changes/core-1.1.md"),
            ("commands/vol.set.json", '"maximum": 100', '"maximum": 90', "commands/vol.set.json is another than in core 1.0: give core version 1.1"),
            ("commands/vol.set.json", '"parameters": {', '"parameters": {"fade": {"type": "boolean"},', "commands/vol.set.json is another than in core 1.0"),
            ("registries/sections.json", '"most": "256 B"', '"most": "300 B"', "registries/sections.json/tl is another than in core 1.0"),
            ("core/7-limits.md", "| 16, then `busy` |", "| 12, then `busy` |", "core/7-limits.md: BT-LIM-007 is another than in core 1.0"),
            ("core/7-limits.md", "| 5 s; 10 s, then 4408 |", "| 5 s; 20 s, then 4408 |", "core/7-limits.md, row “`hello`; a head", "in core 1.0"),
            ("profiles/watch.md", "| 80 | 65 [BT-PRO-002]", "| 90 | 65 [BT-PRO-002]", "profiles/watch.md: BT-PRO-002 is another than in watch 1: give watch version 2 in levels.json, and a page changes/watch-2.md"),
            ("schema/v1/section/modes.json", '"mono": {', '"monoOrNot": {', "schema/v1/section/modes.json", "sound 1"),
            ("core/7-limits.md", " [BT-LIM-007]", "", "versions.json: BT-LIM-007 is in core 1.0, and is gone", "row “unanswered commands”"),
        ):
            self.refuses_change(*change)

    def test_no_change(self):
        """What binds nobody may change: words between rules, comments, names in programs, examples."""
        self.edit("commands/vol.set.json", '"hub-res-bad"', '"hub-res-applied"')
        self.edit("schema/v1/section/tl.json", '"called": "isLive"', '"called": "isEndless"')
        with open(f"{self.folder}/core/6-queue.md", "a", encoding="utf-8") as file:
            file.write("\nThat is all.\n")
        code, said = self.run_tool("versions")
        self.assertEqual(code, 0, said)

    def test_next(self):
        """A change stands in a next version, once its page says the day and what an implementer changes; no version is written anew."""
        self.edit("profiles/watch.md", "| 80 | 65 [BT-PRO-002]", "| 90 | 65 [BT-PRO-002]")
        self.refuses("versions", "is another than in watch 1", "--record")
        levels = json.loads(content(f"{self.folder}/levels.json"))
        levels["profiles"]["watch"] |= {"version": 2, "date": "2027-02-01"}
        with open(f"{self.folder}/levels.json", "w", encoding="utf-8") as file:
            json.dump(levels, file)
        self.refuses("versions", "changes/watch-2.md is missing: say there the date 2027-02-01 of watch 2", "--record")
        for text, sentence in (("It is so.", "does not begin with 2027-02-01, the date of watch 2"), ("2027-02-01. It is so.", "does not say what an implementer changes")):
            with open(f"{self.folder}/changes/watch-2.md", "w", encoding="utf-8") as file:
                file.write(text)
            self.refuses("versions", f"changes/watch-2.md {sentence}", "--record")
        with open(f"{self.folder}/changes/watch-2.md", "a", encoding="utf-8") as file:
            file.write(" An implementer changes nothing.")
        self.refuses("versions", "versions.json: watch 2 is not written down")
        self.assertEqual(self.run_tool("versions", "--record")[0], 0)
        self.assertEqual(self.run_tool("versions")[0], 0)
        levels["profiles"]["watch"]["version"] = 1
        with open(f"{self.folder}/levels.json", "w", encoding="utf-8") as file:
            json.dump(levels, file)
        self.refuses("versions", "levels.json: watch is 1, and 2 was written down before", "--record")


class Page(Folder):
    """site/index.html in Chromium, as a person opens it."""

    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Quiet, directory=built.folder())
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        cls.page = Browser.shared()
        cls.addClassCleanup(cls.page.leave)

    def setUp(self):
        super().setUp()
        self.page.size(360, 640)
        self.page.open(f"http://127.0.0.1:{self.server.server_port}/site/index.html")

    def search(self, words):
        """What the search box finds, first line of each."""
        box = self.page.find("#search")
        box.clear()
        box.send_keys(words)
        return self.page.run("return [...document.querySelectorAll('#found a')].map(each => each.firstChild.textContent)")

    def place(self):
        """What the address points at, and whether a person sees it."""
        return self.page.run("""
            const target = document.querySelector(':target'), box = target?.getBoundingClientRect();
            const below = document.querySelector('header').getBoundingClientRect().bottom;
            return [location.hash.slice(1), !!target && box.top >= below && box.top < innerHeight, document.getElementById('found').hidden]""")

    def test_search(self):
        """The box finds a rule by its id, a command by its name, and words anywhere; Enter goes to the first."""
        self.assertEqual(self.search("bt-rty-002")[0], "BT-RTY-002")
        self.page.find("#search").send_keys("\n")
        self.page.wait("the rule is seen", lambda: self.place() == ["BT-RTY-002", True, True])
        self.assertEqual(self.search("bt-cmd-vol.step")[0], "BT-CMD-vol.step")
        self.page.find("#search").send_keys("\n")
        self.page.wait("the command is seen", lambda: self.place() == ["BT-CMD-vol.step", True, True])
        self.assertGreater(len(self.search("expired ttl")), 0)
        self.assertEqual(self.search("bt-cmd-vol.set")[0], "BT-CMD-vol.set")
        self.assertEqual(self.search("xyzzy plugh"), [])

    def test_fits(self):
        """From a phone to a desktop, in light and in dark, nothing leaves the width of the page."""
        for scheme in ("light", "dark"):
            self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            grounds = set()
            for width, height in ((360, 640), (768, 1024), (1440, 900)):
                self.page.size(width, height)
                wide, ground = self.page.run("return [document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]")
                self.assertLessEqual(wide, 0, f"{width} px")
                grounds.add(ground)
                self.page.picture(f"specification-{scheme}-{width}")
            self.assertEqual(grounds, {"rgb(255, 255, 255)" if scheme == "light" else "rgb(23, 23, 26)"})
        self.page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_links(self):
        """Each link leads to a place in the page, to a file of the folder, or to a standard, and nothing is loaded from anywhere."""
        places, names, loaded = self.page.run("""
            return [[...document.querySelectorAll('a[href]')].map(each => each.getAttribute('href')), [...document.querySelectorAll('[id]')].map(each => each.id),
              performance.getEntriesByType('resource').map(each => each.name)]""")
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(loaded, [])
        for place in sorted(set(places)):
            if place.startswith("#"):
                self.assertIn(place[1:], names)
            elif not re.match("https?:", place):
                self.assertTrue(os.path.exists(os.path.join(built.folder(), "site", place.partition("#")[0])), place)
        self.assertEqual(self.page.complaints(), [])


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the folder and says nothing."""

    def log_message(self, *words):
        pass


def references(content):
    """All that a document refers to."""
    if isinstance(content, dict) and isinstance(content.get("$ref"), str):
        yield content["$ref"]
    for inner in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        yield from references(inner)


if __name__ == "__main__":
    main("chromium", "chromedriver", "node")
