"""Stations from a real icecast2 that ffmpeg feeds, and a hub that knows them. Each ends with the `with` that began it."""
import contextlib, time

import library
import runs
import targets as T
from Support.hubs import Home, wait
from Music.radio import Icecast

HARBOUR = "harbour.mp3"


@contextlib.contextmanager
def on_air(hertz=440):
    """-> an icecast2 with a station that sends a tone as MP3 with 128 kbit/s"""
    home = Home()
    try:
        icecast = Icecast(home)
        try:
            icecast.feed(HARBOUR, hertz)
            yield icecast
        finally:
            icecast.close()
    finally:
        home.close()


class Tuner:
    """A hub's owner who plays stations."""
    def __init__(self, server):
        self.server, self.owner = server, library.Owner(server)
        # A hub that was started anew knows the keys of before.
        self.owner.number = time.time_ns() // 1_000_000 % 10**9
        self.pid = server.procs[-1][1].pid

    def add(self, *urls):
        """-> the stations' addresses in the hub"""
        self.owner.ask("radio.edit", {"add": [{"title": url.rsplit("/", 1)[1], "url": url} for url in urls]})
        rows = {row["url"]: row["uri"] for row in self.owner.ask("radio.list")["d"]["stations"]}
        return [rows[url] for url in urls]

    def play(self, uri, room=None):
        self.owner.ask("radio.play", {"uri": uri}, room)
        wait("the station plays", lambda: self.section("tl", room).get("st") == "playing", 30)

    def stop(self, room=None):
        self.owner.ask("stop", {}, room)

    def room(self, name):
        """-> a new room's address"""
        self.owner.ask("room.create", {"name": name})
        return next(row["id"] for row in self.section("rooms")["list"] if row["name"] == name)

    def section(self, name, room=None):
        return self.owner.state(room)["s"].get(name) or {}


@contextlib.contextmanager
def tuned(target, mode="run", **how):
    """-> a hub that has been up for a moment, and who tunes it"""
    with T.Server(target, mode=mode, track=runs.media()[0], **how) as server:
        server.wait_ready()
        yield server, Tuner(server)
