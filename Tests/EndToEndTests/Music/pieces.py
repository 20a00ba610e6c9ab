# deploy/test: tier 2, judges Sources/Features/Making/BatonMaking Sources/Platform/Stores/JobStore Sources/Platform/Stores/TrackCache.
"""The store of generated sound on a real disk: what stays, what gives way, what comes back, and what a full disk does to a piece."""

import hashlib
import json
import os
import subprocess
import unittest

from Support.hubs import Home, Hub, binaries, main, wait
from Support.suite import possible_if

# A second of noise, which no codec makes smaller.
NOISE = """#!/usr/bin/python3
import json, os, sys, wave
sys.stdin.readline()
with wave.open("sound.wav", "wb") as file:
    file.setnchannels(1); file.setsampwidth(2); file.setframerate(8000); file.writeframes(os.urandom(16000))
print(json.dumps({"artifact": {"path": "sound.wav", "durationMs": 1000}}))
"""
MARKED = ("kept", "starred", "rated", "listed", "queued")


class Pieces(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.data = f"{self.home.folder}/state/baton"
        program = f"{self.home.folder}/noise.py"
        with open(program, "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(NOISE)
        self.worker = f"[worker noise]\nprogram = {program}\nsandbox = off\n"

    def begin(self, settings=""):
        config = f"{self.home.folder}/batond.conf"
        with open(config, "w") as file:
            file.write(settings + self.worker)
        self.hub = Hub(self.home, "--audio", "null", "--config", config)
        self.addCleanup(self.hub.kill)

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def imagine(self, prompt, *words):
        """The item of a piece of the worker, once it is stored."""
        self.home.baton("imagine", prompt, "--worker", "noise", *(words or ["--no-queue"]))
        uri = self.jobs()[0]["uri"]
        wait("it is stored", lambda: self.has(uri))
        return uri

    def compose(self, *words):
        self.home.baton("compose", "rain /duration 10 /seed 4", *words)
        job = self.jobs()[0]
        wait("it is ready", lambda: self.job(job["uri"])["st"] == "ready")
        return job["uri"]

    def job(self, uri):
        return next(job for job in self.jobs() if job["uri"] == uri)

    def path(self, uri):
        return f"{self.data}/generated/{uri.split(':')[1]}"

    def has(self, uri):
        return os.path.exists(f"{self.path(uri)}/sound.flac")

    def digest(self, uri):
        with open(f"{self.path(uri)}/sound.flac", "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def refused(self, *words):
        said = self.home.run(f"{binaries()}/baton", *words)
        self.assertNotEqual(said.returncode, 0)
        return said.stderr

    @unittest.skipUnless(os.path.exists("/usr/share/sounds/sf2"), "there is no sound font here")
    def test_room(self):
        """Sound that is not kept, starred, rated, listed or queued gives way; built-in pieces come back, for others there is a sentence."""
        self.begin()
        marked = {name: self.imagine(name, *(["--add"] if name == "queued" else [])) for name in MARKED}
        self.home.baton("keep", marked["kept"])
        self.home.baton("fav", marked["starred"])
        self.home.baton("rate", "3", marked["rated"])
        self.home.baton("playlist", "create", "Sunday")
        self.home.baton("playlist", "add", "Sunday", marked["listed"])
        plain, lost, composed = self.imagine("plain"), self.imagine("lost"), self.compose("--no-queue")
        first = self.digest(composed)
        self.hub.stop()
        self.begin("gen_store = 1K\n")
        self.assertIn("generation", self.home.baton("keep", "list"))
        self.compose("--no-queue")
        wait("what is not marked gives way", lambda: not any(map(self.has, (plain, lost, composed))))
        self.assertEqual({name: self.has(uri) for name, uri in marked.items()}, dict.fromkeys(MARKED, True))
        self.assertLessEqual({"score.mid", "metadata.json"}, set(os.listdir(self.path(composed))))

        self.home.baton("play", composed)
        self.home.reaches("it plays again", lambda status: (status.get("tl") or {}).get("st") == "playing")
        self.assertEqual(self.digest(composed), first)
        self.assertIn("removed to make room", self.refused("keep", plain))
        self.home.baton("queue", "add", plain)
        number = [job["uri"] for job in self.jobs()].index(plain) + 1
        self.home.baton("jobs", "retry", str(number))
        wait("it is made anew", lambda: self.has(plain))
        self.home.baton("keep", "drop", "1")
        wait("what is let go gives way", lambda: not self.has(marked["kept"]))

    @possible_if(os.geteuid() == 0, "only root can mount a small disk")
    @unittest.skipUnless(os.path.exists("/usr/share/sounds/sf2"), "there is no sound font here")
    def test_full(self):
        """A piece for which the disk has no room waits with a sentence, leaves nothing half done, and is made when there is room."""
        os.makedirs(f"{self.data}/generated", 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k,mode=700", "baton-test", f"{self.data}/generated"], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", f"{self.data}/generated"], check=True)
        self.begin()
        self.home.baton("compose", "rain /duration 10 /seed 4", "--add")
        wait("it waits", lambda: self.jobs()[0]["st"] == "offline")
        job = self.jobs()[0]
        self.assertIn("full", job["msg"])
        self.assertFalse(self.has(job["uri"]))
        subprocess.run(["mount", "-o", "remount,size=64m", f"{self.data}/generated"], check=True)
        self.home.baton("jobs", "retry", "1")
        wait("it is made", lambda: self.jobs()[0]["st"] == "ready")
        self.assertEqual([name for name in os.listdir(self.path(job["uri"])) if name.startswith(".")], [])
        self.assertEqual(len(self.jobs()), 1)

    def test_no_font(self):
        """Where there is no sound font, the state of the composer says which package to install, and so does the piece."""
        self.home.environment["BATON_COMPOSER"] = self.hidden()
        self.begin()
        row = next(row for row in json.loads(self.home.baton("worker", "--json"))["workers"] if row["name"] == "composer")
        self.assertEqual(row["st"], "down")
        self.assertIn("apt-get install timgm6mb-soundfont", row["msg"])
        self.home.baton("compose", "rain /duration 10", "--no-queue")
        wait("it failed", lambda: self.jobs()[0]["st"] == "failed")
        self.assertIn("apt-get install timgm6mb-soundfont", self.jobs()[0]["msg"])

    def hidden(self):
        """The composer in a place where no fonts are."""
        path = f"{self.home.folder}/composer"
        with open(path, "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(f'#!/bin/sh\nexec unshare -rm sh -c \'mount -t tmpfs none /usr/share/sounds && exec "$0" "$@"\' {binaries()}/baton-composer "$@"\n')
        return path


if __name__ == "__main__":
    main("mount", "unshare")
