# deploy/test: tier 1, judges Sources/Dialects/MusicRoomServer Sources/Dialects/MusicRoomServer/MusicRoomWire Sources/Features/Joining/BatonJoining/MusicRoom.
# deploy/test: judges Sources/Features/Joining/BatonJoining Sources/Core/BatonCore/Joining.
"""One hub joins a room of another: both ends are the shipped hub."""

import json
import unittest
import urllib.request

from Support.fixtures import lavfi, metadata
from Support.hubs import Home, Hub, binaries, main, wait

TITLES = ("Ebb", "Flood")
SECRET = "a long secret"


class TwoHubs(unittest.TestCase):
    def setUp(self):
        (self.far, far), (self.near, near) = self.start(), self.start()
        self.files = [
            lavfi(f"{self.far.music}/{title}.flac", f"sine=frequency={400 + 100 * place}:duration=90", *metadata(title=title, artist="Weir"))
            for place, title in enumerate(TITLES)]
        self.far.baton("scan", "--wait")
        self.far.baton("play", *self.files)
        self.account(self.near, "far", far)
        self.account(self.far, "near", near)

    def start(self):
        home = Home()
        self.addCleanup(home.close)
        hub = Hub(home, "--audio", "null", "--musicroom", "--signup", "open")
        self.addCleanup(hub.kill)
        return home, hub

    def account(self, home, name, other):
        """An account at the other hub, under the name that this hub has there."""
        body = json.dumps({"username": f"for {name}", "password": SECRET}).encode()
        request = urllib.request.Request(f"{other.page}/api/auth/signup", body, {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=60).close()
        home.baton("source", "add", name, "musicroom", other.page, "--user", f"for {name}", "--password-file", home.secret("password", SECRET))

    def joined(self):
        return json.loads(self.near.baton("join", "--json"))

    def test_joined(self):
        """The room plays what the other plays, at the same place, commands go there, and a circle of the two is refused."""
        self.near.baton("join", "far")
        self.near.reaches("it plays along", lambda status: (status.get("now") or {}).get("title") == "Ebb" and status["tl"]["st"] == "playing")
        wait("both are together", lambda: abs(self.joined().get("driftMs", 1e9)) <= 300)
        self.near.baton("next")
        self.far.reaches("the other plays the next", lambda status: status["now"]["title"] == "Flood")
        self.near.reaches("and so does this one", lambda status: status["now"]["title"] == "Flood")
        refused = self.far.run(f"{binaries()}/baton", "join", "near")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("comes from this hub", refused.stderr)
        self.near.baton("leave")
        self.assertEqual(self.joined().get("state"), None)


if __name__ == "__main__":
    main("ffmpeg")
