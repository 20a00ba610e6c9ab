"""Two hours of a station on disk: what they take, what the hub holds of them, and how soon a room hears what was ten minutes ago.

A hub writes some seconds of a real station. Its records, with other places and times, then fill two hours, so that what is measured
is the hub's own content at the rate at which it comes. Only head and sums of a record are known here."""
import contextlib, glob, os, tempfile, time

import library
import memory
from ear import Ear
from radiobench import stations

HOURS, SAMPLE_S, BACK_MS = 2, 20, 600_000
KBITS = 128
HEAD, SEGMENT, SUMMED = 32, 2 << 20, 28
# What was written is of another tone than the station's now.
NOW_HERTZ, THEN_HERTZ = 440, 1760


def checked(head):
    """A head with its own sum (FNV-1a)"""
    total = 0x811C9DC5
    for byte in head:
        total = (total ^ byte) * 0x01000193 & 0xFFFFFFFF
    return head + total.to_bytes(4, "little")


def records(path):
    """(kind, place, time in ms, head, content) of each record of a segment"""
    with open(path, "rb") as f:
        data = f.read()
    at, found = 0, []
    while at + HEAD <= len(data):
        head, count = data[at:at + HEAD], int.from_bytes(data[at + 4:at + 7], "little")
        if head != checked(head[:SUMMED]):
            raise RuntimeError(f"{path} is not written as the bench knows it")
        found.append((head[7], int.from_bytes(head[8:16], "little"), int.from_bytes(head[16:24], "little"), head, data[at + HEAD:at + HEAD + count]))
        at += HEAD + count
    return found


def fill(folder, end_ms):
    """Two hours and a segment before `end_ms`, as the records in this folder go on and on."""
    sample = [record for path in sorted(glob.glob(f"{folder}/*.past")) for record in records(path)]
    for path in glob.glob(f"{folder}/*.past"):
        os.remove(path)
    # What came at once when the station began is no measure of a second.
    first = next(time_ms for kind, _, time_ms, _, _ in sample if kind == 1) + 2000
    sample = [record for record in sample if record[2] >= first]
    sounds = [record for record in sample if record[0] == 1]
    (_, place0, ms0, _, _), (_, place1, ms1, _, _) = sounds[0], sounds[-1]
    sample = [record for record in sample if place0 <= record[1] < place1]
    span, size = ms1 - ms0, place1 - place0
    begin_ms = end_ms - HOURS * 3_600_000 - SEGMENT * 8 // KBITS
    base, file, written, number = begin_ms << 12, None, 0, 0
    while begin_ms + number * span < end_ms - span:
        for kind, place, time_ms, head, content in sample:
            place, time_ms = base + number * size + place - place0, begin_ms + number * span + time_ms - ms0
            if file is None or (written >= SEGMENT and kind == 1):
                if file:
                    file.close()
                file, written = open(f"{folder}/{place:016x}.past", "wb"), 0
            body = checked(head[:8] + place.to_bytes(8, "little") + time_ms.to_bytes(8, "little") + head[24:SUMMED]) + content
            file.write(body)
            written += len(body)
        number += 1
    file.close()


def held(folder):
    """MiB"""
    return sum(os.path.getsize(path) for path in glob.glob(f"{folder}/*.past")) / (1 << 20)


def conf(target):
    text = target["files"]["batond.conf"].replace("{music}\n", "{music}\nradio_buffer = %d\n" % (HOURS * 60))
    return {**target, "files": {"batond.conf": text}}


def back(target):
    """First PCM of what was ten minutes ago; the disk and the memory of two hours, beside the same hub with nothing kept."""
    target = conf(target)
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as place, stations.on_air(hertz=THEN_HERTZ) as icecast:
        url = icecast.url(stations.HARBOUR)
        with stations.tuned(target, "audio", keep=place) as (server, tuner):
            with contextlib.closing(Ear(server.fifo, NOW_HERTZ, THEN_HERTZ)):
                tuner.play(tuner.add(url)[0])
                time.sleep(SAMPLE_S)
        folder = os.path.dirname(glob.glob(f"{place}/**/radio/*/*.past", recursive=True)[0])
        icecast.starve(stations.HARBOUR)
        icecast.feed(stations.HARBOUR, NOW_HERTZ)
        for path in glob.glob(f"{folder}/*.past"):
            os.rename(path, f"{place}/{os.path.basename(path)}")
        empty, _, _ = once(target, place, url, folder, False)
        for path in glob.glob(f"{folder}/*.past"):
            os.remove(path)
        for path in glob.glob(f"{place}/*.past"):
            os.rename(path, f"{folder}/{os.path.basename(path)}")
        fill(folder, int(time.time() * 1000))
        full, disk, ms = once(target, place, url, folder, True)
    return {"disk": disk, "memory": (full - empty) / memory.MIB, "ms": ms}


def once(target, place, url, folder, goes_back):
    """-> (KiB of a hub that has played the station for some seconds, MiB of the buffer, ms until the past was heard)"""
    with stations.tuned(target, "audio", keep=place) as (server, tuner):
        with contextlib.closing(Ear(server.fifo, NOW_HERTZ, THEN_HERTZ)) as ear:
            tuner.play(tuner.add(url)[0])
            time.sleep(SAMPLE_S)
            resident, disk = library.resident(tuner.pid), held(folder)
            if not goes_back:
                return resident, disk, None
            asker = library.Asker(server)
            return resident, disk, ear.ms(lambda: asker.ask("radio.back", {"ms": BACK_MS}, key="back"), THEN_HERTZ)
