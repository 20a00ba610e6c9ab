"""What the Sappho stand-in answers of users, of the library, of sound and of places."""
import hashlib
import os
import re
import urllib.parse

from sappho_books import Refused, moment
from sappho_table import SENT, route

TYPES = {
    ".mp3": "audio/mpeg", ".m4b": "audio/mp4", ".m4a": "audio/mp4", ".mp4": "audio/mp4", ".ogg": "audio/ogg", ".flac": "audio/flac",
    ".wav": "audio/wav", ".opus": "audio/opus", ".aac": "audio/aac", ".wma": "audio/x-ms-wma",
}
COVER = b"\x89PNG\r\n\x1a\n cover of %d at %s"


# ---- System and users

@route("GET", "/api/health", "nothing")
def health(_):
    return {"status": "ok", "message": "Sappho is running", "version": "0.8.6"}


@route("POST", "/api/auth/login", "nothing")
def log_in(call):
    call.users.has_refresh = call.state.behaviour.refresh == "1"
    return call.users.log_in(call.body.get("username"), call.body.get("password"))


@route("POST", "/api/auth/verify-mfa", "nothing")
def verify(call):
    return call.users.verify(call.body.get("mfa_token"), call.body.get("token"))


@route("POST", "/api/auth/refresh", "nothing")
def refresh(call):
    if call.state.behaviour.refresh != "1":
        call.handler.nothing_here("POST")
        return SENT
    return call.users.refresh(call.body.get("refreshToken"))


@route("POST", "/api/auth/logout")
def log_out(call):
    call.users.leave(call.token)
    return {"message": "Logged out"}


@route("POST", "/api/auth/logout-all")
def log_out_all(call):
    call.users.leave_all(call.user)
    return {"message": "Logged out everywhere"}


@route("GET", "/api/api-keys")
def keys(call):
    return [call.users.shown_key(row) for row in call.users.keys.values() if row["user"] is call.user]


@route("POST", "/api/api-keys")
def new_key(call):
    return 201, call.users.new_key(call.user, call.body)


@route("PUT", "/api/api-keys/:number")
def change_key(call, number):
    call.users.own_key(call.user, number).update(call.body)
    return {"message": "API key updated"}


@route("DELETE", "/api/api-keys/:number")
def delete_key(call, number):
    call.users.own_key(call.user, number)
    del call.users.keys[number]
    return {"message": "API key deleted"}


@route("GET", "/api/profile")
def profile(call):
    return {name: call.user[name] for name in ("id", "username", "email", "display_name", "is_admin")}


@route("PUT", "/api/profile")
def change_profile(call):
    call.user.update(display_name=call.body.get("displayName", call.user["display_name"]), email=call.body.get("email", call.user["email"]))
    return profile(call)


@route("PUT", "/api/profile/password", "password")
def change_password(call):
    return call.users.change_password(call.user, call.body.get("currentPassword"), call.body.get("newPassword"))


@route("GET", "/api/profile/stats")
def stats(call):
    places = [(number, row) for (who, number), row in call.shelf.places.items() if who == call.id]
    books = call.shelf.books
    return {
        "totalListenTime": int(sum(row["position"] for _, row in places)), "booksStarted": len(places),
        "booksCompleted": sum(row["completed"] for _, row in places), "currentlyListening": len(call.shelf.started(call.id)),
        "topAuthors": [{"author": books[number]["author"], "listenTime": row["position"]} for number, row in places],
        "topGenres": [], "recentActivity": [], "activeDaysLast30": 3, "currentStreak": 2, "avgSessionLength": 1250.5}


@route("GET", "/api/notifications")
def notifications(_):
    return [{"id": 1, "type": "book.added", "title": "A book", "message": "It is here", "metadata": "{\"id\": 1}", "is_read": 0}]


@route("GET", "/api/settings/all")
def settings(call):
    if not call.user["is_admin"]:
        raise Refused(403, "Admin access required")
    return {"settings": {}, "lockedFields": []}


@route("GET", "/api/settings/ai/status")
def ai_status(call):
    return {"configured": call.state.behaviour.recaps == "1", "provider": "local"}


# ---- The library

@route("GET", "/api/audiobooks")
def library(call):
    return call.shelf.found(call.id, call.query)


@route("GET", "/api/audiobooks/meta/in-progress")
def in_progress(call):
    return call.shelf.in_progress(call.id, call.number("limit", 10))


@route("GET", "/api/audiobooks/meta/up-next")
def up_next(call):
    return call.shelf.up_next(call.id, call.number("limit", 10))


@route("GET", "/api/audiobooks/meta/recent")
def recent(call):
    return call.shelf.recent(call.id, call.number("limit", 10))


@route("GET", "/api/audiobooks/meta/finished")
def finished(call):
    return call.shelf.finished(call.id, call.number("limit", 10))


@route("GET", "/api/audiobooks/meta/series")
def series(call):
    if call.state.behaviour.series != "1":
        raise Refused(500, "Internal server error")
    return call.shelf.all_series(call.id)


@route("GET", "/api/audiobooks/meta/authors")
def authors(call):
    return call.shelf.grouped("author", "book_count")


@route("GET", "/api/audiobooks/meta/genres")
def genres(call):
    return call.shelf.grouped("genre", "count", int)


