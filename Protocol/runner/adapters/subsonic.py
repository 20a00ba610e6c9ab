#!/usr/bin/python3
"""Servers of music for scenarios of the profile servers, as an OpenSubsonic server speaks: for adapters of hubs that know such servers.

    subsonic.py FILE

FILE is what the runner gives by --servers (../README.md). One line says the accounts and where words are taken:
{"servers":{NAME:{"kind":"subsonic","url",…}},"control":URL}. Left out are servers that are asked for more than OpenSubsonic has. All of it
outlives the hub, and ends when FILE is gone.
"""

import hashlib
import http.server
import json
import os
import sys
import threading
import time
import unicodedata
import urllib.parse

USER, PASSWORD = "anna", "open-sesame"
# What the protocol has. Other words of `can` are for other kinds of servers.
KNOWN = {"browse", "search", "pictures", "favourites", "stars", "plays", "similar", "mirror", "download", "queue", "lists", "progress"}


class Refused(Exception):
    """An error of the protocol: its code, and a sentence."""


class Shelf:
    """What one server holds, and what it was told."""

    def __init__(self, name, asked):
        self.name, self.folder, self.can, self.about, self.sends = name, asked["folder"], set(asked.get("can", ())), asked.get("about", {}), asked.get("sends")
        self.music = {file: content if isinstance(content, dict) else {"seconds": content} for file, content in asked.get("music", {}).items()}
        self.keeps_stations = asked.get("stations", False)
        self.stars, self.ratings, self.plays, self.requests = {}, {}, {}, {}
        self.lists, self.stations, self.marks, self.queue, self.number = {}, {}, {}, None, 0
        self.is_down, self.slow_s = False, 0

    def fresh(self):
        self.number += 1
        return str(self.number)

    # Rows

    def song(self, file):
        told = self.music[file]
        artist, album = told.get("artist", "Unknown"), told.get("album", "Unknown")
        row = {"id": file, "isDir": False, "title": told.get("title", file.rpartition(".")[0]), "artist": artist, "artistId": key(artist), "album": album,
               "albumId": key(artist + album), "parent": key(artist + album), "duration": round(told["seconds"]), "suffix": "wav", "contentType": "audio/wav",
               "size": os.path.getsize(f"{self.folder}/{file}"), "type": "music", "mediaType": "song", "created": "2026-01-02T03:04:05Z", "path": file,
               "artists": [{"id": key(artist), "name": artist}], "playCount": self.plays.get(file, 0)}
        row.update({name: told[name] for name in ("track", "year", "genre") if name in told})
        return row | ({"starred": self.stars[file]} if file in self.stars else {}) | ({"userRating": self.ratings[file]} if file in self.ratings else {})

    def songs(self):
        return [self.song(file) for file in self.music]

    def albums(self):
        found = {}
        for song in self.songs():
            album = found.setdefault(song["albumId"], {"id": song["albumId"], "name": song["album"], "artist": song["artist"], "artistId": song["artistId"],
                                                       "songCount": 0, "duration": 0, "created": song["created"], "song": []})
            album["songCount"], album["duration"] = album["songCount"] + 1, album["duration"] + song["duration"]
            album["song"].append(song)
        return found

    def artists(self):
        found = {}
        for album in self.albums().values():
            artist = found.setdefault(album["artistId"], {"id": album["artistId"], "name": album["artist"], "albumCount": 0})
            artist["albumCount"] += 1
        return found

    def list_of(self, id, whole=True):
        row = self.lists[id]
        entry = {"entry": [self.song(file) for file in row["files"] if file in self.music]} if whole else {}
        return {"id": id, "name": row["name"], "comment": "", "public": False, "owner": USER, "songCount": len(row["files"]), "duration": 0, "changed": row["changed"],
                "created": row["changed"], **entry}

    def changed(self, row, **more):
        row.update(more, changed=now())

    # Words of the runner

    def obey(self, word):
        do = word["do"]
        if do in ("down", "up", "slow"):
            self.is_down, self.slow_s = do == "down", word.get("ms", 0) / 1000
        elif do == "gone":
            self.music.pop(word["file"])
        elif do == "place":
            self.marks[word["file"]] = {"position": word["ms"], "changed": now(word["atMs"])}
        elif do == "list":
            row = next((row for row in self.lists.values() if row["name"] == word["name"]), None)
            if row is None:
                row = self.lists[self.fresh()] = {"name": word["name"], "files": []}
            self.changed(row, files=word["files"])
        elif do != "told":
            return {"error": f"this server knows no {do}"}
        return {"favourites": sorted(self.stars), "stars": self.ratings, "plays": self.plays, "places": {file: row["position"] for file, row in self.marks.items()},
                "lists": [{"name": row["name"], "files": row["files"], "version": row["changed"]} for row in self.lists.values()], "queue": self.queue,
                "stations": [{"title": row["name"], "url": row["streamUrl"]} for row in self.stations.values()], "requests": self.requests}

    # Methods of the protocol, each by its name

    def ping(self, _):
        return {}

    def getArtists(self, _):
        index = {}
        for artist in self.artists().values():
            index.setdefault(artist["name"][0].upper(), []).append(artist)
        return {"artists": {"ignoredArticles": "", "index": [{"name": name, "artist": rows} for name, rows in sorted(index.items())]}}

    def getArtist(self, ask):
        artist = one(self.artists(), ask)
        return {"artist": {**artist, "album": [album for album in self.albums().values() if album["artistId"] == artist["id"]]}}

    def getArtistInfo2(self, ask):
        artist = one(self.artists(), ask)
        return {"artistInfo2": {"biography": self.about.get(artist["name"], ""), "similarArtist": [row for row in self.artists().values() if row is not artist]}}

    def getAlbum(self, ask):
        return {"album": one(self.albums(), ask)}

    def getSong(self, ask):
        return {"song": one({file: self.song(file) for file in self.music}, ask)}

    def getGenres(self, _):
        return {"genres": {"genre": []}}

    def getMusicFolders(self, _):
        return {"musicFolders": {"musicFolder": [{"id": 1, "name": self.name}]}}

    def getAlbumList2(self, ask):
        return {"albumList2": {"album": part(list(self.albums().values()), ask, "size", "offset", 10)}}

    def getRandomSongs(self, ask):
        return {"randomSongs": {"song": part(self.songs(), ask, "size", "offset", 10)}}

    def getStarred2(self, _):
        return {"starred2": {"song": [self.song(file) for file in self.stars]}}

    def search3(self, ask):
        words = plain(ask.get("query", [""])[0].strip('"')).split()
        if not words and "mirror" not in self.can:
            return {"searchResult3": {}}
        found = {"artist": self.artists().values(), "album": self.albums().values(), "song": self.songs()}
        rows = {kind: [row for row in some if all(word in plain(" ".join(row.get(name, "") for name in SEARCHED)) for word in words)] for kind, some in found.items()}
        return {"searchResult3": {kind: part(some, ask, f"{kind}Count", f"{kind}Offset", 20) for kind, some in rows.items()}}

    def getSimilarSongs2(self, ask):
        return {"similarSongs2": {"song": part(self.songs(), ask, "count", "offset", 50)}}

    def getTopSongs(self, ask):
        return {"topSongs": {"song": [song for song in self.songs() if song["artist"] == ask.get("artist", [""])[0]]}}

    def star(self, ask):
        self.stars.update((file, now()) for file in ask.get("id", []))
        return {}

    def unstar(self, ask):
        for file in ask.get("id", []):
            self.stars.pop(file, None)
        return {}

    def setRating(self, ask):
        self.ratings[ask["id"][0]] = int(ask["rating"][0])
        return {}

    def scrobble(self, ask):
        if ask.get("submission", ["true"])[0] == "true":
            for file in ask.get("id", []):
                self.plays[file] = self.plays.get(file, 0) + 1
        return {}

    def getPlaylists(self, _):
        return {"playlists": {"playlist": [self.list_of(id, False) for id in self.lists]}}

    def getPlaylist(self, ask):
        return {"playlist": self.list_of(one_id(self.lists, ask["id"][0]))}

    def createPlaylist(self, ask):
        if "playlistId" in ask:
            id = one_id(self.lists, ask["playlistId"][0])
        else:
            id = self.fresh()
            self.lists[id] = {"name": ask["name"][0], "files": []}
        self.changed(self.lists[id], files=ask.get("songId", []))
        return {"playlist": self.list_of(id)}

    def updatePlaylist(self, ask):
        row, gone = self.lists[one_id(self.lists, ask["playlistId"][0])], set(map(int, ask.get("songIndexToRemove", [])))
        self.changed(row, name=ask.get("name", [row["name"]])[0], files=[file for at, file in enumerate(row["files"]) if at not in gone] + ask.get("songIdToAdd", []))
        return {}

    def deletePlaylist(self, ask):
        del self.lists[one_id(self.lists, ask["id"][0])]
        return {}

    def savePlayQueue(self, ask):
        self.queue = {"files": ask.get("id", []), "current": ask.get("current", [""])[0], "ms": int(ask.get("position", ["0"])[0]), "changed": now()}
        return {}

    def getPlayQueue(self, _):
        saved = self.queue
        return {} if not saved else {"playQueue": {"current": saved["current"], "position": saved["ms"], "username": USER, "changed": saved["changed"], "changedBy": "Phone",
                                                   "entry": [self.song(file) for file in saved["files"]]}}

    def getBookmarks(self, _):
        return {"bookmarks": {"bookmark": [{**row, "created": row["changed"], "username": USER, "comment": "", "entry": self.song(file)} for file, row in self.marks.items()]}}

    def createBookmark(self, ask):
        self.marks[ask["id"][0]] = {"position": int(ask["position"][0]), "changed": now()}
        return {}

    def deleteBookmark(self, ask):
        self.marks.pop(ask["id"][0], None)
        return {}

    def getInternetRadioStations(self, _):
        return {"internetRadioStations": {"internetRadioStation": list(self.stations.values())}}

    def createInternetRadioStation(self, ask):
        id = self.fresh()
        self.stations[id] = {"id": id, "name": ask["name"][0], "streamUrl": ask["streamUrl"][0]}
        return {}

    def updateInternetRadioStation(self, ask):
        self.stations[one_id(self.stations, ask["id"][0])].update(name=ask["name"][0], streamUrl=ask["streamUrl"][0])
        return {}

    def deleteInternetRadioStation(self, ask):
        del self.stations[one_id(self.stations, ask["id"][0])]
        return {}


