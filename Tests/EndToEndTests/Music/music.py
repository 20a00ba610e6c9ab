# deploy/test: tier 2, judges Sources/Features/Library/BatonLibrary/Local Sources/Platform/Media Sources/Platform/Player Sources/Programs/baton-reader.
"""A person's music, from a folder to the ear: what is put there is found, played to the sample, marked and
kept, whatever lies beside it and whenever the hub is killed.

The files are made by ffmpeg, or are bytes that pretend to be music. The hub is asked as its owner asks it,
over its unix socket; what is heard is what the player wrote."""

import http.client
import json
import os
import shutil
import sys
import time

from Support.fixtures import kept, lavfi, make, metadata
from Support.hubs import Hub, main, wait
from Support.rawpeer import reach
from Support.steered import Steered

RATE = 44_100


class Music(Steered):
    """A home with a music folder and a hub that reads it."""

    @staticmethod
    def until(sentence, condition, limit=60):
        """Asks no more often than a remote may."""
        def patient():
            value = condition()
            if not value:
                time.sleep(0.1)
            return value
        return wait(sentence, patient, limit)

    def found(self, text, **how):
        return self.ask("lib.search", {"q": text, **how})["d"]["rows"]

    def scanned(self, least=0):
        """The report of a scan that is over and has seen at least so much."""
        def is_over():
            report = self.ask("lib.folders")["d"].get("report", {})
            return report.get("done") and report.get("seen", 0) >= least and report
        return self.until("the scan is over", is_over, limit=60)

    def tone(self, name, hertz=440, seconds=1.0, **tags):
        """A tagged file of music below the music folder."""
        return lavfi(os.path.join(self.home.music, name), f"sine=f={hertz}:r={RATE}:d={seconds}", *metadata(**tags))


