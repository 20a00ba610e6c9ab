"""A room as an endless stream, and what radios and players hear of it."""

import json
import re
import subprocess
import urllib.error
import urllib.request

from Support.hubs import HubCase


class Radio:
    """A listener that reads as fast as it is sent to."""

    def __init__(self, url, titles=False):
        self.answer = urllib.request.urlopen(urllib.request.Request(url, headers={"Icy-MetaData": "1"} if titles else {}), timeout=60)
        self.interval = int(self.answer.headers.get("icy-metaint", 0))

    def read(self, count):
        return self.answer.read(count)

    def title(self):
        """The next title, behind so many bytes of sound."""
        while True:
            if len(self.read(self.interval)) < self.interval:
                return None
            size = self.read(1)[0] * 16
            if size:
                return re.match(r"StreamTitle='(.*)';", self.read(size).rstrip(b"\0").decode()).group(1)

    def close(self):
        self.answer.close()


class StreamCase(HubCase):
    """A room without a speaker."""

    flags = ("--audio", "null", "--metrics", "127.0.0.1:0")

    def link(self, *name):
        made = json.loads(self.home.baton("listen", "link", *name, "--json"))
        return {form: self.hub.page + made[form] for form in ("opus", "mp3", "m3u")} | {"link": made["link"]}

    def refusal(self, url):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(url, timeout=60)
        return refused.exception.code, refused.exception.read().decode()

    def figure(self, name):
        address = re.search(r"metrics (http://\S+/metrics)", self.hub.text(self.hub.said)).group(1)
        with urllib.request.urlopen(address, timeout=60) as answer:
            text = answer.read().decode()
        return int(float(re.search(rf"^baton_{name}(?:_total)? (\S+)$", text, re.M).group(1)))

    def encoders(self):
        """Processes that encode for this hub."""
        found = self.home.run("pgrep", "-P", str(self.hub.process.pid), "-x", "baton-transcode").stdout
        return [int(pid) for pid in found.split()]

    def probe(self, url):
        shown = self.home.run(
            "ffprobe", "-v", "error", "-analyzeduration", "1000000", "-probesize", "60000", "-of", "json", "-show_format", "-show_streams", url, limit=30)
        return json.loads(shown.stdout)

    def pitch(self, url, seconds=1.5):
        """The frequency that a player hears."""
        words = ("ffmpeg", "-v", "error", "-t", str(seconds), "-i", url, "-ac", "1", "-ar", "8000", "-f", "s16le", "-")
        sound = subprocess.run(words, capture_output=True, timeout=60, check=False).stdout
        samples = memoryview(sound[: len(sound) // 2 * 2]).cast("h")[2000:]
        return sum(1 for before, now in zip(samples, samples[1:]) if before < 0 <= now) / (len(samples) / 8000) if samples else 0
