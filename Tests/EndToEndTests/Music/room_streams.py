# deploy/test: tier 2, judges Sources/Features/Listening/BatonListening Sources/Programs/baton-transcoder Sources/Platform/MediaFormat/SoundEncoding.
"""A room as an endless stream, as radios, cars and players hear it: titles, pauses, links, one encode for all, and an encoder that is killed.

The players are ffprobe and mpv, which know nothing of the hub.
"""

import os
import signal
import urllib.request

from Support.fixtures import lavfi, metadata
from Support.hubs import main, wait
from Support.roomstream import Radio, StreamCase

TONES = {"low": 300, "high": 900}


class RoomStreams(StreamCase):
    @classmethod
    def prepare(cls):
        for name, frequency in TONES.items():
            lavfi(f"{cls.home.music}/{name}.flac", f"sine=frequency={frequency}:duration=60", *metadata(title=name.title(), artist="Ana"))

    def play(self, *names):
        self.home.baton("play", *(f"{self.home.music}/{name}.flac" for name in names))

    def test_players(self):
        """ffprobe reads the title of both forms, and hears the room's sound; mpv plays the list."""
        link = self.link("Kitchen")
        self.play("low")
        self.home.reaches("playing", lambda status: status["tl"]["st"] == "playing")
        opus = self.probe(link["opus"])
        self.assertEqual((opus["streams"][0]["codec_name"], opus["streams"][0]["tags"]["title"]), ("opus", "Low"))
        mp3 = self.probe(link["mp3"])
        self.assertEqual((mp3["streams"][0]["codec_name"], mp3["format"]["tags"]["StreamTitle"]), ("mp3", "Ana - Low"))
        wait("the sound as mp3", lambda: abs(self.pitch(link["mp3"]) - TONES["low"]) < 10)
        wait("the sound as opus", lambda: abs(self.pitch(link["opus"]) - TONES["low"]) < 10)
        mpv = ("mpv", "--no-config", "--ao=null", "--vo=null", "--length=1", "--term-playing-msg=now:${media-title}")
        played = self.home.run(*mpv, link["opus"])
        self.assertEqual(played.returncode, 0, played.stdout)
        self.assertIn("now:Low", played.stdout)
        foreign = urllib.request.Request(link["m3u"], headers={"Host": "evil.example"})
        with urllib.request.urlopen(foreign, timeout=60) as answer:
            self.assertNotIn("evil", answer.read().decode())
        listed = self.home.run(*mpv, link["m3u"])
        self.assertEqual(listed.returncode, 0, listed.stdout)
        self.assertIn("mp3 2ch 48000Hz", listed.stdout)

    def test_following(self):
        """A next in the room is heard, a pause is silence and not the end."""
        link = self.link()
        self.play("low", "high")
        radio = Radio(link["mp3"], titles=True)
        self.addCleanup(radio.close)
        wait("the title of the first", lambda: radio.title() == "Ana - Low")
        self.home.baton("next")
        # The tags of a file may be found after it has begun.
        wait("the title of the second", lambda: radio.title() == "Ana - High")
        wait("the sound of the second", lambda: abs(self.pitch(link["mp3"]) - TONES["high"]) < 20)
        self.home.baton("pause")
        # A second of silence has no zero crossings to speak of.
        wait("silence", lambda: self.pitch(link["opus"]) < 50)
        self.assertEqual(len(radio.read(40_000)), 40_000)

    def test_one_encode(self):
        """Ten radios and a player make one encoder for each form, which ends soon after the last of them."""
        link = self.link()
        self.play("low")
        wait("no stream is left", lambda: self.figure("streams") == 0)
        before = self.figure("stream_encoders")
        radios = [Radio(link["mp3"]) for _ in range(10)]
        for radio in radios:
            self.assertEqual(len(radio.read(20_000)), 20_000)
        self.assertEqual((self.figure("stream_encoders") - before, len(self.encoders())), (1, 1))
        self.assertGreaterEqual(self.figure("stream_listeners"), 10)
        for radio in radios:
            radio.close()
        wait("the end of the encoder", lambda: not self.encoders())

    def test_killed(self):
        """An encoder that is killed costs the piece that it was at: the radio goes on, and the log names what it encoded."""
        link = self.link()
        self.play("low")
        radio = Radio(link["mp3"])
        self.addCleanup(radio.close)
        self.assertEqual(len(radio.read(60_000)), 60_000)
        for pid in self.encoders():
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(len(radio.read(100_000)), 100_000)
        self.assertIn("low.flac", self.hub.text(self.hub.log))
        wait("the sound as mp3", lambda: abs(self.pitch(link["mp3"]) - TONES["low"]) < 10)

    def test_named_room(self):
        """The first words behind listen link name a room if there is one, as many as can be; the rest is what the link is for."""
        self.home.baton("rooms", "create", "Bath", "--output", "null")
        self.assertIn("/listen/bath.mp3", self.home.baton("listen", "link", "Bath", "radio"))
        self.assertIn("radio", self.home.baton("--room", "bath", "listen", "links"))
        self.home.baton("rooms", "create", "Bath radio", "--output", "null")
        said = self.home.baton("listen", "link", "bath", "radio")
        self.assertIn("/listen/bath-radio.mp3", said)
        self.assertIn("They play the room Bath radio.", said)
        self.assertIn("/listen/main.mp3", self.home.baton("listen", "link", "Old", "radio"))

    def test_links(self):
        """A link that was revoked ends its streams and opens nothing; a wrong one is a sentence; neither is in a log."""
        link = self.link("Car")
        self.play("low")
        self.assertIn("Car", self.home.baton("listen", "links"))
        radio = Radio(link["mp3"])
        radio.read(10_000)
        self.home.baton("listen", "revoke", link["link"])
        wait("the end of the stream", lambda: len(radio.read(10_000)) < 10_000)
        code, sentence = self.refusal(link["mp3"])
        self.assertEqual(code, 403)
        self.assertIn("revoked", sentence)
        key = link["mp3"].split("key=")[1]
        for _ in range(2):
            self.refusal(link["mp3"].replace(key, "A" * 22))
        self.assertNotIn(key, self.hub.text(self.hub.log))
        for folder, _, files in os.walk(f"{self.home.folder}/state"):
            for name in files:
                with open(f"{folder}/{name}", "rb") as file:
                    self.assertNotIn(key.encode(), file.read(), name)


if __name__ == "__main__":
    main("ffmpeg", "ffprobe", "mpv", "pgrep")
