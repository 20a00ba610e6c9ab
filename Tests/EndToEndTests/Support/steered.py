"""A test with a home of its own, and a hub that it steers over HTTP on the hub's socket."""

import http.client
import json
import unittest

from Support.hubs import Home, Hub
from Support.rawpeer import reach


class Steered(unittest.TestCase):
    """Begins a hub when the test asks for it; `flags` are those of a hub that is begun without any."""

    flags = ("--audio", "null")

    def setUp(self):
        self.home = Home()
        self.addCleanup(self.home.close)
        self.number = 0

    def begin(self, *flags):
        self.hub = Hub(self.home, *(flags or self.flags))
        self.addCleanup(self.hub.kill)
        return self.hub

    def http(self, path, body=None, headers=None):
        """-> (status, headers, bytes)"""
        connection = http.client.HTTPConnection("localhost", timeout=60)
        connection.sock = reach(self.home.socket)
        connection.sock.settimeout(60)
        connection.request("POST" if body is not None else "GET", path, body, headers or {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data

    def ask(self, method, params=None, key=None):
        self.number += 1
        frame = {"t": "cmd", "id": self.number, "m": method, "k": key or f"test{self.number}", "p": params or {}}
        answer = json.loads(self.http("/baton/cmd", json.dumps(frame))[2])
        self.assertTrue(answer.get("ok"), f"{method} {params}: {answer}")
        return answer