# Which methods there are because of which word; all others are always there.
BY = {"lists": {"getPlaylists", "getPlaylist", "createPlaylist", "updatePlaylist", "deletePlaylist"}, "progress": {"getBookmarks", "createBookmark", "deleteBookmark"},
      "queue": {"getPlayQueue", "savePlayQueue"}, "similar": {"getSimilarSongs2"}, "favourites": {"star", "unstar"}, "stars": {"setRating"}}
SEARCHED = ("name", "title", "artist", "album")
STATIONS = {"getInternetRadioStations", "createInternetRadioStation", "updateInternetRadioStation", "deleteInternetRadioStation"}
METHODS = {name for name in vars(Shelf) if name[0] != "_"} - {"fresh", "song", "songs", "albums", "artists", "list_of", "changed", "obey"}


def now(ms=None):
    seconds = time.time() if ms is None else ms / 1000
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03}Z"


def plain(text):
    """Without case and accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))


def key(text):
    return hashlib.md5(text.encode()).hexdigest()[:12]


def one_id(rows, id):
    if id not in rows:
        raise Refused(70, "There is no such thing.")
    return id


def one(rows, ask):
    return rows[one_id(rows, ask.get("id", [""])[0])]


def part(rows, ask, count, offset, usual):
    begin = int(ask.get(offset, ["0"])[0])
    return rows[begin:begin + int(ask.get(count, [str(usual)])[0])]


class Answering(http.server.BaseHTTPRequestHandler):
    """One request, and how it is answered."""

    protocol_version = "HTTP/1.1"

    def say(self, status, kind, body, headers=()):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


class Request(Answering):
    """One request, of the hub or of the runner."""

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if url.path == "/control":
            word = json.loads(body)
            return self.say(200, "application/json", json.dumps(self.server.obeying[word["server"]].obey(word)).encode())
        _, name, rest, method, *_ = [*url.path.split("/"), "", "", ""]
        shelf = self.server.shelves.get(name)
        if shelf is None or rest != "rest":
            return self.say(404, "text/plain", b"Nothing is here.")
        ask = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        for each, values in urllib.parse.parse_qs(body.decode(errors="replace"), keep_blank_values=True).items():
            ask.setdefault(each, []).extend(values)
        return self.take(shelf, method.removesuffix(".view"), ask)

    do_POST = do_HEAD = do_GET

    def take(self, shelf, method, ask):
        if shelf.slow_s:
            time.sleep(shelf.slow_s)
        if shelf.is_down:
            self.close_connection = True
            return self.connection.close()
        missing = set().union(*(names for word, names in BY.items() if word not in shelf.can), set() if shelf.keeps_stations else STATIONS)
        try:
            if method == "getOpenSubsonicExtensions":
                return self.answer({"openSubsonicExtensions": [{"name": "formPost", "versions": [1]}]})
            salted = hashlib.md5((PASSWORD + ask.get("s", [""])[0]).encode()).hexdigest()
            if ask.get("u") != [USER] or not (ask.get("t") == [salted] or ask.get("p") in ([PASSWORD], ["enc:" + PASSWORD.encode().hex()])):
                raise Refused(40, "The name or the password is wrong.")
            if method in ("stream", "download"):
                return self.sound(shelf, ask["id"][0])
            if method not in METHODS or method in missing:
                return self.say(404, "text/plain", b"There is no such method.")
            return self.answer(getattr(shelf, method)(ask))
        except Refused as refused:
            code, sentence = refused.args
            return self.answer({"error": {"code": code, "message": sentence}}, "failed")

    def answer(self, content, status="ok"):
        head = {"status": status, "version": "1.16.1", "type": "baton-runner", "serverVersion": "1", "openSubsonic": True}
        return self.say(200, "application/json", json.dumps({"subsonic-response": {**head, **content}}).encode())

    def sound(self, shelf, file):
        if file not in shelf.music:
            raise Refused(70, "There is no such song.")
        shelf.requests[file] = shelf.requests.get(file, 0) + 1
        if shelf.sends:
            return self.say(302, "text/plain", b"", {"Location": shelf.sends})
        with open(f"{shelf.folder}/{file}", "rb") as sound:
            data = sound.read()
        first, _, last = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        if not first.isdigit():
            return self.say(200, "audio/wav", data, {"Accept-Ranges": "bytes"})
        begin, end = int(first), min(int(last or len(data)), len(data) - 1)
        if begin > end:
            return self.say(416, "text/plain", b"", {"Content-Range": f"bytes */{len(data)}"})
        return self.say(206, "audio/wav", data[begin:end + 1], {"Content-Range": f"bytes {begin}-{end}/{len(data)}"})


def serve(path, others):
    """Brings up the servers of the file, and `others` beside them: by their names, each with its `account`, and taking words by `obey`."""
    with open(path, encoding="utf-8") as file:
        asked = json.load(file)
    able = {name: one for name, one in asked.items() if name not in others and one.get("is", "server") == "server" and set(one.get("can", ())) <= KNOWN and "asks" not in one}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Request)
    server.daemon_threads, server.shelves = True, {name: Shelf(name, one) for name, one in able.items()}
    server.obeying = {**server.shelves, **others}
    server.handle_error = lambda *_: None
    url = f"http://127.0.0.1:{server.server_port}"
    accounts = {name: {"kind": "subsonic", "url": f"{url}/{name}", "user": USER, "password": PASSWORD} for name in able}
    print(json.dumps({"servers": {**accounts, **{name: one.account for name, one in others.items()}}, "control": f"{url}/control"}), flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while os.path.exists(path):
        time.sleep(0.5)


if __name__ == "__main__":
    serve(sys.argv[1], {})