class Found(Music):
    def test_from_search_to_sound(self):
        """An album is found by the beginnings of words, and heard to the last sample without a gap."""
        whole = kept(".wav", "-f", "lavfi", "-i", f"aevalsrc=exprs='0.5*sin(2*PI*441.3*t)|0.4*sin(2*PI*331*t)':s={RATE}:d=5", "-c:a", "pcm_s16le")
        cut = 2 * RATE + 1234
        for number, (title, trim) in enumerate([("First Light", f"end_sample={cut}"), ("Second Sun", f"start_sample={cut}")], 1):
            make(f"{self.home.music}/Sün Ra/{number}.flac", "-i", whole, "-af", f"atrim={trim},asetpts=N/SR/TB",
                 *metadata(title=title, artist="Sün Ra", album="Øresund Nights", track=f"{number}/2"), "-c:a", "flac")
        out = f"{self.home.folder}/out.raw"
        self.begin("--audio", f"pcm:{out}")
        self.scanned(least=2)

        rows = self.found("nig ore", kinds=["album"])
        self.assertEqual([(row["kind"], row["title"], row["n"]) for row in rows], [("album", "Øresund Nights", 2)])
        self.assertEqual([row["title"] for row in self.found("sun sec", kinds=["track"])], ["Second Sun"])

        self.home.baton("volume", "100")
        self.ask("play", {"uri": rows[0]["uri"]})
        self.home.reaches("both heard", lambda status: status["tl"]["st"] == "stopped" and status["queue"]["idx"] == 0)
        with open(out, "rb") as heard, open(kept(".raw", "-i", whole, "-f", "s16le"), "rb") as made:
            heard, made = heard.read(), made.read()
        self.assertEqual(len(heard), len(made), "samples were lost or added")
        self.assertTrue(heard == made, "what is heard is not what was stored")

    def test_new_files(self):
        """What comes, goes or changes while the hub runs is known within a few seconds, without being asked."""
        self.tone("a/one.flac", title="Morning")
        self.begin()
        self.scanned(least=1)
        path = self.tone("b/two.ogg", title="Evening")
        self.until("the new one is found", lambda: self.found("evening"), limit=60)
        os.unlink(path)
        self.until("it is gone again", lambda: not self.found("evening"), limit=60)
        self.tone("a/one.flac", title="Noon")
        self.until("its new title is found", lambda: self.found("noon") and not self.found("morning"), limit=60)

    def test_served(self):
        """A track can be had over HTTP for a while, whole or in parts; its picture in any size."""
        self.tone("song.flac", title="Song")
        lavfi(f"{self.home.music}/cover.jpg", "testsrc=s=640x480", "-frames:v", "1")
        hub = self.begin(*self.flags, "--log", "trace")
        self.scanned(least=1)
        row = self.found("song")[0]
        url = self.ask("lib.item", {"uri": row["uri"], "media": True})["d"]["media"]["url"]
        with open(f"{self.home.music}/song.flac", "rb") as file:
            stored = file.read()
        status, headers, body = self.http(url)
        self.assertEqual((status, body == stored, headers["accept-ranges"]), (200, True, "bytes"))
        for asked, expected in (("bytes=0-9", stored[:10]), ("bytes=-7", stored[-7:]), (f"bytes={len(stored) - 3}-", stored[-3:])):
            status, headers, body = self.http(url, headers={"Range": asked})
            self.assertEqual((status, body), (206, expected), asked)
        self.assertEqual(self.http(url, headers={"Range": f"bytes={len(stored)}-"})[0], 416)
        self.assertEqual(self.http("/media/" + "0" * 22)[0], 404)
        # BT-MED-004
        self.assertNotIn(url.rsplit("/", 1)[1], Hub.text(hub.log))

        status, headers, body = self.http(f"/art/{row['art']}?w=96&h=96")
        self.assertEqual(status, 200)
        self.assertIn("immutable", headers["cache-control"])
        with open(f"{self.home.folder}/art.jpg", "wb") as file:
            file.write(body)
        seen = self.home.run("ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", f"{self.home.folder}/art.jpg")
        self.assertEqual(seen.stdout.strip(), "96,96")

    def test_slow_reader(self):
        """A client that asks for a very large file and stops reading costs the hub little, and no other client waits."""
        path = self.tone("large.flac", title="Large")
        os.truncate(path, 500 << 20)
        self.tone("small.flac", title="Small", hertz=550)
        hub = self.begin()
        self.scanned(least=2)
        urls = [self.ask("lib.item", {"uri": self.found(name)[0]["uri"], "media": True})["d"]["media"]["url"] for name in ("large", "small")]

        def memory_mib():
            with open(f"/proc/{hub.process.pid}/status", encoding="ascii") as status:
                return next(int(line.split()[1]) / 1024 for line in status if line.startswith("RssAnon"))
        before = memory_mib()
        for _ in range(20):
            link = reach(self.home.socket)
            self.addCleanup(link.close)
            link.sendall(f"GET {urls[0]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            self.assertTrue(link.recv(4096).startswith(b"HTTP/1.1 200 "))
        for turn in range(20):
            status, headers, body = self.http(urls[1], headers={"Range": "bytes=0-9"})
            self.assertEqual((status, len(body)), (206, 10))
            self.ask("vol.set", {"level": 20 + turn})
        grown = memory_mib() - before
        print(f"    twenty readers that stopped: {grown:.1f} MiB more", file=sys.stderr)
        self.assertLess(grown, 24)


class Parts(Music):
    """One long file and a cue sheet."""

    # In frames of a seventy-fifth of a second, of which hardly one is a whole number of thousandths.
    STARTS, FRAMES = (0, 151, 277, 376), 450
    TITLES = ("Dawn", "Noon", "Dusk", "Night")

    def setUp(self):
        super().setUp()
        # No two moments of it are alike.
        whole = kept(
            ".wav", "-f", "lavfi", "-i", f"aevalsrc=exprs='0.4*sin(2*PI*(200*t+40*t*t))|0.3*sin(2*PI*(900*t-50*t*t))':s={RATE}:d={self.FRAMES // 75}",
            "-c:a", "pcm_s16le")
        make(f"{self.home.music}/Day.flac", "-i", whole, "-c:a", "flac")
        with open(kept(".raw", "-i", whole, "-f", "s16le"), "rb") as file:
            self.whole = file.read()
        with open(f"{self.home.music}/Day.cue", "w", encoding="utf-8") as file:
            file.write('PERFORMER "The Hours"\nTITLE "Day"\nFILE "Day.wav" WAVE\n')
            for number, (title, start) in enumerate(zip(self.TITLES, self.STARTS), 1):
                seconds, frames = divmod(start, 75)
                file.write(f'  TRACK {number:02} AUDIO\n    TITLE "{title}"\n    INDEX 01 00:{seconds:02}:{frames:02}\n')
        self.out = f"{self.home.folder}/out.raw"

    def listen(self, audio):
        self.begin("--audio", audio)
        self.scanned(least=1)
        self.home.baton("volume", "100")
        self.album = self.found("day", kinds=["album"])[0]["uri"]
        self.parts = {title: self.found(title, kinds=["track"])[0] for title in self.TITLES}

    def between(self, first, last):
        """The bytes of the whole from one frame of the sheet to another."""
        return self.whole[first * RATE // 75 * 4:last * RATE // 75 * 4]

    def assertHeard(self, uri, meant):
        """The samples of the item played alone, decoded faster than real time."""
        self.ask("play", {"uri": uri})
        # What is heard may end a little short, which is said below.
        self.until("nearly all is heard", lambda: os.path.exists(self.out) and os.path.getsize(self.out) >= len(meant) - 4_000)
        self.home.reaches("it is over", lambda status: status["tl"]["st"] == "stopped")
        with open(self.out, "rb") as file:
            heard = file.read()
        self.assertEqual(len(heard) // 4, len(meant) // 4, "samples were lost or added")
        self.assertTrue(heard == meant, "what is heard is not what was stored")

    def test_whole(self):
        """Its parts, played one after the other, are the whole to the sample."""
        self.listen(f"pcm:{self.out}")
        self.assertHeard(self.album, self.whole)

    def test_one(self):
        """One part begins and ends where the sheet says, to the sample."""
        self.listen(f"pcm:{self.out}")
        self.assertHeard(self.parts["Noon"]["uri"], self.between(151, 277))

    def test_steered(self):
        """What comes after a part is the one behind it, and a place within it is counted from its beginning."""
        self.listen("null")
        self.ask("play", {"uri": self.album})
        status = self.home.reaches("the first", lambda status: status["now"]["title"] == "Dawn" and status["tl"]["st"] == "playing")
        self.assertEqual(status["now"]["durMs"], 2013)
        self.ask("next")
        status = self.home.reaches("the second", lambda status: status["now"]["title"] == "Noon" and status["tl"]["st"] == "playing")
        self.assertEqual(status["now"]["durMs"], 1680)
        self.assertLess(status["positionMs"], 1680)
        self.ask("pause")
        self.ask("seek", {"posMs": 1000})
        self.home.reaches("a second into it", lambda status: abs(status["positionMs"] - 1000) <= 2 and status["tl"]["st"] == "paused")
        self.ask("seekBy", {"ms": -400})
        status = self.home.reaches("a little before", lambda status: abs(status["positionMs"] - 600) <= 2)
        self.assertEqual(status["now"]["title"], "Noon")
        self.ask("play")
        status = self.home.reaches("the third by itself", lambda status: status["now"]["title"] == "Dusk")
        self.assertLess(status["positionMs"], 1000)
        self.ask("prev")
        self.home.reaches("the second again", lambda status: status["now"]["title"] == "Noon" and status["positionMs"] < 1000)


class Kept(Music):
    def test_renamed(self):
        """A file that is moved and renamed keeps its stars, its place among the favourites and in playlists."""
        path = self.tone("old/before.flac", title="Wanderer", seconds=2)
        self.tone("old/other.flac", title="Other", hertz=550)
        self.begin()
        self.scanned(least=2)
        uri = self.found("wanderer")[0]["uri"]
        self.ask("rate.set", {"uri": uri, "stars": 4})
        self.ask("fav.set", {"uri": uri, "on": True})
        lists = self.ask("pl.create", {"name": "Walks", "uris": [uri]})["d"]
        os.makedirs(f"{self.home.music}/new/place")
        os.rename(path, f"{self.home.music}/new/place/after.flac")
        self.ask("hub.scan")
        place = lambda: self.ask("lib.item", {"uri": uri})["d"]
        self.until("it is known at its new place", lambda: place().get("path", "").endswith("new/place/after.flac") and not place()["item"].get("away"), limit=60)
        row = self.found("wanderer")[0]
        self.assertEqual((row["uri"], row["stars"], row["fav"]), (uri, 4, 1))
        self.assertEqual([(r["uri"], r.get("away")) for r in self.ask("pl.get", {"id": lists["id"]})["d"]["rows"]], [(uri, None)])
        self.assertEqual([r["uri"] for r in self.ask("lib.browse", {"node": "lib:shelf/favourites"})["d"]["rows"]], [uri])

    def test_killed(self):
        """kill -9 in the middle of a scan loses nothing, and the next one does not start over."""
        seed = self.tone("seed.flac", seconds=0.2)
        with open(seed, "rb") as file:
            data = file.read()
        os.unlink(seed)
        count = 0

        def more():
            nonlocal count
            for number in range(count, count + 12_000):
                folder = f"{self.home.music}/{number // 100:03d}"
                os.makedirs(folder, exist_ok=True)
                with open(f"{folder}/{number:05d} Piece.flac", "wb") as file:
                    file.write(data + number.to_bytes(8, "big"))
            count += 12_000

        def known():
            return sum(folder["n"] for folder in self.ask("lib.folders")["d"]["folders"])
        more()
        hub = self.begin()
        self.until("a part is kept", known)
        # However quick the machine is: what was read before the kill is to be a part of all.
        while known() == count:
            more()
            self.ask("hub.scan")
        half = self.found("piece", kinds=["track"], limit=1)
        self.assertTrue(half)
        hub.kill()
        self.begin()
        report = self.scanned(least=count)
        print(f"killed in the middle of {count}: the next scan read {report['read']}", file=sys.stderr)
        self.assertLess(report["read"], count)
        rows = self.ask("lib.browse", {"node": "lib:shelf/tracks", "limit": 1})["d"]
        self.assertEqual(rows.get("total"), count)
        self.assertEqual(self.found("05999")[0]["title"], "05999 Piece")

    def test_marks_survive(self):
        """Stars, favourites and playlists are there after a kill at any moment, and an answer that was given counts once."""
        self.tone("a.flac", title="Alpha")
        self.tone("b.flac", title="Beta", hertz=550)
        hub = self.begin()
        self.scanned(least=2)
        alpha, beta = self.found("alpha")[0]["uri"], self.found("beta")[0]["uri"]
        made = self.ask("pl.create", {"name": "Two", "uris": [alpha]}, key="make1")["d"]
        self.ask("pl.edit", {"id": made["id"], "ops": [{"add": [beta], "at": "end"}]}, key="edit1")
        self.ask("rate.set", {"uri": alpha, "stars": 5})
        hub.kill()
        self.begin()
        again = self.ask("pl.create", {"name": "Two", "uris": [alpha]}, key="make1")
        self.assertEqual((again.get("why"), again["d"]["id"]), ("dup", made["id"]))
        self.ask("pl.edit", {"id": made["id"], "ops": [{"add": [beta], "at": "end"}]}, key="edit1")
        self.assertEqual([row["uri"] for row in self.ask("pl.get", {"id": made["id"]})["d"]["rows"]], [alpha, beta])
        self.assertEqual(len(self.ask("pl.list")["d"]["rows"]), 1)
        self.assertEqual(self.found("alpha")[0]["stars"], 5)


class BadInput(Music):
    def test_everything_else_goes_on(self):
        """What cannot be read is named in a sentence and counted; what lies beside it is found."""
        music = self.home.music
        self.tone("good/fine.flac", title="Fine", seconds=60)
        bad = {
            "bad/empty.flac": b"", "bad/text.mp3": b"This is a letter and not music at all.\n" * 50,
            "bad/claims.flac": b"fLaC" + bytes([0x86]) + (2**24 - 1).to_bytes(3, "big") + b"\0" * 4096,
            "bad/noise.ogg": os.urandom(65536), "bad/noise.m4a": b"\0\0\0\x20ftypM4A " + os.urandom(65536),
            # A tag that says that a picture of two gigabytes follows.
            "bad/picture.mp3": b"ID3\x04\0\0\x0f\x7f\x7f\x7fAPIC\x0f\x7f\x7f\x70\0\0\0image/jpeg\0\x03\0" + b"\xff\xd8" + b"\0" * 4096,
        }
        for name, data in bad.items():
            os.makedirs(os.path.dirname(f"{music}/{name}"), exist_ok=True)
            with open(f"{music}/{name}", "wb") as file:
                file.write(data)
        with open(f"{music}/bad/huge.wav", "wb") as file:
            file.truncate(64 << 30)
        shutil.copy(f"{music}/good/fine.flac", os.fsencode(music) + b"/bad/\xff\xfe broken.flac")
        os.symlink("..", f"{music}/good/up")
        os.symlink("/etc", f"{music}/good/etc")
        os.symlink("/etc/passwd", f"{music}/good/passwd.mp3")
        latin = self.tone("good/latin.mp3", title="XXXX")
        with open(latin, "rb") as file:
            data = file.read()
        with open(latin, "wb") as file:
            file.write(data.replace(b"XXXX", b"Caf\xe9"))
        self.begin()
        report = self.scanned()
        print(f"bad files: {json.dumps(report, ensure_ascii=False)[:1500]}", file=sys.stderr)
        self.assertEqual([row["title"] for row in self.found("fine", kinds=["track"])], ["Fine"])
        self.assertEqual([row["title"] for row in self.found("cafe", kinds=["track"])], ["Café"])
        said = "\n".join(report["problems"])
        for name in [*bad, "bad/huge.wav", "broken.flac"]:
            self.assertIn(os.path.basename(name), said)
        self.assertGreaterEqual(report["failed"], len(bad) + 2)
        self.assertFalse(self.found("passwd") or self.found("root"))
        # The hub is well: it answers, and plays what is good.
        self.ask("play", {"uri": self.found("fine")[0]["uri"]})
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")

    def test_vanished_folder(self):
        """A folder that cannot be read greys its music and keeps it."""
        self.tone("disk/song.flac", title="Far away")
        self.begin()
        self.scanned(least=1)
        uri = self.found("far")[0]["uri"]
        os.rename(self.home.music, self.home.music + "-away")
        self.ask("hub.scan")
        self.until("it is grey", lambda: [row for row in self.found("far") if row.get("away")], limit=60)
        folders = self.ask("lib.folders")["d"]["folders"]
        self.assertTrue(any(folder.get("problem") for folder in folders), folders)
        os.rename(self.home.music + "-away", self.home.music)
        self.ask("hub.scan")
        self.until("it is back", lambda: [row for row in self.found("far") if not row.get("away") and row["uri"] == uri], limit=60)

    def test_never_outside(self):
        """No path leads out of a music folder over the network, however it is written."""
        self.tone("song.flac", title="Song")
        hub = self.begin()
        self.scanned(least=1)
        for path in ("/media/../../etc/passwd", "/media/%2e%2e%2fetc%2fpasswd", "/art/../state.db", "/art/%2e%2e"):
            connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=60)
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            self.assertEqual(answer.status, 404, (path, body[:80]))
            connection.close()


if __name__ == "__main__":
    main()
