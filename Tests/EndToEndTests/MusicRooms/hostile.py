# deploy/test: tier 2, judges Sources/Dialects/MusicRoomServer Sources/Dialects/MusicRoomServer/MusicRoomWire.
"""Clients of music rooms that send what is wrong, too much, or read nothing: each is told so, and another client is unharmed."""

import asyncio
import socket

import aiohttp

from runner.websocket import request
from Support.fixtures import lavfi, metadata
from Support.hubs import HubCase, main
from Support.roomapp import App

MEGABYTE = "n" * (1 << 20)
SECRET = "a long secret"


class Hostile(HubCase):
    flags = ("--audio", "null", "--musicroom", "--signup", "open", "--guests", "listener")
    names = 0

    @classmethod
    def prepare(cls):
        lavfi(f"{cls.home.music}/Alder.flac", "aevalsrc=0.2*sin(300*t):s=44100:d=120", *metadata(title="Alder", artist="Weir", album="Trees"))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("play", f"{cls.home.music}/Alder.flac")
        cls.home.baton("mode", "repeat-all")

    def run_app(self, steps):
        """Runs the steps with a good client, which must work as before at the end."""
        async def main():
            app = App(self.hub.page)
            try:
                Hostile.names += 1
                await app.sign("signup", f"Good {Hostile.names}", SECRET)
                await app.until("the room", lambda app: app.queue is not None)
                await steps(app)
                for action in ("pause", "unpause"):
                    await app.send(action)
                    await app.until(action, lambda app, action=action: app.state["paused"] == (action == "pause"))
            finally:
                await app.leave()
        asyncio.run(main())

    async def refused(self, app, method, path, body, *statuses):
        """A body as it is, with the cookie of the app; its answer is a sentence."""
        async with app.http.request(method, app.server + path, data=body, headers=app.headers()) as answer:
            said = await answer.text()
            self.assertIn(answer.status, statuses, f"{method} {path}: {said[:200]}")
            self.assertIn(".", said)

    def test_bodies(self):
        """Wrong types, unknown members, names of a megabyte and bodies that are no JSON get a sentence."""
        async def steps(app):
            room = f"/api/channels/{app.room}"
            for body in ("", "{", "[]", "null", '{"add":5}', '{"remove":["1"]}', '{"move":{"from":0}}', '{"remove":[99]}', '{"add":["x"]}'):
                await self.refused(app, "PATCH", room + "/queue", body, 400)
            for body in ('{"mode":5}', '{"mode":"backwards"}', "{}"):
                await self.refused(app, "POST", room + "/mode", body, 400)
            for path, method in ((room + "/queue", "PATCH"), ("/api/playlists", "POST"), ("/api/auth/login", "POST"), ("/api/channels", "POST")):
                await self.refused(app, method, path, '{"name":"%s"}' % MEGABYTE, 413)
            await self.refused(app, "POST", "/api/auth/login", '{"username":7,"password":[]}', 400)
            for path in ("/api/tracks/x", "/api/tracks/sha256:" + "0" * 64, "/api/channels/nowhere", "/api/playlists/nothing"):
                await self.refused(app, "GET", path, None, 400, 404)
        self.run_app(steps)

    def test_messages(self):
        """Unknown actions, bad places and times, and messages that are no JSON are answered by `error`; a message of a megabyte ends its socket."""
        async def steps(app):
            wrong = (
                "", "nonsense", "[]", '{"action":"dance"}', '{"action":5}', '{"action":"seek","timestamp":"soon"}',
                '{"action":"seek","timestamp":-5}', '{"action":"jump","index":1.5}', '{"action":"jump","index":99}',
                '{"action":"switch","channelId":"nowhere"}')
            for number, message in enumerate(wrong):
                await app.socket.send_str(message)
                await app.until(message, lambda app, number=number: len(app.errors) == number + 1)
                self.assertTrue(app.errors[-1].endswith("."), app.errors[-1])
            other = await app.http.ws_connect(app.server.replace("http", "ws", 1) + f"/api/channels/{app.room}/ws", headers=app.headers())
            await other.send_str('{"action":"%s"}' % MEGABYTE)
            while not other.closed:
                await other.receive()
            self.assertEqual(other.close_code, 1009)
        self.run_app(steps)

    def test_forged(self):
        """Forged, empty and very long cookies open nothing, and neither does another page's origin."""
        async def steps(app):
            for cookie in ("blastoise_session=", "blastoise_session=" + "0" * 32, "blastoise_session=" + "x" * 4000, "blastoise_session=a; b=c", "x"):
                async with app.http.get(app.server + "/api/library", headers={"Cookie": cookie}) as answer:
                    self.assertEqual(answer.status, 401)
                with self.assertRaises(aiohttp.WSServerHandshakeError):
                    await app.http.ws_connect(app.server + f"/api/channels/{app.room}/ws", headers={"Cookie": cookie})
            for path in ("/api/library", f"/api/channels/{app.room}/ws"):
                async with app.http.get(app.server + path, headers={**app.headers(), "Origin": "http://evil.example"}) as answer:
                    self.assertEqual(answer.status, 403)
        self.run_app(steps)

    def test_unread(self):
        """A socket that is never read costs no other client its state."""
        async def steps(app):
            _, _, port = app.server.rpartition(":")
            deaf = socket.create_connection(("127.0.0.1", int(port)))
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            deaf.sendall(request(f"127.0.0.1:{port}", [("Cookie", app.cookie)], f"/api/channels/{app.room}/ws", subprotocol=""))
            for number in range(100):
                await app.send("seek", timestamp=number % 60)
                await asyncio.sleep(0.06)
            await app.until("the last place", lambda app: abs(app.state["currentTimestamp"] - 39) < 3)
            deaf.close()
        self.run_app(steps)

    def test_guests(self):
        """A thousand guests who come at once and only look take no place, so that one who opens a room gets one."""
        async def steps(app):
            async def guest():
                async with aiohttp.ClientSession() as http, http.get(app.server + "/api/auth/me") as answer:
                    self.assertEqual(answer.status, 200, await answer.text())
            for _ in range(20):
                await asyncio.gather(*(guest() for _ in range(50)))
            self.assertNotIn("guest", self.home.baton("user", "list"))
            visitor = App(app.server)
            visitor.user = await visitor.call("GET", "/api/auth/me")
            await visitor.load()
            await visitor.until("the room", lambda app: app.queue is not None)
            self.assertIn(visitor.user["username"], self.home.baton("user", "list"))
            await visitor.leave()
        self.run_app(steps)

    def test_foreign_page(self):
        """A page from elsewhere that has a picture of this address gets no guest, for the browser says where it is from."""
        async def steps(app):
            for site in ("cross-site", "same-site"):
                async with app.http.get(app.server + "/api/auth/me", headers={"Sec-Fetch-Site": site}) as answer:
                    self.assertEqual(answer.status, 401)
                    self.assertNotIn("Set-Cookie", answer.headers)
        self.run_app(steps)


if __name__ == "__main__":
    main("ffmpeg")
