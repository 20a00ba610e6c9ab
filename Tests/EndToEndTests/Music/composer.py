# deploy/test: tier 2, first Pieces.test_sound.
# deploy/test: judges Sources/Programs/baton-composer Sources/Core/BatonComposer Sources/Core/BatonComposer/Requests.
# deploy/test: judges Sources/Platform/Synthesis.
"""The shipped baton-composer, from a request on its standard input to the files of a piece."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import wave

import mido

from Support.hubs import ROOT, binaries, main, wait
from Support.suite import not_possible, slow

FILES = ["cover.png", "metadata.json", "score.mid", "sound.flac"]
ROLES = {"intro", "motif", "chorus", "development", "bridge", "resolution", "outro"}


class Case(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="baton-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.jobs = 0

    def folder(self):
        self.jobs += 1
        path = f"{self.root}/{self.jobs}"
        os.mkdir(path)
        return path

    def start(self, request, folder, before=(), after=(), **more):
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "BATON_JOB_DIR": folder}
        process = subprocess.Popen(
            [*before, binaries() + "/baton-composer", *after], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, **more,
        )
        text = request if isinstance(request, bytes) else json.dumps(request).encode()
        # One that refuses a request that is too long does not read it to its end.
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(text)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.stdin = None
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def lines(self, process):
        out, error = process.communicate(timeout=300)
        return [json.loads(line) for line in out.decode().splitlines()], error.decode()

    def make(self, request, folder=None, **more):
        """The artifact of a request that succeeds."""
        folder = folder or self.folder()
        lines, error = self.lines(self.start(request, folder, **more))
        self.assertIn("artifact", lines[-1], lines[-1:] + [error])
        self.assertEqual(sorted(os.listdir(folder)), FILES)
        shares = [line["progress"] for line in lines[:-1]]
        self.assertEqual(shares, sorted(shares))
        self.assertTrue(all(0 <= share <= 1 for share in shares) and len(shares) > 3)
        return folder, lines[-1]["artifact"]

    def refuse(self, request, folder=None, **more):
        """The sentence with which a request is refused; it leaves nothing."""
        folder = folder or self.folder()
        lines, error = self.lines(self.start(request, folder, **more))
        self.assertEqual(list(lines[-1]), ["error"], error)
        self.assertEqual([name for name in os.listdir(folder) if not name.startswith(".")], [])
        return lines[-1]["error"]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def probe(path):
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", path], check=True, capture_output=True, text=True)
    return json.loads(said.stdout)


def loudness(path):
    """Integrated loudness and true peak, by ffmpeg's own meter."""
    said = subprocess.run(
        ["ffmpeg", "-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"], check=True, capture_output=True, text=True).stderr
    summary = said[said.rindex("Summary:"):]
    return float(re.search(r"I:\s+(-?[\d.]+) LUFS", summary)[1]), float(re.search(r"Peak:\s+(-?[\d.]+) dBFS", summary)[1])


