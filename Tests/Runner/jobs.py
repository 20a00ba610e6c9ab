"""The jobs of a run: each folder of Swift tests, as the tables here say, and each suite, as its head says (heads.py)."""

import dataclasses
import glob
import os

import heads
import targets
from heads import HeadFault

# Suites with a browser. A browser that gives way to busy jobs answers too late for those who press.
PAGES = ("Tests/EndToEndTests/Page", "Tests/EndToEndTests/PageLibrary")
# Folders of Swift tests that mostly wait.
WAITING = ("DiscoveryTests", "DiskTests", "PlayerTests")
# Folders in which each test starts servers of its own, so that beside all others these would be late: their tests run one at a time.
SERIAL = ("HTTPClientTests",)
# Folders of Swift tests with virtual time or pure values: neither sockets nor programs nor a clock decide there, so a failure is one.
DETERMINISTIC = (
    "ArchitectureTests", "BackupsTests", "BatonComposerTests", "BatonCoreTests", "BatonHubTests", "BatonProtocolTests", "BatonReadingTests",
    "ConfigurationTests", "GenerationTests", "LibraryStoreTests", "MPDTests", "MediaFormatTests", "MetricsTests", "MusicRoomTests",
    "PodcastsTests", "ProtocolWriterTests", "RecordingsTests", "SQLiteTests", "StoreFormatTests", "StoresTests", "SynthesisTests", "TerminalsTests")
# Further folders of tier 1, which take few seconds. All others are of tier 2.
QUICK = (
    "BatonClientTests", "DesktopBusTests", "DiskTests", "EventLoopTests", "LineServerTests", "MPRISTests", "MusicRoomServerTests",
    "OutgoingWebSocketsTests", "ProcessesTests",
    "ThreadsTests", "TrackCacheTests", "WebAddressesTests", "WebClientTests", "WebRemoteTests")
# Folders of tier 2 with tests that are of tier 1, each the beginning of its name behind that of the folder.
FIRST = {"EndToEndTests": (
    "EndToEnd/TwoHostsTests/`a satellite finds the hub on another machine", "EndToEnd/TwoHostsTests/`other people's software sees the hub")}
# A folder judges itself and the targets that it depends on (targets.py). This one holds suites, too, and drives the shipped programs.
OWN = {"EndToEndTests": ("Tests/EndToEndTests/RealHubs", "Tests/EndToEndTests/Support/two-hosts.sh")}
JUDGES = {"EndToEndTests": ("Sources/Programs/baton", "Sources/Programs/batond", "Sources/Kernel/BatonKernel/Door", "Sources/Platform/Discovery")}


@dataclasses.dataclass(frozen=True)
class Job:
    """A folder of Swift tests (without a path), or a suite: a program that drives the shipped binaries."""

    name: str
    path: str = ""
    lane: str = "busy"
    # 1 is run always, 2 when it is due or in turn. Fuzzing, and tests that a person chose, have none.
    tier: int | None = None
    is_slow: bool = False
    may_repeat: bool = True
    # Programs in other languages than Swift and Python say no more than their code.
    counts_tests: bool = True
    # The tests of a Swift job, as a regular expression.
    matching: str = ""
    is_serial: bool = False
    # The tests that are of tier 1 although the job is of tier 2, and whether only those are run.
    first: tuple = ()
    is_limited: bool = False
    # Files and folders of the tests, other than the path and what it imports, and of what they judge.
    own: tuple = ()
    judges: tuple = ()
    # Seconds; otherwise that of the run.
    patience: int | None = None


def suite(path):
    if not path.endswith(".py") and not os.access(path, os.X_OK):
        raise HeadFault(f"{path} cannot be run: chmod +x it.")
    with open(path, encoding="utf-8") as file:
        head = heads.read(path, file.readlines())
    lane = "waits" if head.lane == "busy" and os.path.dirname(path) in PAGES else head.lane
    return Job(
        os.path.basename(path), path, lane, head.tier, head.is_slow, may_repeat=not head.is_once, counts_tests=path.endswith(".py"),
        first=head.first, judges=head.judges)


def swift(name, known):
    judges = {*targets.judged(name, known), *JUDGES.get(name, ())}
    if not judges:
        raise HeadFault(f"Tests/{name} judges no file: name it as a test target in {targets.PATH}, with what it depends on.")
    own = (*glob.glob(f"Tests/{name}/*.swift"), *OWN[name]) if name in OWN else (f"Tests/{name}",)
    return Job(
        name, lane="waits" if name in WAITING else "busy", tier=1 if name in (*DETERMINISTIC, *QUICK) else 2,
        may_repeat=name not in DETERMINISTIC, matching=f"^{name}\\.", is_serial=name in SERIAL, first=FIRST.get(name, ()), own=own,
        judges=tuple(sorted(judges)))


def paths_of_suites():
    found = [path for path in ("Tests/Bench/instruction_counts.py", "Tests/Bench/selftest", "Tests/Runner/runner_tests.py") if os.path.exists(path)]
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
    known, jobs, faults = targets.read(), [], []
    for make, every in ((lambda name: swift(name, known), map(os.path.basename, folders)), (suite, paths_of_suites())):
        for one in every:
            try:
                jobs.append(make(one))
            except HeadFault as fault:
                faults.append(str(fault))
    if fuzzes:
        jobs.append(Job("fuzz", "Tests/Fuzz/run", lane="alone", may_repeat=False, counts_tests=False, patience=24 * 3600))
    names = [job.name for job in jobs]
    for name in sorted({name for name in names if names.count(name) > 1}):
        faults.append(f"Two suites are called {name}. A job is known by its name, so rename one of them.")
    return jobs, faults
