# deploy/test: tier 2, judges Sources/Features/Joining/BatonJoining/MusicRoom Sources/Features/Joining/BatonJoining Sources/Core/BatonCore/Joining.
# deploy/test: judges Tests/Contract/musicroom.py.
"""A room of the hub plays along with a room of a MusicRoom server: it shows and plays the same, commands go there, and leaving restores.

The server is ours (Tests/Contract/musicroom.py), written from contracts 1; its guesses are marked there.
"""

import asyncio
import json

from Support.fixtures import lavfi
from Support.hubs import Hub, main, wait
from Support.musicrooms import TITLES, MusicRoomCase


class Joining(MusicRoomCase):
    @classmethod
    def prepare(cls):
        super().prepare()
        cls.own = [lavfi(f"{cls.home.music}/own-{place}.flac", f"sine=frequency={900 + place}:duration=90") for place in range(3)]

    def setUp(self):
        self.home.baton("leave")
        self.server.server.behaviour.__init__()
        self.server.server.hubs, self.server.server.hub = [], None
        self.room.queue, self.room.index, self.room.mode = list(self.server.server.tracks.values()), 0, "repeat-all"
        self.room.paused_at = None
        self.room.put(5.0)
        self.home.baton("play", *self.own)
        self.home.reaches("its own music plays", lambda status: status["tl"]["st"] == "playing")

    def tearDown(self):
        self.home.baton("leave")

    def seen(self):
        """What of the room is its own."""
        status = self.home.status()
        return ([(row["entry"], row["title"]) for row in json.loads(self.home.baton("queue", "--json"))["rows"]], status["now"]["entry"],
                round(status["positionMs"], -1), status["modes"])

    # ---- Playing along

    def test_follows(self):
        """BT-JOIN-001. The queue, what plays, where, the mode and pauses are the server's, and so are those who are there."""
        self.assertIn("Main", self.home.baton("join", "loft"))
        self.assertEqual(self.queue(), list(TITLES))
        now = self.is_in_step()
        self.assertEqual((now["name"], now["state"]), ("Main", "open"))
        modes = self.home.status()["modes"]
        self.assertEqual((modes["repeat"], modes["shuffle"], "single" in modes), (True, False, False))
        wait("the names of listeners", lambda: (self.joined()["who"], self.joined()["count"]) == (["anna"], 1))
        self.server.order({"action": "seek", "timestamp": 30})
        self.home.reaches("it is sought", lambda status: status["positionMs"] >= 30_000)
        self.is_in_step()
        self.server.order({"action": "jump", "index": 2})
        self.home.reaches("the third plays", lambda status: status["now"]["title"] == "High Water" and status["tl"]["st"] == "playing")
        self.is_in_step()
        self.server.order({"action": "pause"})
        paused = self.home.reaches("it is paused", lambda status: status["tl"]["st"] == "paused")
        self.assertAlmostEqual(paused["positionMs"] / 1000, self.room.position(), delta=0.1)
        self.server.order({"action": "unpause"})
        self.is_in_step()

    def test_track_ends(self):
        """At the end of a track what the server plays next begins, also when that is the same track."""
        self.home.baton("join", "loft")
        self.is_in_step()
        self.server.order({"action": "seek", "timestamp": 57})
        self.home.reaches("the second plays", lambda status: status["now"]["title"] == "Slack Water" and status["tl"]["st"] == "playing")
        self.is_in_step()
        self.room.mode = "repeat-one"
        self.server.order({"action": "seek", "timestamp": 58})
        self.home.reaches("near its end", lambda status: status["positionMs"] > 57_000)
        self.home.reaches("from its beginning", lambda status: status["positionMs"] < 20_000 and status["tl"]["st"] == "playing")
        self.assertEqual(self.home.status()["now"]["title"], "Slack Water")
        self.is_in_step()

    def test_rooms(self):
        """A room is named by its name or its id, and one that is not there is refused with those that are."""
        self.home.baton("join", "loft", "side", "room")
        self.assertEqual(self.joined()["room"], "side")
        self.assertIn("There is: Main, Side room", self.refused("join", "loft", "attic"))
        self.assertEqual(self.joined()["room"], "side")
        self.home.baton("join", "loft", "main")
        self.assertEqual((self.joined()["room"], self.queue()), ("main", list(TITLES)))

    # ---- Commands

    def test_commands(self):
        """BT-JOIN-002. What is pressed here is done there: pause, play, seek, next, a jump, and the mode."""
        self.home.baton("join", "loft")
        self.is_in_step()
        self.home.baton("pause")
        self.assertIsNotNone(self.room.paused_at)
        self.home.baton("play")
        self.assertIsNone(self.room.paused_at)
        self.home.baton("seek", "0:40")
        self.assertAlmostEqual(self.room.position(), 40, delta=2)
        self.home.baton("next")
        self.assertEqual(self.room.index, 1)
        self.home.baton("queue", "jump", "3")
        self.assertEqual(self.room.index, 2)
        self.home.baton("mode", "repeat-one")
        self.assertEqual(self.room.mode, "repeat-one")
        self.is_in_step()

    def test_queue(self):
        """BT-JOIN-002. The queue is edited there: adding, playing next, moving and removing; items of other sources are refused."""
        self.home.baton("join", "loft")
        rows = json.loads(self.home.baton("queue", "--json"))["rows"]
        self.home.baton("queue", "add", rows[1]["uri"])
        self.assertEqual(self.queue(), [*TITLES, TITLES[1]])
        self.home.baton("queue", "next", rows[2]["uri"])
        self.assertEqual(self.queue(), [TITLES[0], TITLES[2], TITLES[1], TITLES[2], TITLES[1]])
        self.home.baton("queue", "remove", "2", "4")
        self.assertEqual(self.queue(), [TITLES[0], TITLES[1], TITLES[1]])
        self.home.baton("queue", "move", "1", "3")
        self.assertEqual(self.queue(), [TITLES[1], TITLES[1], TITLES[0]])
        self.assertIn("only its tracks", self.refused("queue", "add", self.own[0]))
        self.assertEqual([track.title for track in self.room.queue], self.queue())

    def test_not_shown(self):
        """What no state shows is no success: after 5 s there is a sentence."""
        self.home.baton("join", "loft")
        self.is_in_step()
        self.server.server.behaviour.ignores = True
        self.assertIn("no state of its room has shown it", self.refused("pause"))
        self.assertEqual(self.home.status()["tl"]["st"], "playing")

    # ---- Leaving

    def test_leave(self):
        """BT-JOIN-003. Leaving gives back the queue with its ids, the position and the modes; the volume stays."""
        self.home.baton("mode", "shuffle")
        self.home.baton("queue", "jump", "2")
        self.home.baton("seek", "0:33")
        self.home.baton("pause")
        before = self.seen()
        self.home.baton("join", "loft")
        self.is_in_step()
        self.home.baton("volume", "23")
        self.home.baton("mode", "once")
        self.home.baton("leave")
        self.assertEqual(self.seen(), before)
        status = self.home.status()
        self.assertEqual((status["vol"]["level"], status["tl"]["st"]), (23, "paused"))
        self.home.baton("mode", "once")
        self.home.baton("play")
        self.home.reaches("it goes on there", lambda status: status["tl"]["st"] == "playing" and 33_000 <= status["positionMs"] < 60_000)

    def test_killed(self):
        """BT-JOIN-003. A hub that is killed plays along again, and still gives back what the room had."""
        self.home.baton("seek", "0:44")
        self.home.baton("pause")
        before = self.seen()
        self.home.baton("join", "loft")
        self.is_in_step()
        type(self).hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        type(self).addClassCleanup(self.hub.kill)
        wait("it plays along again", lambda: self.joined().get("state") == "open")
        self.is_in_step()
        self.home.baton("leave")
        self.assertEqual(self.seen(), before)

    # ---- What goes wrong

    def test_reconnects(self):
        """A connection that is lost is opened again after 3 s, and the room is asked for how it is."""
        self.home.baton("join", "loft")
        self.is_in_step()
        self.server.stop()
        self.home.reaches("a sentence", lambda status: "is lost" in str(status["hub"].get("problems", "")) or self.joined()["state"] == "waiting")
        self.assertIn("no connection", self.refused("pause"))
        self.room.put(25.0)
        self.server.start()
        wait("it is open again", lambda: self.joined()["state"] == "open")
        self.is_in_step()
        events = " ".join(event["text"] for event in self.joined()["events"])
        self.assertIn("Trying again in 3 s", events)

    def test_kicked(self):
        """Who is put out of the room is not let in by trying again; why is said, and joining again is possible."""
        self.home.baton("join", "loft")
        self.is_in_step()
        self.server.do(self.server.server.kick("main", "Too loud"))
        ended = wait("the end", lambda: self.joined()["state"] == "ended" and self.joined())
        self.assertIn("Too loud", ended["msg"])
        self.home.reaches("silence", lambda status: status["tl"]["st"] != "playing")
        self.home.baton("join", "loft")
        self.is_in_step()

    def test_circle(self):
        """BT-JOIN-004. A server that is this hub, and a room that plays what comes from this hub, are refused."""
        hub = json.loads(self.home.baton("status", "--json"))["hub"]["id"]
        self.server.server.hub = hub
        self.assertIn("this hub itself", self.refused("join", "loft"))
        self.server.server.hub, self.server.server.hubs = "h-other", [hub, "h-other"]
        self.assertIn("comes from this hub", self.refused("join", "loft"))
        self.server.server.hubs = ["h-third", "h-other"]
        self.home.baton("join", "loft")
        self.server.server.hubs = [hub, "h-other"]
        self.server.order({"action": "seek", "timestamp": 3})
        wait("the end", lambda: self.joined()["state"] == "ended")

    def test_lies(self):
        """Times that run backwards, places that are none, wrong types and noise change nothing for the rest of the hub."""
        self.home.baton("join", "loft")
        self.is_in_step()

        def backwards(state):
            return {**state, "currentTimestamp": -5, "currentIndex": 999, "track": {**state["track"], "duration": 0}}
        for lie in (backwards, lambda state: "[" * 5000, lambda state: {**state, "track": 7, "queue": "none"},
                    lambda state: {**state, "currentTimestamp": "NaN", "paused": "perhaps", "playbackMode": 4}):
            self.server.server.behaviour.lie = lie
            self.server.order({"action": "seek", "timestamp": 3})
            self.assertEqual(self.joined()["state"], "open")
        self.server.server.behaviour.lie = None
        self.server.order({"action": "seek", "timestamp": 10})
        self.is_in_step()
        self.assertEqual(self.queue(), list(TITLES))

    def test_giant(self):
        """Of a queue of 30,000 entries the part around what plays is shown, and a place in it is the place in the whole."""
        self.room.queue = list(self.server.server.tracks.values()) * 10_000
        self.room.index = 20_001
        self.home.baton("join", "loft")
        status = self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")
        self.assertEqual((status["queue"]["len"], self.joined()["length"]), (10_000, 30_000))
        self.assertEqual(status["now"]["title"], TITLES[20_001 % 3])
        self.home.baton("next")
        wait("the next one", lambda: self.room.index == 20_002)

    def test_flood(self):
        """A server that says the same thousands of times a second takes no time from another room."""
        self.home.baton("join", "loft")
        self.is_in_step()
        self.home.baton("rooms", "create", "Attic")

        async def flood():
            for _ in range(3000):
                await self.room.tell(with_queue=True)
        flooding = asyncio.run_coroutine_threadsafe(flood(), self.server.loop)
        for path in self.own:
            self.home.baton("--room", "attic", "play", path)
            self.home.baton("--room", "attic", "pause")
        self.assertLessEqual(len(self.joined()["events"]), 50)
        flooding.cancel()
        self.home.baton("rooms", "delete", "--yes", "attic")

    def test_other_commands(self):
        """What a joined room cannot do is refused with a sentence: moving it, deleting it, a sleep timer, undo, another speed."""
        self.home.baton("join", "loft")
        self.home.baton("rooms", "create", "Attic")
        for words in (("move", "Attic"), ("move", "--from", "Attic", "main"), ("rooms", "delete", "--yes", "main"), ("sleep", "10"), ("queue", "undo"),
                      ("mode", "speed", "1.5")):
            self.assertIn("eave", self.refused(*words), words)
        self.home.baton("rooms", "delete", "--yes", "attic")


if __name__ == "__main__":
    main("ffmpeg")