class Pieces(Case):
    PROMPTS = [
        ("slow piano for rain", 60), ("fast rock with drums", 30), ("solo cello, sad", 20), ("techno 128 bpm", 40), ("jazz at night", 25),
        ("lullaby with music box", 10), ("epic battle", 45), ("funk", 20),
    ]

    def test_sound(self):
        """Sound files have their length, loudness, peak, tags and cover, whatever was asked for."""
        for prompt, seconds in self.PROMPTS:
            with self.subTest(prompt):
                folder, artifact = self.make({"prompt": prompt, "durationS": seconds, "seed": "7"})
                found = probe(f"{folder}/sound.flac")
                self.assertEqual(found["format"]["format_name"], "flac")
                self.assertLess(abs(float(found["format"]["duration"]) - seconds), 1)
                self.assertEqual(artifact["durationMs"], seconds * 1000)
                tags = {name.upper(): value for name, value in found["format"]["tags"].items()}
                self.assertEqual(tags["PROMPT"], prompt)
                self.assertEqual(tags["COMMENT"], artifact["recipe"])
                self.assertEqual(tags["TITLE"], artifact["title"])
                self.assertEqual(tags["BPM"], str(artifact["tempo"]))
                self.assertEqual(tags["SOUNDFONT"], "TimGM6mb")
                self.assertEqual([stream["codec_name"] for stream in found["streams"]], ["flac", "png"])
                level, peak = loudness(f"{folder}/sound.flac")
                self.assertLess(abs(level + 16), 1)
                self.assertLess(peak, -1)

    def test_score(self):
        """Scores read by mido have the form in markers, the motif, the tempo, and nothing after their end."""
        for number, (prompt, seconds) in enumerate(self.PROMPTS):
            with self.subTest(prompt):
                folder, artifact = self.make({"prompt": prompt, "durationS": seconds, "seed": str(number)})
                score = mido.MidiFile(f"{folder}/score.mid")
                self.assertLess(abs(score.length - seconds), 1)
                roles = [message.text for message in score.tracks[0] if message.type == "marker"]
                self.assertEqual((roles[0], roles[-1]), ("intro", "outro"))
                self.assertIn("motif", roles)
                self.assertLessEqual(set(roles), ROLES)
                self.assertEqual(self.beats(score), artifact["tempo"])
                self.assertGreaterEqual(self.statements(score), 2 if seconds >= 30 else 1)
                with open(f"{folder}/metadata.json", encoding="utf-8") as file:
                    plan = json.load(file)["plan"]
                self.assertEqual([section["role"] for section in plan["sections"]], roles)

    @staticmethod
    def beats(score):
        tempo = next(message.tempo for message in score.tracks[0] if message.type == "set_tempo")
        metre = next(message for message in score.tracks[0] if message.type == "time_signature")
        return round(60e6 / tempo / (1.5 if metre.denominator == 8 else 1))

    @staticmethod
    def statements(score):
        """How many bars of the melody begin their notes where those of the motif begin."""
        motif = next(message.text for message in score.tracks[0] if message.type == "text" and message.text.startswith("motif ")).split()[1]
        metre = next(message for message in score.tracks[0] if message.type == "time_signature")
        bar = 4 * 480 * metre.numerator // metre.denominator
        starts, step = set(), 0
        for tone, length in zip(motif[::2], motif[1::2]):
            if tone != "-":
                starts.add(step)
            step += int(length, 36)
        lead = next(track for track in score.tracks if track.name == "lead")
        now, bars = 0, {}
        for message in lead:
            now += message.time
            if message.type == "note_on" and message.velocity:
                bars.setdefault(now // bar, set()).add(now % bar // 120)
        return sum(found == starts for found in bars.values())

    def test_same(self):
        """The same request is the same bytes, and a recipe alone the same sound and score."""
        request = {"prompt": "upbeat folk with fiddle", "durationS": 15, "seed": "18446744073709551615"}
        first, artifact = self.make(request)
        second, _ = self.make({**request, "unknown": {"later": True}})
        for name in FILES:
            self.assertEqual(digest(f"{first}/{name}"), digest(f"{second}/{name}"), name)
        self.assertEqual(artifact["seed"], request["seed"])
        self.assertLessEqual(len(artifact["recipe"]), 200)
        again, other = self.make({"recipe": artifact["recipe"]})
        self.assertEqual(other["recipe"], artifact["recipe"])
        for name in ("score.mid", "cover.png"):
            self.assertEqual(digest(f"{first}/{name}"), digest(f"{again}/{name}"), name)
        sums = [
            subprocess.run(["ffmpeg", "-v", "error", "-i", f"{folder}/sound.flac", "-map", "0:a", "-f", "md5", "-"], check=True,
                           capture_output=True, text=True).stdout for folder in (first, again)
        ]
        self.assertEqual(*sums)
        with open(f"{again}/metadata.json", encoding="utf-8") as file:
            self.assertNotIn(request["prompt"], file.read())

    def test_variations(self):
        """Varied by 0 is the same score, by 100 another motif; what follows a piece keeps its motif."""
        first, artifact = self.make({"prompt": "pop", "durationS": 12, "seed": "5"})
        same, _ = self.make({"vary": {"recipe": artifact["recipe"], "amount": 0}})
        self.assertEqual(digest(f"{first}/score.mid"), digest(f"{same}/score.mid"))
        _, other = self.make({"vary": {"recipe": artifact["recipe"], "amount": 100}, "seed": "9"})
        _, next_one = self.make({"motif": artifact["recipe"], "seed": "9"})

        def motif(made):
            return made["recipe"].split("motif=")[1]
        self.assertNotEqual(motif(other), motif(artifact))
        self.assertEqual(motif(next_one), motif(artifact))
        self.assertLessEqual(abs(next_one["tempo"] - artifact["tempo"]), artifact["tempo"] * 0.04)


# Reads a sound file and prints its tempo, tonic and mode. A process of its own, since its library is in the venv alone.
JUDGE = """
import sys
import essentia
essentia.log.infoActive = essentia.log.warningActive = False
import essentia.standard as es
audio = es.MonoLoader(filename=sys.argv[1], sampleRate=44100)()
tempo = es.RhythmExtractor2013(method="multifeature")(audio)[0]
tonic, mode, _ = es.KeyExtractor()(audio)
print("RESULT", tempo, tonic, mode)
"""
TONICS = {"C": 0, "C#": 1, "D": 2, "Eb": 3, "E": 4, "F": 5, "F#": 6, "G": 7, "Ab": 8, "A": 9, "Bb": 10, "B": 11}


class Stored(Case):
    """`baton-composer store`: the sound of other workers as FLAC."""

    def store(self, write):
        folder = self.folder()
        write(f"{folder}/sound.wav")
        lines, error = self.lines(self.start({"sound": "sound.wav", "title": "Rain", "artist": "studio"}, folder, after=["store"]))
        return folder, lines, error

    def test_samples(self):
        """Whole numbers of 8, 16 and 24 bits, in one channel or two, are the same samples; the file names their MD5."""
        for channels, width, rate in ((1, 2, 8000), (2, 2, 44100), (2, 3, 48000), (1, 1, 22050)):
            data = os.urandom(channels * width * rate)

            def write(path, channels=channels, width=width, rate=rate, data=data):
                with wave.open(path, "wb") as file:
                    file.setnchannels(channels)
                    file.setsampwidth(width)
                    file.setframerate(rate)
                    file.writeframes(data)

            folder, lines, error = self.store(write)
            self.assertEqual(lines, [], error)
            if width == 1:
                data = bytes((byte - 128) & 255 for byte in data)
            with open(f"{folder}/sound.flac", "rb") as file:
                self.assertEqual(file.read(42)[26:], hashlib.md5(data).digest())

    def test_refused(self):
        """What is cut, no sound, or a link gets a sentence, and no file."""
        cut = b"RIFF\xff\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x80\x3e\0\0\2\0\x10\0data\xff\xff\0\0ab"

        def written(content):
            def write(path):
                with open(path, "wb") as file:
                    file.write(content)
            return write

        for write in (written(cut), written(b"x" * 99), written(b""), lambda path: os.symlink("/etc/passwd", path)):
            folder, lines, error = self.store(write)
            self.assertEqual(list(lines[-1]), ["error"], error)
            self.assertFalse(os.path.exists(f"{folder}/sound.flac"))


@slow
class Heard(Case):
    """Tempo and key that another program hears are those that were asked for."""

    PROMPTS = [
        ("slow piano for rain in d minor 60 bpm", 60, "D minor"), ("happy folk in g major 104 bpm", 104, "G major"),
        ("rock in e minor 132 bpm", 132, "E minor"), ("techno in a minor 128 bpm", 128, "A minor"), ("pop in c major 112 bpm", 112, "C major"),
        ("lofi in eb major 80 bpm", 80, "Eb major"), ("epic battle in c minor 100 bpm", 100, "C minor"), ("funk in f major 108 bpm", 108, "F major"),
        ("latin in a minor 116 bpm", 116, "A minor"), ("classical in bb major 96 bpm", 96, "Bb major"), ("house in f minor 124 bpm", 124, "F minor"),
        ("waltz in d major 150 bpm", 150, "D major"),
    ]

    def test_heard(self):
        """Of twelve pieces at most two are heard in a key a fifth away, and none in another; all are heard in their tempo or its fraction."""
        python = f"{ROOT}/.build/venv/bin/python"
        if subprocess.run([python, "-c", "import essentia"], capture_output=True, check=False).returncode:
            not_possible("essentia is not in .build/venv; deploy/requirements-slow.txt names it")
        exact = 0
        for prompt, tempo, key in self.PROMPTS:
            folder, artifact = self.make({"prompt": prompt, "seed": "7"})
            self.assertEqual((artifact["tempo"], artifact["key"]), (tempo, key))
            said = subprocess.run([python, "-c", JUDGE, f"{folder}/sound.flac"], check=True, capture_output=True, text=True).stdout
            heard, tonic, mode = said.split("RESULT", 1)[1].split()
            with self.subTest(prompt, heard=heard, tonic=tonic, mode=mode):
                share = float(heard) / tempo
                self.assertTrue(any(abs(share / ratio - 1) < 0.04 for ratio in (1, 2, 1 / 2, 2 / 3, 3 / 2)), share)
                away = (TONICS.get(tonic, TONICS.get({"D#": "Eb", "G#": "Ab", "A#": "Bb"}.get(tonic, ""), -1)) - TONICS[key.split()[0]]) % 12
                exact += (away, mode) == (0, key.split()[1])
                self.assertIn((away, mode), [(distance, key.split()[1]) for distance in (0, 5, 7)])
        self.assertGreaterEqual(exact, 10)


class Trouble(Case):
    def test_requests(self):
        """Bad requests are refused in sentences."""
        for request, word in [
            (b"", "JSON"), (b"{}", "prompt"), ({"prompt": ""}, "empty"), ({"prompt": "x" * 513}, "512"), ({"prompt": "a\x01"}, "control"),
            ({"prompt": "a", "durationS": 500}, "durationS"), ({"recipe": "nonsense"}, "recipe"), (b'{"prompt":"a"' + b" " * 70000, "bytes"),
            ({"prompt": "a", "seed": "x"}, "seed"),
        ]:
            with self.subTest(word):
                self.assertIn(word, self.refuse(request))

    def test_no_font(self):
        """Without a font the sentence names the package to install."""
        self.assertIn("timgm6mb-soundfont", self.refuse({"prompt": "a", "soundfont": "/nowhere.sf2"}))
        hidden = ["unshare", "-rm", "bash", "-c", 'mount -t tmpfs none /usr/share/sounds && exec "$0"']
        self.assertIn("timgm6mb-soundfont", self.refuse({"prompt": "a"}, before=hidden))

    def test_no_folder(self):
        """A missing job folder is named."""
        lines, _ = self.lines(self.start({"prompt": "a"}, f"{self.root}/gone"))
        self.assertIn(f"{self.root}/gone", lines[-1]["error"])

    def test_full_disk(self):
        """A full disk gives a sentence and leaves no file under a final name."""
        folder = self.folder()
        small = ["unshare", "-rm", "bash", "-c", 'mount -t tmpfs -o size=300k none "$BATON_JOB_DIR" && "$0"; ls "$BATON_JOB_DIR" >&2']
        lines, files = self.lines(self.start({"prompt": "pop", "durationS": 20}, folder, before=small))
        self.assertIn("disk", lines[-1]["error"])
        self.assertEqual(files.split(), [])

    def test_cancelled(self):
        """SIGTERM ends it in the midst of its work, and nothing stands under a final name."""
        for moment in ("composing", "playing", "writing"):
            with self.subTest(moment):
                folder = self.folder()
                process = self.start({"prompt": "techno", "durationS": 180}, folder)
                while moment not in json.loads(process.stdout.readline())["message"]:
                    pass
                process.send_signal(signal.SIGTERM)
                process.stdout.read()
                self.assertEqual(process.wait(30), 143)
                self.assertEqual([name for name in os.listdir(folder) if not name.startswith(".")], [])
                process.stdout.close()
                process.stderr.close()

    def test_hub_gone(self):
        """When its reader is gone it ends by itself."""
        process = self.start({"prompt": "techno", "durationS": 180}, self.folder())
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(wait("it has ended", lambda: process.poll() is not None and [process.returncode], 60), [-signal.SIGPIPE])
        process.stderr.close()

    def test_confined(self):
        """While it plays the kernel filters its calls, it has no socket, and its files are those of the job."""
        folder = self.folder()
        process = self.start({"prompt": "techno", "durationS": 180}, folder)
        while "playing" not in json.loads(process.stdout.readline())["message"]:
            pass
        process.send_signal(signal.SIGSTOP)
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            status = file.read()
        opened = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in os.listdir(f"/proc/{process.pid}/fd")]
        process.kill()
        process.stdout.close()
        process.stderr.close()
        process.wait()
        self.assertRegex(status, r"Seccomp:\s+2")
        self.assertRegex(status, r"NoNewPrivs:\s+1")
        foreign = [path for path in opened if not path.startswith((folder, "pipe:"))]
        self.assertEqual(foreign, [])


if __name__ == "__main__":
    main("ffmpeg", "ffprobe", "unshare")
