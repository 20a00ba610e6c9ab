"""How many instructions the hub takes for a command, counted by callgrind and held to the figures in instructions.json.

Counted is what happens within `Session.linkReceived`: from the bytes of a frame to the written answer, and what is told to others in
the same step; and the rest of the round over the others, which the hub puts off where it takes more than a millisecond. That repeats
to a hundredth on any machine, fast or slow, where the libraries are the same; the figures say with which they were made, and elsewhere
nothing is compared."""
import contextlib, glob, json, os, platform, shutil, subprocess, tempfile, time

import callgrind
import paired
import runs
import targets as T
import trouble

FIGURES = os.path.join(runs.HERE, "instructions.json")
DEPLOY = os.path.normpath(os.path.join(runs.HERE, "../../deploy"))
# By the number of watchers, of whom some hear of play and pause before their time, four times a second: how many do within a command
# depends on the machine.
BARS = {0: 1.01, 100: 1.05}
WATCHERS = tuple(BARS)
RECEIVED = r"^\$s9Companion7SessionC.*12linkReceived4text"
ROUND = r"^\$s9Companion11SubscribersC9goOnLater"
# A round over all watchers ends in it, also under callgrind.
ROUND_S = .005
# What a hub does in the background after its start is over by then, and so is what the room does when music begins.
REST_S = 12
# Packages whose code runs within a command.
PACKAGES = ("libc6", "libmpv2", "libsqlite3-0", "libwebsockets17", "valgrind")
# How many commands are sent before it is counted, and how many are.
WARM, COUNTED = 200, 500
TREE_ROWS = 60


class NotPossible(Exception):
    """Nothing can be counted or compared here. Its text says why."""


# ---------------------------------------------------------------- what the figures depend on
def made_with():
    """-> {what: its version}, for all that decides how many instructions there are beside our own sources"""
    said = subprocess.run(
        ["bash", "-c", f"source {DEPLOY}/toolchain && find_swift && swift --version 2>/dev/null"], stdout=subprocess.PIPE, text=True, check=False)
    compiler = next((line.strip() for line in said.stdout.splitlines() if "Swift version" in line), None)
    if not compiler:
        raise NotPossible("there is no Swift toolchain that could have built the hub.")
    versions = {"compiler": compiler}
    for package in PACKAGES:
        found = subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
        status, _, version = found.stdout.partition(" ")
        versions[package] = version if status == "installed" else "not installed"
    # libc copies and compares by other instructions where the processor has them.
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        has_wide = " avx2 " in file.read()
    return {**versions, "processor": f"{platform.machine()} {'with' if has_wide else 'without'} AVX2"}