@route("GET", "/api/audiobooks/favorites")
def favourites(call):
    kept = sorted(call.shelf.favourites.items(), key=lambda pair: pair[1]["list_order"])
    return [{**call.shelf.row(call.shelf.books[number], who), **row} for (who, number), row in kept if who == call.id]


@route("GET", "/api/audiobooks/:word")
def one_book(call, name):
    if not name.isdigit():
        raise Refused(404, "Audiobook not found")
    return call.shelf.row(call.shelf.book(int(name)), call.id)


@route("GET", "/api/audiobooks/:number/similar")
def similar(call, number):
    one, most = call.shelf.book(number), min(call.number("limit", 6), 20)
    others = [other for other in call.shelf.books.values() if other is not one]

    def rows(name):
        return [call.shelf.row(other, call.id) for other in others if one[name] and other[name] == one[name]][:most]
    return {"more_by_author": rows("author"), "more_by_narrator": rows("narrator"), "similar_audiobooks": rows("genre")}


@route("GET", "/api/audiobooks/:number/chapters")
def chapters(call, number):
    one = call.shelf.book(number)
    usual = {"id": 0, "audiobook_id": number, "file_path": one["file_path"], "file_size": None, "created_at": one["created_at"]}
    return [{**usual, "id": number * 1000 + row["chapter_number"], **row} for row in one["chapters"]]


@route("PUT", "/api/audiobooks/:number/chapters")
def change_chapters(call, _):
    if not call.user["is_admin"]:
        raise Refused(403, "Admin access required")
    return {"message": "Chapters updated"}


# ---- Sound and pictures

def bytes_of(one):
    """The first file alone, however many there are."""
    if one["files"]:
        with open(one["files"][0], "rb") as file:
            return file.read()
    return bytes((at * 7 + one["id"]) % 251 for at in range(one["file_size"]))


@route("GET", "/api/audiobooks/:number/stream", "media")
def stream(call, number):
    one = call.shelf.book(number)
    content, kind = bytes_of(one), TYPES.get(os.path.splitext((one["files"] or [one["file_path"]])[0])[1], "audio/mpeg")
    tag = f'"{len(content):x}-{hashlib.md5(content).hexdigest()[:8]}"'
    always = [("ETag", tag), ("Accept-Ranges", "bytes"), ("Cache-Control", "private, max-age=3600")]
    if call.handler.headers.get("if-none-match") == tag:
        return call.sends(b"", kind, 304, always)
    asked = call.handler.headers.get("range")
    if not asked:
        return call.sends(content, kind, 200, always)
    # Not clamped: an end behind the last byte is refused, as is a range from the end, and several ranges.
    wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", asked)
    start, end = (int(wanted[1]), int(wanted[2] or len(content) - 1)) if wanted else (0, len(content))
    if start > end or end >= len(content):
        return call.sends(b"", kind, 416, [("Content-Range", f"bytes */{len(content)}")])
    return call.sends(content[start:end + 1], kind, 206, [*always, ("Content-Range", f"bytes {start}-{end}/{len(content)}")])


@route("GET", "/api/audiobooks/:number/download", "media")
def download(call, number):
    one = call.shelf.book(number)
    name = os.path.basename((one["files"] or [one["file_path"]])[0])
    quoted = urllib.parse.quote(name)
    return call.sends(bytes_of(one), "application/octet-stream", 200, [("Content-Disposition", f"attachment; filename*=UTF-8''{quoted}")])


@route("GET", "/api/audiobooks/:number/cover", "media")
def cover(call, number):
    if not call.shelf.book(number)["cover_path"]:
        raise Refused(404, "Cover not found")
    return call.sends(COVER % (number, call.query.get("width", "full size").encode()), "image/png")


# ---- Places and sessions

@route("GET", "/api/audiobooks/:number/progress")
def place(call, number):
    return call.shelf.place(call.id, number)


@route("POST", "/api/audiobooks/:number/progress")
def report(call, number):
    return call.shelf.report(call.user, number, call.body)


@route("DELETE", "/api/audiobooks/:number/progress")
def clear(call, number):
    return call.shelf.clear_place(call.user, number)


@route("GET", "/api/audiobooks/:number/sessions")
def heard(call, number):
    return call.shelf.sessions_of(call.id, number, call.number("limit", 50), call.number("offset", 0))


@route("POST", "/api/audiobooks/:number/sessions")
def begin_or_end(call, number):
    if call.body.get("action") == "start":
        return {"id": call.shelf.start_session(call.id, number, call.body["position"], call.body.get("deviceName"))["id"], "message": "Session started"}
    rows = [row for row in call.shelf.heard if (row["user"], row["book"]) == (call.id, number) and not row["stopped_at"]]
    for row in rows:
        row.update(stopped_at=moment(call.shelf.now()), end_position=call.body["position"])
    return {"message": "Session stopped", "updated": len(rows)}


@route("GET", "/api/audiobooks/:number/previous-book-status")
def previous(call, number):
    return call.shelf.previous(call.id, number)


@route("GET", "/api/sessions")
def sessions(call):
    return call.shelf.live_sessions()


@route("GET", "/api/sessions/user/:number")
def sessions_of_user(call, number):
    return call.shelf.live_sessions(number)


@route("DELETE", "/api/sessions/:word")
def forget_session(call, name):
    key = next((key for key, live in call.shelf.live.items() if live["sessionId"] == name), None)
    if not key:
        raise Refused(404, "Session not found")
    call.shelf.stop_live(*key)
    return {"message": "Session removed"}
