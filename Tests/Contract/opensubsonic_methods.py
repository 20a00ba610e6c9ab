"""The answers of the OpenSubsonic server beside this file: its library and one function for each method."""

import math
import struct
import time

USER, PASSWORD, KEY = "ada", "sesame", "key-4711"
EXTENSIONS = {
    "apiKeyAuthentication": [1], "formPost": [1], "transcodeOffset": [1], "indexBasedQueue": [1], "songLyrics": [1, 2], "topSongsByArtistId": [1],
}
# What Navidrome answers in plain text.
PLAIN = {"getShares": 501, "hls": 410, "search": 410, "getVideos": 410}
RATE = 8000


def tone(pitch, seconds):
    """A WAV file."""
    samples = b"".join(struct.pack("<h", int(12000 * math.sin(2 * math.pi * pitch * n / RATE))) for n in range(RATE * seconds))
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, RATE, RATE * 2, 2, 16) + b"data" + struct.pack("<I", len(samples))
    return b"RIFF" + struct.pack("<I", len(head) + len(samples)) + head + samples


def transcoded(kbps, seconds, offset):
    """Not sound: each byte says the second that it belongs to, so that a test sees where a stream began."""
    return b"".join(bytes([second % 251]) * (kbps * 125) for second in range(offset, seconds))


# Album, artist, genre, year, then songs.
ALBUMS = [
    ("al-1", "North Light", "ar-1", "Ines Vale", "Folk", 1987, [("Ferry", 300, 4), ("Quay", 340, 4), ("Buoy", 380, 4)]),
    ("al-2", "Second Nature", "ar-1", "Ines Vale", "Folk", 1991, [("Moss", 420, 4), ("Fern", 460, 4)]),
    ("al-3", "Copper", "ar-2", "The Wirewalkers", "Rock", 2003, [("Ore", 500, 4), ("Alloy", 540, 60)]),
]


class Library:
    """What the server holds; every change is one of a method."""

    def __init__(self):
        self.songs, self.albums, self.sounds = {}, {}, {}
        self.stars, self.ratings, self.played, self.counts = {}, {}, {}, {}
        self.lists, self.stations, self.queue, self.bookmarks = {}, {}, None, {}
        # How often each song was streamed.
        self.streams = {}
        self.number = 9_007_199_254_740_993  # Beyond what a double holds.
        for id, name, artist_id, artist, genre, year, titles in ALBUMS:
            ids = []
            for track, (title, pitch, seconds) in enumerate(titles, 1):
                song = f"so-{len(self.songs) + 1}"
                self.sounds[song] = (pitch, seconds)
                self.songs[song] = {
                    "id": song, "parent": id, "isDir": False, "title": title, "album": name, "artist": artist, "albumId": id, "artistId": artist_id,
                    "track": track, "discNumber": 1, "year": year, "genre": genre, "genres": [{"name": genre}], "size": 44 + RATE * 2 * seconds,
                    "contentType": "audio/wav", "suffix": "wav", "duration": seconds, "bitRate": 128, "coverArt": id, "created": "2026-01-02T03:04:05Z",
                    "artists": [{"id": artist_id, "name": artist}], "type": "music", "mediaType": "song", "samplingRate": RATE, "bitDepth": 16,
                    "channelCount": 1, "replayGain": {"trackGain": -3.5, "trackPeak": 0.9}, "path": f"../{artist}/{title}.wav",
                }
                ids.append(song)
            self.albums[id] = {
                "id": id, "name": name, "artist": artist, "artistId": artist_id, "songCount": len(ids), "duration": sum(s for _, _, s in titles),
                "created": "2026-01-02T03:04:05Z", "year": year, "genre": genre, "coverArt": id, "_songs": ids,
            }

    def fresh(self):
        self.number += 1
        return self.number

    def song(self, id):
        found = self.songs.get(id)
        return found and {**found, **self.marks(id)}

    def marks(self, id):
        marks = {}
        if id in self.stars:
            marks["starred"] = self.stars[id]
        if id in self.ratings:
            marks["userRating"] = self.ratings[id]
        if id in self.songs:
            marks["playCount"] = self.counts.get(id, 0)
            if id in self.played:
                marks["played"] = self.played[id]
        return marks

    def album(self, id, whole=False):
        album = {name: value for name, value in self.albums[id].items() if not name.startswith("_")}
        return {**album, **self.marks(id), **({"song": [self.song(song) for song in self.albums[id]["_songs"]]} if whole else {})}

    def artists(self):
        found = {}
        for album in self.albums.values():
            artist = found.setdefault(album["artistId"], {"id": album["artistId"], "name": album["artist"], "albumCount": 0, "coverArt": album["artistId"]})
            artist["albumCount"] += 1
        return [{**artist, **self.marks(artist["id"])} for artist in found.values()]


