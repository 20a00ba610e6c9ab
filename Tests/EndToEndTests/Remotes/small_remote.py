# deploy/test: tier 2, judges examples/c Protocol/vectors/v1/pairing.json Protocol/vectors/v1/auth.json.
# deploy/test: judges Tests/EndToEndTests/Support/smallparts.c Tests/EndToEndTests/Support/keyless.c.
# deploy/test: waits, mostly for the hub between two attempts to pair.
"""The small remote (`examples/c`) as people use it: on another machine than the hub, paired by the digits that the hub shows. The right code and
wrong ones, windows that are closed, hubs that start anew, devices that are sent away, machines in the hub's place or in between, connections that
end in the middle of a pairing, and hubs that lie. All but the figures of memory is tried with a build that ends at faults of memory.
BT-PAIR-003 BT-PAIR-004 BT-PAIR-013 BT-HS-012 BT-TRN-017

The hub is on host A of two that are made for it. The suite and the remote are on host B.
"""

import glob
import json
import os
import random
import re
import ssl
import stat
import subprocess
import sys
import time
import unittest

from runner.pairing import unb64
from Support.cutting import Cutting
from Support.exampleremotes import FOLDER
from Support.hubs import NOT_POSSIBLE, ROOT, main, wait
from Support.impostor import Between, Impostor
from Support.smallremote import CHECKS, KEYLESS, PARTS, FromAnotherHost, build_all

try:
    from Support.falsehub import Liar
except ImportError:
    print("small_remote.py: skipped, for there is no python3-websockets here")
    sys.exit(77)


def setUpModule():
    unittest.addModuleCleanup(FOLDER.cleanup)
    build_all()


class Parts(unittest.TestCase):
    """The arithmetic under pairing and TLS."""

    @staticmethod
    def answers(lines):
        ended = subprocess.run([PARTS], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60, check=False, env=CHECKS)
        if ended.returncode:
            raise AssertionError(ended.stderr)
        return ended.stdout.splitlines()

    @staticmethod
    def vectors(name):
        with open(f"{ROOT}/Protocol/vectors/v1/{name}.json", encoding="utf-8") as file:
            return json.load(file)

    @staticmethod
    def words(case, share):
        name = case["deviceName"].replace(" ", "_")
        return " ".join(["pair", case["code"], case["binding"], case["sid"], case["client"], name, case["hub"], case["a"], share, case["tb"], case["wk"]])

    def test_pairing(self):
        """The vectors of a pairing: share, tag and key of each case; and each share that ends it does."""
        file = self.vectors("pairing")
        cases = file["cases"]
        found = self.answers([self.words(case, case["yb"]) for case in cases])
        self.assertEqual(found, [f"{case['ya']} {case['ta']} {case['key']}" for case in cases])
        found = self.answers([self.words(cases[0], one["share"]) for one in file["refused"]])
        self.assertEqual(found, [f"{cases[0]['ya']} refused"] * len(file["refused"]))
        changed = {**cases[0], "tb": "00" + cases[0]["tb"][2:]}, {**cases[0], "wk": "00" + cases[0]["wk"][2:]}
        for case in changed:
            self.assertRegex(self.answers([self.words(case, case["yb"])])[0], " refused$")

    def test_proofs(self):
        """The vectors of a proof, for both sides."""
        cases = self.vectors("auth")["cases"]
        found = self.answers([f"prove {case['key']} {side} {case['covered']}" for case in cases for side in ("client", "hub")])
        self.assertEqual(found, [case[name] for case in cases for name in ("macClient", "macHub")])

    def test_signatures(self):
        """Signatures on P-256, right ones and changed ones, are judged as wolfCrypt judges them; numbers above the order and keys beside the curve
        are not taken."""
        self.assertEqual(self.answers(["agree 24"]), [f"{24 * 8} alike, 24 taken"])


    def test_noise(self):
        """Messages with errors are read without a step beyond their ends."""
        chance, lines = random.Random(4), []
        for path in sorted(glob.glob(f"{ROOT}/Protocol/examples/hub-*.json")):
            with open(path, encoding="utf-8") as file:
                whole = json.dumps(json.load(file), separators=(",", ":")).encode()[:1024]
            for _ in range(12):
                text = bytearray(whole)
                for _ in range(chance.randrange(4)):
                    at = chance.randrange(len(text))
                    text[at:at + chance.randrange(4)] = bytes(chance.choice(b'{}[]",:\\019-.eaT_ ') for _ in range(chance.randrange(4)))
                lines.append("read " + text[:chance.choice([len(text), chance.randrange(len(text))])].decode(errors="replace"))
        self.assertEqual(self.answers(lines), ["read"] * len(lines))


