# deploy/test: tier 2, judges Sources/Platform/Processes/ServiceManager Sources/Programs/batond Sources/Platform/Configuration deploy/systemd.
# deploy/test: waits, mostly for hubs that start and end.
"""The hub under a service manager: what it is given, what it says, and what the units allow it."""

import contextlib
import fcntl
import json
import os
import re
import select
import signal
import socket
import ssl
import subprocess
import unittest
import urllib.error
import urllib.request

from Support.hubs import ROOT, Home, binaries, main, wait

UNITS = f"{ROOT}/deploy/systemd"


class Manager:
    """A service manager, as far as one service sees it: its socket for messages, and sockets that it passes on."""

    def __init__(self, home):
        self.home, self.path = home, f"{home.folder}/notify"
        self.ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.ear.bind(self.path)
        self.heard, self.process, self.log = [], None, f"{home.folder}/log"

    def start(self, *flags, sockets=(), names="", **environment):
        """Starts a hub."""
        words = ["--no-discovery", "--no-demo", "--audio", "null", "--name", "Test hub", *flags]
        return self.launch(f"{binaries()}/batond", *words, sockets=sockets, names=names, **environment)

    def launch(self, program, *words, sockets=(), names="", **environment):
        """Starts a program with these listening sockets as its descriptors from 3 on, without a terminal."""
        # Numbers above those that are handed out, so that none is overwritten before it was copied.
        high = [fcntl.fcntl(one.fileno(), fcntl.F_DUPFD, 50) for one in sockets]
        given = {"LISTEN_FDS": str(len(sockets)), "LISTEN_FDNAMES": names} if sockets else {}
        # exec keeps the number of the process, which the hub compares.
        copies = " ".join(f"{3 + at}<&{number} {number}<&-" for at, number in enumerate(high))
        line = f'{"LISTEN_PID=$$" if sockets else ""} exec "$0" "$@" {copies}'
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["/bin/bash", "-c", line, program, *words], env={**self.home.environment, **given, "NOTIFY_SOCKET": self.path, **environment},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, pass_fds=high)
        for number in high:
            os.close(number)
        return self

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def hears(self, line):
        """Waits for a message with this line; those before it are forgotten."""
        def come():
            while select.select([self.ear], [], [], 0.02)[0]:
                self.heard += self.ear.recv(4096).decode().split("\n")
            if self.process.poll() is not None and line not in self.heard:
                raise AssertionError(f"The hub has ended: {self.said()}")
            return line in self.heard
        wait(f"the hub says {line}", come)
        del self.heard[:self.heard.index(line) + 1]

    def forget(self):
        self.heard.clear()
        while select.select([self.ear], [], [], 0)[0]:
            self.ear.recv(4096)

    def stop(self, code=0):
        self.process.send_signal(signal.SIGTERM)
        ended = self.process.wait(15)
        if ended != code:
            raise AssertionError(f"The hub ended with {ended}: {self.said()}")

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.ear.close()


class ServiceCase(unittest.TestCase):
    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.manager = Manager(self.home)
        self.addCleanup(self.manager.close)

    def configure(self, text):
        os.makedirs(f"{self.home.folder}/config/baton", exist_ok=True)
        with open(f"{self.home.folder}/config/baton/batond.conf", "w", encoding="utf-8") as file:
            file.write(text)

    def logged(self, text):
        wait(f"the log says {text!r}", lambda: text in self.manager.said())


