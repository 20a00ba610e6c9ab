# deploy/test: tier 2, first Podcasts.test_heard.
# deploy/test: judges Sources/Features/Podcasts/BatonPodcasts/Feeds Sources/Platform/MediaFormat/FeedFormat Sources/Features/Podcasts/BatonPodcasts.
# deploy/test: waits, mostly for feeds that are fetched and episodes that are copied.
"""Podcasts from a real web server (nginx): added, looked at, heard, kept on the disk, moved, refused."""

import json
import os
import re
import subprocess
from email.utils import formatdate

from ports import free_port
from Support.fixtures import lavfi
from Support.hubs import HubCase, binaries, main, wait

NGINX = "/usr/sbin/nginx"
PASSWORD = "quay-7-lantern"
CONFIGURATION = """
{user} daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
  access_log {folder}/requests; default_type application/octet-stream;
  types {{ audio/mpeg mp3; text/xml xml; text/html html; application/json json; }}
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fast;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port}; root {folder}/www;
    location = /old.xml {{ return 301 /talk.xml; }}
    location = /gone.xml {{ if (-f {folder}/is-gone) {{ return 410; }} }}
    location = /busy.xml {{ add_header Retry-After 86400 always; return 503; }}
    location = /closed.xml {{ auth_basic closed; auth_basic_user_file {folder}/users; }}
  }}
}}
"""


def item(number, url, guid=None, title=None):
    return (f"<item><title>{title or f'Episode {number}'}</title><guid>{guid or f'guid-{number}'}</guid>"
            f"<pubDate>{formatdate(1_700_000_000 + number * 86_400, usegmt=True)}</pubDate><itunes:duration>0:02</itunes:duration>"
            f"<description>&lt;p&gt;About {number} &amp;amp; more&lt;/p&gt;</description>"
            f"<podcast:chapters url=\"{url.rpartition('/')[0]}/chapters.json\" type=\"application/json+chapters\"/>"
            f"<enclosure url=\"{url}\" length=\"0\" type=\"audio/mpeg\"/></item>")


def feed(title, *items):
    return ('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
            'xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>'
            f"<title>{title}</title><itunes:author>Harbour FM</itunes:author><description>Talks</description>{''.join(items)}</channel></rss>")


