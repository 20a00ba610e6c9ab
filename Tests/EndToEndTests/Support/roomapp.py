"""The app of a music room, as a program: what its design document asks for, by the calls of the contract and nothing of ours.

It keeps a cookie, follows one room, and has a player whose clock can be set wrong. Its rules are those of the design: a drift of less than
two seconds is left alone, a longer one is corrected, and the monotonic clock alone tells how much time has passed.
"""

import asyncio
import time
from urllib.parse import quote

import aiohttp

AGENT = "BlastoiseiOS/0.1"
MODES = ("once", "repeat-all", "repeat-one", "shuffle")
LIMIT = 60


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status, self.body = status, body


class Player:
    """Plays nothing, and knows where it would be."""

    def __init__(self):
        self.track, self.seeks, self.is_playing = None, 0, False
        self.position, self.at = 0.0, time.monotonic()

    def now(self):
        return self.position + (time.monotonic() - self.at if self.is_playing else 0)

    def seek(self, seconds):
        self.position, self.at = seconds, time.monotonic()
        self.seeks += 1

    def load(self, track, seconds, is_playing):
        self.track, self.is_playing = track, is_playing
        self.seek(seconds)
        self.seeks = 0

    def set_playing(self, is_playing):
        self.position, self.at = self.now(), time.monotonic()
        self.is_playing = is_playing

    def clear(self):
        self.track, self.is_playing = None, False


class App:
    def __init__(self, server, cookie=None, checks_certificate=True):
        self.server, self.cookie = server, cookie
        self.user = None
        self.channels, self.library, self.playlists = [], [], {}
        self.room = self.state = self.queue = None
        self.player, self.events, self.errors = Player(), [], []
        self.socket = self.listening = None
        self.changed = asyncio.Event()
        # Cookies are kept by hand, as the app keeps them.
        self.cookie_flags = {}
        connector = None if checks_certificate else aiohttp.TCPConnector(ssl=False)
        self.http = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), connector=connector)

    def headers(self):
        headers = {"User-Agent": AGENT}
        if self.cookie:
            headers["Cookie"] = self.cookie
        return headers

    async def call(self, method, path, body=None, headers=None, raw=False):
        async with self.http.request(
                method, self.server + path, json=body, headers={**self.headers(), **(headers or {})}) as answer:
            kept = answer.cookies.get("blastoise_session")
            if kept is not None:
                self.cookie, self.cookie_flags = f"blastoise_session={kept.value}" if kept.value else None, kept
            if answer.status == 401:
                # An invalid session is forgotten, and blocks everything but signing in.
                self.cookie, self.user = None, None
            if raw:
                return answer.status, answer.headers, await answer.read()
            said = await answer.json()
            if answer.status >= 400:
                raise Refused(answer.status, said)
            return said

    # ---- Signing in

    @property
    def is_signed_in(self):
        return self.user is not None

    async def open(self):
        """What the app does when it starts: whom the cookie names, or the screen for signing in."""
        if not self.cookie:
            return
        try:
            self.user = await self.call("GET", "/api/auth/me")
        except Refused as refusal:
            if refusal.status != 401:
                raise
            return
        await self.load()

    async def sign(self, verb, name, password):
        self.user = await self.call("POST", f"/api/auth/{verb}", {"username": name, "password": password})
        await self.load()

    async def load(self):
        self.channels = await self.call("GET", "/api/channels")
        self.library = await self.call("GET", "/api/library")
        self.playlists = await self.call("GET", "/api/playlists")
        default = next(room for room in self.channels if room["isDefault"])
        await self.join(default["id"])

    async def sign_out(self):
        await self.close_socket()
        await self.call("POST", "/api/auth/logout")
        self.cookie = self.user = None

    # ---- The room

    async def join(self, room):
        await self.close_socket()
        self.room, self.state, self.queue = room, None, None
        address = self.server.replace("http", "ws", 1) + f"/api/channels/{quote(room, safe='')}/ws"
        self.socket = await self.http.ws_connect(address, headers=self.headers())
        self.listening = asyncio.create_task(self.listen(self.socket))

    async def listen(self, socket):
        async for message in socket:
            if message.type != aiohttp.WSMsgType.TEXT:
                break
            said = message.json()
            self.events.append(said)
            self.take(said)
            self.changed.set()

    def take(self, said):
        kind = said.get("type")
        if kind is None:
            self.state, self.state_at = said, time.monotonic()
            # The last known queue counts where there is none.
            self.queue = said.get("queue", self.queue)
            self.sync()
        elif kind == "channel_list":
            self.channels = said["channels"]
        elif kind == "error":
            self.errors.append(said["message"])
        elif kind == "switched":
            self.room = said["channelId"]

    async def send(self, action, **members):
        await self.socket.send_json({"action": action, **members})

    async def until(self, what, condition, limit=LIMIT):
        deadline = time.monotonic() + limit
        while not condition(self):
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"Not within {limit} s: {what}. The app has {self.state}")
            self.changed.clear()
            try:
                await asyncio.wait_for(self.changed.wait(), min(left, 0.5))
            except asyncio.TimeoutError:
                pass

    async def close_socket(self):
        if self.socket is not None:
            await self.socket.close()
            await self.listening
        self.socket = self.listening = None

    # ---- Keeping time

    def expected(self):
        state = self.state
        return state["currentTimestamp"] + (0 if state["paused"] else time.monotonic() - self.state_at)

    def drift(self):
        return self.player.now() - self.expected()

    def sync(self):
        track = self.state["track"]
        if track is None:
            return self.player.clear()
        if track["id"] != self.player.track:
            return self.player.load(track["id"], self.expected(), not self.state["paused"])
        self.player.set_playing(not self.state["paused"])
        return self.correct()

    def correct(self):
        """What the ticker does every half second."""
        if abs(self.drift()) >= 2:
            self.player.seek(self.expected())

    # ---- Tracks, queue, playlists

    async def track(self, track, **headers):
        return await self.call("GET", f"/api/tracks/{quote(track, safe='')}", headers=headers, raw=True)

    async def queue_tracks(self, ids, is_next=False):
        body = {"trackIds": ids}
        if is_next:
            body["insertAt"] = self.state["currentIndex"] + 1
        return await self.call("PATCH", f"/api/channels/{self.room}/queue", body)

    async def remove(self, indices):
        return await self.call("PATCH", f"/api/channels/{self.room}/queue", {"indices": indices})

    async def set_mode(self, mode):
        return await self.call("POST", f"/api/channels/{self.room}/mode", {"mode": mode})

    async def leave(self):
        """Stop and exit."""
        await self.close_socket()
        self.player.clear()
        await self.http.close()
