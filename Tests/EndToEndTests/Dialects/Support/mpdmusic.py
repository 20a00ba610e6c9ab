"""A library of fourteen files for the oracle: tags of every kind, names that must be quoted, pictures beside and within files.

The times of the files are set, so that each library is the same for a server that shows them.
"""

import os
import struct

from Support.fixtures import lavfi, metadata

# So long that none ends while a suite runs.
SECONDS = 120
TIME = 1_600_000_000
SOUND = f"sine=frequency={{}}:sample_rate=44100:duration={SECONDS}"
SILENCE = f"anullsrc=channel_layout=stereo:sample_rate=48000:duration={SECONDS}"
COVER = "color=teal:size=64x64:duration=0.04"
LIGHT = {"artist": "Amber Lane", "album_artist": "Amber Lane", "album": "First Light", "date": "1994-05-02", "genre": "Folk"}
SON = {"artist": "Bøk & Søn", "album": "Ålborg", "date": "2003", "genre": "Pop"}
SAMPLER = {"album_artist": "Various Artists", "album": "Sampler", "date": "2011", "genre": "folk"}
# Path, source, tags.
FILES = [
    ("Amber Lane/First Light/01 Dawn.flac", SILENCE, {
        **LIGHT, "title": "Dawn", "track": "1", "disc": "1", "composer": "J. Reed", "ALBUMARTISTSORT": "Lane, Amber",
        "MUSICBRAINZ_TRACKID": "0b21c6d9-7c3a-4f0e-9f6b-5a2f6f0f1c11", "LABEL": "Quay", "COMMENT": "first take"}),
    ("Amber Lane/First Light/02 Noon.flac", SILENCE, {**LIGHT, "title": "Noon", "track": "2/3", "disc": "1", "composer": "J. Reed"}),
    ("Amber Lane/First Light/03 Dusk.flac", SILENCE, {**LIGHT, "title": "Dusk", "track": "3", "disc": "2", "performer": "Ida Moss"}),
    ("Amber Lane/Second/Dawn.flac", SILENCE, {"artist": "Amber Lane", "album": "Second", "title": "Dawn", "track": "1", "date": "1999"}),
    ("Bøk & Søn/Ålborg/1 Ærø.mp3", SOUND.format(220), {**SON, "title": "Ærø", "track": "1"}),
    ("Bøk & Søn/Ålborg/2 Fyr.mp3", SOUND.format(330), {**SON, "title": "Fyr", "track": "2"}),
    ('Various/Sampler/01 "Quoted".ogg', SILENCE, {**SAMPLER, "title": '"Quoted"', "artist": "Merle Ash", "track": "1"}),
    ("Various/Sampler/02 It's.ogg", SILENCE, {**SAMPLER, "title": "It's", "artist": "Amber Lane", "track": "2"}),
    ("Various/Sampler/03 Back\\slash (live) [x].ogg", SILENCE, {**SAMPLER, "title": "Back\\slash (live)", "artist": "C++", "track": "3"}),
    ("Cellar/no tags.flac", SILENCE, {}),
    ("Cellar/two.flac", SILENCE, {"title": "Two"}),
    ("Cellar/mono.opus", SILENCE, {"artist": "amber lane", "title": "dawn", "album": "first light"}),
    ("top.mp3", SOUND.format(440), {"title": "Top", "artist": "Merle Ash", "genre": "Ambient"}),
]
# Comments that one file has twice.
TWICE = ["TITLE=Two", "ARTIST=Ada", "ARTIST=Ben", "ALBUM=Duets", "GENRE=Folk", "GENRE=Jazz", "COMPOSER=Ada", "COMPOSER=Cleo", "TRACKNUMBER=07"]


def comments(path, texts):
    """Puts other comments into a FLAC file. ffmpeg cannot write a name twice."""
    with open(path, "rb") as file:
        whole = file.read()
    place, blocks, is_last = 4, [], False
    while not is_last:
        is_last, kind, size = whole[place] >> 7, whole[place] & 127, int.from_bytes(whole[place + 1:place + 4], "big")
        blocks.append((kind, whole[place + 4:place + 4 + size]))
        place += 4 + size
    packed = [struct.pack("<I", len(text.encode())) + text.encode() for text in ["baton", *texts]]
    new = packed[0] + struct.pack("<I", len(texts)) + b"".join(packed[1:])
    blocks = [(kind, new if kind == 4 else block) for kind, block in blocks if kind in (0, 3, 4)]
    head = b"".join(
        bytes([kind | 128 * (index == len(blocks) - 1)]) + len(block).to_bytes(3, "big") + block for index, (kind, block) in enumerate(blocks))
    with open(path, "wb") as file:
        file.write(b"fLaC" + head + whole[place:])


def library(folder):
    """Makes the library, and gives back its folder."""
    lavfi(f"{folder}/Amber Lane/First Light/cover.png", COVER, "-frames:v", "1")
    for path, source, tags in FILES:
        words = ("-b:a", "32k") if path.endswith(".mp3") else ()
        lavfi(f"{folder}/{path}", source, *words, *metadata(**tags))
    lavfi(
        f"{folder}/Bøk & Søn/Ålborg/3 Pictured.mp3", SOUND.format(550), "-f", "lavfi", "-i", COVER, "-map", "0:a", "-map", "1:v",
        "-b:a", "32k", *metadata(**SON, title="Pictured", track="3"))
    comments(f"{folder}/Cellar/two.flac", TWICE)
    with open(f"{folder}/Cellar/notes.txt", "w", encoding="utf-8") as file:
        file.write("No music.\n")
    for place, folders, names in os.walk(folder, topdown=False):
        for name in [*folders, *names]:
            os.utime(f"{place}/{name}", (TIME, TIME))
    return folder
