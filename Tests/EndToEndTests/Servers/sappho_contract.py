# deploy/test: tier 2, judges Tests/Contract/sappho.py.
# deploy/test: waits, for it mostly asks a small server.
"""The Sappho server of these tests does what the real one was seen to do: entering, rows, ranges, places, sessions and messages.

The connector is tested against this server, so a difference between it and the real one would hide a mistake.
"""

import asyncio
import http.client
import json
import re
import tempfile
import unittest
import urllib.parse

import websockets

from sappho import Running
from sappho_users import ADMIN, ANNA, BERT, CARL, CODE, DORA
from Support.hubs import main, wait

BOOK = {
    "id", "title", "subtitle", "author", "narrator", "description", "duration", "file_path", "file_size", "cover_image", "cover_path", "isbn",
    "asin", "publisher", "published_year", "copyright_year", "genre", "normalized_genre", "tags", "rating", "rating_count", "abridged", "series",
    "series_position", "series_index", "language", "is_multi_file", "content_hash", "is_available", "last_seen_at", "original_path", "added_by",
    "created_at", "updated_at", "is_favorite", "progress",
}
UTC = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")


class Sappho(unittest.TestCase):
    def setUp(self):
        self.server = Running()
        self.enterContext(self.server)
        self.key = self.server.key()

    def ask(self, method, path, body=None, token=None, headers=None):
        """Status, headers and content, whatever they are."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.state.port, timeout=60)
        self.addCleanup(line.close)
        token = self.key if token is None else token
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        line.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = line.getresponse()
        return answer.status, answer.headers, answer.read()

    def json(self, method, path, body=None, token=None):
        status, _, content = self.ask(method, path, body, token)
        return status, json.loads(content)

    def get(self, path, token=None):
        status, value = self.json("GET", path, token=token)
        self.assertEqual(status, 200, value)
        return value

    def log_in(self, user, password=None):
        return self.json("POST", "/api/auth/login", {"username": user[0], "password": password or user[1]}, token="")


class Entering(Sappho):
    def test_tokens(self):
        """5.2: a token lets in for seven days and until it is taken back; without one the answer is 401 with an error."""
        status, entered = self.log_in(ANNA)
        self.assertEqual((status, entered["user"]), (200, {"id": 1, "username": "anna", "is_admin": 0}))
        self.assertIs(entered["must_change_password"], False)
        self.assertNotIn("refreshToken", entered)
        self.get("/api/audiobooks", entered["token"])
        self.assertEqual(self.json("GET", "/api/audiobooks", token="")[0], 401)
        self.assertEqual(self.json("GET", "/api/audiobooks", token="sapho_no"), (401, {"error": "Invalid or expired token"}))
        self.json("POST", "/api/auth/logout", {}, entered["token"])
        self.assertEqual(self.json("GET", "/api/audiobooks", token=entered["token"])[0], 401)
        _, entered = self.log_in(ANNA)
        self.server.state.behaviour.ahead = str(7 * 86400 + 1)
        self.assertEqual(self.json("GET", "/api/audiobooks", token=entered["token"])[0], 401)

    def test_token_in_url(self):
        """5.2: sound and pictures take `?token=`, and nothing else does."""
        for path, status in [("audiobooks/1/stream", 200), ("audiobooks/1/cover", 200), ("audiobooks/1/download", 200), ("audiobooks", 401)]:
            self.assertEqual(self.ask("GET", f"/api/{path}?token={self.key}", token="")[0], status, path)

    def test_keys(self):
        """5.2: a key is `sapho_` and 64 digits, is shown once, ends after 90 days or never, may write, and can be switched off."""
        status, made = self.json("POST", "/api/api-keys", {"name": "Hub"})
        self.assertEqual(status, 201)
        self.assertRegex(made["key"], "^sapho_[0-9a-f]{64}$")
        self.assertEqual(made["permissions"], "read")
        self.assertNotIn("key", self.get("/api/api-keys")[-1])
        self.assertEqual(self.json("POST", "/api/audiobooks/1/favorite", {}, made["key"])[0], 200)
        lasting = [self.json("POST", "/api/api-keys", {"name": "Hub", "expires_in_days": days})[1]["key"] for days in (None, 0)]
        self.server.state.behaviour.ahead = str(91 * 86400)
        self.assertEqual([self.ask("GET", "/api/profile", token=key)[0] for key in [made["key"], *lasting]], [401, 200, 200])
        self.json("PUT", f"/api/api-keys/{made['id'] + 1}", {"is_active": 0})
        self.assertEqual(self.ask("GET", "/api/profile", token=lasting[0])[0], 401)

    def test_code(self):
        """5.2: with a second factor the login brings no token; the code does, within five minutes."""
        status, asked = self.log_in(CARL)
        self.assertEqual((status, asked["mfa_required"], "token" in asked), (200, True, False))
        verify = {"mfa_token": asked["mfa_token"], "token": "000000"}
        self.assertEqual(self.json("POST", "/api/auth/verify-mfa", verify, "")[0], 401)
        status, entered = self.json("POST", "/api/auth/verify-mfa", {**verify, "token": CODE}, "")
        self.assertEqual((status, self.get("/api/profile", entered["token"])["username"]), (200, "carl"))
        _, asked = self.log_in(CARL)
        self.server.state.behaviour.ahead = "301"
        self.assertEqual(self.json("POST", "/api/auth/verify-mfa", {"mfa_token": asked["mfa_token"], "token": CODE}, "")[0], 401)

    def test_password(self):
        """5.2: a first password lets in nowhere but to its change, which ends all tokens; weak ones are refused."""
        _, entered = self.log_in(DORA)
        self.assertIs(entered["must_change_password"], True)
        token = entered["token"]
        self.assertEqual(
            self.json("GET", "/api/audiobooks", token=token), (403, {"error": "Password change required", "must_change_password": True}))
        for new in ("short", "alllowercase1!", "NoDigits!!", "NoSpecial11"):
            self.assertEqual(self.json("PUT", "/api/profile/password", {"currentPassword": DORA[1], "newPassword": new}, token)[0], 400, new)
        self.assertEqual(self.json("PUT", "/api/profile/password", {"currentPassword": DORA[1], "newPassword": "Better-Now-2"}, token)[0], 200)
        self.assertEqual(self.json("GET", "/api/audiobooks", token=token)[0], 401)
        self.assertIs(self.log_in(DORA, "Better-Now-2")[1]["must_change_password"], False)

    def test_lock(self):
        """5.2: five failures lock the name for a quarter of an hour."""
        self.assertEqual([self.log_in(BERT, "no")[0] for _ in range(6)], [401] * 5 + [429])
        self.assertEqual(self.log_in(BERT)[0], 429)
        self.server.state.behaviour.ahead = "901"
        self.assertEqual(self.log_in(BERT)[0], 200)

    def test_refresh(self):
        """5.1: newer servers change both tokens at once; one that is used twice ends them all. Older ones do not know the path."""
        status, headers, page = self.ask("POST", "/api/auth/refresh", {"refreshToken": "x"})
        self.assertEqual((status, headers["Content-Type"], page[:9]), (404, "text/html; charset=utf-8", b"<!DOCTYPE"))
        self.server.state.behaviour.refresh = "1"
        _, first = self.log_in(ANNA)
        _, second = self.json("POST", "/api/auth/refresh", {"refreshToken": first["refreshToken"]}, "")
        self.assertEqual(self.get("/api/profile", second["token"])["username"], "anna")
        self.assertEqual(self.json("POST", "/api/auth/refresh", {"refreshToken": first["refreshToken"]}, "")[0], 401)
        self.assertEqual(self.json("POST", "/api/auth/refresh", {"refreshToken": second["refreshToken"]}, "")[0], 401)

    def test_admins(self):
        """5.2: what only admins may do is 403, and a page that is not there is 404 as JSON or as a page."""
        self.assertEqual(self.json("GET", "/api/settings/all")[0], 403)
        self.assertEqual(self.json("GET", "/api/settings/all", token=self.server.key(ADMIN[0]))[0], 200)
        self.assertEqual(self.json("GET", "/api/nowhere"), (404, {"error": "Not found"}))


class Rows(Sappho):
    def test_book(self):
        """5.3: the members of a book and their types, in a list and alone."""
        one = self.get("/api/audiobooks/1")
        self.assertEqual(set(one), BOOK)
        self.assertEqual((one["progress"], one["is_favorite"], one["rating"], one["series_position"]), (None, False, "4.5", 1.0))
        self.assertRegex(one["created_at"], UTC)
        listed = self.get("/api/audiobooks?limit=1")
        self.assertEqual(set(listed["audiobooks"][0]), BOOK | {"user_rating", "average_rating"})
        self.assertEqual(listed["total"], 7)
        self.assertEqual(self.json("GET", "/api/audiobooks/none")[0], 404)
        self.assertEqual(self.json("GET", "/api/audiobooks/99")[0], 404)

    def test_filters(self):
        """5.6: books by author, series, genre and words; what is away only when it is asked for; `sort` is ignored."""
        for query, ids in [
            ({"author": "Weir"}, [3, 1, 2]), ({"series": "Hills/Valleys"}, [5, 4]), ({"genre": "History", "author": "Kestrel"}, []),
            ({"search": "water weir"}, [3, 1, 2]), ({"author": "Kestrel", "includeUnavailable": "true", "sort": "id"}, [7, 6, 8]),
        ]:
            rows = self.get("/api/audiobooks?" + urllib.parse.urlencode(query))["audiobooks"]
            self.assertEqual([row["id"] for row in rows], ids, query)

    def test_groups(self):
        """5.3: ids of covers are text in series and authors and numbers in genres; a series has two books at least."""
        series = self.get("/api/audiobooks/meta/series")
        self.assertEqual([(row["series"], row["book_count"], row["cover_ids"]) for row in series], [("Hills/Valleys", 2, []), ("The Tide", 3, ["1", "2", "3"])])
        self.assertEqual(self.get("/api/audiobooks/meta/genres")[0]["cover_ids"], [1, 2, 3])
        self.server.state.behaviour.series = "0"
        self.assertEqual(self.json("GET", "/api/audiobooks/meta/series")[0], 500)

    def test_chapters(self):
        """5.3: chapters count from one and begin at seconds of the whole book; a book may have none."""
        rows = self.get("/api/audiobooks/1/chapters")
        self.assertEqual([(row["chapter_number"], row["start_time"], row["title"]) for row in rows], [(1, 0, "One"), (2, 600.5, "Two"), (3, 1800, None)])
        self.assertEqual(self.get("/api/audiobooks/2/chapters"), [])


class Sound(Sappho):
    def range(self, text, **headers):
        status, found, content = self.ask("GET", "/api/audiobooks/1/stream", headers={"Range": text, **headers})
        return status, found, content

    def test_ranges(self):
        """5.4: ranges are not clamped: an end behind the last byte, a range from the end and several ranges are 416."""
        status, headers, whole = self.ask("GET", "/api/audiobooks/1/stream")
        self.assertEqual((status, headers["Content-Type"], headers["Accept-Ranges"]), (200, "audio/mp4", "bytes"))
        self.assertEqual(headers["Cache-Control"], "private, max-age=3600")
        size = len(whole)
        status, headers, part = self.range("bytes=10-19")
        self.assertEqual((status, headers["Content-Range"], part), (206, f"bytes 10-19/{size}", whole[10:20]))
        self.assertEqual(self.range(f"bytes={size - 5}-")[2], whole[-5:])
        for text in ("bytes=-100", f"bytes=10-{size}", f"bytes={size}-", "bytes=0-1,5-6"):
            self.assertEqual(self.range(text)[0], 416, text)

    def test_versions(self):
        """5.4: the tag of a file answers 304, and HEAD has no body."""
        _, headers, whole = self.ask("GET", "/api/audiobooks/1/stream")
        self.assertRegex(headers["ETag"], '^"[0-9a-f]+-[0-9a-f]+"$')
        self.assertEqual(self.ask("GET", "/api/audiobooks/1/stream", headers={"If-None-Match": headers["ETag"]})[0], 304)
        status, headers, body = self.ask("HEAD", "/api/audiobooks/1/stream")
        self.assertEqual((status, headers["Content-Length"], body), (200, str(len(whole)), b""))

    def test_first_file(self):
        """5.4: of a book of several files the first alone is sent."""
        files = []
        for text in (b"first", b"second"):
            files.append(f"{self.enterContext(tempfile.TemporaryDirectory())}/{text.decode()}.mp3")
            with open(files[-1], "wb") as file:
                file.write(text)
        self.server.state.shelf.books[6]["files"] = files
        self.assertEqual(self.get("/api/audiobooks/6")["is_multi_file"], 1)
        _, headers, content = self.ask("GET", "/api/audiobooks/6/stream")
        self.assertEqual((headers["Content-Type"], content), ("audio/mpeg", b"first"))

    def test_cover(self):
        """5.6: a cover in a width, and 404 where there is none."""
        self.assertIn(b"300", self.ask("GET", "/api/audiobooks/1/cover?width=300")[2])
        self.assertEqual(self.ask("GET", "/api/audiobooks/4/cover")[0], 404)


class Places(Sappho):
    def report(self, number, position, **more):
        return self.json("POST", f"/api/audiobooks/{number}/progress", {"position": position, **more})

    def place(self, number):
        row = self.get(f"/api/audiobooks/{number}/progress")
        return row["position"], row["completed"]

    def test_kept(self):
        """5.4: a place is kept as it was sent, with its fraction, and carries the time of the server."""
        self.assertEqual(self.get("/api/audiobooks/1/progress"), {"position": 0, "completed": 0})
        self.assertEqual(self.report(1, 30.7), (200, {"message": "Progress updated"}))
        self.assertEqual(self.place(1), (30.7, 0))
        row = self.get("/api/audiobooks/1/progress")
        self.assertEqual(set(row), {"id", "user_id", "audiobook_id", "position", "completed", "queued_at", "updated_at"})
        self.assertRegex(row["updated_at"], UTC)

    def test_beginning(self):
        """5.4: below five seconds nothing is kept; a report without a position or of no book is 500."""
        self.report(1, 600)
        self.assertTrue(self.report(1, 4)[1]["skipped"])
        self.assertEqual(self.place(1), (600, 0))
        self.assertEqual(self.report(99, 30)[0], 500)
        self.assertEqual(self.json("POST", "/api/audiobooks/1/progress", {"state": "paused"})[0], 500)

    def test_finished(self):
        """5.4: what was finished stays so until the place is deleted; the next book of the series is queued."""
        self.report(1, 0, completed=1, state="stopped")
        self.assertEqual(self.place(1), (0, 1))
        self.report(1, 700, completed=0)
        self.assertEqual(self.place(1), (700, 1))
        rows = self.get("/api/audiobooks/meta/in-progress")
        self.assertEqual([(row["id"], row["is_queued"]) for row in rows], [(2, True)])
        self.assertEqual(self.json("DELETE", "/api/audiobooks/1/progress")[0], 200)
        self.assertEqual(self.place(1), (0, 0))

    def test_home(self):
        """5.4: one book of each series is under way, the next one comes up, and what was finished can be heard again."""
        self.report(1, 100)
        self.report(2, 200)
        self.report(8, 6)
        self.assertEqual(len(self.get("/api/audiobooks/meta/in-progress")), 2)
        self.assertEqual([row["id"] for row in self.get("/api/audiobooks/meta/up-next")], [3])
        self.assertEqual(self.get("/api/audiobooks/meta/recent?limit=1")[0]["id"], 8)
        self.report(4, 0, completed=1)
        self.assertEqual([row["id"] for row in self.get("/api/audiobooks/meta/finished")], [4])
        self.assertTrue({"last_played", "is_queued"} <= set(self.get("/api/audiobooks/meta/in-progress")[0]))
        self.assertEqual(
            self.get("/api/audiobooks/5/previous-book-status"),
            {"previousBookCompleted": True, "previousBook": {"id": 4, "title": "Stone", "series_position": 1.0}})

    def test_sessions(self):
        """5.4: playing opens a session and pausing closes it; sessions can be made by hand too."""
        self.report(1, 100, clientInfo={"name": "Den", "platform": "Linux"})
        self.report(1, 160, state="paused")
        rows = self.get("/api/audiobooks/1/sessions")["sessions"]
        self.assertEqual([(row["start_position"], row["end_position"], row["device_name"]) for row in rows], [(100, 160, "Den")])
        self.assertIn("id", self.json("POST", "/api/audiobooks/1/sessions", {"action": "start", "position": 160})[1])
        self.assertEqual(self.json("POST", "/api/audiobooks/1/sessions", {"action": "stop", "position": 170})[1]["updated"], 1)
        self.assertEqual(len(self.get("/api/audiobooks/1/sessions?limit=1&offset=1")["sessions"]), 1)

    def test_live(self):
        """5.4: sessions of all users are shown until they are stopped or not heard of for five minutes; the state is `playing` by default."""
        self.report(1, 1800, clientInfo={"name": "Den", "platform": "Linux"})
        row = self.get("/api/sessions", self.server.key(BERT[0]))["sessions"][0]
        shown = ("userId", "username", "audiobookId", "position", "progressPercent", "state", "clientName", "transcoding")
        self.assertEqual([row[name] for name in shown], [1, "anna", 1, 1800, 50, "playing", "Den", False])
        self.assertEqual(self.get("/api/sessions/user/2")["sessions"], [])
        self.server.state.behaviour.ahead = "301"
        self.assertEqual(self.get("/api/sessions")["sessions"], [])
        self.report(1, 1900)
        self.report(1, 1900, state="stopped")
        self.assertEqual(self.get("/api/sessions")["sessions"], [])
        self.report(2, 1900)
        path = f"/api/sessions/{self.get('/api/sessions')['sessions'][0]['sessionId']}"
        self.assertEqual([self.json("DELETE", path)[0] for _ in range(2)], [200, 404])


class Lists(Sappho):
    def test_favourites(self):
        """5.6: a favourite is set and taken back, and listed with its time, priority and order."""
        self.assertEqual(self.json("POST", "/api/audiobooks/3/favorite", {})[1], {"success": True, "is_favorite": True})
        row = self.get("/api/audiobooks/favorites")[0]
        self.assertEqual((row["id"], row["priority"], row["list_order"], row["is_favorite"]), (3, 0, 0, True))
        self.json("DELETE", "/api/audiobooks/3/favorite")
        self.assertEqual(self.get("/api/audiobooks/3/favorite"), {"is_favorite": False})

    def test_ratings(self):
        """5.6: one to five, 201 at first and 200 later; the average counts the ratings of others outside."""
        path = "/api/ratings/audiobook/1"
        self.assertIsNone(self.get(path))
        self.assertEqual([self.json("POST", path, {"rating": stars})[0] for stars in (2, 3, 6)], [201, 200, 400])
        self.assertEqual(self.json("POST", path, {})[0], 400)
        self.assertEqual(self.get(f"{path}/average"), {"average": 4.3, "count": 10, "user_count": 1, "external_count": 9})
        self.assertEqual(self.get("/api/ratings/my-ratings")[0]["rating"], 3)

    def test_collections(self):
        """5.6: a collection is made, filled, ordered and deleted; others see it when it is public and cannot change it."""
        status, made = self.json("POST", "/api/collections", {"name": "Sea", "is_public": True})
        self.assertEqual((status, made["book_count"], made["is_owner"], made["creator_username"]), (201, 0, 1, "anna"))
        path = f"/api/collections/{made['id']}"
        self.assertEqual([self.json("POST", f"{path}/items", {"audiobook_id": number})[0] for number in (1, 2, 1)], [201, 201, 409])
        self.assertEqual(self.json("PUT", f"{path}/items/reorder", {"order": [2, 1]})[0], 200)
        self.assertEqual(self.json("PUT", f"{path}/items/reorder", {"order": [9]})[1]["invalid_ids"], [9])
        books = self.get(path)["books"]
        self.assertEqual([(row["id"], row["position"], row["progress_position"], row["progress_completed"]) for row in books], [(2, 0, 0, 0), (1, 1, 0, 0)])
        bert = self.server.key(BERT[0])
        self.assertEqual(self.get("/api/collections", bert)[0]["is_owner"], 0)
        self.assertEqual(self.json("PUT", path, {"name": "No"}, bert)[0], 404)
        self.assertEqual([row["contains_book"] for row in self.get("/api/collections/for-book/1")], [1])
        self.json("DELETE", f"{path}/items/1")
        self.assertEqual(self.get("/api/collections")[0]["book_ids"], [2])
        self.json("DELETE", path)
        self.assertEqual(self.get("/api/collections"), [])

    def test_recaps(self):
        """5.6: a recap needs a place and a server that can make one; the name of a series may have a slash."""
        self.assertEqual(self.json("GET", "/api/audiobooks/4/recap")[0], 400)
        self.json("POST", "/api/audiobooks/4/progress", {"position": 100})
        self.assertTrue({"recap", "cached", "cachedAt", "book", "priorBooks"} <= set(self.get("/api/audiobooks/4/recap")))
        self.assertEqual([row["id"] for row in self.get("/api/series/Hills%2FValleys/recap")["booksIncluded"]], [4])
        self.assertEqual(self.json("GET", "/api/series/None/recap")[0], 404)
        self.server.state.behaviour.recaps = "0"
        self.assertEqual((self.json("GET", "/api/audiobooks/4/recap")[0], self.get("/api/settings/ai/status")["configured"]), (400, False))


class Messages(Sappho):
    def listen(self, token, *steps):
        """What one client gets, from its greeting to the answers to the steps."""
        async def run():
            async with websockets.connect(f"ws://127.0.0.1:{self.server.state.port}/ws/notifications?token={token}") as line:
                got = [json.loads(await line.recv())]
                for step, count in steps:
                    await asyncio.to_thread(step)
                    got += [json.loads(await asyncio.wait_for(line.recv(), 30)) for _ in range(count)]
                return got
        return asyncio.run(run())

    def report(self, position, **more):
        return lambda: self.json("POST", "/api/audiobooks/1/progress", {"position": position, **more})

    def test_messages(self):
        """5.5: all clients hear of all users: places with the book's id as text, sessions, and what a stop was before."""
        got = self.listen(
            self.server.key(BERT[0]), (self.report(100, clientInfo={"name": "Den", "platform": "Linux"}), 2), (self.report(160, state="paused"), 2),
            (self.report(170, state="stopped"), 2), (lambda: self.server.state.library_says("library.add", 2), 1))
        self.assertEqual([message["type"] for message in got], [
            "connected", "session.update", "progress.update", "session.pause", "progress.update", "session.stop", "progress.update", "library.add"])
        session = got[1]["session"]
        self.assertEqual((session["userId"], session["audiobook"]["id"], session["client"]), (1, 1, {"name": "Den", "platform": "Linux"}))
        self.assertEqual(session["playback"], {"state": "playing", "position": 100, "duration": 3600, "progressPercent": 3})
        self.assertEqual((got[2]["userId"], got[2]["audiobookId"], got[2]["progress"]), (1, "1", {"position": 100, "completed": 0, "state": "playing"}))
        self.assertEqual(got[5]["session"]["playback"]["position"], 160)
        self.assertEqual(got[7]["audiobook"]["title"], "Slack Water")

    def test_refused(self):
        """5.5: without a token that lets in, the connection is closed with 1008 and a reason."""
        async def run(token):
            async with websockets.connect(f"ws://127.0.0.1:{self.server.state.port}/ws/notifications?token={token}") as line:
                await line.wait_closed()
                return line.close_code, line.close_reason
        self.assertEqual(asyncio.run(run("no")), (1008, "Invalid or expired token"))

    def test_pings(self):
        """5.5: clients are pinged, stay when they answer and are dropped when they do not."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.state.port, timeout=60)
        self.addCleanup(line.close)
        head = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version": "13"}
        line.request("GET", f"/ws/notifications?token={self.key}", headers=head)
        sockets = self.server.state.sockets
        wait("the silent client", lambda: len(sockets.open) == 1)

        def answers():
            sockets.ping()
            wait("the answer", lambda: sockets.open[-1].answered)
            sockets.ping()
        got = self.listen(self.key, (answers, 0), (lambda: sockets.say({"type": "job.update"}), 1))
        self.assertEqual(got[-1]["type"], "job.update")
        wait("both have left", lambda: not sockets.open)


if __name__ == "__main__":
    main()
