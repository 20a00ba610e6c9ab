"""What the Sappho stand-in knows, and its rules: books, people, places, listening sessions, collections and ratings.

Nothing here knows of HTTP. Rows have the names, types and forms that the real server sends: seconds as numbers, flags as 0 and 1,
times as UTC text without a zone.
"""
import hashlib
import random
import time

DAY = 86400
# Sessions that were not reported for so long are gone.
STALE = 300


class Refused(Exception):
    """An answer with an error."""

    def __init__(self, status, error, **more):
        super().__init__(error)
        self.status, self.body = status, {"error": error, **more}


def moment(seconds):
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))


def book(number, title, author, **more):
    """A row as the real server stores it. `files` are paths on this machine; without one there are made-up bytes."""
    row = {
        "id": number, "title": title, "subtitle": None, "author": author, "narrator": None, "description": None, "duration": 3600,
        "file_path": f"/data/audiobooks/{author}/{title}.m4b", "file_size": 60000, "cover_image": None, "cover_path": None, "isbn": None,
        "asin": None, "publisher": None, "published_year": 2001, "copyright_year": None, "genre": None, "normalized_genre": None,
        "tags": None, "rating": None, "rating_count": None, "abridged": 0, "series": None, "series_position": None, "series_index": None,
        "language": "en", "is_multi_file": 0, "content_hash": hashlib.md5(title.encode()).hexdigest(), "is_available": 1,
        "last_seen_at": None, "original_path": None, "added_by": 1, "chapters": [], "files": [],
    }
    row.update(more)
    row["normalized_genre"] = row["genre"]
    if row["cover_image"]:
        row["cover_path"] = row["cover_image"]
    return row


def small():
    """A made-up shelf: two series, single books, one of two files, one that is away and one whose length is not known."""
    cover = {"cover_image": "/data/covers/x.jpg"}
    tide = {"series": "The Tide", "genre": "Fiction", "narrator": "Ida Holm", **cover}
    marks = [(0, "One"), (600.5, "Two"), (1800, None)]
    chapters = [{"chapter_number": n, "title": title, "start_time": start, "duration": None} for n, (start, title) in enumerate(marks, 1)]
    return [
        book(1, "Low Water", "Weir", series_position=1.0, chapters=chapters, description="Of the harbour.", rating="4.5", rating_count=9, **tide),
        book(2, "Slack Water", "Weir", series_position=2.0, **tide),
        book(3, "High Water", "Weir", series_position=2.5, **tide),
        book(4, "Stone", "Ästrid & Co", series="Hills/Valleys", series_position=1.0, genre="History", narrator="Bo Ek"),
        book(5, "Moss", "Ästrid & Co", series="Hills/Valleys", series_position=2.0, genre="History", narrator="Bo Ek"),
        book(6, "Two Halves", "Kestrel", genre="Fiction", is_multi_file=1, duration=60),
        book(7, "Lost", "Kestrel", is_available=0),
        book(8, "Unmeasured", "Kestrel", duration=None, published_year=None),
    ]


