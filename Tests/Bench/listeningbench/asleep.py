"""What is heard of a sleep timer: how exactly it ends with a chapter, and how soon a press in a fade brings the sound back. A sound server
that plays into nothing is recorded; what plays is a tone that climbs, so each moment says which second of the book it is."""
import contextlib, os

import library
import runs
import targets as T
from listeningbench import books
from radiobench import away
from Support.hubs import Home, wait
from Support.recording import RATE, Climb, Recorder, SoundServer, is_silent, level

CHAPTER_S, CHAPTERS = 5, 3
# How long before the end of the chapter the timer is set, in ms.
LATE = (2000, 1000, 700, 500, 400, 300, 200, 150, 100)
PRESSES = 5
CLIMB, BLOCK = Climb(), RATE // 100


def tale():
    marks = f"{runs.MEDIA}/tale.txt"
    os.makedirs(f"{runs.MEDIA}/tale", exist_ok=True)
    with open(marks, "w") as f:
        f.write(";FFMETADATA1\n" + "".join(
            f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n * CHAPTER_S}\nEND={(n + 1) * CHAPTER_S}\ntitle=Chapter {n + 1}\n" for n in range(CHAPTERS)))
    return books.ffmpeg(f"{runs.MEDIA}/tale/tale.mka", "-f", "lavfi", "-i", CLIMB.source(CHAPTER_S * CHAPTERS), "-i", marks, "-map_chapters", "1", "-c:a", "flac")


@contextlib.contextmanager
def heard(target, track):
    """-> (the hub's owner, who asks it, the recorder of what it plays)"""
    with contextlib.ExitStack() as stack:
        home = Home()
        stack.callback(home.close)
        stack.callback(SoundServer(home).close)
        recorder = Recorder(home)
        stack.callback(recorder.close)
        server = stack.enter_context(T.Server(away.heard_by(target, home), track=track))
        server.wait_ready()
        owner, asker = library.Owner(server), library.Asker(server)
        owner.ask("vol.set", {"level": 100})
        owner.ask("play", {"uri": track})
        recorder.until("a tone", lambda sound: level(sound) > .02)
        yield owner, asker, recorder


def chapter(target):
    """ms of the next chapter that were heard, and ms of this one that were not, at most, over times before its end"""
    over, missing = [], []
    with heard(target, tale()) as (owner, asker, recorder):
        wait("its chapters", lambda: books.section(owner, "book"))
        for late_ms in LATE:
            owner.ask("pause")
            owner.ask("seek", {"posMs": CHAPTER_S * 1000 - late_ms - 800})
            start = recorder.until("silence", is_silent, window=.3)
            owner.ask("play")
            place = CHAPTER_S - late_ms / 1000
            recorder.until(f"second {place}", lambda sound, place=place: level(sound) > .02 and (CLIMB.place(sound) or 0) >= place, window=.02)
            asker.ask("sleep.set", {"end": "chapter"})
            wait("it has fallen asleep", lambda: books.section(owner, "tl").get("st") in ("paused", "stopped"))
            sound = recorder.heard(start, recorder.until("silence", is_silent, window=.3) - start)
            # The recording lags a little, so a press that was meant for the last tenth may come in the next chapter.
            line = books.section(owner, "tl")
            stands = line["posMs"] / 1000 if line["st"] == "paused" else CHAPTER_S * CHAPTERS
            ended = CLIMB.last_place(sound)
            over.append((ended - stands) * 1000)
            missing.append((stands - ended) * 1000)
    return {"over": max(0, *over), "missing": max(0, *missing), "each": [round(value, 1) for value in over]}


def fade(target):
    """ms from a press to the whole sound, in the recorder's samples; at most, over some presses"""
    took = []
    with heard(target, away.tone(60)) as (owner, asker, recorder):
        whole = level(recorder.next(.5))
        for _ in range(PRESSES):
            owner.ask("sleep.set", {"end": "time", "ms": 5000, "fadeMs": 4000})
            recorder.until("a quarter", lambda sound: level(sound) < whole / 4)
            pressed = recorder.now
            asker.ask("play", {})
            sound = recorder.heard(pressed, RATE)
            took.append(restored(sound, whole))
            owner.ask("sleep.clear")
    return {"ms": max(took), "each": [round(ms) for ms in took]}


def restored(sound, whole):
    """ms until the first moment from which on it is whole"""
    quiet = [at for at in range(0, len(sound) - BLOCK, BLOCK) if level(sound[at:at + BLOCK]) < .95 * whole]
    return (quiet[-1] + BLOCK) * 1000 / RATE if quiet else 0

