# deploy/test: tier 2, judges Sources/Features/Servers/BatonServers/SourceAccounts+Uploads.swift Sources/Dialects/Companion/HTTP.
# deploy/test: judges Sources/Platform/SocketServer/WebServer Tests/Contract/chadmusic.py.
# deploy/test: alone, for the memory of the hub is measured.
"""Files that people give to a server: through the hub and the satellite, whole or refused or broken off, without being held.

The Chad Music server is ours (Tests/Contract/chadmusic.py).
"""

import hashlib
import http.client
import json
import os
import subprocess

from chadmusic import Library, Running
from Support.hubs import HubCase, binaries, main, wait
from Support.rawpeer import reach

KEY = "chad-key-of-the-suite"
MIB = 1 << 20


class Uploads(HubCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.secret("key", KEY)
        cls.chad = Running(Library.small(1))
        cls.chad.state.behaviour.key = KEY
        cls.chad.start()
        cls.addClassCleanup(cls.chad.stop)
        cls.home.baton("source", "add", "loft", "chadmusic", cls.chad.url, "--title", "Loft", "--api-key-file", f"{cls.home.folder}/key")

    def setUp(self):
        self.how, self.taken = self.chad.state.behaviour, self.chad.state.uploads
        self.how.most, self.how.room, self.how.pause = str(1 << 40), "", "0"
        self.taken.clear()
        self.chad.state.begun = 0

    def file(self, name, size, hole=False):
        path = f"{self.home.folder}/{name}"
        with open(path, "wb") as file:
            file.write(b"fLaC" if hole else os.urandom(size))
            file.truncate(size)
        self.addCleanup(os.remove, path)
        return path

    def upload(self, *paths, options=()):
        return self.home.run(f"{binaries()}/baton", *options, "source", "upload", "loft", *paths)

    def begin(self, path):
        """An upload that goes on beside the test, after the server has some of it."""
        self.how.pause = "0.02"
        going = subprocess.Popen(
            [f"{binaries()}/baton", "source", "upload", "loft", path], env=self.home.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(going.wait)
        self.addCleanup(going.kill)
        wait("some of it has come", lambda: self.chad.state.begun > 100_000)
        return going

    # ---- What arrives

    def test_files(self):
        """Several files arrive as they are, and one that the server has already is named and stops no other."""
        paths = [self.file("07 Fj\u00f6rd.flac", 3 * MIB + 1), self.file("empty.mp3", 0), self.file("x.ogg", 70_000)]
        said = self.upload(*paths)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("\u201cLoft\u201d has taken \u201c07 Fj\u00f6rd.flac\u201d: 1 track, 2 albums.", said.stdout)
        for path in paths:
            with open(path, "rb") as file:
                self.assertEqual(self.taken[os.path.basename(path)]["sha256"], hashlib.sha256(file.read()).hexdigest())
        more = self.file("new.flac", 1000)
        again = self.upload(paths[0], more)
        self.assertEqual(again.returncode, 1, again.stdout)
        self.assertIn("already has \u201c07 Fj\u00f6rd.flac\u201d", again.stderr)
        self.assertIn("1 of 2 files were taken.", again.stderr)
        self.assertIn("new.flac", self.taken)

        def rows():
            return [json.loads(line) for line in self.upload(more, options=["--json"]).stdout.splitlines()]
        # The hub may still be at the files before.
        row, = wait("its line", rows)
        self.assertEqual((row["file"], row["status"]), (more, 409))

    def test_memory(self):
        """The hub holds a few pieces of a large file, however fast it comes."""
        self.how.pause = "0.0005"
        before = self.peak()
        said = self.upload(self.file("large.flac", 192 * MIB, hole=True))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(self.taken["large.flac"]["bytes"], 192 * MIB)
        self.assertLess(self.peak() - before, 24 * MIB)

    def peak(self):
        with open(f"/proc/{self.hub.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) * 1024

    # ---- What is refused

    def test_refused(self):
        """What the server or the hub does not take is said in a sentence, before the file goes where that is known."""
        self.how.most = "1000000"
        for name, size, words in [("big.flac", 2 * MIB, "too large for \u201cLoft\u201d"), ("x.txt", 5, "not end as that of a file of music"), ("x.wav", 5, "does not take \u201cx.wav\u201d")]:
            path = self.file(name, size)

            def answer():
                said = self.upload(path)
                return words in said.stderr and said
            # The hub may still be at the files of the test before.
            said = wait(words, answer)
            self.assertEqual(said.returncode, 1, said.stderr)
        self.assertEqual(self.chad.state.begun, 0)
        self.how.most, self.how.room = str(1 << 40), "1000000"
        self.assertIn("has no room left for \u201cfull.flac\u201d: The disk is full.", self.upload(self.file("full.flac", 8 * MIB)).stderr)
        missing = self.upload(f"{self.home.folder}/nothing.flac")
        self.assertIn("cannot be read: No such file", missing.stderr)
        other = self.home.run(f"{binaries()}/baton", "source", "upload", "cellar", self.file("y.flac", 5))
        self.assertIn("There is no account called \u201ccellar\u201d.", other.stderr)
        self.assertEqual(self.taken, {})

    def test_strangers(self):
        """A program that is no admin gives nothing, and no more of its file is read."""
        client = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=60)
        client.putrequest("PUT", "/upload/loft?file=a.flac")
        client.putheader("Content-Length", str(1 << 30))
        client.putheader("Expect", "100-continue")
        client.endheaders()
        answer = client.getresponse()
        self.assertEqual((answer.status, answer.read()), (403, b"Only an admin may give files to a server.\n"))
        self.assertEqual((self.taken, self.chad.state.begun), ({}, 0))

    def test_two_readings(self):
        """BT-HTTP-014: a file whose end could be read in two ways is refused, and what stands behind it is no request."""
        behind = b"GET /baton/state HTTP/1.1\r\nHost: hub\r\n\r\n"
        chunked, end = b"Transfer-Encoding: chunked\r\n", b"\r\n0\r\n\r\n"
        for rest in (
            chunked + b"Content-Length: 5" + b"\r\n" + end, b"Transfer-Encoding: chunked, identity\r\n" + end, b"Content-Length: 5\r\n" * 2 + b"\r\n" + b"fLaC0",
            chunked + b"\r\n4;name=value\r\nfLaC" + end, chunked + b"\r\n4\nfLaC" + end, chunked + b"\r\n4\r\nfLaC\r\n0\r\nHost: other\r\n\r\n",
        ):
            with reach(self.home.socket) as peer:
                peer.settimeout(60)
                peer.sendall(b"PUT /upload/loft?file=two.flac HTTP/1.1\r\nHost: hub\r\n" + rest + behind)
                answer = b"".join(iter(lambda peer=peer: peer.recv(65536), b""))
            self.assertTrue(answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1") == 1, (rest, answer))
        self.assertEqual(self.taken, {})

    # ---- What breaks off

    def test_server_goes(self):
        """A server that goes in the midst of a file is a sentence, and the next file arrives when it is back."""
        going = self.begin(self.file("a.flac", 64 * MIB, hole=True))
        self.chad.stop()
        said = going.communicate(timeout=60)
        self.assertEqual(going.returncode, 1, said)
        self.assertRegex(said[1], "(?s)baton: .+[.]")
        self.how.pause = "0"
        self.chad.start(self.chad.state.ports["port"])
        self.home.baton("source", "test", "loft")
        self.assertEqual(self.upload(self.file("b.flac", 5000)).returncode, 0)

    def test_person_goes(self):
        """A satellite that goes leaves nothing at the server, and its place is free again."""
        for name in ["a.flac", "b.flac", "c.flac"]:
            self.chad.state.begun = 0
            going = self.begin(self.file(name, 64 * MIB, hole=True))
            going.kill()
            going.wait()
        self.how.pause = "0"
        wait("there is a place", lambda: self.upload(self.file("d.flac", 5000)).returncode == 0)
        self.assertEqual(list(self.taken), ["d.flac"])


if __name__ == "__main__":
    main()
