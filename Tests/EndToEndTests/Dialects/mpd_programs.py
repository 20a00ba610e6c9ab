# deploy/test: tier 2, judges Sources/Dialects/MPD.
# deploy/test: waits, for a scrobbler must hear half of a song.
"""More programs that know mpd alone: ncmpcpp, mpDris2, mpdscribble, mpd-sima and cantata of Debian, python-mpd2 and python-musicpd of PyPI."""

import json
import os
import subprocess

from Dialects.Support.desktop import Bus, Desktop
from Remotes.top import Tmux
from Support.fixtures import make, metadata
from Support.hubs import HubCase, main, wait
from ports import free_port

TITLES = ("Dawn", "Noon", "Dusk", "Night")
SECONDS = 32
SCROBBLER = "host = 127.0.0.1\nport = {port}\nlog = {folder}/scribble.log\n[kept]\nfile = {folder}/heard\n"
SIMILAR = """[MPD]
host = 127.0.0.1
port = {port}
[sima]
internal = Random
history_duration = 1
queue_length = 2
var_dir = {folder}
[random]
flavour = pure
track_to_add = 1
"""
# What a library of PyPI sees: a client that waits by asyncio, and one that blocks.
LIBRARIES = """
import asyncio, json, sys
import mpd.asyncio, musicpd
port = int(sys.argv[1])
async def told():
    waiting, client = mpd.asyncio.MPDClient(), mpd.asyncio.MPDClient()
    await waiting.connect("127.0.0.1", port)
    await client.connect("127.0.0.1", port)
    await client.clear()
    await client.add("Band")
    await client.play(2)
    events = []
    async def wait():
        async for names in waiting.idle(["mixer"]):
            events.extend(names)
            return
    listening = asyncio.create_task(wait())
    await asyncio.sleep(0.3)
    await client.setvol(35)
    await asyncio.wait_for(listening, 20)
    song = await client.currentsong()
    waiting.disconnect()
    client.disconnect()
    return [song["title"], events, mpd.VERSION >= (3, 1)]
answers = [asyncio.run(told())]
client = musicpd.MPDClient()
client.connect("127.0.0.1", port)
client.next()
client.command_list_ok_begin()
client.status()
client.playlistinfo((1, 3))
status, rows = client.command_list_end()
client.send_idle("player")
client.noidle()
client.pause(1)
answers.append([client.mpd_version, status["song"], [row["title"] for row in rows], client.status()["state"], musicpd.VERSION.startswith("0.9")])
client.disconnect()
print(json.dumps(answers))
"""


