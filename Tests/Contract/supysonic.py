#!/usr/bin/python3
"""A real Subsonic server, supysonic, with a small library of tones: for tests and suites that need a server that is not ours.

    supysonic.py FOLDER [debian|pypi]

FOLDER becomes the server's home: its configuration, its database and its music. The user is "ada" with the password "sesame",
and an administrator. Once it answers, one line of JSON says its port: {"port": 40123, "recorder": 40124}. What it scrobbles to
ListenBrainz goes to the recorder beside it, which lists it at /listens (0.7.9 only). It runs until it gets SIGTERM.

Suites import it: `with Supysonic(folder, version="pypi") as server: server.url`.
"""

import contextlib
import http.server
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
import uuid

from ports import free_port

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
USER, PASSWORD = "ada", "sesame"
TOKEN = "listenbrainz-token"

# Folder, artist, album, year, genre, title, track, pitch, seconds. Of each pitch there is one song, so that recorded sound says which.
TONES = [
    ("Low Tide", "Kestrel", "Low Tide", 1994, "Folk", "Harbour", 1, 300, 8),
    ("Low Tide", "Kestrel", "Low Tide", 1994, "Folk", "Breakwater", 2, 360, 8),
    ("Low Tide", "Kestrel", "Low Tide", 1994, "Folk", "Lighthouse", 3, 420, 8),
    ("Glass", "Merle Ash", "Glass", 2012, "Ambient", "Pane", 1, 480, 8),
    ("Glass", "Merle Ash", "Glass", 2012, "Ambient", "Shard", 2, 540, 30),
]


def tones(folder):
    """Writes the library: FLAC for one album, MP3 for the other, and a cover."""
    for place, artist, album, year, genre, title, track, pitch, seconds in TONES:
        suffix = "flac" if place == "Low Tide" else "mp3"
        path = f"{folder}/{artist}/{place}/{track:02} {title}.{suffix}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        tags = {"title": title, "artist": artist, "album_artist": artist, "album": album, "date": year, "genre": genre, "track": track}
        words = [word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")]
        sine = f"sine=frequency={pitch}:sample_rate=44100:duration={seconds}"
        subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", sine, *words, path], check=True, timeout=60)
    cover = f"{folder}/Merle Ash/Glass/cover.jpg"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "color=teal:size=640x640", "-frames:v", "1", cover],
        check=True,
        timeout=60,
    )


class Recorder(http.server.BaseHTTPRequestHandler):
    """ListenBrainz, as far as a server that scrobbles needs it."""

    listens = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.listens.append({"token": self.headers.get("Authorization"), **json.loads(body or b"{}")})
        self.answer({"status": "ok"})

    def do_GET(self):
        self.answer(self.listens if self.path == "/listens" else {"valid": True, "user_name": USER})

    def answer(self, content):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def programs(version):
    """Where the server and its command line are; the newer one is in the tests' own Python."""
    folder = f"{ROOT}/.build/venv/bin" if version == "pypi" else "/usr/bin"
    return f"{folder}/supysonic-server", f"{folder}/supysonic-cli"


