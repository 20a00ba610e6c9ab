"""Debian's mpd with a null output, in a folder of its own on a port of the loopback."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile

from Dialects.Support.mpdpeer import Peer
from Support.hubs import wait
from ports import free_port

# Each change of a sticker is synced to the disk, for which others may let it wait long.
MEMORY = "/dev/shm"
CONFIGURATION = """music_directory "{music}"
playlist_directory "{folder}/playlists"
db_file "{folder}/database"
state_file "{folder}/state"
sticker_file "{folder}/stickers"
log_file "{folder}/log"
log_level "verbose"
bind_to_address "127.0.0.1"
port "{port}"
zeroconf_enabled "no"
auto_update "no"
audio_output {{
 type "null"
 name "first"
 mixer_type "software"
}}
audio_output {{
 type "null"
 name "second"
 mixer_type "null"
 enabled "no"
}}
"""


class Mpd:
    """A running mpd that knows all of its music. It is ended by its own number."""

    def __init__(self, music):
        self.folder = tempfile.mkdtemp(prefix="baton-mpd-", dir=MEMORY if os.access(MEMORY, os.W_OK) else "/tmp")
        os.mkdir(f"{self.folder}/playlists")
        self.address = ("127.0.0.1", free_port())
        path = f"{self.folder}/mpd.conf"
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(music=music, folder=self.folder, port=self.address[1]))
        self.process = subprocess.Popen(
            ["mpd", "--no-daemon", path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
        try:
            wait("mpd listens", self.has_started)
            with self.peer() as peer:
                peer.ask("update")
                wait("mpd knows its music", lambda: peer.value("status", "updating_db") is None)
        except BaseException as fault:
            fault.add_note(f"mpd ended with {self.process.poll()} and said: {self.said()}")
            self.close()
            raise

    def has_started(self):
        if self.process.poll() is not None:
            raise AssertionError(f"mpd ended with {self.process.returncode}")
        try:
            self.peer().close()
        except ConnectionRefusedError:
            return False
        return True

    def said(self):
        with contextlib.suppress(FileNotFoundError), open(f"{self.folder}/log", encoding="utf-8", errors="replace") as file:
            return file.read()[-2000:]
        return ""

    def peer(self):
        return Peer(self.address)

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