class Shelf:
    """The rules of the library for all users. Times are of the server's own clock."""

    def __init__(self, books, now):
        self.now = now
        self.books = {}
        self.places = {}  # (user, book) -> row
        self.favourites, self.ratings, self.heard, self.live = {}, {}, [], {}
        self.collections, self.recaps = {}, {}
        self.said = lambda message: None
        self.numbers = iter(range(1, 1 << 40))
        for one in books:
            self.add(one)

    def add(self, one):
        one["created_at"] = one["updated_at"] = moment(self.now() - 1000 + one["id"])
        self.books[one["id"]] = one

    # ---- Rows

    def book(self, number):
        if number not in self.books:
            raise Refused(404, "Audiobook not found")
        return self.books[number]

    def row(self, one, user):
        row = {name: value for name, value in one.items() if name not in ("chapters", "files")}
        place = self.places.get((user, one["id"]))
        row["is_favorite"] = (user, one["id"]) in self.favourites
        row["progress"] = place and {name: place[name] for name in ("position", "completed", "updated_at")}
        return row

    def listed(self, one, user):
        rating = self.ratings.get((user, one["id"]))
        return {**self.row(one, user), "user_rating": rating and rating["rating"], "average_rating": self.average(one["id"])["average"]}

    def found(self, user, query):
        words = query.get("search", "").lower().split()

        def fits(one):
            text = " ".join(str(one[name] or "") for name in ("title", "subtitle", "author", "narrator", "series", "description")).lower()
            return (
                all(word in text for word in words)
                and all(name not in query or one[name] == query[name] for name in ("author", "series", "genre"))
                and (query.get("favorites") != "true" or (user, one["id"]) in self.favourites)
                and (one["is_available"] or query.get("includeUnavailable") == "true"))

        rows = sorted((one for one in self.books.values() if fits(one)), key=lambda one: one["title"])
        start, limit = int(query.get("offset", 0)), min(int(query.get("limit", 50)), 2000)
        return {"audiobooks": [self.listed(one, user) for one in rows[start:start + limit]], "total": len(rows)}

    def of_series(self, name):
        return sorted((one for one in self.books.values() if one["series"] == name), key=lambda one: one["series_position"] or 0)

    def all_series(self, user):
        rows = []
        for name in sorted({one["series"] for one in self.books.values() if one["series"]}):
            books = self.of_series(name)
            done = [one for one in books if self.place(user, one["id"])["completed"]]
            if len(books) > 1:
                rows.append({
                    "series": name, "book_count": len(books), "book_ids": ",".join(str(one["id"]) for one in books),
                    "completed_count": len(done), "average_rating": None, "rating_count": 0,
                    "cover_ids": [str(one["id"]) for one in books if one["cover_path"]]})
        return rows

    def grouped(self, name, count, cover=str):
        rows = []
        for value in sorted({one[name] for one in self.books.values() if one[name]}):
            books = [one for one in self.books.values() if one[name] == value]
            rows.append({name: value, count: len(books), "cover_ids": [cover(one["id"]) for one in books if one["cover_path"]]})
        return rows

    # ---- Home lists

    def started(self, user):
        """Places of a user's books that are under way or queued, newest first."""
        rows = [(number, row) for (who, number), row in self.places.items() if who == user and not row["completed"]]
        rows = [(number, row) for number, row in rows if row["position"] >= 5 or row["queued_at"]]
        return sorted(rows, key=lambda pair: pair[1]["updated_at"], reverse=True)

    def in_progress(self, user, limit=10):
        rows, series = [], set()
        for number, place in self.started(user):
            one = self.books[number]
            if one["series"] in series:
                continue
            series.update([one["series"]] if one["series"] else [])
            rows.append({**self.row(one, user), "last_played": place["updated_at"], "is_queued": bool(place["queued_at"])})
        return rows[:limit]

    def up_next(self, user, limit=10):
        known = {number for who, number in self.places if who == user}
        rows = []
        for name in sorted({self.books[number]["series"] for number in known} - {None}):
            rows += [one for one in self.of_series(name) if one["id"] not in known][:1]
        return [self.row(one, user) for one in rows[:limit]]

    def recent(self, user, limit=10):
        return [self.row(one, user) for one in sorted(self.books.values(), key=lambda one: one["created_at"], reverse=True)[:limit]]

    def finished(self, user, limit=10):
        rows = [self.row(self.books[number], user) for (who, number), row in self.places.items() if who == user and row["completed"]]
        random.shuffle(rows)
        return rows[:limit]

    # ---- Places and sessions

    def place(self, user, number):
        return self.places.get((user, number), {"position": 0, "completed": 0})

    def keep_place(self, user, number, position, completed=0, queued=None):
        old = self.places.get((user, number))
        row = {
            "id": old["id"] if old else next(self.numbers), "user_id": user, "audiobook_id": number, "position": position,
            # Only a DELETE takes it back.
            "completed": 1 if completed or (old and old["completed"]) else 0,
            "queued_at": queued, "updated_at": moment(self.now())}
        self.places[user, number] = row
        return row

    def report(self, user, number, body):
        if number not in self.books or not isinstance(body.get("position"), (int, float)):
            raise Refused(500, "Internal server error")
        position, completed, state = body["position"], body.get("completed", 0), body.get("state", "playing")
        if position < 5 and not completed:
            return {"success": True, "skipped": True, "message": "Position too small"}
        place = self.keep_place(user["id"], number, position, completed)
        if completed:
            self.queue_next(user["id"], number)
        self.hear(user, number, position, state, bool(completed), body.get("clientInfo") or {})
        self.said({
            "type": "progress.update", "timestamp": self.stamp(), "userId": user["id"], "audiobookId": str(number),
            "progress": {"position": position, "completed": place["completed"], "state": state}})
        return {"message": "Progress updated"}

    def queue_next(self, user, number):
        one = self.books[number]
        later = [other for other in self.of_series(one["series"]) if one["series"] and other["series_position"] > one["series_position"]]
        if later and (user, later[0]["id"]) not in self.places:
            self.keep_place(user, later[0]["id"], 0, queued=moment(self.now()))

    def clear_place(self, user, number):
        self.places.pop((user["id"], number), None)
        self.stop_live(user["id"], number)
        return {"message": "Progress cleared"}

    def hear(self, user, number, position, state, completed, client):
        """Opens or closes the listening session, and shows the live one."""
        open_one = next((row for row in self.heard if (row["user"], row["book"]) == (user["id"], number) and not row["stopped_at"]), None)
        if state == "playing" and not completed and not open_one:
            self.start_session(user["id"], number, position, client.get("name"))
        if (state in ("paused", "stopped") or completed) and open_one:
            open_one.update(stopped_at=moment(self.now()), end_position=position)
        key = (user["id"], number)
        if state == "stopped" or completed:
            return self.stop_live(*key)
        old = self.live.get(key, {})
        self.live[key] = {
            "sessionId": old.get("sessionId", f"s-{next(self.numbers)}"), "user": user, "book": number, "position": position, "state": state,
            "at": self.now(), "client": {"name": client.get("name", "Unknown"), "platform": client.get("platform", "Unknown")}}
        return self.show_live("session.update" if state == "playing" else "session.pause", self.live[key])

    def stop_live(self, user, number):
        # The message carries what was known before.
        if old := self.live.pop((user, number), None):
            self.show_live("session.stop", old)

    def show_live(self, kind, live):
        one = self.books[live["book"]]
        self.said({"type": kind, "timestamp": self.stamp(), "session": {
            "sessionId": live["sessionId"], "userId": live["user"]["id"], "username": live["user"]["username"],
            "audiobook": {"id": one["id"], "title": one["title"], "author": one["author"], "series": one["series"], "cover": one["cover_image"]},
            "playback": {
                "state": live["state"], "position": live["position"], "duration": one["duration"],
                "progressPercent": self.percent(live)},
            "client": live["client"]}})

    def percent(self, live):
        return round(100 * live["position"] / (self.books[live["book"]]["duration"] or 1))

    def stamp(self):
        return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(self.now()))

    def start_session(self, user, number, position, device):
        row = {
            "id": next(self.numbers), "user": user, "book": number, "started_at": moment(self.now()), "stopped_at": None,
            "start_position": position, "end_position": None, "device_name": device}
        self.heard.insert(0, row)
        return row

    def sessions_of(self, user, number, limit=50, offset=0):
        rows = [row for row in self.heard if (row["user"], row["book"]) == (user, number)][offset:offset + limit]
        return {"sessions": [{name: value for name, value in row.items() if name not in ("user", "book")} for row in rows]}

    def live_sessions(self, user=None):
        rows = []
        for live in self.live.values():
            if self.now() - live["at"] > STALE or user not in (None, live["user"]["id"]):
                continue
            one = self.books[live["book"]]
            rows.append({
                "sessionId": live["sessionId"], "userId": live["user"]["id"], "username": live["user"]["username"], "audiobookId": one["id"],
                "title": one["title"], "author": one["author"], "narrator": one["narrator"], "series": one["series"],
                "seriesPosition": one["series_position"], "year": one["published_year"], "cover": one["cover_image"],
                "duration": one["duration"], "position": live["position"], "progressPercent": self.percent(live), "state": live["state"],
                "lastUpdated": int(live["at"] * 1000), "clientName": live["client"]["name"], "platform": live["client"]["platform"],
                "ipAddress": "127.0.0.1", "audioCodec": "aac", "container": "m4b", "bitrate": 64000, "transcoding": False})
        return {"sessions": rows}

    def previous(self, user, number):
        one = self.book(number)
        earlier = [other for other in self.of_series(one["series"]) if one["series"] and other["series_position"] < one["series_position"]]
        before = earlier[-1] if earlier else None
        return {
            "previousBookCompleted": bool(before and self.place(user, before["id"])["completed"]),
            "previousBook": before and {name: before[name] for name in ("id", "title", "series_position")}}

    # ---- Ratings

    def average(self, number):
        own = [row["rating"] for (_, book_id), row in self.ratings.items() if book_id == number and row["rating"]]
        outside = self.books[number]["rating"]
        count = self.books[number]["rating_count"] or 0
        total = len(own) + (count if outside else 0)
        return {
            "average": round((sum(own) + float(outside or 0) * count) / total, 1) if total else None, "count": total,
            "user_count": len(own), "external_count": count}

    def rate(self, user, number, body):
        if body.get("rating") is None and not body.get("review"):
            raise Refused(400, "A rating or a review is needed")
        if body.get("rating") is not None and body["rating"] not in range(1, 6):
            raise Refused(400, "Rating must be between 1 and 5")
        isNew = (user, number) not in self.ratings
        self.ratings[user, number] = {
            "id": next(self.numbers), "user_id": user, "audiobook_id": number, "rating": body.get("rating"), "review": body.get("review"),
            "created_at": moment(self.now()), "updated_at": moment(self.now())}
        return isNew, self.ratings[user, number]

    # ---- Collections

    def collection_row(self, one, user):
        books = [self.books[number] for number in one["books"]]
        return {
            **{name: value for name, value in one.items() if name != "books"}, "book_count": len(books),
            "total_duration": sum(row["duration"] or 0 for row in books), "book_ids": [row["id"] for row in books],
            "is_owner": int(one["user_id"] == user)}

    def collection(self, number, user, to_change=False):
        one = self.collections.get(number)
        if not one or (one["user_id"] != user and (to_change or not one["is_public"])):
            raise Refused(404, "Collection not found")
        return one

    def new_collection(self, user, body):
        if not body.get("name"):
            raise Refused(400, "Name is required")
        number = next(self.numbers)
        self.collections[number] = {
            "id": number, "user_id": user["id"], "name": body["name"], "description": body.get("description"), "cover_image": None,
            "is_public": int(bool(body.get("is_public"))), "created_at": moment(self.now()), "updated_at": moment(self.now()),
            "creator_username": user["username"], "books": []}
        return self.collection_row(self.collections[number], user["id"])

    def collection_books(self, one, user):
        rows = []
        for at, number in enumerate(one["books"]):
            place = self.place(user, number)
            row = self.row(self.books[number], user)
            del row["progress"]
            rows.append({**row, "position": at, "added_at": moment(self.now()), "progress_position": place["position"], "progress_completed": place["completed"]})
        return {**self.collection_row(one, user), "books": rows}
