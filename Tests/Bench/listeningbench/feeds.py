"""How long a hub takes to look for new episodes in 100 feeds of 200, beside gPodder's `gpo update` on the same feeds.

A real web server (nginx) on this machine has the feeds. Before each look every feed has one new episode, so both read all of them anew."""
import contextlib, os, re, subprocess, tempfile, time
from email.utils import formatdate

import library
import runs
import targets as T
import upstreams
from listeningbench import books

FEEDS, EPISODES, LOOKS = 100, 200, 3
TEXT = "&lt;p&gt;What was said by the harbour that day, and by whom. &lt;a href=\"https://example.org/notes\"&gt;Notes&lt;/a&gt;&lt;/p&gt; " * 4


def item(feed, number):
    return (f"<item><title>Episode {number} of {feed}</title><guid isPermaLink=\"false\">feed-{feed}-{number}</guid>"
            f"<pubDate>{formatdate(1_600_000_000 + number * 86_400, usegmt=True)}</pubDate><itunes:duration>00:42:10</itunes:duration>"
            f"<link>https://example.org/{feed}/{number}</link><description>{TEXT}</description>"
            f"<enclosure url=\"https://example.org/{feed}/{number}.mp3\" length=\"40000000\" type=\"audio/mpeg\"/></item>")


def write(folder, feed, newest, mtime):
    items = "".join(item(feed, number) for number in range(newest, newest - EPISODES, -1))
    path = f"{folder}/{feed}.xml"
    with open(path, "w") as f:
        f.write('<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>'
                f"<title>Podcast {feed}</title><link>https://example.org/{feed}</link><description>Talks</description>{items}</channel></rss>")
    # What nginx calls the version of a file is its size and its second.
    os.utime(path, (mtime, mtime))


class Shelf:
    """The feeds and their server"""
    def __init__(self, folder, port):
        self.folder, self.newest, self.mtime = folder, EPISODES, int(time.time()) - 100_000
        self.urls = [f"http://127.0.0.1:{port}/{feed}.xml" for feed in range(FEEDS)]
        self.write()

    def write(self):
        for feed in range(FEEDS):
            write(self.folder, feed, self.newest, self.mtime)

    def grow(self):
        self.newest, self.mtime = self.newest + 1, self.mtime + 60
        self.write()


@contextlib.contextmanager
def served():
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder:
        os.chmod(folder, 0o755)
        os.mkdir(f"{folder}/feeds")
        with upstreams.Nginx(folder, "feeds", f"root {folder}/feeds; types {{ text/xml xml; }}") as nginx:
            yield Shelf(f"{folder}/feeds", nginx.port)


class Gpo:
    """gPodder with a home of its own"""
    def __init__(self, home):
        self.env = {**T.PLAIN_ENVIRONMENT, "HOME": home, "GPODDER_HOME": home, "GPODDER_DISABLE_EXTENSIONS": "yes", "LANG": "C.UTF-8"}

    def run(self, *words):
        ended = subprocess.run(["gpo", *words], env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900, check=False)
        if ended.returncode:
            raise RuntimeError(f"gpo {' '.join(words)}: {ended.stdout[-200:]}{ended.stderr[-200:]}")
        return ended.stdout


def listing(folder, urls):
    """The feeds as OPML; -> its path"""
    path = f"{folder}/feeds.opml"
    with open(path, "w") as f:
        f.write('<opml version="2.0"><head><title>Bench</title></head><body>'
                + "".join(f'<outline type="rss" text="Podcast {feed}" xmlUrl="{url}"/>' for feed, url in enumerate(urls)) + "</body></opml>")
    return path


def episodes(owner):
    """How many the hub knows in all"""
    rows, page = [], {}
    while not rows or page.get("cursor"):
        page = owner.ask("podcast.list", {"limit": 100, **({"cursor": page["cursor"]} if page.get("cursor") else {})})["d"]
        rows += page["podcasts"]
    return sum(row.get("n", 0) for row in rows)


def ours(owner, shelf, look):
    """Seconds until the new episode of each feed is known"""
    t0 = time.monotonic()
    owner.ask("podcast.refresh")
    books.until("the new episodes", lambda: episodes(owner) == FEEDS * (EPISODES + look), 300)
    return time.monotonic() - t0


def theirs(gpo):
    t0 = time.monotonic()
    gpo.run("update")
    return time.monotonic() - t0


def feeds(target):
    with served() as shelf, tempfile.TemporaryDirectory(prefix="baton-bench-") as home, T.Server(target, track=runs.media()[0]) as server:
        server.wait_ready()
        owner, gpo = library.Owner(server), Gpo(home)
        owner.ask("podcast.import", {"urls": shelf.urls})
        books.until("all feeds", lambda: episodes(owner) == FEEDS * EPISODES, 300)
        gpo.run("import", listing(home, shelf.urls))
        ours_s, theirs_s = [], []
        for look in range(1, LOOKS + 1):
            shelf.grow()
            library.until_idle(server.procs[-1][1].pid)
            theirs_s.append(theirs(gpo))
            ours_s.append(ours(owner, shelf, look))
        # That gPodder has them too, so that both did the same.
        known = len(re.findall(r"^\s+\d+\. ", gpo.run("episodes", shelf.urls[0]), re.M))
    return {"ours": runs.median(ours_s), "reference": runs.median(theirs_s), "known": known}
