# deploy/test: tier 2, judges Tests/Contract/musicroom.py.
# deploy/test: waits, for it mostly asks a small server.
"""The MusicRoom server of these tests does what contracts 1 says: sessions, lists, tracks with ranges, states, their cadence, and orders.

The connector is tested against this server, so a difference between it and the contract would hide a mistake. What the contract marks as
a guess is no part of this suite.
"""

import asyncio
import sys
import tempfile
import unittest

from Support.hubs import main, wait

try:
    import aiohttp

    import musicroom
except ImportError:
    print("musicroom_contract.py: skipped, for there is no python3-aiohttp here")
    sys.exit(77)

TRACK = {"id": str, "filename": str, "title": (str, type(None)), "duration": float}
CHANNEL = {"id": str, "name": str, "description": str, "trackCount": int, "listenerCount": int, "listeners": list, "isDefault": bool, "createdBy": (int, type(None))}
STATE = {"track": dict, "currentTimestamp": float, "channelName": str, "channelId": str, "description": str, "paused": bool, "currentIndex": int,
         "listenerCount": int, "isDefault": bool, "playbackMode": str}


class Contract(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.tracks = []
        for place in range(3):
            path = f"{folder}/{place}.flac"
            with open(path, "wb") as file:
                file.write(bytes([place]) * 70_000)
            self.tracks.append(musicroom.Track(path, 3.0))
        self.running = self.enterContext(musicroom.Running(self.tracks))

    async def asyncSetUp(self):
        # A cookie of an address without a name is taken too.
        self.client = aiohttp.ClientSession(self.running.url, cookie_jar=aiohttp.CookieJar(unsafe=True))
        self.addAsyncCleanup(self.client.close)

    async def sign_in(self):
        async with self.client.post("/api/auth/login", json={"username": "anna", "password": "tide and time"}) as answer:
            self.assertEqual(answer.status, 200)
            self.assertIn("HttpOnly", answer.headers["Set-Cookie"])
            self.assertTrue(answer.headers["Set-Cookie"].startswith("blastoise_session="))

    async def get(self, path, status=200, **headers):
        async with self.client.get(path, headers=headers) as answer:
            self.assertEqual(answer.status, status, path)
            return await answer.json()

    def assertShape(self, row, shape):
        for name, kind in shape.items():
            self.assertIsInstance(row[name], kind, f"{name} of {row}")

    async def test_session(self):
        """1.3, 1.7: all but status and sign-in is 401 without a session."""
        await self.get("/api/status")
        for path in ("/api/library", "/api/channels", "/api/channels/main", "/api/playlists", f"/api/tracks/{self.tracks[0].id}"):
            await self.get(path, 401)
        await self.sign_in()
        for path in ("/api/auth/me", "/api/library", "/api/channels", "/api/playlists"):
            await self.get(path)

    async def test_lists(self):
        """1.2: tracks, rooms and states have the members that the contract names; a track's id is a hash of its first 64 KiB."""
        await self.sign_in()
        for row in await self.get("/api/library"):
            self.assertShape(row, TRACK)
            self.assertRegex(row["id"], "^sha256:[0-9a-f]{64}$")
        channels = await self.get("/api/channels")
        for row in channels:
            self.assertShape(row, CHANNEL)
        self.assertEqual([row["isDefault"] for row in channels].count(True), 1)
        state = await self.get("/api/channels/main")
        self.assertShape(state, STATE)
        self.assertEqual(len(state["queue"]), 3)

    async def test_ranges(self):
        """1.3: a track by its percent-encoded id, whole and in part."""
        await self.sign_in()
        path = "/api/tracks/" + self.tracks[1].id.replace(":", "%3A")
        async with self.client.get(path, headers={"Range": "bytes=10-19"}) as answer:
            self.assertEqual((answer.status, await answer.read()), (206, b"\1" * 10))
            self.assertEqual(answer.headers["Content-Range"], "bytes 10-19/70000")

    async def test_socket(self):
        """1.4: a state with a queue on connect; orders move the room, and states without a queue follow; tracks advance by themselves."""
        await self.sign_in()
        async with self.client.ws_connect("/api/channels/main/ws") as socket:
            first = await self.state(socket)
            self.assertShape(first, STATE)
            self.assertEqual(len(first["queue"]), 3)
            await socket.send_json({"action": "pause"})
            paused = await self.state(socket)
            self.assertTrue(paused["paused"] and "queue" not in paused)
            await socket.send_json({"action": "seek", "timestamp": 1.5})
            self.assertEqual((await self.state(socket))["currentTimestamp"], 1.5)
            await socket.send_json({"action": "unpause"})
            self.assertFalse((await self.state(socket))["paused"])
            await socket.send_json({"action": "jump", "index": 2})
            self.assertEqual((await self.state(socket))["currentIndex"], 2)
            # Behind the last track of repeat-all comes the first.
            self.assertEqual((await asyncio.wait_for(self.state(socket), 10))["currentIndex"], 0)
            await socket.send_json({"action": "switch", "channelId": "side"})
            self.assertEqual(await self.next(socket, "switched"), {"type": "switched", "channelId": "side"})
            self.assertEqual((await self.state(socket))["channelId"], "side")
            await socket.send_json({"action": "jump", "index": 99})
            self.assertIn("message", await self.next(socket, "error"))

    async def state(self, socket):
        return await self.next(socket, None)

    @staticmethod
    async def next(socket, kind):
        while True:
            message = await socket.receive_json(timeout=10)
            if message.get("type") == kind:
                return message

    async def test_listeners(self):
        """1.2: names of listeners are in the list of rooms, and their number in states too."""
        await self.sign_in()
        async with self.client.ws_connect("/api/channels/main/ws") as socket:
            self.assertEqual((await self.state(socket))["listenerCount"], 1)
            row = next(row for row in await self.get("/api/channels") if row["id"] == "main")
            self.assertEqual((row["listeners"], row["listenerCount"]), (["anna"], 1))
        self.assertIsNotNone(wait("the room is empty", lambda: not self.running.room().sockets))


if __name__ == "__main__":
    main()
