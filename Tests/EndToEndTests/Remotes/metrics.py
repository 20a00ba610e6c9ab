# deploy/test: tier 2, judges Sources/Features/Admin/BatonAdmin/Metrics Sources/Assembly/BatonHub/Hub+Metrics.swift deploy/grafana.
"""The hub's figures, as monitoring reads them: `promtool` checks their form, and a real Prometheus asks for them and answers questions."""

import contextlib
import http.client
import json
import re
import socket
import subprocess
import tempfile
import urllib.parse
import urllib.request

from ports import free_port
from Support.fixtures import make, metadata
from Support.hubs import ROOT, Hub, HubCase, main, wait
from Support.remote import Remote

OPEN = "application/openmetrics-text"


def ask(address, path="/metrics", **headers):
    """-> status, type, text"""
    with contextlib.closing(http.client.HTTPConnection(address, timeout=60)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type", ""), answer.read().decode()


def values(text):
    """Samples by name and labels"""
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines() if line and line[0] != "#")}


class Apart(HubCase):
    """Figures on an address of their own."""

    flags = ("--audio", "null", "--metrics", "127.0.0.1:0")

    @classmethod
    def prepare(cls):
        make(f"{cls.home.music}/one.flac", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=60", *metadata(title="Secret Song"), "-c:a", "flac")

    def setUp(self):
        self.address = re.search(r"metrics http://(\S+)/metrics", Hub.text(self.hub.said)).group(1)

    def test_counted(self):
        """Commands are counted by kind and outcome, their waits too, and the form is right by promtool, in both formats."""
        before = values(ask(self.address)[2])
        with Remote(self.hub.port, "meter-0001") as remote:
            for level in range(20, 30):
                self.assertTrue(remote.ask("vol.set", {"level": level})["ok"])
            self.assertFalse(remote.ask("room.delete", {"room": "no-such-room"})["ok"])
            during = values(ask(self.address)[2])
            self.assertEqual(during["baton_sessions"], before["baton_sessions"] + 1)
        status, kind, text = ask(self.address)
        self.assertEqual((status, kind.split(";")[0]), (200, "text/plain"))
        after = values(text)
        self.assertEqual(after['baton_commands_total{kind="vol.set",outcome="applied"}'], 10)
        self.assertEqual(sum(value for name, value in after.items() if 'kind="room.delete"' in name and "applied" not in name), 1)
        self.assertGreaterEqual(after["baton_command_seconds_count"], 11)
        self.assertEqual(after["baton_command_seconds_count"], after['baton_command_seconds_bucket{le="+Inf"}'])
        checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((checked.returncode, checked.stdout, checked.stderr), (0, "", ""))
        status, kind, text = ask(self.address, Accept=f"{OPEN};version=1.0.0,text/plain;q=0.5")
        self.assertEqual((status, kind.split(";")[0], text.endswith("\n# EOF\n")), (200, OPEN, True))

    def test_nothing_private(self):
        """No label names a person, a track, a file or an address."""
        self.home.baton("play", f"{self.home.music}/one.flac")
        self.home.reaches("it plays", lambda status: (status.get("tl") or {}).get("st") == "playing")
        text = ask(self.address)[2]
        self.assertEqual(values(text)['baton_rooms{state="playing"}'], 1)
        for word in ("Secret", "one.flac", self.home.music, "127.0.0.1", "meter-0001"):
            self.assertNotIn(word, text)
        labels = set(re.findall(r"(\w+)=\"", text))
        self.assertLessEqual(labels, {"kind", "outcome", "le", "state"})

    def test_nothing_else(self):
        """The address answers nothing else, and the hub's own ports have no figures."""
        wait("the hub is well", lambda: ask(self.address, "/health")[::2] == (200, "ok\n"))
        for path in ("/", "/baton/state", "/api/status"):
            self.assertEqual(ask(self.address, path)[0], 404, path)
        self.assertEqual(ask(f"127.0.0.1:{self.hub.port}")[0], 404)

    def test_prometheus(self):
        """A real Prometheus reads them, and answers what the dashboard asks."""
        port = free_port()
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            with open(f"{folder}/prometheus.yml", "w", encoding="utf-8") as file:
                file.write(f"scrape_configs:\n- job_name: baton\n  scrape_interval: 1s\n  static_configs:\n  - targets: ['{self.address}']\n")
            words = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data", f"--web.listen-address=127.0.0.1:{port}"]
            with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
                try:
                    def answer(question):
                        query = urllib.parse.urlencode({"query": question})
                        try:
                            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{query}", timeout=60) as said:
                                return json.load(said)["data"]["result"]
                        except OSError:
                            return []
                    wait("Prometheus has read them", lambda: [one["value"][1] for one in answer("up")] == ["1"])
                    wait("the figures are there", lambda: answer("baton_sessions"))
                    with open(f"{ROOT}/deploy/grafana/baton.json", encoding="utf-8") as file:
                        panels = json.load(file)["panels"]
                    named = {name for panel in panels for target in panel["targets"] for name in re.findall(r"baton_\w+", target["expr"])}
                    self.assertGreater(len(named), 8)
                    there = {one["metric"]["__name__"] for one in answer('{__name__=~"baton_.*"}')}
                    # Without a server and a command there is nothing to count yet.
                    self.assertLessEqual(named - {"baton_sources", "baton_commands_total"}, there)
                finally:
                    server.terminate()


class ForAdmins(HubCase):
    """Figures by the hub's own ports."""

    flags = ("--audio", "null", "--metrics", "admins")

    def test_roles(self):
        """The owner of the unix socket reads them; who comes by TCP and is no admin does not, and learns how the hub is all the same."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(self.home.socket)
            link.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            said = b""
            while piece := link.recv(65536):
                said += piece
        self.assertIn(b"200", said.split(b"\r\n", 1)[0])
        self.assertIn(b"\nbaton_sessions 0\n", said)
        status, _, text = ask(f"127.0.0.1:{self.hub.port}")
        self.assertEqual((status, text), (403, "Figures of this hub are for admins.\n"))
        wait("the hub is well", lambda: ask(f"127.0.0.1:{self.hub.port}", "/health")[::2] == (200, "ok\n"))


if __name__ == "__main__":
    main("prometheus", "promtool")