class Supysonic:
    """One server. `albums` more albums are written into its database without any file."""

    def __init__(self, folder, version="pypi", albums=0, music=None, make=tones):
        self.folder, self.version, self.albums = folder, version, albums
        self.music = music or f"{folder}/music"
        self.make = make
        self.port = free_port()
        self.process = None
        self.recorder = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Recorded", (Recorder,), {"listens": []}))
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def listens(self):
        return self.recorder.RequestHandlerClass.listens

    @property
    def database(self):
        return f"{self.folder}/supysonic.db"

    def __enter__(self):
        threading.Thread(target=self.recorder.serve_forever, daemon=True).start()
        os.makedirs(self.folder, exist_ok=True)
        if not os.path.isdir(self.music):
            self.make(self.music)
        with open(f"{self.folder}/supysonic.conf", "w", encoding="utf-8") as file:
            file.write(
                f"[base]\ndatabase_uri = sqlite:///{self.database}\n"
                f"[webapp]\ncache_dir = {self.folder}/cache\nlog_file = {self.folder}/log\nmount_webui = off\n"
                f"[daemon]\nsocket = {self.folder}/daemon.sock\nrun_watcher = off\n"
                "[transcoding]\ntranscoder = ffmpeg -nostdin -loglevel error -i %srcpath -b:a %outratek -f %outfmt -\n"
                f"[listenbrainz]\napi_url = http://127.0.0.1:{self.recorder.server_port}\n"
            )
        # A folder of before is used as it is: a large library takes longer to make than most of what is done with it.
        if not os.path.exists(f"{self.folder}/made"):
            self.command("user", "add", USER, "-p", PASSWORD)
            self.command("user", "setroles", "--admin", USER)
            self.command("folder", "add", "Music", self.music)
            self.command("folder", "scan", "--foreground")
            self.fill()
            with open(f"{self.folder}/made", "w", encoding="utf-8"):
                pass
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.recorder.shutdown()
        self.recorder.server_close()

    @property
    def environment(self):
        # Its configuration is the one in the folder that it runs in, and none of the machine's.
        return {"PATH": "/usr/bin:/bin", "HOME": self.folder, "LANG": "C.UTF-8"}

    def command(self, *words):
        done = subprocess.run(
            [programs(self.version)[1], *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode != 0:
            raise AssertionError(f"supysonic-cli {' '.join(words)}: {done.stdout}{done.stderr}")

    def fill(self):
        """The account that is told of plays, and albums that exist in the database alone."""
        with contextlib.closing(sqlite3.connect(self.database)) as db, db:
            columns = {row[1] for row in db.execute("PRAGMA table_info(user)")}
            if "listenbrainz_session" in columns:
                db.execute("UPDATE user SET listenbrainz_session = ?, listenbrainz_status = 1", (TOKEN,))
            if self.albums:
                self.fill_albums(db)

    def fill_albums(self, db):
        root = db.execute("SELECT id FROM folder WHERE root").fetchone()[0]
        artists = max(1, self.albums // 10)

        def key(kind, number):
            # The older version keeps sixteen bytes, the newer one their digits.
            made = uuid.UUID(f"00000000-0000-4000-{kind}000-{number:012x}")
            return made.bytes if self.version == "debian" else made.hex

        db.executemany("INSERT INTO artist (id, name) VALUES (?, ?)", ((key(8, n), f"Artist {n:05}") for n in range(artists)))
        db.executemany(
            "INSERT INTO album (id, name, artist_id) VALUES (?, ?, ?)", ((key(9, n), f"Record {n:05}", key(8, n % artists)) for n in range(self.albums))
        )
        names = "id, disc, number, title, year, genre, duration, has_art, album_id, artist_id, bitrate, path, path_hash, created"
        names += ", last_modification, play_count, root_folder_id, folder_id"
        db.executemany(
            f"INSERT INTO track ({names}) VALUES ({', '.join('?' * 18)})",
            (
                (
                    key("a", n), 1, 1, f"Song {n:05}", 1960 + n % 60, f"Genre {n % 20}", 180, 0, key(9, n), key(8, n % artists), 128,
                    f"{self.music}/none/{n}.mp3", n.to_bytes(20, "big"), "2026-01-01 00:00:00.000000", 0, 0, root, root,
                )
                for n in range(self.albums)
            ),
        )

    def start(self):
        server = programs(self.version)[0]
        words = [server, "-S", "waitress", "-h", "127.0.0.1", "-p", str(self.port)]
        with open(f"{self.folder}/output", "ab") as output:
            self.process = subprocess.Popen(
                words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        end = time.monotonic() + 60
        while True:
            try:
                if self.ask("ping")["status"] == "ok":
                    return
            except OSError:
                pass
            if self.process.poll() is not None or time.monotonic() > end:
                with open(f"{self.folder}/output", encoding="utf-8") as output:
                    raise AssertionError(f"supysonic does not answer: {output.read()}")
            time.sleep(0.05)

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(timeout=30)

    def ask(self, method, **parameters):
        """What the server itself says, past the hub."""
        query = urllib.parse.urlencode({"u": USER, "p": PASSWORD, "c": "test", "v": "1.12.0", "f": "json", **parameters}, doseq=True)
        with urllib.request.urlopen(f"{self.url}/rest/{method}.view?{query}", timeout=30) as answer:
            return json.load(answer)["subsonic-response"]

    def plays(self):
        """How often each song was played, by its title."""
        with contextlib.closing(sqlite3.connect(self.database)) as db:
            return dict(db.execute("SELECT title, play_count FROM track WHERE play_count > 0"))


def main():
    folder = sys.argv[1]
    version = sys.argv[2] if len(sys.argv) > 2 else "pypi"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Supysonic(folder, version) as server:
        print(json.dumps({"port": server.port, "recorder": server.recorder.server_port}), flush=True)
        server.process.wait()


if __name__ == "__main__":
    main()