class Failed(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def iso(ms):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03}Z"


class Methods:
    """The answers, each by its method's name. `ask` holds lists of values."""

    def __init__(self, library, settings):
        self.library, self.settings = library, settings

    def one(self, ask, name, usual=None):
        if name in ask:
            return ask[name][0]
        if usual is None:
            raise Failed(10, f"Required parameter is missing: {name}")
        return usual

    def need(self, ask, what):
        id = self.one(ask, "id")
        if id not in what:
            raise Failed(70, "The requested data was not found")
        return id

    def page(self, rows, ask, size="size", offset="offset", usual=10):
        start = int(self.one(ask, offset, "0"))
        return rows[start : start + min(500, int(self.one(ask, size, str(usual))))]

    def ping(self, _):
        return {}

    def getMusicFolders(self, _):
        return {"musicFolders": {"musicFolder": [{"id": 1, "name": "Music"}]}}

    def getIndexes(self, _):
        index = [{"name": "I", "artist": [{"id": "di-1", "name": "Ines Vale"}]}]
        return {"indexes": {"lastModified": 1, "ignoredArticles": "The", "index": index}}

    def getMusicDirectory(self, ask):
        # A directory that stands in itself, and one whose name leads out.
        if self.one(ask, "id") != "di-1":
            raise Failed(70, "Directory not found")
        child = [{"id": "di-1", "isDir": True, "title": "../.."}, self.library.song("so-1"), {"id": "so-2", "isDir": False, "title": "Quay"}]
        return {"directory": {"id": "di-1", "name": "Ines Vale", "child": child}}

    def getArtists(self, _):
        index = {}
        for artist in self.library.artists():
            index.setdefault(artist["name"].removeprefix("The ")[0], []).append(artist)
        return {"artists": {"ignoredArticles": "The", "index": [{"name": name, "artist": rows} for name, rows in sorted(index.items())]}}

    def getArtist(self, ask):
        id = self.one(ask, "id")
        for artist in self.library.artists():
            if artist["id"] == id:
                return {"artist": {**artist, "album": [self.library.album(key) for key, row in self.library.albums.items() if row["artistId"] == id]}}
        raise Failed(70, "Artist not found")

    def getArtistInfo2(self, ask):
        id = self.one(ask, "id")
        others = [row for row in self.library.artists() if row["id"] != id]
        return {"artistInfo2": {"biography": f"About {id}.", "largeImageUrl": "", "similarArtist": others}}

    def getAlbum(self, ask):
        return {"album": self.library.album(self.need(ask, self.library.albums), whole=True)}

    def getSong(self, ask):
        return {"song": self.library.song(self.need(ask, self.library.songs))}

    def getGenres(self, _):
        return {"genres": {"genre": [{"value": "Folk", "songCount": 5, "albumCount": 2}, {"value": "Rock", "songCount": 2, "albumCount": 1}]}}

    def getAlbumList2(self, ask):
        kind, rows = self.one(ask, "type"), list(self.library.albums)
        albums = self.library.albums
        if kind == "alphabeticalByName":
            rows.sort(key=lambda id: albums[id]["name"])
        elif kind == "byGenre":
            rows = [id for id in rows if albums[id]["genre"] == self.one(ask, "genre")]
        elif kind == "byYear":
            first, last = int(self.one(ask, "fromYear")), int(self.one(ask, "toYear"))
            rows = [id for id in rows if min(first, last) <= albums[id]["year"] <= max(first, last)]
        elif kind == "starred":
            rows = [id for id in rows if id in self.library.stars]
        found = [self.library.album(id) for id in self.page(rows, ask)]
        return {"albumList2": {"album": found} if found else {}}

    def getRandomSongs(self, ask):
        genre = self.one(ask, "genre", "")
        rows = [self.library.song(id) for id, song in self.library.songs.items() if not genre or song["genre"] == genre]
        return {"randomSongs": {"song": self.page(rows, ask)}}

    def getSongsByGenre(self, ask):
        rows = [self.library.song(id) for id, song in self.library.songs.items() if song["genre"] == self.one(ask, "genre")]
        return {"songsByGenre": {"song": self.page(rows, ask, "count")}}

    def getStarred2(self, _):
        stars = self.library.stars
        found = {
            "artist": [row for row in self.library.artists() if row["id"] in stars],
            "album": [self.library.album(id) for id in self.library.albums if id in stars],
            "song": [self.library.song(id) for id in self.library.songs if id in stars],
        }
        return {"starred2": {name: rows for name, rows in found.items() if rows}}

    def search3(self, ask):
        text = self.one(ask, "query", "").strip('"').lower()
        found = {}
        if not text and "emptySearch" in self.settings["without"]:
            return {"searchResult3": {}}
        for name, kind, rows in (
            ("artist", "artist", self.library.artists()), ("album", "album", [self.library.album(id) for id in self.library.albums]),
            ("song", "song", [self.library.song(id) for id in self.library.songs]),
        ):
            matching = [row for row in rows if text in row.get("name", row.get("title", "")).lower()]
            found[name] = self.page(matching, ask, f"{kind}Count", f"{kind}Offset", 20)
        return {"searchResult3": {name: rows for name, rows in found.items() if rows}}

    def getSimilarSongs2(self, ask):
        id = self.one(ask, "id")
        rows = [self.library.song(key) for key, song in self.library.songs.items() if song["artistId"] == id]
        return {"similarSongs2": {"song": self.page(rows, ask, "count")}}

    def getTopSongs(self, ask):
        rows = [self.library.song(key) for key, song in self.library.songs.items() if song["artist"] == self.one(ask, "artist", "?")]
        return {"topSongs": {"song": rows[:2]}}

    def getLyrics(self, _):
        return {"lyrics": {"artist": "Ines Vale", "title": "Quay", "value": "One line\nAnother line"}}

    def getLyricsBySongId(self, ask):
        if self.need(ask, self.library.songs) != "so-1":
            return {"lyricsList": {}}
        line = [{"start": 1500, "value": "The ferry leaves"}, {"start": 3000, "value": "at four"}]
        plain = {"lang": "en", "synced": False, "line": [{"value": "The ferry leaves"}]}
        return {"lyricsList": {"structuredLyrics": [plain, {"lang": "en", "synced": True, "offset": 500, "line": line}]}}

    def star(self, ask, isOn=True):
        for id in ask.get("id", []) + ask.get("albumId", []) + ask.get("artistId", []):
            if isOn:
                self.library.stars[id] = "2026-01-02T03:04:05Z"
            else:
                self.library.stars.pop(id, None)
        return {}

    def unstar(self, ask):
        return self.star(ask, False)

    def setRating(self, ask):
        rating = int(self.one(ask, "rating"))
        if not 0 <= rating <= 5:
            raise Failed(0, "rating must be between 0 and 5")
        self.library.ratings.pop(self.one(ask, "id"), None)
        if rating:
            self.library.ratings[self.one(ask, "id")] = rating
        return {}

    def scrobble(self, ask):
        ids, times = ask.get("id", []), ask.get("time", [])
        if times and len(times) != len(ids):
            raise Failed(0, "Wrong number of timestamps")
        if self.one(ask, "submission", "true") == "true":
            for id, ms in zip(ids, times or [str(int(time.time() * 1000))] * len(ids)):
                self.library.counts[id] = self.library.counts.get(id, 0) + 1
                self.library.played[id] = iso(int(ms))
        return {}

    def savePlayQueueByIndex(self, ask):
        ids = ask.get("id", [])
        self.library.queue = None
        if ids:
            self.library.queue = (ids, int(self.one(ask, "currentIndex")), int(self.one(ask, "position", "0")))
        return {}

    def savePlayQueue(self, ask):
        ids = ask.get("id", [])
        self.library.queue = (ids, ids.index(self.one(ask, "current")), int(self.one(ask, "position", "0"))) if ids else None
        return {}

    def getPlayQueueByIndex(self, _, isClassic=False):
        if not self.library.queue:
            return {}
        ids, at, position = self.library.queue
        current = {"current": ids[at]} if isClassic else {"currentIndex": at}
        saved = {"position": position, "username": USER, "changed": "2026-02-03T04:05:06.789Z", "changedBy": "Phone"}
        entry = [self.library.song(id) for id in ids]
        return {"playQueue" if isClassic else "playQueueByIndex": {**current, **saved, "entry": entry}}

    def getPlayQueue(self, ask):
        return self.getPlayQueueByIndex(ask, True)

    def getBookmarks(self, _):
        rows = [{**row, "username": USER, "entry": self.library.song(id)} for id, row in self.library.bookmarks.items()]
        return {"bookmarks": {"bookmark": rows} if rows else {}}

    def createBookmark(self, ask):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.settings["ahead"]))
        row = {"position": int(self.one(ask, "position")), "comment": self.one(ask, "comment", ""), "created": now, "changed": now}
        self.library.bookmarks[self.one(ask, "id")] = row
        return {}

    def deleteBookmark(self, ask):
        self.library.bookmarks.pop(self.one(ask, "id"), None)
        return {}

    def shown(self, id, whole=False):
        row = self.library.lists[id]
        entry = [self.library.song(song) for song in row["songs"]]
        # Some servers let a list stand in itself.
        entry += [{"id": id, "isDir": True, "title": row["name"]}] if row["name"] == "Loop" else []
        head = {"id": id, "name": row["name"], "comment": row["comment"], "public": row["public"], "songCount": len(row["songs"]), "owner": USER}
        return {**head, **({"entry": entry} if whole else {})}

    def playlist(self, ask, name="id"):
        id = self.one(ask, name)
        for key in self.library.lists:
            if str(key) == id:
                return key
        raise Failed(70, "Playlist not found")

    def getPlaylists(self, _):
        return {"playlists": {"playlist": [self.shown(id) for id in self.library.lists]}}

    def getPlaylist(self, ask):
        return {"playlist": self.shown(self.playlist(ask), True)}

    def createPlaylist(self, ask):
        songs = ask.get("songId", [])
        if "playlistId" in ask:
            id = self.playlist(ask, "playlistId")
            self.library.lists[id]["songs"] = songs
        else:
            id = self.library.fresh()
            self.library.lists[id] = {"name": self.one(ask, "name"), "comment": "", "public": False, "songs": songs}
        return {"playlist": self.shown(id, True)}

    def updatePlaylist(self, ask):
        row = self.library.lists[self.playlist(ask, "playlistId")]
        row["name"] = self.one(ask, "name", row["name"])
        row["comment"] = self.one(ask, "comment", row["comment"] or " ").strip()
        row["public"] = self.one(ask, "public", str(row["public"])).lower() == "true"
        gone = {int(at) for at in ask.get("songIndexToRemove", [])}
        row["songs"] = [song for at, song in enumerate(row["songs"]) if at not in gone] + ask.get("songIdToAdd", [])
        return {}

    def deletePlaylist(self, ask):
        del self.library.lists[self.playlist(ask)]
        return {}

    def getInternetRadioStations(self, _):
        return {"internetRadioStations": {"internetRadioStation": list(self.library.stations.values())}}

    def createInternetRadioStation(self, ask):
        id = f"ra-{self.library.fresh()}"
        self.library.stations[id] = {"id": id, "name": self.one(ask, "name"), "streamUrl": self.one(ask, "streamUrl")}
        return {}

    def updateInternetRadioStation(self, ask):
        self.library.stations[self.need(ask, self.library.stations)].update(name=self.one(ask, "name"), streamUrl=self.one(ask, "streamUrl"))
        return {}

    def deleteInternetRadioStation(self, ask):
        del self.library.stations[self.need(ask, self.library.stations)]
        return {}

    def getPodcasts(self, ask):
        episode = [
            {"id": "ep-1", "streamId": "so-7", "title": "One", "status": "completed", "duration": 60, "suffix": "wav", "size": 44 + RATE * 120},
            {"id": "ep-2", "title": "Two", "status": "skipped"},
        ]
        whole = self.one(ask, "includeEpisodes", "true") == "true"
        return {"podcasts": {"channel": [{"id": "po-1", "title": "Field Notes", "url": "https://example.org", **({"episode": episode} if whole else {})}]}}

    def startScan(self, _):
        return {"scanStatus": {"scanning": True, "count": 0}}
