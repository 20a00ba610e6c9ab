# deploy/test: tier 2, judges Sources/Programs/baton.
"""What people who use a terminal expect of the shipped satellite: other programs' words for verbs, numbers of rows, forms, JSON
with schemas, keys, questions before deletions. The library is tagged files, made by ffmpeg."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

from runner import built
from Support.fixtures import lavfi, metadata
from Support.hubs import Hub, HubCase, binaries, main, wait

KID_A = ["Everything in Its Right Place", "Kid A", "The National Anthem"]
HOME_ROOM = "Test hub"


class Habits(HubCase):
    flags = ("--audio", "null", "--tls", "127.0.0.1:0", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        for track, title in enumerate(KID_A, 1):
            lavfi(f"{cls.home.music}/Kid A/{track}.flac", f"sine=frequency={220 * track}:duration=60",
                  *metadata(title=title, artist="Radiohead", album="Kid A", date=2000, genre="Electronica", track=f"{track}/3"))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("scan", "--wait")
        wait("the album", lambda: len(cls.rows("search", "kid", "--kind", "album")) == 1)

    @classmethod
    def rows(cls, *words):
        return json.loads(cls.home.baton(*words, "--json"))["rows"]

    def setUp(self):
        self.baton("queue", "clear")
        self.baton("mode", "once", "speed", "1")
        self.baton("volume", "30")

    def run_baton(self, *words):
        return self.home.run(f"{binaries()}/baton", *words)

    def baton(self, *words):
        ended = self.run_baton(*words)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def refused(self, *words, code=1):
        ended = self.run_baton(*words)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stderr

    def queue(self):
        return [row["title"] for row in self.rows("queue")]

    # MARK: What a start and sentences say

    def test_quiet_start(self):
        """A start says where the hub is, and complains of nothing: no remote waits for it yet."""
        hub = Hub(self.home, "--audio", "null", "--data", f"{self.home.folder}/other", "--socket", f"{self.home.folder}/run/other.sock")
        self.addCleanup(hub.kill)
        self.assertEqual((hub.stop(), Hub.text(hub.log).replace("notice: Stopping.\n", "")), (0, ""))

    def test_shelves_by_their_names(self):
        """A sentence about a shelf has the word that a person types, and not a URI."""
        for words, said in ((("browse", "albums", "Nowhere"), "See: baton browse albums"), (("browse", "lib:shelf/nowhere"), "no shelf “nowhere”")):
            sentence = self.refused(*words)
            self.assertIn(said, sentence)
            self.assertNotIn("lib:shelf/a", sentence)

    # MARK: Words of other programs

    def test_aliases(self):
        """Words that people know from other programs do the same here."""
        self.assertEqual(self.baton("vol", "50%"), "volume 50 %\n")
        self.assertEqual(self.baton("volume", "+5%"), "volume 55 %\n")
        self.assertIn("shuffle on", self.baton("shuffle", "on", "--json").replace('"shuffle":true', "shuffle on"))
        self.assertIn("once", self.baton("random", "off"))
        self.assertIn("repeat-one", self.baton("repeat", "one"))
        self.assertIn("once", self.baton("repeat"))
        self.baton("add", "lib:shelf/tracks")
        self.assertEqual(len(self.queue()), 3)
        self.baton("clear")
        self.assertEqual(self.queue(), [])
        self.assertIn("Albums", self.baton("ls"))
        self.assertIn("Did you mean volume?", self.refused("volumme", code=2))
        self.assertIn("Did you mean remove?", self.refused("queue", "remvoe", code=2))
        self.assertIn("Also: vol is volume", self.baton("help", "vol"))

    def test_queue_edits(self):
        """Ranges of places, places by words, and all but what plays."""
        self.baton("play", "lib:shelf/tracks")
        titles = self.queue()
        self.baton("queue", "move", "3", "top")
        self.assertEqual(self.queue(), [titles[2], *titles[:2]])
        self.baton("queue", "move", "1", "end")
        self.assertEqual(self.queue(), titles)
        self.baton("queue", "move", "3", "next")
        self.assertEqual(self.queue(), [titles[0], titles[2], titles[1]])
        self.baton("crop")
        self.assertEqual(self.queue(), titles[:1])
        self.baton("playlist", "create", "Sunday", "lib:shelf/tracks")
        self.addCleanup(self.baton, "playlist", "delete", "Sunday", "--yes")
        self.baton("load", "Sunday")
        self.assertEqual(len(self.queue()), 4)
        self.baton("remove", "2-4")
        self.assertEqual(self.queue(), titles[:1])
        self.assertIn("no entry 2-3", self.refused("remove", "2-3"))
        self.assertIn("no place in a queue", self.refused("queue", "move", "1", "upward", code=2))

    def test_rows_by_their_numbers(self):
        """The rows of the last listing are numbers, whatever made the listing."""
        listed = self.baton("search", "kid", "--kind", "track").splitlines()
        titles = [line.split("\t")[1] for line in listed]
        self.baton("queue", "add", "2", "1-2")
        self.assertEqual(self.queue(), [titles[1], *titles[:2]])
        self.assertIn("no number 99", self.refused("play", "99"))
        self.baton("fav", "on", "1")
        self.assertEqual([row["title"] for row in self.rows("browse", "favourites")], titles[:1])
        # The queue is the last listing now, and its numbers are its entries.
        self.baton("queue")
        self.baton("play", "3")
        self.home.reaches("the third", lambda status: status["queue"]["idx"] == 2)
        self.assertEqual(len(self.queue()), 3, "The queue stays as it is.")
        self.baton("fav", "off")

    def test_play_words(self):
        """Words are searched for, an album plays whole, and a name can be used where an item is asked for."""
        ended = self.run_baton("play", "kid", "a")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(sorted(self.queue()), sorted(KID_A))
        self.assertIn("the album", ended.stderr)
        self.baton("add", "national anthem")
        self.assertEqual(self.queue()[3:], ["The National Anthem"])
        self.assertIn("nothing is called so", self.refused("play", "zzzz"))

    def test_dead_address(self):
        """What cannot be heard is an error of the command, once it is known."""
        ended = self.run_baton("play", "http://127.0.0.1:1/x.mp3")
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("127.0.0.1:1 does not accept connections", ended.stderr)

    # MARK: Forms

    def test_formats(self):
        """A form is filled for each item, and refused where there is none."""
        self.assertEqual(self.baton("browse", "albums", "Kid A", "--format", r"%track% {title}\t%artist%").splitlines(),
                         [f"{n} {title}\tRadiohead" for n, title in enumerate(KID_A, 1)])
        self.assertIn("Kid A 1:00 playing", self.baton("play", "lib:shelf/tracks", "--format", "{album} {duration} {state}"))
        self.assertEqual(self.baton("queue", "--format", "{number} %album%").splitlines()[0], "1 Kid A")
        self.assertRegex(self.baton("status", "--format", "{elapsed}"), r"^\d:\d\d\n$")
        self.assertIn("no field {colour}", self.refused("queue", "--format", "{colour}", code=2))
        self.assertIn("prints no items", self.refused("devices", "--format", "{title}", code=2))

    def test_status(self):
        """Status shows how the room plays, and what its person thinks of what plays."""
        self.baton("play", "lib:shelf/tracks")
        self.baton("mode", "repeat-all", "speed", "1.25")
        self.baton("fav")
        self.baton("rate", "4")
        shown = self.baton("status")
        for part in ("repeat-all", "speed 1.25", "♥", "★★★★"):
            self.assertIn(part, shown)
        self.baton("fav", "off")
        self.baton("rate", "0")
        self.assertEqual(self.baton("current").strip(), f"Radiohead – {self.home.status()['now']['title']}")

    def test_json(self):
        """What verbs print with --json is as their schemas say."""
        import jsonschema
        base = "http://baton.invalid/"
        schemas, store = f"{built.folder()}/schema/v1", {}
        for folder, _, names in os.walk(schemas):
            for name in names:
                path = os.path.relpath(f"{folder}/{name}", schemas)
                with open(f"{folder}/{name}", encoding="utf-8") as file:
                    store[base + path] = {"$id": base + path, **json.load(file)}
        whole = json.loads(self.baton("schema"))
        store[base + "baton.json"] = whole
        self.baton("play", "lib:shelf/tracks")
        self.baton("playlist", "create", "Sunday", "lib:shelf/tracks")
        self.addCleanup(self.run_baton, "playlist", "delete", "Sunday", "--yes")
        seen = set()
        for line in (
                "status", "current", "pause", "play", "next", "prev", "toggle", "seek 3", "skip", "volume 31", "mute", "mute off", "mode once",
                "single once", "consume off", "shuffle on", "repeat all", "stop", "chapters", "book", "sleep", "progress", "bookmark list", "queue", "queue history",
                "queue add lib:shelf/tracks", "queue shuffle", "queue undo", "rooms", "rooms outputs", "rooms create Attic", "people",
                "rooms delete --yes Attic", "search kid", "browse", "browse albums", "find Radiohead_-_Kid", "playlist",
                "playlist show Sunday", "playlist rename Sunday Sunday", "playlist play Sunday", "fav", "fav off", "rate 3", "lyrics", "history", "library",
                "scan", "podcast", "radio", "radio record list", "source", "keep", "keep list", "prompts", "presets", "presets save x y",
                "presets remove x --yes", "endless", "clips", "jobs", "worker", "devices", "pair --open", "me", "user", "user add ann", "user role ann guest",
                "user sessions ann", "user remove ann --yes", "discover", "doctor", "ping 1", "web", "log", "hub resume",
                "mpd", "mpd off", "mpd on", "mpd password list", "backup SAVED"):
            words = [f"{self.home.folder}/saved" if word == "SAVED" else word.replace("_", " ") for word in line.split()]
            given = "password-of-ann\n" if words[:2] == ["user", "add"] else ""
            if words[0] == "pair":  # It waits for the device; its answer comes first.
                ended = subprocess.run(["timeout", "2", f"{binaries()}/baton", *words, "--json"], env=self.home.environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
            else:
                ended = subprocess.run([f"{binaries()}/baton", *words, "--json"], env=self.home.environment, input=given, capture_output=True, text=True, check=False)
            self.assertNotEqual(ended.stdout, "", f"{line}: {ended.stderr}")
            forms = whole["verbs"][words[0]]
            reference = forms.get(words[1] if len(words) > 1 else "", forms.get(""))["$ref"]
            if words == ["pair", "--open"]:
                reference = "hub/data/pair.open.json"
            resolver = jsonschema.RefResolver(base + "baton.json", whole, store=store)
            judge = jsonschema.Draft202012Validator({"$ref": base + ("baton.json" if reference.startswith("#") else "") + reference}, resolver=resolver)
            for answer in ended.stdout.splitlines():
                self.assertEqual([error.message for error in judge.iter_errors(json.loads(answer))], [], f"{line}: {answer[:300]}")
            seen.add(words[0])
        self.assertLess(set(whole["verbs"]) - seen, {
            "watch", "idle", "split", "vote", "join", "listen", "leave", "move", "mpris", "imagine", "compose", "steer", "vary", "again", "restore", "signin", "signup", "signout", "raw", "none"},
            "Each verb that needs nothing else is judged.")

    # MARK: Waiting and keys

    def test_idle(self):
        """It waits for a change of what it was asked about, and of nothing else."""
        waiting = self.home.start(f"{binaries()}/baton", "idle", "mixer", stdout=subprocess.PIPE, text=True)
        self.addCleanup(waiting.kill)
        wait("it is connected", lambda: len(json.loads(self.baton("rooms", "--json"))[0]["people"]) > 0)
        self.baton("shuffle", "on")
        self.assertIsNone(waiting.poll())
        self.baton("volume", "44")
        self.assertEqual(waiting.communicate(timeout=60)[0], "vol\n")
        self.assertIn("Did you mean mixer?", self.refused("idle", "mixr", code=2))

    def on_terminal(self, *words):
        """The program on a terminal of its own, and what it shows."""
        child, terminal = pty.fork()
        if child == 0:
            os.execve(f"{binaries()}/baton", ["baton", *words], {**self.home.environment, "TERM": "xterm", "COLUMNS": "80"})

        def end():
            try:
                if os.waitpid(child, os.WNOHANG) == (0, 0):
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
            except ChildProcessError:
                pass  # It has ended, and the test has seen that.
            os.close(terminal)
        self.addCleanup(end)
        shown = []

        def shows(part):
            def look():
                while select.select([terminal], [], [], 0)[0]:
                    try:
                        piece = os.read(terminal, 65536)
                    except OSError:
                        break
                    if not piece:
                        break
                    shown.append(piece.decode(errors="replace"))
                return part in "".join(shown)
            return wait(f"it shows {part!r}", look)
        return child, terminal, shows

    def test_watch_keys(self):
        """Keys act while the hub is watched, and q leaves."""
        self.baton("play", "lib:shelf/tracks")
        child, terminal, shows = self.on_terminal("watch")
        shows("playing")
        os.write(terminal, b" ")
        shows("paused")
        os.write(terminal, b"+")
        shows("volume 35 %")
        os.write(terminal, b"-")
        shows("volume 30 %")
        os.write(terminal, b"n")
        shows("2 of 3")
        os.write(terminal, b"p")
        shows("1 of 3")
        os.write(terminal, b"q")
        self.assertEqual(wait("it ends", lambda: [end for end in [os.waitpid(child, os.WNOHANG)] if end[0]])[0][1], 0)

    def test_watch_says_that_the_hub_does_not_answer(self):
        """A hub that stands still is named, although its connection stays open."""
        child, terminal, shows = self.on_terminal("watch")
        shows("volume")
        self.hub.process.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        try:
            shows("The hub does not answer.")
            took = time.monotonic() - stopped
        finally:
            self.hub.process.send_signal(signal.SIGCONT)
        shows("The hub answers again.")
        os.write(terminal, b"q")
        print(f"said within {took:.2f} s", file=sys.stderr)

    # MARK: Deletions, colours

    def test_deletions(self):
        """A deletion asks where a person types, and needs --yes elsewhere."""
        self.baton("rooms", "create", "Attic")
        self.assertIn("needs --yes", self.refused("rooms", "delete", "Attic", code=2))
        for answer, said in ((b"n\n", "Nothing was changed."), (b"y\n", "is gone")):
            _, terminal, shows = self.on_terminal("rooms", "delete", "Attic")
            shows("[y/N]")
            os.write(terminal, answer)
            shows(said)

    def test_colours(self):
        """Colours are for terminals, unless the person says otherwise."""
        self.assertNotIn("\x1b", self.baton("rooms"))
        self.assertIn("\x1b[1m", self.baton("rooms", "--color", "always"))
        self.assertIn("Write auto, always or never", self.refused("rooms", "--color", "red", code=2))

    def test_pairing_window(self):
        """An open window names the address at which the code is typed."""
        ended = subprocess.run(["timeout", "3", f"{binaries()}/baton", "pair", "--open"], env=self.home.environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        self.assertTrue(re.search(r"In a browser: https://[^ ]+:\d+/\n", ended.stdout), ended.stdout + ended.stderr)


if __name__ == "__main__":
    main("ffmpeg")
