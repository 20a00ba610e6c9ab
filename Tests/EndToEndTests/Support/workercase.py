"""What suites about workers over HTTP share."""

import hashlib
import json
import os
import unittest
import wave

from Support.hubs import Home, Hub, wait
from Support.workers import LosingProxy, Service


class WorkerCase(unittest.TestCase):
    """A hub with workers over HTTP, and what tests ask of both."""

    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.hub = None

    def service(self, *extensions, **more):
        service = Service(f"{self.home.folder}/worker", *extensions, **more)
        self.addCleanup(service.kill)
        return service.start()

    def begin(self, *sections):
        """A hub with these workers; later calls begin it again."""
        self.config = f"{self.home.folder}/batond.conf"
        if sections:
            with open(self.config, "w", encoding="utf-8") as file:
                file.write("\n".join(sections) + "\n")
        self.hub = Hub(self.home, "--audio", "null", "--config", self.config)
        self.addCleanup(self.hub.kill)

    def mapped(self, service, name="studio"):
        return f"[worker {name}]\nurl = {service.url}\nartifact_map = {service.root}:{service.root}"

    def imagine(self, *words, worker="studio"):
        self.home.baton("imagine", *words, "--worker", worker)

    def jobs(self):
        return json.loads(self.home.baton("jobs", "--json"))["jobs"]

    def job(self, sentence, condition, at=0, limit=60):
        last = []

        def found():
            last[:] = self.jobs()
            return len(last) > at and condition(last[at]) and last[at]
        try:
            return wait(sentence, found, limit)
        except AssertionError as late:
            raise AssertionError(f"{late} The jobs are: {last}") from None

    def ends(self, state, at=0, limit=60):
        return self.job(f"it is {state}", lambda job: job["st"] == state, at, limit)

    def session(self, sentence, clips, limit=60):
        """The session of clips that was begun last, once so many clips are in its loop."""
        last = []

        def found():
            last[:] = json.loads(self.home.baton("clips", "show", "--json"))["sessions"]
            return [clip.get("heard") for clip in last[0]["clips"]] == [1] * clips and last[0]
        try:
            return wait(sentence, found, limit)
        except AssertionError as late:
            raise AssertionError(f"{late} The session is: {last}") from None

    def folder(self, job):
        return f"{self.home.folder}/state/baton/generated/{job['job']}"

    def stored(self, job):
        """The path of the piece's FLAC file, once it has been stored."""
        path = f"{self.folder(job)}/sound.flac"
        wait("the sound is stored without loss", lambda: os.path.exists(path))
        return path

    def same_samples(self, flac, wav):
        """A FLAC file names the MD5 of its samples, in bytes 18 to 33 of the facts that follow its mark and their head of 4 bytes."""
        with open(flac, "rb") as file, wave.open(wav, "rb") as plain:
            head = file.read(42)
            return head[:4] == b"fLaC" and head[26:42] == hashlib.md5(plain.readframes(plain.getnframes())).digest()

    def prompts(self, service):
        return sorted(line.split(" ", 1)[1] for line in service.lines("submitted"))

    def workers(self):
        return {row["name"]: row for row in json.loads(self.home.baton("worker", "--json"))["workers"]}

    def lose(self, service, count, lanes=8):
        """Has so many pieces made, by several workers that are one service, of which each first answer is lost. What was asked for."""
        proxy = LosingProxy(service.url, count)
        self.addCleanup(proxy.close)
        names = [f"lane-{number}" for number in range(lanes)]
        self.begin(*(f"[worker {name}]\nurl = {proxy.url}\nartifact_map = {service.root}:{service.root}" for name in names))
        wanted = [f"short {number:03}" for number in range(count)]
        for first in range(0, count, 40):
            for number in range(first, min(first + 40, count)):
                self.imagine(wanted[number], "--no-queue", worker=names[number % lanes])
            last = min(first + 40, count)
            wait("all are made", lambda last=last: len(service.made()) >= last and all(job["st"] == "ready" for job in self.jobs()), 120)
        self.assertLess(proxy.left, 1)
        return wanted
