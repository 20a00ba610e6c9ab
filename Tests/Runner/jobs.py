"""The jobs of a run: each folder of Swift tests and each suite, with what the head of a suite says of it.

A suite says in a comment among its first six lines how it runs, and why:

    # deploy/test: waits, mostly for hubs to start again.
    # deploy/test: alone, slow, for the time from the installation to the first answer is measured.

Words for the lane are `waits`, `records`, `browser` and `alone` (see lanes.py); without one a suite is busy. `slow` leaves the whole
suite to BATON_SLOW=1. `once` says that a failure is never repeated, since chance has no part in it or must have none.
"""

import dataclasses
import glob
import os
import re

HEAD = re.compile(r"# deploy/test: (.*)")
HEAD_LINES = 6
LANE_WORDS = ("waits", "records", "browser", "alone")
WORDS = (*LANE_WORDS, "slow", "once")

# Folders of Swift tests that mostly wait.
WAITING = ("DiscoveryTests", "DiskTests", "PlayerTests")
# Folders of Swift tests with virtual time or pure values: neither sockets nor programs nor a clock decide there, so a failure is one.
# BatonHubTests joins them when its worlds wait for quiescence: until then threads of the machine take part in it.
DETERMINISTIC = (
    "ArchitectureTests", "BackupsTests", "BatonComposerTests", "BatonComposingTests", "BatonCoreTests", "BatonPairingTests",
    "BatonProtocolTests", "BatonReadingTests", "ConfigurationTests", "FeedFormatTests", "GenerationTests", "JobStoreTests", "KeptStoreTests",
    "LibraryStoreTests", "MetricsTests", "MusicRoomTests", "PictureFormatTests", "PlaylistsTests", "PodcastsTests", "QRCodeTests",
    "RecordingsTests", "SQLiteTests", "SourceStoreTests", "StateStoreTests", "StoreFormatTests", "SynthesisTests", "UserStoreTests")


@dataclasses.dataclass(frozen=True)
class Job:
    """A folder of Swift tests (without a path), or a suite: a program that drives the shipped binaries."""

    name: str
    path: str = ""
    lane: str = "busy"
    is_slow: bool = False
    may_repeat: bool = True
    # Programs in other languages than Swift and Python say no more than their code.
    counts_tests: bool = True
    # The tests of a Swift job, as a regular expression.
    matching: str = ""
    # Seconds; otherwise that of the run.
    patience: int | None = None

    @property
    def tier(self):
        return 2 if self.is_slow else 1


class HeadFault(Exception):
    """A head that cannot be read. Its text is a sentence."""


def words_of(path, lines):
    """The words in the head of a suite: those before the first part that is none."""
    for line in lines[:HEAD_LINES]:
        head = HEAD.match(line)
        if not head:
            continue
        words = []
        for part in head[1].rstrip(". \n").split(","):
            if part.strip() not in WORDS:
                break
            words.append(part.strip())
        if not words:
            raise HeadFault(f"{path} says \"{line.strip()}\", which begins with none of {', '.join(WORDS)}.")
        if len([word for word in words if word in LANE_WORDS]) > 1:
            raise HeadFault(f"{path} names more than one of {', '.join(LANE_WORDS)} in its head; a suite runs in one lane.")
        return words
    return []


def suite(path):
    if not os.access(path, os.X_OK):
        raise HeadFault(f"{path} cannot be run: chmod +x it.")
    with open(path, encoding="utf-8") as file:
        words = words_of(path, file.readlines())
    lane = next((word for word in words if word in LANE_WORDS), "busy")
    return Job(
        os.path.basename(path), path, lane=lane, is_slow="slow" in words, may_repeat="once" not in words, counts_tests=path.endswith(".py"))


def swift(name):
    return Job(name, lane="waits" if name in WAITING else "busy", may_repeat=name not in DETERMINISTIC, matching=f"^{name}\\.")


def paths_of_suites():
    found = [path for path in ("Tests/Bench/selftest", "Tests/Runner/runner_tests.py") if os.path.exists(path)]
    for folder in sorted(glob.glob("Tests/EndToEndTests/*/")):
        for place, folders, names in os.walk(folder.rstrip("/")):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            if os.path.basename(place) == "Support":
                folders.clear()
            else:
                found += [os.path.join(place, name) for name in sorted(names) if name.endswith((".py", ".sh"))]
    return found


def find(fuzzes=False):
    """All jobs below the current folder, and a sentence for each file that cannot be one."""
    folders = [folder.rstrip("/") for folder in sorted(glob.glob("Tests/*Tests/")) if glob.glob(f"{folder}**/*.swift", recursive=True)]
    jobs, faults = [swift(os.path.basename(folder)) for folder in folders], []
    for path in paths_of_suites():
        try:
            jobs.append(suite(path))
        except HeadFault as fault:
            faults.append(str(fault))
    if fuzzes:
        jobs.append(Job("fuzz", "Tests/Fuzz/run", lane="alone", may_repeat=False, counts_tests=False, patience=24 * 3600))
    names = [job.name for job in jobs]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.append(f"Two suites are called {name}. A job is known by its name, so rename one of them.")
    return jobs, faults
