# deploy/test: tier 2, judges deploy/debian deploy/package deploy/systemd Protocol/tools/archive.py Protocol/tools/release.py.
# deploy/test: alone, slow, for the time from the installation to the first answer is measured.
"""The Debian packages: built twice, judged by lintian, and installed in a bare Debian 12 in which systemd runs. There the hub plays into a
recording, is upgraded while it plays, runs as a dynamic user, gets sockets and secrets, and is removed and purged. With BATON_SLOW=1 only."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from Support.bootedtree import Tree, bare
from Support.fixtures import lavfi
from Support.hubs import IS_SLOW, NOT_POSSIBLE, ROOT, main, wait
from Support.suite import not_possible

RELEASE = f"{ROOT}/.build/release"
MIB = 1 << 20


def build(folder, *flags):
    ended = subprocess.run(
        [f"{ROOT}/deploy/package", "--bin", RELEASE, "--output", folder, *flags], capture_output=True, text=True, timeout=600, check=False)
    if ended.returncode != 0:
        raise AssertionError(f"deploy/package ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return {os.path.basename(path).split("_")[0]: path for path in glob.glob(f"{folder}/*.deb")}


class Packages(unittest.TestCase):
    """What the packages are, without installing them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="baton-", dir="/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.built = build(f"{cls.folder}/first")
        for name, path in cls.built.items():
            subprocess.run(["dpkg-deb", "-R", path, f"{cls.folder}/{name}"], check=True, timeout=120)

    def field(self, package, name):
        return subprocess.run(["dpkg-deb", "-f", self.built[package], name], capture_output=True, text=True, check=True).stdout.strip()

    def test_same_bytes(self):
        """Two builds of one commit in one place give the same bytes."""
        build(f"{self.folder}/second")
        sums = []
        for name in ("first", "second"):
            with open(f"{self.folder}/{name}/SHA256SUMS", encoding="ascii") as file:
                sums.append(file.read())
        self.assertEqual(re.findall(r"\./([a-z-]+)_", sums[0]), ["baton-hub", "baton-listen", "baton", "baton-protocol"])
        self.assertEqual(*sums)

    def test_protocol(self):
        """The archive of the protocol is there, with the judge in it; Remotes/unpacked.py runs what it holds."""
        [archive] = glob.glob(f"{self.folder}/first/baton-protocol_*.tar.xz")
        told = subprocess.run(["tar", "-tf", archive], capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
        name = os.path.basename(archive).removesuffix(".tar.xz")
        for path in ("baton-check.pyz", "Protocol/README.md", "Protocol/browser/baton.js", "examples/minihub/__main__.py"):
            self.assertIn(f"{name}/{path}", told)

    def test_lintian(self):
        """lintian finds nothing but what an overrides file gives a reason for."""
        suppressed = []
        if not os.path.exists(f"{self.folder}/baton/usr/share/man"):
            # These come with the program's own texts.
            suppressed = ["--suppress-tags", "no-manual-page"]
        ended = subprocess.run(
            ["lintian", "--fail-on", "error,warning", *suppressed, *self.built.values()], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_sizes(self):
        """The sizes are those that deploy/docs/size.md explains, within five percent."""
        with open(f"{ROOT}/deploy/docs/size.md", encoding="utf-8") as file:
            told = dict(re.findall(r"^\| (\S+) \| ([\d.]+) MB \|", file.read(), re.M))
        sizes = {name: os.path.getsize(next(self.paths(name))) / 1e6 for name in ("batond", "baton", "baton-reader", "baton-transcoder", "baton-composer", "baton-listen")}
        self.assertEqual(set(told), set(sizes))
        for name, size in sizes.items():
            self.assertLess(size, float(told[name]) * 1.05, f"{name} has {size:.1f} MB")

    def paths(self, name):
        for package in ("baton", "baton-hub", "baton-listen"):
            yield from glob.glob(f"{self.folder}/{package}/usr/**/{name}", recursive=True)

    def test_contents(self):
        """Programs carry no symbols and no path of the machine that built them, everything belongs to root, and licences are named."""
        for name in ("batond", "baton", "baton-listen", "baton-reader", "baton-transcoder", "baton-composer"):
            path = next(path for path in self.paths(name) if os.access(path, os.X_OK) and os.path.isfile(path))
            self.assertIn("no symbols", subprocess.run(["nm", path], capture_output=True, text=True, check=False).stderr)
            told = subprocess.run(["strings", path], capture_output=True, text=True, check=True).stdout.splitlines()
            self.assertEqual([line for line in told if ROOT in line], [], name)
        owners = subprocess.run(["dpkg-deb", "-c", self.built["baton-hub"]], capture_output=True, text=True, check=True).stdout
        self.assertEqual({line.split()[1] for line in owners.strip().split("\n")}, {"root/root"})
        with open(f"{self.folder}/baton-hub/usr/share/doc/baton-hub/copyright", encoding="utf-8") as file:
            text = file.read()
        for word in ("Swift", "Unicode", "LLVM", "TimGM6mb", "Apache-2.0"):
            self.assertIn(word, text)

    def test_depends(self):
        """The libraries that are opened at run time are dependencies as well as those that are linked, and the font is."""
        depends = self.field("baton-hub", "Depends")
        for package in ("libmpv2", "libcurl4", "libwebsockets-evlib-ev", "timgm6mb-soundfont", "libsqlite3-0", "adduser"):
            self.assertRegex(depends, rf"(^|, ){re.escape(package)}( |,|$)")
        self.assertNotIn("libmpv2", self.field("baton", "Depends"))
        self.assertIn("libmpv2", self.field("baton-listen", "Depends"))


class Installed(unittest.TestCase):
    """A bare Debian 12 that systemd has started, with the packages in it. The tests are steps of one story, in the order of their numbers."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="baton-", dir="/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.old, cls.new = build(f"{cls.folder}/old", "--version", "0.0.1"), build(f"{cls.folder}/new", "--version", "0.0.2")
        cls.tree = Tree(f"{cls.folder}/tree", bare("systemd", "systemd-sysv", "dbus", "iproute2", "curl", "ca-certificates", "python3"))
        cls.addClassCleanup(cls.tree.close)
        for kind, built in (("old", cls.old), ("new", cls.new)):
            os.makedirs(cls.tree.path(f"/root/{kind}"))
            for name, path in built.items():
                shutil.copy(path, cls.tree.path(f"/root/{kind}/{name}.deb"))
        # What the packages need is downloaded before the clock runs, as the bar says.
        cls.tree.chroot("apt-get", "update", "-q")
        cls.tree.chroot(
            "apt-get", "install", "-y", "-q", "--no-install-recommends", "--download-only", "/root/old/baton-hub.deb", "/root/old/baton.deb",
            "/root/old/baton-listen.deb", "pulseaudio", "pulseaudio-utils")
        cls.tree.chroot("apt-get", "install", "-y", "-q", "--no-install-recommends", "pulseaudio", "pulseaudio-utils")
        os.makedirs(cls.tree.path("/srv/music"))
        lavfi(cls.tree.path("/srv/music/song.flac"), "sine=frequency=441:duration=600", "-metadata", "title=Song", "-ac", "2")
        lavfi(cls.tree.path("/srv/music/other.flac"), "sine=frequency=882:duration=600", "-metadata", "title=Other", "-ac", "2")
        if not cls.tree.boot():
            not_possible("systemd does not start in namespaces of this machine")

    def tearDown(self):
        # What a failure left in the journal is lost with the tree.
        if any(found and test is self for test, found in self._outcome.result.failures + self._outcome.result.errors):
            print(self.tree.run("journalctl", "-n", "60", "-o", "cat", "--no-pager", check=False).stdout[-6000:], file=sys.stderr)

    def baton(self, *words):
        return self.tree.run("baton", *words).stdout

    def status(self):
        return json.loads(self.baton("status", "--json"))

    def shown(self, unit, *names):
        text = self.tree.run("systemctl", "show", unit, *[f"-p{name}" for name in names]).stdout
        return dict(line.split("=", 1) for line in text.strip().split("\n"))

    def active(self, unit="batond"):
        return self.shown(unit, "ActiveState")["ActiveState"] == "active"

    def test_01_install(self):
        """apt installs the hub, starts it and says where its page is; the first command is answered within the bar."""
        began = time.monotonic()
        said = self.tree.run(
            "apt-get", "install", "-y", "-q", "--no-install-recommends", "/root/old/baton-hub.deb", "/root/old/baton.deb").stdout
        unpacked = time.monotonic()
        wait("the first answer", lambda: self.tree.run("baton", "status", check=False).returncode == 0)
        print(f"apt-get install: {unpacked - began:.1f} s; to the first answer {time.monotonic() - began:.1f} s", file=sys.stderr)
        self.assertIn("http://127.0.0.1:9442/", said)
        self.assertIn("baton pair --open", said)
        state = self.shown("batond", "ActiveState", "Type", "StatusText", "User", "UnitFileState", "WatchdogUSec")
        self.assertEqual((state["ActiveState"], state["User"], state["UnitFileState"]), ("active", "baton", "enabled"), state)
        self.assertIn("http://127.0.0.1:9442/", state["StatusText"])
        self.assertEqual(state["WatchdogUSec"], "30s")
        self.assertIn(b"<html", self.curl("http://127.0.0.1:9442/").lower())
        self.assertIn("750 baton baton", self.tree.run("stat", "-c", "%a %U %G", "/var/lib/baton").stdout)

    def curl(self, url):
        return self.tree.run("curl", "-sS", url).stdout.encode()

    def test_02_exposure(self):
        """The running unit is judged as the file was, and what confines it is in force."""
        ended = self.tree.run("systemd-analyze", "security", "--threshold=20", "--no-pager", "batond", check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout[-300:])
        number = self.shown("batond", "MainPID")["MainPID"]
        status = self.tree.read(f"/../../../../../proc/{self.outer(number)}/status")
        self.assertIn("NoNewPrivs:\t1", status)
        self.assertIn("CapEff:\t0000000000000000", status)
        self.assertIn("Seccomp:\t2", status)

    def outer(self, number):
        """The number by which this machine knows a process of the tree."""
        for path in glob.glob("/proc/[0-9]*/status"):
            try:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            except OSError:
                continue
            if re.search(rf"^NSpid:.*\t{number}$", text, re.M) and "Name:\tbatond\n" in text:
                return path.split("/")[2]
        raise AssertionError(f"there is no batond with the number {number}")

    def test_03_plays(self):
        """It plays, and what it plays is heard: a null sink is recorded."""
        self.tree.write("/etc/systemd/system/sink.service", (
            "[Service]\nUser=baton\nRuntimeDirectory=sink\nEnvironment=HOME=/run/sink PULSE_RUNTIME_PATH=/run/sink\n"
            "ExecStart=/usr/bin/pulseaudio -n --daemonize=no --exit-idle-time=-1 -L 'module-native-protocol-unix auth-anonymous=1 socket=/run/sink/native' "
            "-L 'module-null-sink sink_name=ear rate=44100'\n"))
        self.tree.write("/etc/systemd/system/batond.service.d/sound.conf", (
            "[Service]\nEnvironment=PULSE_SERVER=unix:/run/sink/native BATON_MUSIC=/srv/music BATON_AUDIO=pulse/ear\n"))
        self.tree.run("systemctl", "daemon-reload")
        self.tree.run("systemctl", "start", "sink")
        wait("the sink", lambda: self.tree.run("test", "-S", "/run/sink/native", check=False).returncode == 0)
        self.tree.run("systemctl", "restart", "batond")
        wait("the song", lambda: json.loads(self.baton("search", "song", "--json"))["rows"], 60)
        self.baton("search", "song", "--play", "1")
        self.baton("volume", "100")
        wait("it plays", lambda: self.status()["tl"]["st"] == "playing", 60)
        self.tree.run(
            "sh", "-c", "timeout 4 parec -d ear.monitor --format=s16le --rate=44100 --channels=1 > /root/heard.raw || true", PULSE_SERVER="unix:/run/sink/native")
        import numpy
        heard = numpy.fromfile(self.tree.path("/root/heard.raw"), dtype="<i2")[-44100 * 2:]
        spectrum = numpy.abs(numpy.fft.rfft(heard))
        self.assertGreater(numpy.abs(heard).max(), 100, "nothing was heard")
        self.assertAlmostEqual(float(spectrum.argmax()) * 44100 / len(heard), 441, delta=3)

    def test_04_upgrade(self):
        """After an upgrade while it plays, the queue is the same, and playing goes on at the same place."""
        self.baton("search", "other", "--add", "1")
        self.baton("seek", "2:00")
        before = wait("it is past two minutes", lambda: (now := self.status())["tl"]["posMs"] >= 120_000 and now)
        number = self.shown("batond", "MainPID")["MainPID"]
        self.tree.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "/root/new/baton-hub.deb", "/root/new/baton.deb")
        wait("it answers", lambda: self.tree.run("baton", "status", check=False).returncode == 0, 60)
        # A hub that starts makes no sound by itself.
        self.assertEqual(self.status()["tl"]["st"], "paused")
        self.baton("play")
        after = wait("it plays again", lambda: (now := self.status())["tl"]["st"] == "playing" and now, 60)
        self.assertNotEqual(self.shown("batond", "MainPID")["MainPID"], number, "the upgrade restarted nothing")
        self.assertEqual(after["queue"]["len"], before["queue"]["len"])
        self.assertEqual(after["hub"]["id"], before["hub"]["id"])
        self.assertGreaterEqual(after["tl"]["posMs"], 110_000)
        self.assertIn("0.0.2", self.tree.run("dpkg-query", "-W", "baton-hub").stdout)

    def test_05_reload(self):
        """systemctl reload reads the configuration again, and the journal has the hub's entries with their levels."""
        self.tree.write("/etc/baton/batond.conf", "log = debug\nceiling = 90\n")
        self.tree.run("systemctl", "reload", "batond")
        entries = wait("the journal has it", lambda: self.journal("was read again"))
        self.assertEqual((entries[0]["PRIORITY"], entries[0]["SYSLOG_IDENTIFIER"], entries[0]["BATON_LEVEL"]), ("5", "batond", "notice"))
        self.assertIn("BATON_HUB", entries[0])
        self.assertTrue(self.active())

    def journal(self, text):
        lines = self.tree.run("journalctl", "-u", "batond", "-o", "json", "--no-pager").stdout.strip().split("\n")
        return [entry for entry in map(json.loads, filter(None, lines)) if text in str(entry.get("MESSAGE"))]

    def test_06_broken_configuration(self):
        """A hub with a mistake in its configuration does not start, and systemctl status names file and line."""
        self.tree.write("/etc/baton/batond.conf", "ceiling = loud\n")
        self.assertNotEqual(self.tree.run("systemctl", "restart", "batond", check=False).returncode, 0)
        self.assertTrue(self.journal("/etc/baton/batond.conf, line 1: ceiling is"))
        self.tree.write("/etc/baton/batond.conf", "")
        self.tree.run("systemctl", "reset-failed", "batond")
        self.tree.run("systemctl", "restart", "batond")
        wait("it answers", lambda: self.tree.run("baton", "status", check=False).returncode == 0)

    def test_07_watchdog(self):
        """A hub that hangs is ended and started again."""
        self.tree.write("/etc/systemd/system/batond.service.d/watchdog.conf", "[Service]\nWatchdogSec=2\n")
        self.tree.run("systemctl", "daemon-reload")
        self.tree.run("systemctl", "restart", "batond")
        number = self.shown("batond", "MainPID")["MainPID"]
        self.tree.run("systemctl", "kill", "--kill-who=main", "--signal=STOP", "batond")
        wait("another hub runs", lambda: self.shown("batond", "MainPID")["MainPID"] not in ("0", number) and self.active(), 60)
        self.assertEqual(self.shown("batond", "NRestarts")["NRestarts"], "1")

    def test_08_sockets(self):
        """With baton-hub.socket the first command starts the hub, and its sockets stay while it is stopped."""
        self.tree.run("systemctl", "stop", "batond")
        self.tree.run("systemctl", "start", "baton-hub.socket")
        self.assertFalse(self.active())
        self.assertIn("Other", self.baton("queue") + self.baton("status"))
        self.assertTrue(self.active())
        self.tree.run("systemctl", "restart", "batond")
        self.assertEqual(self.tree.run("curl", "-sS", "http://127.0.0.1:9442/healthz").stdout, "ok\n")
        self.assertEqual(self.tree.run("curl", "-ksS", "https://127.0.0.1:9443/healthz").stdout, "ok\n")
        self.tree.run("systemctl", "stop", "baton-hub.socket", "batond")

    def test_09_dynamic_user(self):
        """It runs with DynamicUser=yes, with a secret of the service manager, and has its data below /var/lib/private."""
        self.tree.write("/root/attic.secret", "user = anna\npassword = quay\n", 0o600)
        self.tree.write("/etc/systemd/system/dynamic.service", self.tree.read("/usr/lib/systemd/system/batond.service").replace(
            "User=baton\nGroup=baton\n", "DynamicUser=yes\n").replace("RuntimeDirectoryPreserve=yes", "RuntimeDirectoryPreserve=no").replace(
            "=baton\n", "=dynamic\n").replace("UMask", "LoadCredential=source-attic:/root/attic.secret\nUMask"))
        self.tree.write("/etc/dynamic/baton.conf", "[source attic]\nkind = subsonic\nurl = http://127.0.0.1:9\n")
        self.tree.write("/etc/systemd/system/dynamic.service.d/file.conf", (
            "[Service]\nEnvironment=BATON_CONFIG=/etc/dynamic/baton.conf BATON_AUDIO=null\n"))
        self.tree.run("systemctl", "daemon-reload")
        self.tree.run("systemctl", "start", "dynamic")
        wait("it answers", lambda: self.tree.run("baton", "--hub", "/run/dynamic/hub.sock", "status", check=False).returncode == 0)
        self.assertNotIn("baton", self.shown("dynamic", "User")["User"])
        self.assertEqual(self.tree.run("test", "-s", "/var/lib/private/dynamic/state.db", check=False).returncode, 0)
        listed = wait("the account", lambda: json.loads(self.tree.run(
            "baton", "--hub", "/run/dynamic/hub.sock", "source", "--json").stdout)["sources"])
        self.assertIn("attic", json.dumps(listed))
        self.assertFalse(self.tree.run("journalctl", "-u", "dynamic", "--grep", "password", "--no-pager", check=False).returncode == 0)
        self.tree.run("systemctl", "stop", "dynamic")

    def test_10_worker(self):
        """A program that makes music runs in its own unit, without a network, and the hub gets its piece."""
        shutil.copy(f"{ROOT}/examples/worker/tones.py", self.tree.path("/usr/local/lib/tones.py"))
        os.chmod(self.tree.path("/usr/local/lib/tones.py"), 0o755)
        self.tree.write("/etc/baton/workers/tones.conf", "PROGRAM=/usr/local/lib/tones.py\n")
        self.tree.write("/etc/baton/batond.conf", "[worker tones]\nurl = http://127.0.0.1:8100\n")
        self.tree.run("systemctl", "daemon-reload")
        self.tree.run("systemctl", "start", "baton-worker@tones.socket")
        self.tree.run("systemctl", "restart", "batond")
        wait("it answers", lambda: self.tree.run("baton", "status", check=False).returncode == 0)
        self.baton("imagine", "slow rain /duration 90", "--worker", "tones")
        jobs = wait("the piece", lambda: (found := json.loads(self.baton("jobs", "--json"))["jobs"]) and found[0]["st"] in ("ready", "failed") and found, 90)
        self.assertEqual(jobs[0]["st"], "ready", jobs)
        shown = self.shown("baton-worker@tones", "ActiveState", "DynamicUser", "PrivateNetwork")
        self.assertEqual(shown, {"ActiveState": "active", "DynamicUser": "yes", "PrivateNetwork": "yes"})

    def test_11_listening_device(self):
        """The package for machines that play a room along has a service for people: it plays what the room plays, and ends when it is stopped."""
        self.tree.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "/root/new/baton-listen.deb")
        # What pam_systemd does for a person who signs in.
        self.tree.write("/etc/systemd/system/user@0.service.d/runtime.conf", "[Service]\nEnvironment=XDG_RUNTIME_DIR=/run/user/0\n")
        self.tree.run("systemctl", "daemon-reload")
        self.tree.run("systemctl", "start", "user@0")
        user = {"XDG_RUNTIME_DIR": "/run/user/0"}
        self.tree.write("/root/.config/systemd/user/baton-listen.service.d/sound.conf", (
            "[Service]\nEnvironment=PULSE_SERVER=unix:/run/sink/native\nExecStart=\nExecStart=/usr/bin/baton listen --output pulse/ear --volume 50\n"))
        self.tree.run("systemctl", "restart", "sink")
        wait("the sink", lambda: self.tree.run("test", "-S", "/run/sink/native", check=False).returncode == 0)
        self.baton("search", "song", "--play", "1")
        self.tree.run("systemctl", "--user", "daemon-reload", **user)
        self.tree.run("systemctl", "--user", "start", "baton-listen", **user)
        wait("it is in step", lambda: "in step by its own report" in self.baton("people", "--long"), 60)
        self.tree.run("systemctl", "--user", "stop", "baton-listen", **user)
        wait("it is gone", lambda: "by its own report" not in self.baton("people", "--long"), 60)
        self.assertEqual(self.tree.run("systemctl", "--user", "show", "baton-listen", "-pResult", **user).stdout, "Result=success\n")
        self.tree.run("systemctl", "stop", "user@0")

    def test_12_remove(self):
        """Removing it while it plays ends it and keeps data and settings; it comes back with both; purging deletes them."""
        self.assertTrue(self.active())
        queue = self.status()["queue"]["len"]
        self.tree.run("apt-get", "remove", "-y", "-q", "baton-hub")
        self.assertEqual(self.tree.run("sh", "-c", "cat /proc/[0-9]*/comm | grep -cx batond", check=False).stdout, "0\n")
        for path in ("/var/lib/baton/state.db", "/etc/baton/batond.conf"):
            self.assertTrue(os.path.exists(self.tree.path(path)), path)
        self.assertFalse(os.path.exists(self.tree.path("/usr/bin/batond")))
        began = time.monotonic()
        self.tree.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "/root/new/baton-hub.deb")
        wait("it answers", lambda: self.tree.run("baton", "status", check=False).returncode == 0)
        print(f"where its libraries are, apt-get install to the first answer: {time.monotonic() - began:.1f} s", file=sys.stderr)
        self.assertEqual(self.status()["queue"]["len"], queue)
        self.tree.run("apt-get", "purge", "-y", "-q", "baton-hub")
        for path in ("/var/lib/baton", "/etc/baton/batond.conf", "/run/baton/hub.sock"):
            self.assertFalse(os.path.exists(self.tree.path(path)), path)
        self.assertEqual(self.tree.run("systemctl", "is-enabled", "batond", check=False).returncode, 1)