class Programs(HubCase):
    @classmethod
    def prepare(cls):
        cls.port = free_port()
        cls.flags = ("--audio", "null", "--mpd", str(cls.port), "--start-level", "40")
        for number, title in enumerate(TITLES, 1):
            make(f"{cls.home.music}/Band/{title}.flac", "-f", "lavfi", "-i", f"sine=frequency={200 * number}:duration={SECONDS}",
                 *metadata(title=title, artist="Band", album="Album", track=number))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("scan", "--wait")

    def setUp(self):
        self.mpc("clear")
        self.mpc("add", "Band")
        self.mpc("play", "1")

    def mpc(self, *words):
        ended = self.home.run("/usr/bin/mpc", "-h", "127.0.0.1", "-p", str(self.port), *words)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), words)
        return ended.stdout

    def reaches(self, title, state="playing"):
        self.home.reaches(f"{title} is {state}", lambda status: (status["now"]["title"], status["tl"]["st"]) == (title, state))

    def started(self, *words, **environment):
        """A program that ends with its test."""
        words = ["/usr/bin/env", *(f"{name}={value}" for name, value in environment.items()), *words]
        program = self.home.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(program.wait)
        self.addCleanup(program.terminate)
        return program

    def written(self, name, text):
        path = f"{self.home.folder}/{name}"
        with open(path, "w") as file:
            file.write(text.format(port=self.port, folder=self.home.folder))
        return path

    def desktop(self):
        bus = Bus(self.home)
        self.addCleanup(bus.end)
        return Desktop(self.home, bus)

    def test_ncmpcpp(self):
        """ncmpcpp on a terminal shows the queue, and its keys steer the room."""
        screen = Tmux(self, 100, 30)
        screen.tmux("send-keys", f"ncmpcpp --host 127.0.0.1 --port {self.port} --config /dev/null", "Enter")
        for title in TITLES:
            screen.until(title)
        screen.tmux("send-keys", ">")
        self.reaches("Noon")
        screen.tmux("send-keys", "p")
        self.reaches("Noon", "paused")
        screen.tmux("send-keys", "p")
        self.reaches("Noon")
        screen.tmux("send-keys", "<")
        self.reaches("Dawn")
        screen.tmux("send-keys", "q")
        screen.until("ready>")

    def test_mpdris2(self):
        """mpDris2 shows the room as a player of the desktop, whose keys steer it."""
        desktop = self.desktop()
        self.started("/usr/bin/mpDris2", "--host=127.0.0.1", f"--port={self.port}")
        wait("the player", lambda: "mpd" in desktop.players())
        wait("the song", lambda: desktop.playerctl("metadata", "title", player="mpd") == "Dawn")
        desktop.playerctl("next", player="mpd")
        self.reaches("Noon")
        desktop.playerctl("pause", player="mpd")
        self.reaches("Noon", "paused")
        self.home.baton("next")
        self.home.baton("play")
        wait("it follows", lambda: desktop.playerctl("metadata", "title", player="mpd") == "Dusk")
        wait("it plays", lambda: desktop.playerctl("status", player="mpd") == "Playing")

    def test_cantata(self):
        """cantata in a window follows the room and steers it, through its player on the desktop."""
        desktop = self.desktop()
        os.makedirs(f"{self.home.folder}/cantata/cantata")
        self.written("cantata/cantata/cantata.conf", "[General]\nversion=2.5.0\n[Connection]\nhost=127.0.0.1\nport={port}\ndir=/\n")
        self.started(
            "/usr/bin/xvfb-run", "-a", "/usr/bin/cantata", QT_QPA_PLATFORM="xcb", XDG_CONFIG_HOME=f"{self.home.folder}/cantata",
            XDG_DATA_HOME=f"{self.home.folder}/cantata", XDG_CACHE_HOME=f"{self.home.folder}/cantata")
        wait("the player", lambda: "cantata" in desktop.players(), 60)
        wait("the song", lambda: desktop.playerctl("metadata", "title", player="cantata") == "Dawn", 30)
        desktop.playerctl("next", player="cantata")
        self.reaches("Noon")
        desktop.playerctl("pause", player="cantata")
        self.reaches("Noon", "paused")
        self.home.baton("play")
        wait("it follows", lambda: desktop.playerctl("status", player="cantata") == "Playing")

    def test_mpdscribble(self):
        """mpdscribble notes a song of which half was heard, and none of which less was."""
        path = self.written("scribble.conf", SCROBBLER)
        self.mpc("stop")
        program = self.started("/usr/bin/mpdscribble", "--no-daemon", "--conf", path)
        wait("mpdscribble is connected", lambda: any(row["command"] == "idle" for row in self.programs()))
        self.mpc("play", "1")
        self.reaches("Dawn")
        wait("half of it is heard", lambda: int(self.mpc("status", "%currenttime%").split(":")[1]) > SECONDS // 2 + 1, SECONDS)
        self.mpc("next")
        self.reaches("Noon")
        self.mpc("next")
        self.reaches("Dusk")
        heard = f"{self.home.folder}/heard"
        wait("it is noted", lambda: os.path.exists(heard) and os.path.getsize(heard))
        program.terminate()
        program.wait(20)
        with open(heard) as file:
            self.assertRegex(file.read(), r"\A\S+ Band - Dawn\n\Z")

    def programs(self):
        rows = json.loads(self.home.baton("mpd", "--json"))["list"]
        return next(row for row in rows if row["dialect"] == "mpd")["programs"]

    def test_sima(self):
        """mpd-sima adds songs while few are ahead."""
        path = self.written("sima.cfg", SIMILAR)
        self.mpc("play", "4")
        program = self.started("/usr/bin/mpd-sima", "--config", path)
        wait("two are ahead", lambda: len(self.mpc("playlist").splitlines()) >= len(TITLES) + 2, 30)
        # It may be about to add another.
        program.terminate()
        program.wait(20)
        self.home.baton("clear")
        self.assertEqual(self.mpc("playlist"), "")

    def test_libraries(self):
        """python-mpd2 waits by asyncio while another of it steers, and python-musicpd sends lists."""
        venv = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.build/venv/bin/python")
        ended = self.home.run(venv, "-c", LIBRARIES, str(self.port))
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertEqual(json.loads(ended.stdout), [["Dusk", ["mixer"], True], ["0.24.0", "3", ["Noon", "Dusk"], "pause", True]])
        self.reaches("Night", "paused")


if __name__ == "__main__":
    main("mpc", "ncmpcpp", "mpDris2", "mpdscribble", "mpd-sima", "cantata", "xvfb-run", "playerctl", "tmux", "ffmpeg")