def possible():
    """Raises `NotPossible` where commands cannot be counted."""
    for tool in ("valgrind", "callgrind_control", "setarch"):
        if not shutil.which(tool, path="/usr/bin:/bin"):
            raise NotPossible(f"there is no {tool}.")
    if subprocess.run(["/usr/bin/setarch", "-R", "/bin/true"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise NotPossible("this machine gives no process the same addresses twice (setarch -R is refused).")
    if not os.access(os.path.join(T.BATON_BIN, "batond"), os.X_OK):
        raise NotPossible(f"there is no shipped batond in {T.BATON_BIN}: build it by deploy/bench, or name its folder in BATON_BIN.")


def comparable(recorded, here):
    """Raises `NotPossible` where the figures were made with something else."""
    others = [f"{what} is \"{here.get(what)}\" here and was \"{version}\"" for what, version in recorded.items() if here.get(what) != version]
    if others:
        raise NotPossible(f"the figures of {os.path.basename(FIGURES)} were made with something else: {'; '.join(others)}.")


def load():
    with open(FIGURES, encoding="utf-8") as file:
        return json.load(file)


# ---------------------------------------------------------------- counting
def commands(target):
    """-> {name: the variants that are sent in turn, each with the needle of its answer}"""
    variants = lambda rows: [(row["cmd"], row["ack"]) for row in rows]
    return {"vol.set": variants(target["kinds"]["volume"]), "pause": variants(target["kinds"]["toggle"]),
            "queue.get": [tuple(target["ask"])], "next": variants(target["next"])}


def traced(target, out):
    """The same hub under callgrind, which counts nothing yet. Each run has the same addresses and the same order in its sets."""
    valgrind = ["/usr/bin/setarch", "-R", "/usr/bin/valgrind", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes", f"--callgrind-out-file={out}"]
    return {**target, "argv": {"server": valgrind + target["argv"]["server"]}, "env": {**target["env"], "SWIFT_DETERMINISTIC_HASHING": "1"}}


class Counter(paired.Side):
    """A hub under callgrind, with its controller and its watchers."""
    def __init__(self, stack, target, watchers, out):
        super().__init__(stack, traced(target, out), watchers)
        self.out = out

    def watcher(self, number):
        """Its states are two minutes apart, so that none falls into a command: how many did would depend on the machine."""
        chan = super().watcher(number)
        chan.script([("send", '{"t":"sub","id":1,"rooms":["main"],"pace":[120000,120000]}'), ("wait", '"id":1,"ok":1')])
        return chan

    def control_callgrind(self, *words):
        subprocess.run(["/usr/bin/callgrind_control", *words, str(self.pid)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def send(self, variants, count):
        for n in range(count):
            self.number += 1
            command, needle = (text.replace("{id}", str(self.number)) for text in variants[n % len(variants)])
            self.control.send(command)
            self.control.wait(needle)
            if self.watchers:
                time.sleep(ROUND_S)
            if n % 20 == 19:
                self.drain()

    def profile(self, variants):
        """-> the profile of `COUNTED` commands"""
        self.send(variants, WARM)
        self.control_callgrind("-i", "on")
        self.send(variants, COUNTED)
        self.control_callgrind("-i", "off")
        before = set(glob.glob(f"{self.out}.*"))
        self.control_callgrind("-d")
        return callgrind.Profile(sorted(set(glob.glob(f"{self.out}.*")) - before))


def profiles(target, watchers, names=None):
    """-> {name: its profile}, of one hub, which gets the commands one kind after the other"""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-bench-"))
        hub, found = Counter(stack, target, watchers, os.path.join(folder, "callgrind")), {}
        time.sleep(REST_S)
        for name, variants in commands(target).items():
            if name == "next":
                # By a connection of the same client, which takes the place of the controller's.
                trouble.fill(hub.server, WARM + COUNTED + 1)
                hub.control = hub.server.chan()
            if not names or name in names:
                found[name] = hub.profile(variants)
        return found


def counts(target, watchers, names=None):
    """-> {name: instructions of one command}"""
    found = {name: round((profile.inclusive(RECEIVED) + profile.inclusive(ROUND)) / COUNTED) for name, profile in profiles(target, watchers, names).items()}
    silent = [name for name, count in found.items() if not count]
    if silent:
        raise RuntimeError(f"callgrind saw no call of Session.linkReceived for {', '.join(silent)}: was it renamed, or the program stripped?")
    return found


def counts_again(target, watchers, figures):
    """-> {name: instructions of one command}, of two hubs where the first is above a bar

    The lower figure counts. Where in memory a hub's own things lie depends on the order of its threads, and decides about a hundredth of
    `next`: whether an array finds room to grow, and what free pieces malloc has to join."""
    found = counts(target, watchers)
    if not complaints(figures, {watchers: found}):
        return found
    second = counts(target, watchers)
    return {name: min(count, second[name]) for name, count in found.items()}


# ---------------------------------------------------------------- the bars
def complaints(recorded, found):
    """-> a sentence for each figure that is more above the recorded one than `BARS` allow, or that is not there"""
    said = []
    for watchers, row in found.items():
        for name, count in row.items():
            figure = recorded.get(str(watchers), {}).get(name)
            if figure is None:
                said.append(f"{name} with {watchers} watchers has no figure in {os.path.basename(FIGURES)}: deploy/bench instructions --record writes it.")
            elif count > figure * BARS[watchers]:
                said.append(f"{name} with {watchers} watchers takes {count:,} instructions, {count / figure - 1:.1%} more than the {figure:,} that are recorded. "
                            "If that must be, run deploy/bench instructions --record and say the reason in the same commit.")
    return said


def table(recorded, found):
    """Prints the table."""
    print("\n## Instructions of one command, within Session.linkReceived\n")
    print("| command | watchers | recorded | now | ratio | bar | |\n|---|---:|---:|---:|---:|---|---|")
    for watchers, row in found.items():
        for name, count in row.items():
            figure = recorded.get(str(watchers), {}).get(name)
            ratio = f"{count / figure:.4f}×" if figure else ""
            verdict = "not recorded" if not figure else "FAIL" if count > figure * BARS[watchers] else "pass, record it" if count * BARS[watchers] < figure else "pass"
            print(f"| {name} | {watchers} | {f'{figure:,}' if figure else ''} | {count:,} | {ratio} | at most {BARS[watchers]}× | {verdict} |")


def tree(profile):
    """Prints what costs most within a command."""
    found = profile.below(RECEIVED)
    rows = sorted(found.items(), key=lambda row: -row[1][0])[:TREE_ROWS]
    owns = sorted(found.items(), key=lambda row: -row[1][1])[:TREE_ROWS]
    words = callgrind.demangled([name for name, _ in (*rows, *owns)])
    for title, part, chosen in (("with what it calls", 0, rows), ("its own", 1, owns)):
        print(f"\n| instructions of one command, {title} | function |\n|---:|---|")
        for name, costs in chosen:
            print(f"| {costs[part] / COUNTED:,.0f} | {words[name][:160]} |")


def run(target, watchers=WATCHERS, is_recorded=False, has_tree=False):
    """Counts, and prints the table or writes the figures; -> whether every bar holds"""
    try:
        possible()
        here, old = made_with(), load() if os.path.exists(FIGURES) else {"madeWith": {}, "figures": {}}
        if not is_recorded and not has_tree:
            comparable(old["madeWith"], here)
    except NotPossible as reason:
        print(f"Nothing is counted: {reason}")
        return False
    if has_tree:
        for count in watchers:
            for name, profile in profiles(target, count).items():
                print(f"\n## {name}, {count} watchers")
                tree(profile)
        return True
    found = {count: counts(target, count) if is_recorded else counts_again(target, count, old["figures"]) for count in watchers}
    table(old["figures"], found)
    if not is_recorded:
        faults = complaints(old["figures"], found)
        print("\n" + ("\n".join(faults) or "Every bar holds."))
        return not faults
    # Figures that were made with something else cannot stand beside new ones.
    kept = old["figures"] if old["madeWith"] == here else {}
    figures = {**kept, **{str(count): row for count, row in found.items()}}
    with open(FIGURES, "w", encoding="utf-8") as file:
        json.dump({"madeWith": here, "figures": dict(sorted(figures.items(), key=lambda row: int(row[0])))}, file, indent=2)
        file.write("\n")
    print(f"\n{FIGURES} is written. Commit it, and say in the commit why a figure rose.")
    return True
