# deploy/test: tier 2, judges Sources/Programs/baton-listen Sources/Features/Listening/BatonListening/PrivateRooms.swift.
"""`baton listen --only` plays an item on this machine alone, in a room that no other person sees, while the room of the hub goes on as it is."""

import json
import subprocess

from Support.fixtures import lavfi
from Support.hubs import Hub, HubCase, binaries, main, wait


class OnlyHere(HubCase):
    @classmethod
    def prepare(cls):
        for title in ("house", "mine"):
            lavfi(f"{cls.home.music}/{title}.flac", "sine=frequency=300:duration=120")

    def listening(self, *items):
        """The program that plays only here, and the room that it names."""
        program = subprocess.Popen(
            [f"{binaries()}/baton", "listen", "--output", "null", "--only", *items], env=self.home.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(program.communicate)
        self.addCleanup(program.terminate)
        words = program.stdout.readline().split()
        return program, next(word for word in words if word.startswith("only:"))

    def of(self, room):
        return json.loads(self.home.baton("--room", room, "status", "--json"))

    def test_alone(self):
        """It plays from its beginning, is controlled by its name, and the hub's room and lists show nothing of it."""
        self.home.baton("play", f"{self.home.music}/house.flac")
        house = self.home.reaches("the room of the hub plays", lambda status: status["tl"]["st"] == "playing")
        program, room = self.listening(f"{self.home.music}/mine.flac")
        mine = wait("it plays here", lambda: (status := self.of(room))["tl"]["st"] == "playing" and status)
        self.assertNotEqual(mine["now"]["entry"], house["now"]["entry"])
        self.assertLess(mine["positionMs"], 20000)
        self.assertEqual(self.home.status()["now"]["entry"], house["now"]["entry"])
        self.assertEqual([line["id"] for line in json.loads(self.home.baton("rooms", "--json"))], [house["room"]])
        self.home.baton("--room", room, "pause")
        self.assertEqual(self.of(room)["tl"]["st"], "paused")
        self.assertEqual(self.home.status()["tl"]["st"], "playing")
        program.stdin.write("q\n")
        program.stdin.flush()
        self.assertEqual(program.wait(20), 0)
        self.home.baton("--room", room, "move", house["room"])
        self.assertEqual(self.home.status()["now"]["title"], mine["now"]["title"])
        self.home.baton("stop")

    def test_end(self):
        """It pauses when the device has gone, goes on with the next one, and ends with the hub, of which the device is told."""
        program, room = self.listening(f"{self.home.music}/mine.flac")
        wait("it plays here", lambda: self.of(room)["tl"]["st"] == "playing")
        self.hub.stop()
        type(self).hub = Hub(self.home, *self.flags)
        self.assertEqual(program.wait(30), 0)
        refused = subprocess.run(
            [f"{binaries()}/baton", "--room", room, "status"], env=self.home.environment, capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("no room", refused.stderr)


if __name__ == "__main__":
    main("ffmpeg")
