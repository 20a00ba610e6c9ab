# deploy/test: tier 2, judges Sources/Dialects/MusicRoomServer Sources/Dialects/MusicRoomServer/MusicRoomWire.
"""The testing checklist of the app of music rooms, step by step, against the shipped hub.

The app is `Support/roomapp.py`, written from the contract alone. Steps of the checklist that only a screen or a phone's system can show
(themes, lock screen, background audio) have nothing to do with the hub; what they ask of it is that a program that was away finds the
room as it is, which `test_reopening` shows.
"""

import asyncio
import hashlib
import json
import os

from Support.fixtures import lavfi, metadata
from Support.hubs import HubCase, main, wait
from Support.roomapp import MODES, App, Refused

TITLES = ("Alder", "Birch", "Cedar", "Damson", "Elder")
SECRET = "a long secret"


class Checklist(HubCase):
    flags = ("--audio", "null", "--musicroom", "--signup", "open", "--guests", "listener")
    names = 0

    @classmethod
    def prepare(cls):
        cls.files = {}
        for number, title in enumerate(TITLES):
            words = metadata(title=title, artist="Weir", album="Trees", track=number + 1, disc=1)
            cls.files[title] = lavfi(f"{cls.home.music}/{title}.flac", f"aevalsrc=0.2*sin({300 + number}*t):s=44100:d=90", *words)

    def run_app(self, steps, *names):
        """Runs the steps with an app for each name: a new user of the hub who is in the room."""
        async def main():
            apps = [App(self.hub.page) for _ in names]
            try:
                for app, name in zip(apps, names):
                    Checklist.names += 1
                    await app.sign("signup", f"{name} {Checklist.names}", SECRET)
                    await app.until("the first state", lambda app: app.queue is not None)
                await steps(*apps)
            finally:
                for app in apps:
                    await app.leave()
        asyncio.run(main())

    def fill(self, *titles):
        """Plays these from the beginning, in the first room."""
        ids = wait("all tracks in the library", self.identified)
        self.home.baton("mode", "once")
        self.home.baton("play", *[f"{self.home.music}/{title}.flac" for title in titles[:1]])
        for title in titles[1:]:
            self.home.baton("queue", "add", f"{self.home.music}/{title}.flac")
        return ids

    def identified(self):
        async def ask():
            app = App(self.hub.page)
            try:
                return (await app.call("GET", "/api/status"))["library"]["identified"] >= len(TITLES)
            finally:
                await app.leave()
        return asyncio.run(ask())

    def position(self):
        """Where the hub itself says that the room is, in seconds."""
        return json.loads(self.home.baton("status", "--json"))["tl"]

    # ---- Signing in

    def test_fresh(self):
        """Fresh install opens to auth screen; everything but signing in is blocked."""
        async def steps():
            app = App(self.hub.page)
            await app.open()
            self.assertFalse(app.is_signed_in)
            for path in ("channels", "library", "playlists"):
                with self.assertRaises(Refused) as refused:
                    await app.call("GET", f"/api/{path}")
                self.assertEqual(refused.exception.status, 401)
            await app.leave()
        asyncio.run(steps())

    def test_restores(self):
        """An existing session cookie restores the signed-in state, and an invalid one is cleared and blocks the app."""
        async def steps(app):
            again = App(self.hub.page, app.cookie)
            await again.open()
            self.assertEqual(again.user, app.user)
            await again.until("the room", lambda app: app.state)
            await again.leave()
            forged = App(self.hub.page, "blastoise_session=" + "0" * 32)
            await forged.open()
            self.assertEqual((forged.is_signed_in, forged.cookie), (False, None))
            await forged.leave()
            await app.sign_out()
            with self.assertRaises(Refused):
                await app.call("GET", "/api/channels")
        self.run_app(steps, "Ada")

    def test_polls(self):
        """An app that asks forty things at once, and again a second later, is refused none of them."""
        async def steps(app):
            for _ in range(3):
                paths = ["/api/channels", f"/api/channels/{app.state['channelId']}", "/api/library", "/api/playlists"] * 10
                await asyncio.gather(*[app.call("GET", path) for path in paths])
                await asyncio.sleep(1)
        self.run_app(steps, "Polly")

    def test_loads(self):
        """Signing in loads rooms, library and playlists, and joins the default room."""
        self.fill("Alder", "Birch")

        async def steps(app):
            self.assertEqual([room["isDefault"] for room in app.channels], [True])
            self.assertEqual(sorted(track["title"] for track in app.library), sorted(TITLES))
            self.assertEqual(set(app.playlists), {"mine", "shared"})
            self.assertEqual((app.room, [track["title"] for track in app.queue]), (app.channels[0]["id"], ["Alder", "Birch"]))
            with self.assertRaises(Refused) as refused:
                await App.sign(app, "login", app.user["username"], "wrong")
            self.assertEqual(refused.exception.status, 401)
        self.run_app(steps, "Ada")

    # ---- In step

    def test_starts(self):
        """The state starts audio at the server's timestamp; a drift below two seconds is left alone, a longer one is corrected."""
        self.fill("Alder")

        async def steps(app):
            await app.until("it plays", lambda app: app.player.is_playing)
            line = self.position()
            self.assertEqual(line["st"], "playing")
            self.assertLess(abs(app.drift()), 0.5)
            app.player.seek(app.expected() + 1.5)
            app.player.seeks = 0
            app.correct()
            self.assertEqual(app.player.seeks, 0)
            app.player.seek(app.expected() - 2.5)
            app.player.seeks = 0
            app.correct()
            self.assertEqual(app.player.seeks, 1)
            self.assertLess(abs(app.drift()), 0.1)
        self.run_app(steps, "Ada")

    def test_controls(self):
        """Pause, unpause and seek of one reach the room and everybody in it."""
        self.fill("Alder", "Birch")

        async def steps(ada, ben):
            await ada.send("pause")
            for app in (ada, ben):
                await app.until("a pause", lambda app: app.state["paused"])
                self.assertFalse(app.player.is_playing)
            self.assertEqual(self.position()["st"], "paused")
            await ben.send("seek", timestamp=45.5)
            for app in (ada, ben):
                await app.until("the place", lambda app: abs(app.state["currentTimestamp"] - 45.5) < 0.1)
            await ada.send("unpause")
            for app in (ada, ben):
                await app.until("it plays again", lambda app: not app.state["paused"])
            self.assertEqual(ada.errors + ben.errors, [])
        self.run_app(steps, "Ada", "Ben")

    def test_jumps(self):
        """Next and previous jump in the room's queue, and so does a tap on an entry."""
        self.fill(*TITLES)

        async def steps(app):
            for index in (1, 2, 1, 4, 0):
                await app.send("jump", index=index)
                await app.until(f"entry {index}", lambda app, index=index: app.state["currentIndex"] == index)
                self.assertEqual(app.state["track"]["title"], TITLES[index])
                self.assertEqual(app.player.track, app.state["track"]["id"])
        self.run_app(steps, "Ada")

    # ---- The queue

    def test_queue(self):
        """Queue, play next and remove patch the room's queue, by the name of the user."""
        self.fill("Alder", "Birch")

        async def steps(ada, ben):
            ids = {track["title"]: track["id"] for track in ada.library}
            await ada.queue_tracks([ids["Cedar"]])
            await ben.queue_tracks([ids["Damson"]], is_next=True)
            order = ["Alder", "Damson", "Birch", "Cedar"]
            for app in (ada, ben):
                await app.until("the order", lambda app: [track["title"] for track in app.queue] == order)
            await ada.remove([2])
            await ben.until("a removal", lambda app: [track["title"] for track in app.queue] == ["Alder", "Damson", "Cedar"])
            rows = json.loads(self.home.baton("queue", "--json"))["rows"]
            self.assertEqual([row.get("by", "").split()[0] for row in rows[1:]], ["Ben", "Ada"])
        self.run_app(steps, "Ada", "Ben")

    def test_playlists(self):
        """A playlist and single tracks of it go to the end of the queue, or next; it is its user's own until that user shares it."""
        self.fill("Alder", "Birch")

        async def steps(app, ben):
            ids = {track["title"]: track["id"] for track in app.library}
            made = await app.call("POST", "/api/playlists", {"name": "Late", "trackIds": [ids["Cedar"], ids["Elder"]]})
            listed = (await app.call("GET", "/api/playlists"))["mine"]
            self.assertIn(made["id"], [playlist["id"] for playlist in listed])
            chosen = await app.call("GET", f"/api/playlists/{made['id']}")
            await app.queue_tracks(chosen["trackIds"])
            await app.until("the end", lambda app: [track["title"] for track in app.queue][-2:] == ["Cedar", "Elder"])
            await app.queue_tracks(chosen["trackIds"], is_next=True)
            await app.until("next", lambda app: [track["title"] for track in app.queue][1:3] == ["Cedar", "Elder"])
            async def seen():
                lists = await ben.call("GET", "/api/playlists")
                return [playlist["id"] for playlist in lists["mine"] + lists["shared"]]
            self.assertNotIn(made["id"], await seen())
            with self.assertRaises(Refused) as refused:
                await ben.call("GET", f"/api/playlists/{made['id']}")
            self.assertEqual(refused.exception.status, 404)
            await app.call("PATCH", f"/api/playlists/{made['id']}", {"isPublic": True})
            self.assertIn(made["id"], await seen())
            await app.call("DELETE", f"/api/playlists/{made['id']}")
        self.run_app(steps, "Ada", "Ben")

    def test_modes(self):
        """The modes cycle in the app's order."""
        self.fill("Alder")

        async def steps(app):
            for mode in MODES[1:] + MODES[:1]:
                await app.set_mode(mode)
                await app.until(mode, lambda app, mode=mode: app.state["playbackMode"] == mode)
        self.run_app(steps, "Ada")

    def test_people(self):
        """The people in the room are listed, and the app finds its own user among them."""
        self.fill("Alder")

        async def steps(ada, ben):
            names = {ada.user["username"], ben.user["username"]}
            for app in (ada, ben):
                await app.until("both names", lambda app: names <= set(app.channels[0]["listeners"]))
            await ben.close_socket()
            await ada.until("one has left", lambda app: ben.user["username"] not in app.channels[0]["listeners"])
        self.run_app(steps, "Ada", "Ben")

    # ---- Sound

    def test_tracks(self):
        """Tracks come whole and in parts, by an id that is the hash of their first 64 KiB."""
        self.fill("Alder")

        async def steps(app):
            for track in app.library:
                with open(self.files[track["title"]], "rb") as file:
                    content = file.read()
                self.assertEqual(track["id"], "sha256:" + hashlib.sha256(content[:65536]).hexdigest())
                self.assertEqual(track["filename"], os.path.basename(self.files[track["title"]]))
                status, _, body = await app.track(track["id"])
                self.assertEqual((status, body == content), (200, True))
            status, headers, body = await app.track(track["id"], Range="bytes=100-199")
            self.assertEqual((status, body), (206, content[100:200]))
            self.assertEqual(headers["Content-Range"], f"bytes 100-199/{len(content)}")
            status, headers, body = await app.call("HEAD", f"/api/tracks/{track['id']}", raw=True)
            self.assertEqual((status, int(headers["Content-Length"]), body), (200, len(content), b""))
        self.run_app(steps, "Ada")

    def test_reopening(self):
        """An app that was away finds the room as it is; stopping and leaving clears its player and closes its socket."""
        self.fill("Alder", "Birch")

        async def steps(app):
            await app.close_socket()
            self.home.baton("next")
            state = await app.call("GET", f"/api/channels/{app.room}")
            self.assertEqual(state["track"]["title"], "Birch")
            await app.join(app.room)
            await app.until("the room as it is", lambda app: app.state and app.state["track"]["title"] == "Birch")
            name = app.user["username"]
            await app.leave()
            self.assertIsNone(app.player.track)
            wait("the app has left", lambda: name not in self.home.baton("people"))
            app.http = App(self.hub.page).http
        self.run_app(steps, "Ada")

    def test_guests(self):
        """A visitor without an account is a guest where the owner lets guests in, and may listen."""
        self.fill("Alder")

        async def steps():
            app = App(self.hub.page)
            app.user = await app.call("GET", "/api/auth/me")
            self.assertTrue(app.user["isGuest"])
            await app.load()
            await app.until("the room", lambda app: app.state)
            await app.send("pause")
            await app.until("a refusal", lambda app: app.errors)
            self.assertFalse(app.state["paused"])
            await app.leave()
        asyncio.run(steps())


if __name__ == "__main__":
    main("ffmpeg")
