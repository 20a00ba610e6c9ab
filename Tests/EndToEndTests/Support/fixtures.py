"""Music and pictures that ffmpeg makes, made once and kept in .build/fixtures: each test gets a copy of its own."""

import hashlib
import os
import shutil
import subprocess

from Support.hubs import ROOT

KEPT = os.path.join(ROOT, ".build/fixtures")
FFMPEG = ("ffmpeg", "-nostdin", "-loglevel", "error", "-y")


def kept(suffix, *words):
    """The path of what ffmpeg makes of `words`, which name no file that may change. Tests read it and never write to it."""
    name = hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]
    path = f"{KEPT}/{name}{suffix}"
    if not os.path.exists(path):
        os.makedirs(KEPT, exist_ok=True)
        # Under another name until it is whole, since other suites may want it at the same time.
        new = f"{KEPT}/{name}-{os.getpid()}{suffix}"
        made = subprocess.run([*FFMPEG, *words, new], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        if made.returncode != 0:
            raise AssertionError(f"ffmpeg made no {suffix} of {' '.join(words)}: {made.stderr}")
        os.rename(new, path)
    return path


def make(path, *words):
    """A copy at `path` of what ffmpeg makes of `words`; its kind is that of the suffix."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile(kept(os.path.splitext(path)[1], *words), path)
    return path


def lavfi(path, source, *words):
    """The same, of one of ffmpeg's own sources."""
    return make(path, "-f", "lavfi", "-i", source, *words)


def metadata(**tags):
    """ffmpeg's words for tags."""
    return [word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")]
