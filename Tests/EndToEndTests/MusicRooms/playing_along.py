# deploy/test: tier 2, judges Sources/Features/Joining/BatonJoining/MusicRoom Sources/Features/Joining/BatonJoining Sources/Core/BatonCore/Joining.
# deploy/test: judges Tests/Contract/musicroom.py.
# deploy/test: records, for a recording keeps time with the clock on the wall.
"""How near the sound of a joined room is to where its server is: recorded from a null sink and compared with the server's own clock.

Each track is a tone that climbs, so each moment of the recording says by its pitch where in the track it lies. 20 s are recorded, and
three minutes with BATON_SLOW=1.
"""

import sys
import threading
import time

from Support.fixtures import lavfi
from Support.hubs import IS_SLOW, main
from Support.musicrooms import TITLES, MusicRoomCase, Track
from Support.recording import RATE, Climb, level, np, record

SECONDS = 180 if IS_SLOW else 20
LENGTH = 45
BAR_MS = 100
WINDOW = RATE // 20


class Timetable:
    """Where the server's room was at each moment, looked at all the time."""

    def __init__(self, room):
        self.room, self.rows, self.ends = room, [], threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.ends.wait(0.01):
            row = (self.room.track, self.room.started, self.room.paused_at)
            if not self.rows or self.rows[-1][1:] != row:
                self.rows.append((time.monotonic(), *row))

    def close(self):
        self.ends.set()
        self.thread.join()

    def at(self, moment):
        """The track, the position, and for how long that has held."""
        since, track, started, paused_at = max((row for row in self.rows if row[0] <= moment), default=self.rows[0], key=lambda row: row[0])
        return track, (moment - started if paused_at is None else None), moment - since


class PlayingAlong(MusicRoomCase):
    flags = ("--audio", "pulse/room")
    climbs = {}

    @classmethod
    def prepare(cls):
        record(cls)
        super().prepare()

    @classmethod
    def tracks(cls):
        tracks = []
        for place, title in enumerate(TITLES):
            climb = Climb(first=400, a_second=80 + 20 * place)
            path = lavfi(f"{cls.home.folder}/server/{title}.flac", climb.source(LENGTH))
            tracks.append(Track(path, float(LENGTH), title, "Weir"))
            cls.climbs[tracks[-1].id] = climb
        return tracks

    def recorded_from(self):
        """The moment at which the recording began, by the least late of many looks at its length."""
        looks = []
        for _ in range(200):
            looks.append(time.monotonic() - self.recorder.now / RATE)
            time.sleep(0.005)
        return min(looks)

    def test_position(self):
        """The position that is heard is within 100 ms of the server's for 95 of 100 moments, over changes of tracks."""
        self.home.baton("volume", "100")
        self.server.server.behaviour.jitter = 0.02
        self.server.order({"action": "seek", "timestamp": LENGTH - 12})
        self.home.baton("join", "loft")
        self.is_in_step()
        timetable = Timetable(self.room)
        self.addCleanup(timetable.close)
        begin = self.recorder.now
        sound = self.recorder.heard(begin, SECONDS * RATE)
        start = self.recorded_from()
        off, silent, looked = [], 0, 0
        for at in range(0, len(sound) - WINDOW, RATE // 5):
            piece = sound[at:at + WINDOW]
            track, position, held = timetable.at(start + (begin + at + WINDOW / 2) / RATE)
            # Behind the end of a track the server waits for its next tick, and just after it the next track is being loaded.
            if held < 1 or position > LENGTH - 0.3:
                continue
            looked += 1
            heard = self.climbs[track.id].place(piece) if level(piece) > 0.2 else None
            if heard is None:
                silent += 1
            else:
                off.append((heard - position) * 1000)
        sizes = np.abs(off)
        report = (f"p95 {np.percentile(sizes, 95):.0f} ms, median {np.median(off):+.0f} ms, most {np.max(sizes):.0f} ms, "
                  f"{silent} of {looked} silent, over {len(timetable.rows) - 1} changes of track")
        print(report, file=sys.stderr)
        self.assertGreater(len(timetable.rows), 1, "no track has changed")
        self.assertLessEqual(silent, looked * 0.05, report)
        self.assertLessEqual(np.percentile(sizes, 95), BAR_MS, f"{report}\n{self.joined()['events']}")


if __name__ == "__main__":
    main("pulseaudio", "pactl", "parec", "ffmpeg")
