"""A MusicRoom server for tests, written from contracts 1 alone, with aiohttp.

What the contract does not confirm is marked GUESS. `Behaviour` has it misbehave. The clock is the machine's monotonic one, as that of
the hub that joins a room, so a recording can be compared with `Room.position`.

    Running(files)    serves on a free port, in a thread of its own, while it is entered
"""

import asyncio
import hashlib
import json
import os
import random
import secrets
import threading
import time

from aiohttp import WSCloseCode, web

COOKIE = "blastoise_session"
MODES = ("once", "repeat-all", "repeat-one", "shuffle")
TICK, PERIOD = 1.0, 30.0


class Track:
    def __init__(self, path, duration, title=None, artist=None):
        with open(path, "rb") as file:
            # Archived documents: the hash of the first 64 KiB.
            self.id = "sha256:" + hashlib.sha256(file.read(65536)).hexdigest()
        self.path, self.duration, self.title, self.artist = path, duration, title, artist

    def row(self):
        return {"id": self.id, "filename": os.path.basename(self.path), "title": self.title, "artist": self.artist, "album": None,
                "duration": self.duration, "available": True}


class Behaviour:
    """What is wrong with the server."""

    def __init__(self):
        # A path prefix that answers so: a status, or a place to redirect to.
        self.status, self.redirect, self.body = {}, {}, {}
        # Orders are taken and never carried out.
        self.ignores = False
        # States are changed before they are sent.
        self.lie = None
        # Messages are late by up to so many seconds.
        self.jitter = 0.0
        self.has_sessions = True


class Room:
    def __init__(self, server, number, name, queue, is_default=False):
        self.server, self.id, self.name, self.is_default = server, number, name, is_default
        self.queue, self.index, self.mode = list(queue), 0, "repeat-all"
        self.started, self.paused_at = server.now(), None
        self.sockets = {}

    # ---- Time: currentTimestamp = now - startedAt

    @property
    def track(self):
        return self.queue[self.index] if self.index < len(self.queue) else None

    def position(self, now=None):
        if self.paused_at is not None:
            return self.paused_at
        return max(0.0, (self.server.now() if now is None else now) - self.started)

    def put(self, position):
        if self.paused_at is None:
            self.started = self.server.now() - position
        else:
            self.paused_at = position

    def tick(self):
        if self.track is None or self.paused_at is not None or self.position() < self.track.duration:
            return False
        if self.mode == "repeat-one":
            pass
        elif self.mode == "shuffle":
            self.index = random.choice([i for i in range(len(self.queue)) if i != self.index] or [0])
        elif self.index + 1 < len(self.queue):
            self.index += 1
        elif self.mode == "repeat-all":
            self.index = 0
        else:
            self.paused_at = self.track.duration
            return True
        self.started = self.server.now()
        return True

    # ---- Orders

    def order(self, message):
        action = message.get("action")
        if action == "pause" and self.paused_at is None:
            self.paused_at = self.position()
        elif action == "unpause" and self.paused_at is not None:
            self.started, self.paused_at = self.server.now() - self.paused_at, None
        elif action == "seek" and isinstance(message.get("timestamp"), (int, float)):
            self.put(max(0.0, float(message["timestamp"])))
        elif action == "jump":
            if not isinstance(message.get("index"), int) or not 0 <= message["index"] < len(self.queue):
                return "There is no such entry."
            self.index = message["index"]
            self.put(0.0)
        elif action not in ("pause", "unpause"):
            return f"Unknown action {action}."
        return None

    def patch(self, body):
        """GUESS: the bodies of changes to a queue."""
        playing = self.track
        if "add" in body:
            at = body.get("insertAt", len(self.queue))
            new = [self.server.tracks[one] for one in body["add"]]
            self.queue[at:at] = new
            if at <= self.index and playing:
                self.index += len(new)
        elif "remove" in body:
            gone = set(body["remove"])
            before = sum(1 for place in gone if place < self.index)
            was = self.index in gone
            self.queue = [track for place, track in enumerate(self.queue) if place not in gone]
            self.index = min(self.index - before, max(0, len(self.queue) - 1))
            if was:
                self.put(0.0)
        elif "move" in body:
            track = self.queue.pop(body["move"]["from"])
            self.queue.insert(body["move"]["to"], track)
            if playing:
                self.index = next(place for place, one in enumerate(self.queue) if one is playing)
        elif "set" in body:
            self.queue = [self.server.tracks[one] for one in body["set"]]
            self.index = 0
            self.put(0.0)

    # ---- What it says

    def info(self):
        names = [name for name, _ in self.sockets.values()]
        row = {"id": self.id, "name": self.name, "description": "", "trackCount": len(self.queue), "listenerCount": len(names),
               "listeners": names, "isDefault": self.is_default, "createdBy": None}
        if self.server.hubs:
            row["hubs"] = self.server.hubs
        return row

    def state(self, with_queue):
        state = {"track": self.track.row() if self.track else None, "currentTimestamp": self.position(), "channelName": self.name,
                 "channelId": self.id, "description": "", "paused": self.paused_at is not None, "currentIndex": self.index,
                 "listenerCount": len(self.sockets), "isDefault": self.is_default, "playbackMode": self.mode}
        if with_queue:
            state["queue"] = [track.row() for track in self.queue]
        if self.server.hubs:
            state["hubs"] = self.server.hubs
        lie = self.server.behaviour.lie
        return lie(state) if lie else state

    async def tell(self, with_queue=False):
        for socket in list(self.sockets):
            await self.say(socket, with_queue)

    async def say(self, socket, with_queue):
        state = self.state(with_queue)
        jitter = self.server.behaviour.jitter
        if jitter:
            await asyncio.sleep(random.random() * jitter)
        try:
            await socket.send_str(state if isinstance(state, str) else json.dumps(state))
        except ConnectionError:
            self.sockets.pop(socket, None)