class Podcasts(HubCase):
    @classmethod
    def prepare(cls):
        cls.folder = f"{cls.home.folder}/nginx"
        os.makedirs(f"{cls.folder}/www")
        cls.port = free_port()
        cls.url = f"http://127.0.0.1:{cls.port}"
        lavfi(f"{cls.folder}/www/1.mp3", "sine=frequency=441:duration=2")
        with open(f"{cls.folder}/www/1.mp3", "rb") as sound:
            whole = sound.read()
        for number in range(2, 6):
            with open(f"{cls.folder}/www/{number}.mp3", "wb") as copy:
                copy.write(whole)
        password = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD], capture_output=True, text=True, check=True).stdout
        cls.put("../users", f"anna:{password}")
        cls.put("../conf", CONFIGURATION.format(folder=cls.folder, port=cls.port, user="" if os.geteuid() else "user root;"))
        cls.put("page.html", "<!doctype html><html><body>No feed</body></html>")
        cls.put("chapters.json", json.dumps({"version": "1.2.0", "chapters": [
            {"startTime": 0, "title": "Hello"}, {"startTime": 1.5, "title": "Goodbye"}]}))
        cls.put("talk.xml", feed("Harbour Talk", *[item(n, f"{cls.url}/{n}.mp3") for n in (1, 2, 3)]))
        process = cls.home.start(NGINX, "-c", f"{cls.folder}/conf", "-p", cls.folder, "-e", f"{cls.folder}/errors", stderr=subprocess.DEVNULL)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.terminate)
        wait("nginx", lambda: os.path.exists(f"{cls.folder}/pid") and os.path.getsize(f"{cls.folder}/pid"))

    @classmethod
    def put(cls, name, text):
        # Its time decides whether nginx sends it again, and is in whole seconds.
        path = f"{cls.folder}/www/{name}"
        before = os.path.getmtime(path) if os.path.exists(path) else 0
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if before:
            os.utime(path, (before + 2, before + 2))

    def tearDown(self):
        for row in self.rows():
            self.home.baton("podcast", "remove", "--yes", row["uri"])

    def rows(self):
        return json.loads(self.home.baton("podcast", "--json"))["podcasts"]

    def requests(self, path):
        """The status of each request for this path."""
        with open(f"{self.folder}/requests", encoding="utf-8") as lines:
            return [int(found.group(1)) for line in lines if (found := re.search(rf'"GET /{path} HTTP[^"]*" (\d+)', line))]

    def refused(self, *words):
        ended = self.home.run(f"{binaries()}/baton", "podcast", *words)
        self.assertNotEqual(ended.returncode, 0, ended.stdout)
        return ended.stderr

    def test_heard(self):
        """A podcast is added by its feed, its episodes are listed with date and length, found, and heard."""
        self.assertIn("with 3 episodes", self.home.baton("podcast", "add", f"{self.url}/talk.xml"))
        listed = self.home.baton("podcast", "episodes", "harbour")
        self.assertRegex(listed, r"1\s+Episode 3\s+2023-11-1\d – Harbour Talk\s+0:02")
        self.assertIn("Episode 2", self.home.baton("search", "episode", "2", "--kind", "episode"))
        self.home.baton("podcast", "episodes", "1", "--play", "1")
        wait("an episode that plays", lambda: self.home.baton("status", "--format", "{state} {title}") == "playing Episode 3\n")
        asked = {"t": "cmd", "id": 1, "m": "lib.item", "p": {"uri": self.episodes()[0]["uri"]}}
        # The state may change before the answer, which stands last.
        answer = json.loads(self.home.baton("raw", json.dumps(asked)).splitlines()[-1])["d"]
        self.assertEqual(answer["about"], "About 3 & more")
        self.assertEqual([chapter["title"] for chapter in answer["chapters"]], ["Hello", "Goodbye"])
        self.home.baton("pause")
        wait("its chapters in the player", lambda: self.home.status().get("book", {}).get("n") == 2)
        self.home.baton("chapters", "2")
        self.assertEqual(self.home.status()["tl"]["posMs"], 1_500)

    def episodes(self):
        return json.loads(self.home.baton("podcast", "episodes", "1", "--json"))["rows"]

    def test_looked_at_again(self):
        """An unchanged feed is not sent again; a new episode is there after a look, and one that left the feed stays. BT-POD-002, BT-POD-003"""
        self.home.baton("podcast", "add", f"{self.url}/talk.xml")
        before = [row["uri"] for row in self.episodes()]
        self.assertIn("nothing new", self.home.baton("podcast", "refresh", "1"))
        self.assertEqual(self.requests("talk.xml")[-1], 304)
        with open(f"{self.folder}/www/talk.xml", encoding="utf-8") as file:
            old = file.read()
        try:
            self.put("talk.xml", feed("Harbour Talk", *[item(n, f"{self.url}/{n}.mp3", title=f"Renamed {n}") for n in (2, 3, 4)]))
            self.assertIn("1 new episode", self.home.baton("podcast", "refresh", "1"))
            rows = self.episodes()
            self.assertEqual([row["title"] for row in rows], ["Renamed 4", "Renamed 3", "Renamed 2", "Episode 1"])
            self.assertEqual([row["uri"] for row in rows][1:], before)
        finally:
            self.put("talk.xml", old)

    def unheard(self):
        """The episodes, none of which counts as heard."""
        for row in self.episodes():
            self.home.baton("progress", "reset", row["uri"])
        return self.episodes()

    def test_heard_to_the_end(self):
        """A kept episode that was heard to its end makes room for the next one, and is there to be heard again. BT-PLC-004, BT-PLC-009"""
        self.home.baton("podcast", "add", f"{self.url}/talk.xml")
        newest = self.unheard()[0]["uri"]
        self.home.baton("podcast", "keep", "1", "1")
        copies = lambda: [row["title"] for row in self.episodes() if row.get("kept") == 100]
        wait("a copy of the newest", lambda: copies() == ["Episode 3"])
        self.home.baton("play", newest)
        again = lambda: [row["uri"] for row in json.loads(self.home.baton("browse", "place:shelf/again", "--json"))["rows"]]
        wait("it was heard", lambda: newest in again())
        wait("a copy of the next one", lambda: copies() == ["Episode 2"])
        self.assertIn("finished", self.home.baton("progress", newest))
        self.assertIn("from the beginning", self.home.baton("progress", "reset", newest))
        self.home.baton("podcast", "keep", "1", "0")

    def test_kept(self):
        """The newest episodes are on the disk, and heard when the server has none of them any more."""
        self.home.baton("podcast", "add", f"{self.url}/talk.xml")
        self.unheard()
        self.home.baton("podcast", "keep", "1", "2")
        kept = lambda: json.loads(self.home.baton("keep", "--json"))["rows"]
        wait("two whole copies", lambda: [row.get("whole") for row in kept()] == [2])
        os.rename(f"{self.folder}/www/3.mp3", f"{self.folder}/www/away.mp3")
        try:
            self.home.baton("podcast", "episodes", "1", "--play", "1")
            wait("the copy that plays", lambda: self.home.baton("status", "--format", "{state}") == "playing\n")
        finally:
            os.rename(f"{self.folder}/www/away.mp3", f"{self.folder}/www/3.mp3")
        self.home.baton("podcast", "keep", "1", "0")
        wait("no copies", lambda: kept() == [])

    def test_kept_whole(self):
        """A subscription is kept as other things are: all its episodes, and those that come, are on the disk and heard without the server."""
        self.put("grows.xml", feed("Grows", *[item(n, f"{self.url}/{n}.mp3") for n in (1, 2)]))
        self.home.baton("podcast", "add", f"{self.url}/grows.xml")
        uri = self.rows()[0]["uri"]
        self.home.baton("keep", uri)
        kept = lambda: [(row["title"], row.get("whole")) for row in json.loads(self.home.baton("keep", "--json"))["rows"]]
        wait("its episodes", lambda: kept() == [("Grows", 2)])
        self.put("grows.xml", feed("Grows", *[item(n, f"{self.url}/{n}.mp3") for n in (1, 2, 4)]))
        self.home.baton("podcast", "refresh", "1")
        wait("the new one", lambda: kept() == [("Grows", 3)])
        newest = self.unheard()[0]
        self.assertEqual(newest["title"], "Episode 4")
        os.rename(f"{self.folder}/www/4.mp3", f"{self.folder}/www/away.mp3")
        try:
            self.home.baton("play", newest["uri"])
            wait("the copy that plays", lambda: self.home.baton("status", "--format", "{state} {title}") == "playing Episode 4\n")
        finally:
            os.rename(f"{self.folder}/www/away.mp3", f"{self.folder}/www/4.mp3")
        self.home.baton("stop")
        self.home.baton("keep", "drop", uri)
        wait("no copies", lambda: kept() == [])

    def test_moved(self):
        """A feed that has moved for good is kept under its new address, and is not added twice. BT-POD-001"""
        self.home.baton("podcast", "add", f"{self.url}/old.xml")
        self.assertEqual(self.rows()[0]["url"], f"{self.url}/talk.xml")
        self.assertIn("kept already", self.home.baton("podcast", "add", f"{self.url}/talk.xml"))
        self.assertIn("kept already", self.home.baton("podcast", "add", f"{self.url}/old.xml"))

    def test_login(self):
        """A feed behind a password is read with it alone, and the password is in no file but its own. BT-POD-005"""
        self.assertIn("a user and a password", self.refused("add", f"{self.url}/closed.xml"))
        self.put("closed.xml", feed("Closed", item(1, f"{self.url}/1.mp3")))
        secret = self.home.secret("password", PASSWORD)
        self.home.baton("podcast", "add", f"{self.url}/closed.xml", "--user", "anna", "--password-file", secret)
        self.home.baton("podcast", "refresh", "1")
        self.assertEqual(self.requests("closed.xml")[-1], 304)
        holding = subprocess.run(["grep", "-rl", PASSWORD, f"{self.home.folder}/state"], capture_output=True, text=True, check=False)
        self.assertEqual([os.path.basename(path)[:8] for path in holding.stdout.split()], ["podcast-"])

    def test_bad_feeds(self):
        """What is no feed is refused in a sentence, and nothing is kept of it."""
        bomb = "".join(f'<!ENTITY a{n} "&a{n - 1};&a{n - 1};">' for n in range(1, 30))
        self.put("bomb.xml", f'<!DOCTYPE rss [<!ENTITY a0 "ha">{bomb}]><rss><channel><title>&a29;</title></channel></rss>')
        self.put("deep.xml", "<rss><channel>" + "<a>" * 10_000)
        self.put("broken.xml", "<rss><channel><title>Open")
        self.put("other.xml", "<playlist><track/></playlist>")
        with open(f"{self.folder}/www/large.xml", "wb") as file:
            file.truncate(50 << 20)
        wanted = {"page.html": "web page", "bomb.xml": "entities", "deep.xml": "deeper", "broken.xml": "broken", "other.xml": "no feed of",
                  "large.xml": "larger than 32 MiB", "nowhere.xml": "(404)", "busy.xml": "(503)"}
        for name, words in wanted.items():
            with self.subTest(name):
                self.assertIn(words, self.refused("add", f"{self.url}/{name}"))
        self.assertEqual(self.rows(), [])

    def test_bad_episodes(self):
        """A GUID used twice keeps both; a page in the place of sound, and the hub's own address, are refused in a sentence. BT-POD-002, BT-POD-006"""
        own = f"http://127.0.0.1:{self.hub.port}/baton/state"
        self.put("twice.xml", feed("Twice", item(1, f"{self.url}/1.mp3", "same"), item(2, f"{self.url}/2.mp3", "same"),
                                   item(3, f"{self.url}/page.html"), item(4, own)))
        self.home.baton("podcast", "add", f"{self.url}/twice.xml")
        rows = self.episodes()
        self.assertEqual([row["title"] for row in rows], ["Episode 4", "Episode 3", "Episode 2", "Episode 1"])
        self.assertIn("GUID of another", self.rows()[0]["msg"])
        for at, words in ((0, "may not be called from here"), (1, "a web page")):
            self.home.baton("queue", "clear")
            self.home.run(f"{binaries()}/baton", "play", rows[at]["uri"])
            wait("a sentence", lambda words=words: words in self.home.baton("status", "--format", "{problem}"))

    def test_another_feed(self):
        """A feed that turns into another one gives no episodes, and those that were known stay. BT-POD-004"""
        self.put("turning.xml", feed("First", item(1, f"{self.url}/1.mp3")))
        self.home.baton("podcast", "add", f"{self.url}/turning.xml")
        self.put("turning.xml", feed("Second", item(9, f"{self.url}/2.mp3")))
        self.assertIn("another podcast, “Second”", self.home.baton("podcast", "refresh", "1"))
        self.assertEqual([row["title"] for row in self.episodes()], ["Episode 1"])
        self.assertEqual(self.rows()[0]["title"], "First")

    def test_gone(self):
        """A feed that is gone for good is not asked for again by itself, and its episodes stay."""
        self.put("gone.xml", feed("Gone", item(1, f"{self.url}/1.mp3")))
        self.home.baton("podcast", "add", f"{self.url}/gone.xml")
        self.put("../is-gone", "")
        self.assertIn("(410)", self.home.baton("podcast", "refresh", "1"))
        self.assertNotIn("dueMs", self.rows()[0])
        self.assertEqual(len(self.episodes()), 1)

    def test_files(self):
        """Podcasts of another program come as OPML, and go as such."""
        path = f"{self.home.folder}/in.opml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<opml version="1.0"><body><outline text="Folder"><outline type="rss" text="Talk" xmlUrl="{self.url}/talk.xml"/>'
                       f'<outline type="rss" text="Busy" xmlUrl="{self.url}/busy.xml"/></outline></body></opml>')
        self.assertIn("2 of 2", self.home.baton("podcast", "import", path))
        wait("both feeds", lambda: all(row.get("checkedMs") for row in self.rows()))
        busy, talk = sorted(self.rows(), key=lambda row: row["n"])
        self.assertIn("(503)", busy["msg"])
        self.assertGreaterEqual(busy["dueMs"] - busy["checkedMs"], 86_400_000)
        self.assertEqual((talk["title"], talk["n"]), ("Harbour Talk", 3))
        self.home.baton("podcast", "export", f"{self.home.folder}/out.opml")
        with open(f"{self.home.folder}/out.opml", encoding="utf-8") as file:
            written = file.read()
        self.assertIn(f'text="Harbour Talk" title="Harbour Talk" xmlUrl="{self.url}/talk.xml"', written)


if __name__ == "__main__":
    main(NGINX, "openssl", "ffmpeg")
