#!/usr/bin/python3
"""A worker for Baton that writes a tune in ABC notation and has other programs play it: abc2midi (package abcmidi) and fluidsynth.

In batond.conf:

    [worker abc]
    program = /path/to/abc.py
"""

import json
import os
import random
import signal
import subprocess
import sys
import wave

FONTS = ["/usr/share/sounds/sf2/default-GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf3/default-GM.sf3"]
SCALE = ["G,", "A,", "B,", "D", "E", "G", "A", "B", "d", "e"]


class Lack(Exception):
    """What is missing, as a sentence."""


def say(**members):
    print(json.dumps(members), flush=True)


def run(*words):
    try:
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        raise Lack(f"{words[0]} is not installed.") from None
    except subprocess.CalledProcessError as ended:
        raise Lack(f"{words[0]} ended with {ended.returncode}.") from None


def tune(request, title, chance, tempo):
    """Bars of four quarters: a phrase, an answer to it, and an end on the tonic."""
    bars = max(4, round(request.get("durationS", 60) * tempo / 60 / 4))

    def phrase():
        place, notes = chance.randrange(2, 6), []
        for length in chance.choice([(2, 2, 2, 2), (3, 1, 2, 2), (2, 2, 4), (4, 2, 2)]):
            notes.append(f"{SCALE[place]}{length}")
            place = max(0, min(len(SCALE) - 1, place + chance.choice([-2, -1, 1, 2])))
        return " ".join(notes)
    motif = [phrase() for _ in range(4)]
    lines = [motif[number % 4] if chance.random() < 0.7 else phrase() for number in range(bars - 1)] + ["G,8"]
    return f"X:1\nT:{title}\nM:4/4\nL:1/8\nQ:1/4={tempo}\nK:G\n%%MIDI program {chance.choice([0, 24, 46, 71, 73])}\n" + " | ".join(lines) + " |]\n"


def main():
    # The hub ends a job by SIGTERM, and with it what the job has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    request = json.loads(sys.stdin.readline())
    os.chdir(os.environ["BATON_JOB_DIR"])
    chance = random.Random(f"{request['seed']} {request['prompt']}")
    tempo = chance.randrange(72, 132)
    title = " ".join(request["prompt"].split()[:4]).title()
    font = next((path for path in FONTS if os.path.exists(path)), None)
    if not font:
        raise Lack("There is no sound font. Install the package timgm6mb-soundfont.")
    say(progress=0.1, message="writing the tune")
    with open("tune.abc", "w", encoding="utf-8") as file:
        file.write(tune(request, title.replace("\n", " "), chance, tempo))
    run("abc2midi", "tune.abc", "-o", "score.mid")
    say(progress=0.3, message="playing it")
    run("fluidsynth", "-ni", "-q", "-r", "44100", "-F", "sound.wav", font, "score.mid")
    with wave.open("sound.wav", "rb") as file:
        milliseconds = file.getnframes() * 1000 // file.getframerate()
    say(artifact={"path": "sound.wav", "score": "score.mid", "durationMs": milliseconds, "title": title, "tempo": tempo, "key": "G major"})


if __name__ == "__main__":
    try:
        main()
    except (KeyError, OSError, ValueError, Lack) as error:
        say(error=f"No tune could be made: {error}")
        sys.exit(1)
