"""libmpv with no server around it, set up as the hub's is, in this process or in one of its own:

    alone.py FILE SPEED SECONDS    plays the file to nothing, and says when it plays
"""
import ctypes, sys, time

# As the hub sets it up: sound only, nothing of a desktop player, one track flows into the next.
OPTIONS = {
    "vo": "null", "vid": "no", "sid": "no", "audio-display": "no", "idle": "yes", "terminal": "no", "config": "no", "load-scripts": "no",
    "load-osd-console": "no", "load-stats-overlay": "no", "osc": "no", "osd-level": "0", "ytdl": "no", "demuxer": "lavf", "gapless-audio": "weak",
    "prefetch-playlist": "yes", "demuxer-max-bytes": "33554432", "demuxer-max-back-bytes": "8388608",
}


class Alone:
    def __init__(self, **more):
        self.lib = ctypes.CDLL("libmpv.so.2")
        self.lib.mpv_create.restype = ctypes.c_void_p
        self.lib.mpv_get_property_string.restype = ctypes.c_void_p
        self.core = ctypes.c_void_p(self.lib.mpv_create())
        for name, value in {**OPTIONS, **{name.replace("_", "-"): value for name, value in more.items()}}.items():
            self.check(self.lib.mpv_set_option_string(self.core, name.encode(), str(value).encode()), name)
        self.check(self.lib.mpv_initialize(self.core), "its start")

    @staticmethod
    def check(code, what):
        if code < 0:
            raise RuntimeError(f"libmpv refuses {what}: {code}")

    def command(self, *words):
        """Asked for and not waited for, as the hub does it."""
        self.check(self.lib.mpv_command_async(self.core, ctypes.c_uint64(0), (ctypes.c_char_p * (len(words) + 1))(*[str(word).encode() for word in words], None)), words)

    def number(self, name):
        found = self.lib.mpv_get_property_string(self.core, name.encode())
        if not found:
            return None
        text = ctypes.string_at(found).decode()
        self.lib.mpv_free(ctypes.c_void_p(found))
        return float(text)

    def until_plays(self, limit=20):
        end = time.monotonic() + limit
        while not self.number("audio-pts"):
            if time.monotonic() > end:
                raise TimeoutError("libmpv does not play")
            time.sleep(.005)

    def close(self):
        self.lib.mpv_terminate_destroy(self.core)


def main():
    path, speed, seconds = sys.argv[1:]
    core = Alone(ao="null", speed=speed)
    core.command("loadfile", path)
    core.until_plays()
    print("plays", flush=True)
    time.sleep(float(seconds))
    core.close()


if __name__ == "__main__":
    main()
