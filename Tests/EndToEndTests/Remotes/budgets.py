# deploy/test: tier 2, judges Sources/Dialects/Companion/State Sources/Wire/BatonWire Protocol/runner.
"""What a watch pays, over two thousand titles in many scripts, through the shipped hub. BT-PRO-001 BT-PRO-006 BT-SEC-009

The titles are names of files, so they go the whole way: from a folder, through the queue and the state
to the bytes on the wire. Every one becomes current once.
"""

import json
import random
import statistics

from runner.hub import put
from runner.websocket import encode
from Support.hubs import HubCase, main
from Support.rawpeer import RawPeer

COUNT = 2000
# Words of each script, and how often they are spoken of in one place or another.
SCRIPTS = {
    "latin": "Everything Right Place Disappear Completely Night Symphony Allegro Élégie Frühling Señor Ångström Dvořák Świat Žižkov",
    "greek": "Θάλασσα Νύχτα Άνοιξη Ψυχή Χορός", "cyrillic": "Времена года Щелкунчик Подмосковные вечера Ніч",
    "chinese": "月亮 代表 我的心 夜曲 青花瓷", "japanese": "海の見える街 戦場のメリークリスマス さくら ピアノ", "korean": "사랑 밤하늘 봄날 아리랑",
    "arabic": "ليلة القدر يا مسافر وحدك", "hebrew": "ירושלים של זהב שיר אהבה", "hindi": "रात चाँदनी प्यार गीत", "thai": "คืนนี้ ดวงดาว เพลงรัก",
    "emoji": "🎵 🌙 👩‍👩‍👧‍👦 🇩🇪 👋🏽", "marks": 'a"b c\\d <i>e</i> f&g "quoted"',
}


def titles(count):
    """Titles as people have them: mostly short, some absurd, every script, none twice."""
    chosen = random.Random(2000)
    for number in range(count):
        words = SCRIPTS[chosen.choice(list(SCRIPTS))].split()
        length = chosen.choice([1, 2, 2, 3, 3, 4, 5, 8, 20, 40])
        title = " ".join(chosen.choice(words) for _ in range(length))
        # A file's name has 255 bytes, and the number keeps it apart.
        while len(title.encode()) > 235:
            title = title[:-1]
        yield f"{title} {number}".replace("/", "-")


class Watch:
    """The view of a watch on a plain socket, which sees bytes and not only messages."""

    def __init__(self, port):
        self.peer = RawPeer(port).upgrade()
        self.number = 0
        self.say({"t": "hello", "core": "1.0", "view": "watch", "client": {"id": "budget-watch"}})
        self.rev = self.until("state")[1]["rev"]

    def say(self, message):
        self.peer.say(encode(json.dumps(message).encode()))

    def until(self, kind):
        while True:
            opcode, payload = self.peer.hear()
            if opcode == 1 and (message := json.loads(payload))["t"] == kind:
                return payload, message

    def press(self, method, **parameters):
        self.number += 1
        self.say({"t": "cmd", "id": self.number, "m": method, "k": f"press-{self.number}", "p": parameters})
        return self.until("res")


class Budgets(HubCase):
    flags = ("--audio", "null", "--limit-command-rate", "100000", "--limit-command-burst", "100000")

    @classmethod
    def prepare(cls):
        cls.titles = list(titles(COUNT))
        for title in cls.titles:
            put(f"{cls.home.music}/{title}.wav", 0.01)

    def test_track_changes(self):
        """A change of track costs a watch 200 bytes in the middle and 320 at most, whatever its title."""
        self.home.baton("queue", "add", self.home.music)
        watch = Watch(self.hub.port)
        self.addCleanup(watch.peer.socket.close)
        pushes, replies, seen = [], [], set()
        rows = self.rows()
        self.assertEqual(len(rows), COUNT)
        # From the last to the first, so that each is a change: the first is current already.
        for row in reversed(rows):
            payload, answer = watch.press("jump", entry=row["entry"])
            self.assertEqual(answer["ok"], 1, answer)
            n = answer["s"]["n"]
            seen.add(n["i"])
            replies.append(len(payload))
            # What the same change is for a watch that did not ask for it.
            push = {"t": "state", "rev": answer["rev"], "from": answer["from"], "s": {name: answer["s"][name] for name in ("n", "l") if name in answer["s"]}}
            pushes.append(len(json.dumps(push, ensure_ascii=False, separators=(",", ":")).encode()))
            self.assertTrue(n["t"].endswith("…") or n["t"] == self.shown(row), n["t"])
            written = json.dumps(n["t"], ensure_ascii=False).encode()
            self.assertLessEqual(len(written) - 2, 96)
        self.assertEqual(len(seen), COUNT)
        median, most = statistics.median(pushes), max(pushes)
        print(f"track change: median {median} bytes, most {most}; in a reply: median {statistics.median(replies)}, most {max(replies)}; {COUNT} titles")
        self.assertLessEqual(median, 200)
        self.assertLessEqual(most, 320)
        self.assertLessEqual(max(replies), 300)

    def shown(self, row):
        return row["title"]

    def rows(self):
        rows = []
        while True:
            body = json.dumps({"t": "cmd", "id": 1, "m": "queue.get", "p": {"from": len(rows)}})
            ended = self.home.run("curl", "-sS", "--unix-socket", self.home.socket, "-d", body, "http://hub/baton/cmd")
            found = json.loads(ended.stdout)["d"]
            rows += found["rows"]
            if len(rows) >= found["len"] or not found["rows"]:
                return rows


if __name__ == "__main__":
    main("curl")