class Messages(ServiceCase):
    def test_life(self):
        """A hub says that it is ready once it answers, where it is, and that it stops."""
        self.manager.start("--listen", "127.0.0.1:0")
        self.manager.hears("READY=1")
        self.assertEqual(self.home.status()["hub"]["name"], "Test hub")
        page = re.search(r"page +(http://\S+)", self.manager.said()).group(1)
        self.manager.hears(f"STATUS=The page is at {page}")
        self.manager.process.send_signal(signal.SIGTERM)
        self.manager.hears("STOPPING=1")
        self.assertEqual(self.manager.process.wait(15), 0)

    def test_watchdog(self):
        """The loop gives a sign of life again and again; one that hangs gives none, and gives it again when it goes on."""
        self.manager.start("--listen", "none", WATCHDOG_USEC="400000")
        for _ in range(3):
            self.manager.hears("WATCHDOG=1")
        os.kill(self.manager.process.pid, signal.SIGSTOP)
        wait("the process stands still", lambda: self.state() == "T")
        self.manager.forget()
        self.assertEqual(select.select([self.manager.ear], [], [], 1.0)[0], [], "a hub that hangs gave a sign of life")
        os.kill(self.manager.process.pid, signal.SIGCONT)
        self.manager.hears("WATCHDOG=1")
        self.manager.stop()

    def state(self):
        with open(f"/proc/{self.manager.process.pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0]

    def test_journal(self):
        """Where journald reads standard error, each line has its level in front."""
        self.configure("volum = 3\n")
        with open(self.manager.log, "wb") as log:
            stream = os.fstat(log.fileno())
        self.manager.start("--listen", "none", JOURNAL_STREAM=f"{stream.st_dev}:{stream.st_ino}")
        self.manager.hears("READY=1")
        self.manager.stop()
        if not os.path.exists("/run/systemd/journal/socket"):
            self.assertIn("<4>", self.manager.said())
            self.assertIn("<5>Stopping.\n", self.manager.said())
        self.assertNotIn("warning:", self.manager.said())


class Sockets(ServiceCase):
    def tcp(self):
        ear = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(ear.close)
        return ear, ear.getsockname()[1]

    def unix(self):
        os.makedirs(os.path.dirname(self.home.socket), exist_ok=True)
        ear = socket.socket(socket.AF_UNIX)
        ear.bind(self.home.socket)
        ear.listen()
        self.addCleanup(ear.close)
        return ear

    def test_activated(self):
        """Sockets of the service manager are used as they are, and stay when the hub goes: who comes meanwhile is answered later."""
        (plain, port), (secure, tls), unix = self.tcp(), self.tcp(), self.unix()
        flags = ["--listen", f"127.0.0.1:{port}", "--tls", f"127.0.0.1:{tls}"]
        self.manager.start(*flags, sockets=(secure, unix, plain), names="hub:hub:hub")
        self.manager.hears("READY=1")
        self.assertEqual(self.home.status()["hub"]["name"], "Test hub")
        self.assertEqual(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60).read(), b"ok\n")
        self.assertIn(f"https://127.0.0.1:{tls}/", self.manager.said())
        self.assertEqual(self.tls_version(tls), "TLSv1.3")
        self.manager.stop()
        self.assertTrue(os.path.exists(self.home.socket), "the socket of the service manager was removed")
        early = socket.create_connection(("127.0.0.1", port), 10)
        self.addCleanup(early.close)
        early.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
        self.manager.start(*flags, sockets=(secure, unix, plain))
        self.assertIn(b"ok\n", self.whole(early))
        self.manager.stop()

    def test_restored(self):
        """A hub that takes a backup over is the same service: it has the sockets of the service manager again, and says when it is ready."""
        (plain, port), unix = self.tcp(), self.unix()
        self.manager.start("--listen", f"127.0.0.1:{port}", "--tls", "none", sockets=(unix, plain), names="hub:hub")
        self.manager.hears("READY=1")
        self.home.baton("backup", f"{self.home.folder}/saved")
        self.home.baton("restore", f"{self.home.folder}/saved", "--yes")
        self.manager.hears("RELOADING=1")
        self.manager.hears("READY=1")
        self.assertEqual(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60).read(), b"ok\n")
        self.assertEqual(self.home.status()["hub"]["name"], "Test hub")
        self.assertIn("The hub has the data of the backup now.", self.manager.said())
        self.assertNotIn("STOPPING=1", self.manager.heard)
        self.manager.stop()

    @staticmethod
    def whole(link):
        link.settimeout(60)
        parts = []
        while part := link.recv(4096):
            parts.append(part)
        return b"".join(parts)

    def tls_version(self, port):
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", port), 10) as link, trusting.wrap_socket(link) as secure:
            return secure.version()

    def test_named(self):
        """A socket whose unit says what it is for is used with its own address; one that no setting names is named and closed."""
        (plain, port), (other, odd) = self.tcp(), self.tcp()
        self.manager.start("--listen", "none", "--tls", "none", sockets=(plain, other), names="plain:")
        self.manager.hears("READY=1")
        self.assertEqual(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60).read(), b"ok\n")
        self.assertIn(f"127.0.0.1:{odd}, which neither listen nor tls names", self.manager.said())
        self.manager.stop()

    def test_meant_for_another(self):
        """An announcement for another process is not believed."""
        ear, port = self.tcp()
        self.manager.start("--listen", "127.0.0.1:0", LISTEN_PID="1", LISTEN_FDS="1")
        self.manager.hears("READY=1")
        ear.settimeout(0)
        self.assertNotIn(f":{port}/", self.manager.said())
        self.manager.stop()