class Server:
    def __init__(self, tracks, users):
        self.tracks = {track.id: track for track in tracks}
        self.users = dict(users)
        self.sessions, self.seen = {}, []
        self.behaviour, self.hubs, self.hub = Behaviour(), [], None
        self.playlists = []
        self.rooms = {room.id: room for room in (
            Room(self, "main", "Main", tracks, is_default=True), Room(self, "side", "Side room", tracks[:1]))}

    @staticmethod
    def now():
        return time.monotonic()

    # ---- HTTP

    @web.middleware
    async def middle(self, request, handler):
        self.seen.append({"method": request.method, "path": request.raw_path, "cookie": request.cookies.get(COOKIE),
                          "agent": request.headers.get("User-Agent"), "range": request.headers.get("Range")})
        for prefix, place in self.behaviour.redirect.items():
            if request.raw_path.startswith(prefix):
                return web.Response(status=302, headers={"Location": place})
        for prefix, status in self.behaviour.status.items():
            if request.raw_path.startswith(prefix):
                return web.json_response({"error": "It does not want to"}, status=status)
        for prefix, body in self.behaviour.body.items():
            if request.raw_path.startswith(prefix):
                return web.Response(body=body, content_type="application/json")
        if not request.path.startswith(("/api/status", "/api/auth")) and self.user(request) is None:
            # GUESS: the body.
            return web.json_response({"error": "Not signed in"}, status=401)
        return await handler(request)

    def user(self, request):
        return self.sessions.get(request.cookies.get(COOKIE)) if self.behaviour.has_sessions else None

    async def status(self, _):
        status = {"allowGuests": False, "ytdlp": {"enabled": False, "available": False}}
        if self.hub:
            status["hub"] = self.hub
        return web.json_response(status)

    async def login(self, request):
        body = await request.json()
        name = body.get("username")
        if self.users.get(name) != body.get("password"):
            return web.json_response({"error": "Invalid credentials"}, status=401)
        session = secrets.token_hex(16)
        self.sessions[session] = name
        answer = web.json_response(self.me_row(name))
        answer.set_cookie(COOKIE, session, httponly=True)
        return answer

    @staticmethod
    def me_row(name):
        return {"id": 1, "username": name, "is_admin": 0, "isGuest": False, "permissions": [{"resource_id": "main"}]}

    async def me(self, request):
        name = self.user(request)
        return web.json_response(self.me_row(name)) if name else web.json_response({"error": "Not signed in"}, status=401)

    async def library(self, _):
        return web.json_response([track.row() for track in self.tracks.values()])

    async def file(self, request):
        track = self.tracks.get(request.match_info["id"])
        return web.FileResponse(track.path) if track else web.json_response({"error": "No such track"}, status=404)

    async def channels(self, _):
        return web.json_response([room.info() for room in self.rooms.values()])

    def room(self, request):
        room = self.rooms.get(request.match_info["id"])
        if room is None:
            raise web.HTTPNotFound(text='{"error":"No such room"}', content_type="application/json")
        return room

    async def channel(self, request):
        state = self.room(request).state(True)
        return web.Response(text=state if isinstance(state, str) else json.dumps(state), content_type="application/json")

    async def patch(self, request):
        room = self.room(request)
        if not self.behaviour.ignores:
            room.patch(await request.json())
            await room.tell(with_queue=True)
        return web.json_response({"ok": True})

    async def mode(self, request):
        """GUESS: where it is and what it takes."""
        room = self.room(request)
        mode = (await request.json()).get("mode")
        if mode not in MODES:
            return web.json_response({"error": "No such mode"}, status=400)
        if not self.behaviour.ignores:
            room.mode = mode
            await room.tell()
        return web.json_response({"ok": True})

    async def lists(self, _):
        """GUESS: the names of the members."""
        return web.json_response({"mine": [one for one in self.playlists if one["ownerId"] == 1],
                                  "shared": [one for one in self.playlists if one["ownerId"] != 1]})

    async def list(self, request):
        for one in self.playlists:
            if one["id"] == request.match_info["id"]:
                return web.json_response(one)
        return web.json_response({"error": "No such playlist"}, status=404)

    # ---- WebSocket

    async def socket(self, request):
        room = self.room(request)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        room.sockets[socket] = (self.user(request), request)
        await room.say(socket, True)
        await self.tell_lists()
        try:
            async for message in socket:
                if message.type.name != "TEXT":
                    continue
                order = json.loads(message.data)
                if self.behaviour.ignores:
                    continue
                if order.get("action") == "switch" and order.get("channelId") in self.rooms:
                    room.sockets.pop(socket)
                    room = self.rooms[order["channelId"]]
                    room.sockets[socket] = (self.user(request), request)
                    await socket.send_json({"type": "switched", "channelId": room.id})
                    await room.say(socket, True)
                    continue
                trouble = room.order(order)
                if trouble:
                    await socket.send_json({"type": "error", "message": trouble})
                else:
                    await room.tell()
        finally:
            room.sockets.pop(socket, None)
            await self.tell_lists()
        return socket

    async def tell_lists(self):
        rows = [room.info() for room in self.rooms.values()]
        for room in self.rooms.values():
            for socket in list(room.sockets):
                if not socket.closed:
                    await socket.send_json({"type": "channel_list", "channels": rows})

    async def kick(self, room, reason):
        """GUESS: the message is followed by a close."""
        for socket in list(self.rooms[room].sockets):
            await socket.send_json({"type": "kick", "reason": reason})
            await socket.close()

    async def drop(self):
        for room in self.rooms.values():
            for socket in list(room.sockets):
                await socket.close(code=WSCloseCode.GOING_AWAY)

    # ---- Time

    async def run(self):
        spoken = self.now()
        while True:
            await asyncio.sleep(TICK)
            for room in self.rooms.values():
                if room.tick():
                    await room.tell()
            if self.now() - spoken >= PERIOD:
                spoken = self.now()
                for room in self.rooms.values():
                    await room.tell(with_queue=True)

    def application(self):
        application = web.Application(middlewares=[self.middle], client_max_size=1 << 22)
        route = application.router
        route.add_get("/api/status", self.status)
        route.add_post("/api/auth/login", self.login)
        route.add_get("/api/auth/me", self.me)
        route.add_get("/api/library", self.library)
        route.add_get("/api/tracks/{id}", self.file)
        route.add_get("/api/channels", self.channels)
        route.add_get("/api/channels/{id}", self.channel)
        route.add_patch("/api/channels/{id}/queue", self.patch)
        route.add_post("/api/channels/{id}/mode", self.mode)
        route.add_get("/api/channels/{id}/ws", self.socket)
        route.add_get("/api/playlists", self.lists)
        route.add_get("/api/playlists/{id}", self.list)
        return application


class Running:
    """The server in a thread of its own."""

    def __init__(self, tracks, users=(("anna", "tide and time"),)):
        self.server = Server(tracks, users)
        self.port = 0
        self.start()

    def start(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.do(self.open())

    async def open(self):
        self.runner = web.AppRunner(self.server.application(), access_log=None)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", self.port, shutdown_timeout=0.5, reuse_address=True)
        await site.start()
        self.port = self.runner.addresses[0][1]
        self.clock = asyncio.get_running_loop().create_task(self.server.run())

    async def shut(self):
        self.clock.cancel()
        await self.server.drop()
        await self.runner.cleanup()

    def do(self, work):
        """Runs a coroutine in the server's thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)

    def stop(self):
        self.do(self.shut())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def room(self, number="main"):
        return self.server.rooms[number]

    def order(self, message, number="main"):
        """As another listener of the room."""
        async def given():
            trouble = self.room(number).order(message)
            await self.room(number).tell()
            return trouble
        return self.do(given())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