class Watch(FromAnotherHost):
    """A remote beside a hub that is on another host."""

    def test_codes(self):
        """Without a window, with a text that is no code, and with a wrong code nothing is kept. With the right one, as people type it, the device is
        paired, steers, and comes back by what it has kept."""
        client, before = self.remote(), self.devices()
        client.shows(lambda shown: not shown["connected"])
        self.close_window()
        self.assertEqual(self.error(client, "pair 123456"), "pairing_closed")
        self.assertEqual([self.error(client, line) for line in ("pair 12345", "pair 1234567")], ["bad_request"] * 2)
        code = self.code()
        wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
        self.assertEqual([self.error(client, f"pair {wrong}") for _ in range(2)], ["pin_wrong"] * 2)
        self.assertEqual((os.listdir(self.folder), self.devices()), ([], before))
        answer = client.press(f"pair {code[:3]}-{code[3:]}")
        self.assertEqual((answer["ok"], answer["role"], [*before, answer["dev"]]), (1, "remote", self.devices()))
        client.shows(lambda shown: shown["connected"] and shown["playing"])
        place = self.home.status()["queue"]["idx"]
        self.assertEqual([client.press(line)["st"] for line in ("vol 41", "next")], ["applied"] * 2)
        self.assertEqual((self.home.status()["vol"]["level"], self.home.status()["queue"]["idx"]), (41, place + 1))
        self.assertEqual(self.error(client, f"pair {code}"), "invalid_state")
        self.assertEqual(client.ends("quit")[::2], (0, ""))
        self.assertEqual((os.listdir(self.folder), stat.S_IMODE(os.stat(self.path).st_mode)), (["baton-small-remote.json"], 0o600))
        kept = self.kept()
        self.assertEqual((kept["dev"], len(unb64(kept["key"])), len(unb64(kept["pin"]))), (answer["dev"], 32, 32))

        again = self.remote(url=None)
        again.shows(lambda shown: shown["connected"] and shown["level"] == 41)
        self.assertEqual(again.press("vol 42")["st"], "applied")
        self.assertEqual(again.ends("quit")[::2], (0, ""))
        self.assertEqual(self.kept(), kept)

    def test_restart(self):
        """When the hub stops, or is killed right after a press, the remote comes back by itself, and a press counts once."""
        client = self.remote()
        self.paired(client)
        self.assertEqual(client.press("vol 37")["ok"], 1)
        self.assertEqual(self.hub.stop(), 0)
        client.shows(lambda shown: not shown["connected"])
        self.hub.kill()
        self.start()
        client.shows(lambda shown: shown["connected"] and shown["level"] == 37)
        self.home.baton("play")
        client.shows(lambda shown: shown["playing"])
        place = self.home.status()["queue"]["idx"]
        client.say("next")
        self.hub.kill()
        self.start()
        answer = client.hear("answer")["answer"]
        client.shows(lambda shown: shown["connected"])
        counted = self.home.status()["queue"]["idx"] - place
        self.assertIn(counted, (1,) if answer["ok"] else (0, 1), answer)
        self.home.baton("play")
        self.assertEqual(client.press("next")["ok"], 1)
        self.assertEqual(self.home.status()["queue"]["idx"] - place, counted + 1)
        self.assertEqual(client.ends("quit")[::2], (0, ""))

    def test_revoked(self):
        """A device that is sent away ends for good, also when it comes again, until it is paired anew. Its file stays until then."""
        client = self.remote()
        device = self.paired(client)
        self.home.baton("devices", "revoke", "--yes", device)
        for ended in (client.ends(), self.remote().ends()):
            self.assertEqual((ended[0], json.loads(ended[1].splitlines()[-1])), (1, {"ended": 4403}))
            self.assertIn("--new", ended[2])
        self.assertEqual(self.kept()["dev"], device)
        other = self.remote("--new")
        self.close_window()
        self.assertEqual(self.error(other, "pair 123456"), "pairing_closed")
        self.assertEqual(self.kept()["dev"], device)
        self.assertEqual(self.paired(other), self.kept()["dev"])
        self.assertNotEqual(self.kept()["dev"], device)

    def test_other_machine(self):
        """A machine with another key at the hub's address hears nothing, from a remote that was connected and from one that starts. The device stays
        paired with the hub."""
        client = self.remote()
        self.paired(client)
        self.hub.kill()
        with self.hosts.on_the_hubs_machine():
            impostor = Impostor(self.home.folder, self.address[1])
        try:
            for one in (client, self.remote(), self.remote("--new", "--pin", self.kept()["pin"])):
                if one.process.poll() is None and one is not client:
                    one.say("pair 123456")
                code, _, why = one.ends()
                self.assertEqual(code, 1)
                self.assertIn("not the hub", why)
        finally:
            impostor.close()
        self.assertEqual((impostor.tried >= 3, impostor.met, impostor.heard), (True, 0, b""))
        self.start()
        again = self.remote()
        again.shows(lambda shown: shown["connected"])

    def test_without_key(self):
        """A machine that shows the hub's own certificate, and cannot sign as the hub does, hears nothing. One that can sign for what it shows is
        heard by a remote that has no hub yet."""
        client = self.remote()
        self.paired(client)
        self.assertEqual(client.ends("quit")[0], 0)
        certificate, key = f"{self.folder}-certificate", f"{self.folder}-key"
        with open(certificate, "w", encoding="ascii") as file:
            file.write(ssl.get_server_certificate(self.address))
        subprocess.run(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", key], check=True)
        self.hub.kill()
        words = ["req", "-x509", "-new", "-key", key, "-subj", "/CN=own", "-days", "2", "-out", f"{certificate}-own"]
        subprocess.run(["openssl", *words], check=True)
        for shown, flags, said in ((certificate, (), "refused"), (f"{certificate}-own", ("--new",), "heard")):
            with self.hosts.on_the_hubs_machine():
                keyless = subprocess.Popen([KEYLESS, shown, key, str(self.address[1])], stdout=subprocess.PIPE, text=True)
            try:
                self.assertEqual(keyless.stdout.readline(), "ready\n")
                client = self.remote(*flags)
                client.say("pair 123456")
                self.assertEqual([keyless.stdout.readline() for _ in range(2)], [f"{said}\n"] * 2)
                # Before another key is shown, which would end it for good.
                self.assertEqual(client.ends("quit")[0], 0)
            finally:
                keyless.kill()
                keyless.communicate()
        self.start()
        self.remote().shows(lambda shown: shown["connected"])

    def test_between(self):
        """The right code does not pair by way of a machine that passes everything on, and that machine learns nothing of use."""
        between = Between(self.home.folder, self.address)
        self.addCleanup(between.close)
        client, before = self.remote(url=f"wss://127.0.0.1:{between.port}"), self.devices()
        code = self.code()
        self.assertEqual(self.error(client, f"pair {code}"), "pin_wrong")
        self.assertIn(b"baton.v1", between.heard)
        self.assertNotIn(code.encode(), between.heard)
        self.assertEqual((os.listdir(self.folder), self.devices()), ([], before))

    def cut(self, record, is_passed):
        """A remote that is paired by way of a connection that is cut: the remote, the code, and the first answer."""
        cutting = Cutting(self.address, record, is_passed)
        self.addCleanup(cutting.close)
        time.sleep(1.1)  # A hub that refuses an attempt within a second of another one has the device send step 1 twice.
        client, code = self.remote(url=f"wss://127.0.0.1:{cutting.port}"), self.code()
        answer = client.press(f"pair {code}")
        # `auth` leaves after the answer to the press.
        wait("the cut", lambda: cutting.is_done)
        return client, code, answer

    # Records of data of a device: the end of the handshake, the upgrade, and head and payload of `hello`, of steps 1 and 3, and of `auth`.

    def test_cut_before_share(self):
        """A connection that ends before or after step 1 is made again, and the code is still good."""
        for is_passed in (False, True):
            client, _, answer = self.cut(6, is_passed)
            self.assertEqual(answer["ok"], 1, answer)
            client.shows(lambda shown: shown["connected"])
            os.remove(self.path)

    def test_cut_before_tag(self):
        """Where step 3 is lost the remote says that it does not know, and the same window is still open."""
        client, code, answer = self.cut(8, is_passed=False)
        self.assertEqual((answer["ok"], answer["err"]["code"], os.listdir(self.folder)), (0, "unavailable", []))
        self.assertEqual(client.press(f"pair {code}")["ok"], 1)
        client.shows(lambda shown: shown["connected"])

    def test_cut_before_key(self):
        """Where step 4 is lost the hub knows the device and the device does not. The next code makes it another one."""
        before = len(self.devices())
        client, code, answer = self.cut(8, is_passed=True)
        self.assertEqual((answer["ok"], answer["err"]["code"], os.listdir(self.folder)), (0, "unavailable", []))
        self.assertEqual((len(self.devices()), self.error(client, f"pair {code}")), (before + 1, "pairing_closed"))
        self.paired(client)
        self.assertEqual(len(self.devices()), before + 2)

    def test_cut_before_proof(self):
        """Where `auth` is lost the device is paired all the same, and comes back by its key."""
        client, _, answer = self.cut(10, is_passed=False)
        self.assertEqual(answer["ok"], 1, answer)
        client.shows(lambda shown: shown["connected"])
        self.assertEqual(answer["dev"], self.kept()["dev"])

    def test_lies(self):
        """A hub that does not keep to the steps of a pairing ends it, each time with a sentence, and nothing of it is kept."""
        lies = {
            "hub": "unavailable", "nonce": "unavailable", "window": "pairing_closed", "zeros": "pin_wrong", "own": "pin_wrong", "short": "pin_wrong",
            "long": "pin_wrong", "text": "pin_wrong", "number": "pin_wrong", "tag": "pin_wrong", "device": "pin_wrong", "device-long": "pin_wrong",
            # A key that does not open, behind a right tag.
            "key": "pin_wrong",
            # Steps out of turn, by one who does not know the code: a last one before there is a session key, and a second share, once the
            # device has forgotten its own random number.
            "early": "pin_wrong", "twice": "pin_wrong",
            # A state before the hub has proved anything, and such a key.
            "state": "pin_wrong"}
        liar = Liar(self.home.folder, [*lies, "welcome"])
        self.addCleanup(liar.close)
        client = self.remote(url=liar.url)
        self.assertEqual({lie: self.error(client, "pair 123456") for lie in lies}, lies)
        client.shows(lambda shown: not shown["connected"] and shown["title"] is None)
        client.say("pair 123456")
        code, _, why = client.ends()
        self.assertEqual(code, 1)
        self.assertIn("could not prove", why)
        self.assertEqual(os.listdir(self.folder), [])

    def test_file(self):
        """A file that cannot be written is noticed before the code is used; one that is broken is as none."""
        for path in ("/proc/none", f"{self.folder}/none/file"):
            self.assertEqual(self.error(self.remote("--file", path), "pair 123456"), "invalid_state")
        client = self.remote()
        self.paired(client)
        self.assertEqual(client.ends("quit")[0], 0)
        with open(self.path, "r+b") as file:
            file.truncate(150)
        client = self.remote()
        client.shows(lambda shown: not shown["connected"])
        self.paired(client)

    def test_memory(self):
        """What is used of heap and stack, by a pairing and after it, is what README says."""
        said = []
        for is_first in (True, False):
            client = self.remote("--memory", program="usual")
            if is_first:
                self.paired(client)
            client.shows(lambda shown: shown["connected"] and shown["playing"])
            self.assertEqual([client.press(line)["ok"] for line in ("vol 40", "pause", "play")], [1] * 3)
            said.append(json.loads(client.ends("quit")[1].splitlines()[-1])["memory"])
        client = self.remote("--memory", url="ws://127.0.0.1:1", program="usual")
        plain = json.loads(client.ends("quit")[1].splitlines()[-1])["memory"]
        print(f"    {said[0]}; after another start {said[1]}; without TLS {plain}", file=sys.stderr)
        with open(f"{ROOT}/examples/c/README.md", encoding="utf-8") as file:
            text = file.read().replace(",", "")
        for name, pattern in (("buffers", r"all buffers together.* (\d+) \|"), ("heap", r"\| heap of wolfSSL.* 0; (\d+) \|"), ("stack", r"\| stack.*; (\d+) \|")):
            figure = int(re.search(pattern, text)[1])
            most = max(one[name] for one in said)
            self.assertTrue(0.9 * figure <= most <= figure, f"{name}: README says {figure}, and {most} were used")
        self.assertEqual(plain["heap"], 0)


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("small_remote.py: only root can make network namespaces")
        sys.exit(NOT_POSSIBLE)
    main("gcc", "make", "openssl", "ip", "curl")