class Configuration(ServiceCase):
    def check(self, text, *flags):
        self.configure(text)
        return self.home.run(f"{binaries()}/batond", "--check", *flags)

    def test_check(self):
        """batond --check names file, line and key of each mistake; its code says whether the hub would start."""
        right = self.check("log = debug\n")
        self.assertEqual((right.returncode, right.stderr), (0, ""))
        self.assertIn("http://127.0.0.1:9442/", right.stdout)
        path = f"{self.home.folder}/config/baton/batond.conf"
        odd = self.check(f"log = debug\nvolum = 3\n[source attic]\nkind = subsonic\nurl = http://attic\npassword_file = {self.home.folder}/none\n")
        self.assertEqual(odd.returncode, 1)
        self.assertIn(f"{path}, line 2: there is no setting volum", odd.stderr)
        self.assertIn("[source attic] password_file", odd.stderr)
        wrong = self.check("ceiling = loud\nlisten = here\nwhat is this\ntrusted_proxies = proxy.home\n")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        for line, key in ((1, "ceiling"), (2, "listen"), (3, ""), (4, "trusted_proxies")):
            self.assertRegex(wrong.stderr, rf"{re.escape(path)}, line {line}: .*{key}")
        self.assertEqual(self.check("", "--config", "/nowhere/batond.conf").returncode, 2)
        self.assertFalse(os.path.exists(self.home.socket), "looking at a configuration started something")

    def test_reload(self):
        """SIGHUP reads the configuration again: what can be taken over is, what cannot is named, and a mistake changes nothing."""
        self.configure("log = notice\n")
        self.manager.start("--listen", "none")
        self.manager.hears("READY=1")
        self.configure("log = debug\nceiling = 60\nvolum = 3\n")
        self.manager.process.send_signal(signal.SIGHUP)
        self.manager.hears("RELOADING=1")
        self.manager.hears("READY=1")
        self.logged("The configuration was read again: log changed.")
        self.logged("ceiling changed in the configuration, and takes effect when the hub is restarted.")
        self.logged("volum")
        self.configure("log = loud\n")
        self.manager.process.send_signal(signal.SIGHUP)
        self.manager.hears("READY=1")
        self.logged("line 1: log is \"loud\"")
        self.assertEqual(self.home.status()["hub"]["name"], "Test hub")
        self.manager.stop()

    def test_origins(self):
        """A page on another server may steer the hub from the moment at which the configuration says so."""
        self.configure("")
        self.manager.start("--listen", "127.0.0.1:0")
        self.manager.hears("READY=1")
        page = re.search(r"page +(http://\S+)", self.manager.said()).group(1)

        def state():
            request = urllib.request.Request(f"{page}baton/state", headers={"Origin": "https://panel.example"})
            with contextlib.suppress(urllib.error.HTTPError):
                return urllib.request.urlopen(request, timeout=60).status
            return 403
        self.assertEqual(state(), 403)
        self.configure("allow_origin = https://panel.example\n")
        self.manager.process.send_signal(signal.SIGHUP)
        self.manager.hears("RELOADING=1")
        self.manager.hears("READY=1")
        self.assertEqual(state(), 200)
        self.manager.stop()


