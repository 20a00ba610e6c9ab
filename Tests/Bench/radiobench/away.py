"""A server that goes away while a track of it plays, of which there is a kept copy: what is heard of that. A sound server that plays
into nothing is recorded, and the tone in the recording shows each sample too many or too few. And a server that accepts and never
answers: how soon the kept copy of its track is heard, beside a file of this machine."""
import contextlib, os, shutil, signal, statistics, subprocess, tempfile, time

import runs
import servers
import upstreams
from radiobench import stations
from Support.hubs import Home, wait
from Support.recording import RATE, Recorder, SoundServer, is_silent, np, torn

HERTZ, SECONDS, STARTS = 441.3, 12, 7
# Some time and a half of what is heard, so that the player has not read all of it when the server goes.
LIMIT = "limit_rate 150k;"
URI = "loft:track/t-0/bench/files/bench/bench/01%20tone.flac"


def tone(seconds=SECONDS):
    """A FLAC whose samples stand as they are, so that it is as large as music. Made once."""
    path = f"{runs.MEDIA}/tone-{seconds}.flac"
    if not os.path.exists(path):
        os.makedirs(runs.MEDIA, exist_ok=True)
        whole = ["-compression_level", "0", "-lpc_type", "none", "-min_prediction_order", "0", "-max_prediction_order", "0", "-f", "flac", path + ".new"]
        sound = f"aevalsrc=exprs='0.5*sin(2*PI*{HERTZ}*t)':s={RATE}:d={seconds}"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", sound, "-sample_fmt", "s16", "-c:a", "flac", *whole], check=True)
        os.rename(path + ".new", path)
    return path


def heard_by(target, home):
    """The same hub, heard by a sound server of ours, and one that plays from the server while it is there."""
    conf = target["files"]["batond.conf"].replace("{music}\n", "{music}\nprefer_kept = no\n")
    env = {name: home.environment[name] for name in ("PULSE_SERVER", "PULSE_COOKIE", "ALSA_CONFIG_PATH")}
    return {**target, "files": {"batond.conf": conf}, "env": {**target["env"], **env}, "mode_vars": {"run": {"ao": "pulse/room"}}}


def keep(server):
    """-> the hub's owner, once the track's copy is whole"""
    owner = stations.Tuner(server).owner
    owner.ask("keep.set", {"uri": URI, "on": True})
    wait("the copy", lambda: owner.ask("keep.list")["d"]["rows"][0].get("whole") == 1, 60)
    return owner


def away(target):
    """The longest silence in the tone, in ms, and what is wrong with it."""
    with contextlib.ExitStack() as stack:
        home = Home()
        stack.callback(home.close)
        stack.callback(SoundServer(home).close)
        recorder = Recorder(home)
        stack.callback(recorder.close)
        port = stack.enter_context(upstreams.cloud({"tone": tone()}, LIMIT))
        with upstreams.Distance(port, 0) as between, servers.hub(heard_by(target, home), loft=servers.local(between.port)) as server:
            owner = keep(server)
            owner.ask("vol.set", {"level": 100})
            start = recorder.until("silence", is_silent, window=.3)
            owner.ask("play", {"uri": URI})
            wait("sound", lambda: not is_silent(recorder.heard(recorder.now - RATE // 10, RATE // 10)), 20)
            time.sleep(2)
            between.__exit__()
            end = recorder.until("silence again", is_silent, limit=SECONDS + 15, window=.5)
            sound = recorder.heard(start, end - start)
    return {"gap": longest_silence(sound), "torn": torn(sound, HERTZ, SECONDS)}


def hanging(target):
    """`play` to the first PCM byte: of a kept copy whose server hangs, and of the same file read from a disk, in turns."""
    kept, local = [], []
    with upstreams.cloud({"tone": tone()}) as port, tempfile.TemporaryDirectory(prefix="baton-bench-") as music:
        file = shutil.copy(tone(), f"{music}/tone.flac")
        for _ in range(STARTS):
            with upstreams.Distance(port, 0) as between, servers.hub(target, "audio", loft=servers.local(between.port)) as server:
                keep(server)
                os.kill(between.child.pid, signal.SIGSTOP)
                try:
                    kept.append(servers.first_pcm(server, "play", {"uri": URI}))
                finally:
                    os.kill(between.child.pid, signal.SIGCONT)
            with servers.hub(target, "audio", music) as server:
                local.append(servers.first_pcm(server, "play", {"uri": file}))
    return {"kept": statistics.median(kept), "local": statistics.median(local), "each": [kept, local]}


def longest_silence(sound):
    """ms between two samples that are heard"""
    audible = np.flatnonzero(np.abs(sound) > .002)
    return float(np.max(np.diff(audible))) * 1000 / RATE