class Container(unittest.TestCase):
    """The steps of the container file, carried out in a bare Debian 12 with the means of this machine."""

    def test_steps(self):
        """Each step works, and the hub of the image answers."""
        from Support.containerfile import steps
        folder = tempfile.mkdtemp(prefix="baton-", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        built = build(f"{folder}/packages")
        tree = Tree(f"{folder}/tree", bare())
        self.addCleanup(tree.close)
        for verb, words in steps(f"{ROOT}/deploy/container/Containerfile"):
            if verb == "COPY":
                for path in built.values():
                    os.makedirs(tree.path(words[-1]), exist_ok=True)
                    shutil.copy(path, tree.path(words[-1]))
            elif verb == "RUN":
                tree.chroot("sh", "-c", words[0], limit=900)
            elif verb == "CMD":
                start = words
        tree.chroot("install", "-d", "-o", "baton", "-g", "baton", "/run/baton")
        line = (f"runuser -u baton -- {' '.join(start)} --no-discovery --audio null --listen 127.0.0.1:0 --tls none --socket /run/baton/hub.sock & "
                "for _ in $(seq 100); do baton --hub /run/baton/hub.sock status && kill $! && exit 0; sleep 0.1; done; exit 1")
        self.assertIn("stopped", tree.chroot("sh", "-c", line).stdout)

    def test_judged(self):
        """hadolint finds nothing in it but what a line of it gives a reason for."""
        hadolint = f"{ROOT}/.build/venv/bin/hadolint"
        if not os.path.exists(hadolint):
            not_possible("there is no hadolint: deploy/packages test with BATON_SLOW=1 tries to install it")
        ended = subprocess.run([hadolint, f"{ROOT}/deploy/container/Containerfile"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout)


if __name__ == "__main__":
    if not IS_SLOW:
        print("packages.py: runs with BATON_SLOW=1, since it builds packages and whole systems.")
        sys.exit(0)
    if os.geteuid() != 0:
        print("packages.py: only root may make whole systems")
        sys.exit(NOT_POSSIBLE)
    main("mmdebstrap", "lintian", "dpkg-deb", "nsenter")