class Worker(ServiceCase):
    def test_program(self):
        """A program that makes music is served on a socket of the service manager, and its sound is what the hub would get."""
        ear = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(ear.close)
        url = f"http://127.0.0.1:{ear.getsockname()[1]}"
        self.manager.launch(
            f"{binaries()}/baton-composer", "serve", "--folder", f"{self.home.folder}/pieces", "--program", f"{ROOT}/examples/worker/tones.py", sockets=(ear,))

        def ask(path, body=None):
            request = urllib.request.Request(url + path, json.dumps(body).encode() if body else None, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.read()
        health = json.loads(ask("/health"))
        self.assertEqual((health["available_backends"], health["backend_status"]["tones.py"]["ready"]), (["tones.py"], True))
        job = json.loads(ask("/generate", {"prompt": "slow rain on a roof", "seed": 7, "duration_seconds": 10}))["job_id"]
        wait("the piece", lambda: json.loads(ask(f"/status/{job}"))["state"] == "succeeded", 60)
        made = json.loads(ask(f"/artifact/{job}"))
        self.assertEqual((made["metadata"]["title"], made["metadata"]["plan"]["tempo_bpm"] > 60), ("Slow Rain On A", True))
        self.assertEqual(ask(f"/artifact/{job}/audio")[:4], b"RIFF")
        self.manager.stop()
        self.assertEqual(os.listdir(f"{self.home.folder}/pieces"), [])

    def test_no_program(self):
        """A program that is not there is named in the state of the worker."""
        ear = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(ear.close)
        self.manager.launch(f"{binaries()}/baton-composer", "serve", "--folder", f"{self.home.folder}/pieces", "--program", "/nowhere/tones", sockets=(ear,))
        with urllib.request.urlopen(f"http://127.0.0.1:{ear.getsockname()[1]}/health", timeout=60) as answer:
            backend = json.load(answer)["backend_status"]["tones"]
        self.assertEqual((backend["ready"], "/nowhere/tones" in backend["error"]), (False, True))
        self.manager.stop()


class Units(unittest.TestCase):
    """The units themselves, looked at by systemd's own tools."""

    def run_tool(self, *words, **more):
        return subprocess.run(
            ["systemd-analyze", *words], capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **more})

    def test_exposure(self):
        """The service and the worker's unit are at most at 2.0."""
        for unit in ("batond.service", "baton-worker@.service"):
            ended = self.run_tool("security", "--offline=yes", "--threshold=20", f"{UNITS}/{unit}")
            self.assertEqual(ended.returncode, 0, ended.stdout[-200:] + ended.stderr)
        loose = self.run_tool("security", "--offline=yes", "--threshold=1", f"{UNITS}/batond.service")
        self.assertNotEqual(loose.returncode, 0, "systemd-analyze accepts anything")

    def test_verified(self):
        """systemd finds no mistake in any of them, once their programs are where the package puts them."""
        home = Home()
        self.addCleanup(home.close)
        for kind, names in {"system": [name for name in os.listdir(UNITS) if not name.startswith("user-")], "user": ["user-batond.service"]}.items():
            folder = f"{home.folder}/{kind}"
            os.makedirs(folder)
            for name in names:
                with open(f"{UNITS}/{name}", encoding="utf-8") as file:
                    text = re.sub(r"/usr/(bin|libexec/baton)/(baton[a-z-]*)", rf"{binaries()}/\2", file.read())
                with open(f"{folder}/{name.removeprefix('user-').replace('@.', '@tones.')}", "w", encoding="utf-8") as file:
                    file.write(text)
            paths = [f"{folder}/{name}" for name in os.listdir(folder)]
            ended = self.run_tool("verify", "--man=no", *(["--user"] if kind == "user" else []), *paths, XDG_RUNTIME_DIR=f"{home.folder}/run")
            complaints = [line for line in ended.stderr.split("\n") if "baton" in line]
            self.assertEqual((ended.returncode, complaints), (0, []), ended.stderr)

    def test_addresses(self):
        """The socket unit listens where the hub would by its defaults."""
        with open(f"{UNITS}/baton-hub.socket", encoding="utf-8") as file:
            streams = re.findall(r"^ListenStream=(.*)$", file.read(), re.M)
        text = subprocess.run([f"{binaries()}/batond", "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertEqual(streams[0], "/run/baton/hub.sock")
        for stream in streams[1:]:
            self.assertIn(stream, text)


if __name__ == "__main__":
    main("systemd-analyze")
