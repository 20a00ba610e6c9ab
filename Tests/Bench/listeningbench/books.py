"""Books of this bench, made once, and a hub that has one. Their tones alternate, so that a seek into another part can be heard."""
import contextlib, os, subprocess, tempfile, time

import library
import runs
import targets as T

PARTS, PART_S, LOW, HIGH = 200, 120, 440, 1760
RATE = 44_100
# As many in six minutes as a book has in an hour.
CHAPTERS, CHAPTER_S = 40, 36


def ffmpeg(path, *words):
    """-> `path`, made unless it is there; under another name until it is whole"""
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        new = f"{os.path.dirname(path)}/new-{os.path.basename(path)}"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-nostdin", "-y", *words, new], check=True)
        os.rename(new, path)
    return path


def tone(hertz):
    """A part, as audiobooks are encoded."""
    source = f"aevalsrc=exprs='0.5*sin(2*PI*{hertz}*t)|0.5*sin(2*PI*{hertz}*t)':s={RATE}:d={PART_S}"
    return ffmpeg(f"{runs.MEDIA}/part-{hertz}.m4a", "-f", "lavfi", "-i", source, "-c:a", "aac", "-b:a", "64k")


def hertz_of(part):
    return HIGH if part % 2 else LOW


def whole():
    """The same sound as one file"""
    listing = f"{runs.MEDIA}/parts.txt"
    tones = {hertz: tone(hertz) for hertz in (LOW, HIGH)}
    with open(listing, "w") as f:
        f.writelines(f"file '{tones[hertz_of(part)]}'\n" for part in range(PARTS))
    return ffmpeg(f"{runs.MEDIA}/whole-{PARTS}.m4b", "-f", "concat", "-safe", "0", "-i", listing, "-c", "copy", "-f", "mp4")


def parted(root):
    """The book as a folder of parts; -> the folder of books"""
    folder = f"{root}/Ann/Two Tones"
    os.makedirs(folder)
    for part in range(PARTS):
        os.link(tone(hertz_of(part)), f"{folder}/{part + 1:03}.m4a")
    return root


def chaptered():
    """A book of one file, with chapters"""
    marks = f"{runs.MEDIA}/chapters.txt"
    os.makedirs(runs.MEDIA, exist_ok=True)
    with open(marks, "w") as f:
        f.write(";FFMETADATA1\n" + "".join(
            f"[CHAPTER]\nTIMEBASE=1/1\nSTART={n * CHAPTER_S}\nEND={(n + 1) * CHAPTER_S}\ntitle=Chapter {n + 1}: The Lamp in the Window\n" for n in range(CHAPTERS)))
    source = f"aevalsrc=exprs='0.5*sin(2*PI*{LOW}*t)|0.5*sin(2*PI*{LOW}*t)':s={RATE}:d={CHAPTERS * CHAPTER_S}"
    return ffmpeg(f"{runs.MEDIA}/chaptered.m4b", "-f", "lavfi", "-i", source, "-i", marks, "-map_chapters", "1", "-c:a", "aac", "-b:a", "64k", "-f", "mp4")


@contextlib.contextmanager
def shelf(*files):
    """-> a folder of books with these files, each a book of its own"""
    with tempfile.TemporaryDirectory(prefix="shelf-", dir=runs.MEDIA) as root:
        for number, file in enumerate(files):
            os.makedirs(f"{root}/Ann/Book {number}")
            os.link(file, f"{root}/Ann/Book {number}/{os.path.basename(file)}")
        yield root


def until(what, holds, limit=60):
    end = time.monotonic() + limit
    while True:
        if value := holds():
            return value
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(.02)


@contextlib.contextmanager
def hub(target, root, mode="run"):
    """-> a hub that has scanned this folder of books, its owner, and the books' addresses"""
    with T.Server(target, mode=mode, track=runs.media()[0]) as server:
        server.wait_ready()
        owner = library.Owner(server)
        owner.ask("lib.folder", {"path": root, "on": True, "holds": "books"})
        books = sum(len(files) > 0 for _, _, files in os.walk(root))
        rows = until("the books", lambda: len(found := owner.ask("lib.browse", {"node": "lib:shelf/books"})["d"]["rows"]) == books and found)
        library.until_idle(server.procs[-1][1].pid)
        yield server, owner, [row["uri"] for row in rows]


def section(owner, name):
    return owner.state()["s"].get(name) or {}


def play(owner, uri, **params):
    owner.ask("play", {"uri": uri, **params})
    until("it plays", lambda: section(owner, "tl").get("st") == "playing")
    until("its chapters", lambda: section(owner, "book"))


def ticks_ns(pid):
    """ns of processor that the threads of a process have had"""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/schedstat") as f:
            total += int(f.read().split()[0])
    return total
