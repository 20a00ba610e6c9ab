#!/usr/bin/python3
"""A worker for Baton in Python, without any package: sine tones that follow from the seed.

It reads one request as a line of JSON, writes its files into the folder that $BATON_JOB_DIR names, and says on its output how far
it is and, at last, what it has made. In batond.conf:

    [worker tones]
    program = /path/to/tones.py
"""

import json
import math
import os
import random
import signal
import struct
import sys
import wave

RATE = 44100
SCALE = (0, 3, 5, 7, 10)


def say(**members):
    print(json.dumps(members), flush=True)


def note(pitch, seconds):
    """One plucked tone, as samples from -1 to 1."""
    step = 2 * math.pi * 440 * 2 ** ((pitch - 69) / 12) / RATE
    count = int(seconds * RATE)
    return [math.sin(step * at) * math.exp(-3 * at / count) * min(1, at / 200) * 0.4 for at in range(count)]


def main():
    # The hub ends a job by SIGTERM.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    request = json.loads(sys.stdin.readline())
    folder = os.environ["BATON_JOB_DIR"]
    chance = random.Random(f"{request['seed']} {request['prompt']}")
    tempo = chance.randrange(70, 130)
    beat = 60 / tempo
    count = max(1, int(request.get("durationS", 60) / beat))
    root = 50 + chance.randrange(12)
    with wave.open(os.path.join(folder, "sound.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for number in range(count):
            pitch = root + chance.choice(SCALE) + 12 * chance.randrange(2)
            file.writeframes(b"".join(struct.pack("<h", int(value * 32767)) for value in note(pitch, beat)))
            say(progress=(number + 1) / count, message=f"note {number + 1} of {count}")
        milliseconds = file.getnframes() * 1000 // RATE
    with open(os.path.join(folder, "metadata.json"), "w", encoding="utf-8") as file:
        json.dump({"request": request, "tempo": tempo}, file)
    title = " ".join(request["prompt"].split()[:4]).title()
    say(artifact={"path": "sound.wav", "metadata": "metadata.json", "durationMs": milliseconds, "title": title, "tempo": tempo})


if __name__ == "__main__":
    try:
        main()
    except (KeyError, OSError, ValueError) as error:
        say(error=f"No tones could be made: {error}.")
        sys.exit(1)
