"""Reads every vector as a client in Python would, with implementations as short as the specification allows.

Cutting text at grapheme clusters needs tables that Python's library does not have: here only the bytes
and the ellipsis are checked, while Swift and JavaScript check the whole.
"""

import hashlib
import hmac
import json
import os
import re
import struct
import sys

from models.playlist import Playlist, Refused
from runner import pairing as keys
from runner.certificates import signed, times, trusted
from runner.device import Exchange
from runner.registered import RETRY
from runner.schema import NotJSON, strict
from vectors import devices
from vectors.in_step import AudioClock, StepRule, start

HERE = os.path.dirname(os.path.abspath(__file__))


def since(moment, other):
    """How much later a moment is than another one, where both are ms modulo 2^31: between -2^30 and 2^30."""
    return (moment - other + 2**30) % 2**31 - 2**30


def timeline(case, file):
    line = case["line"]
    position = line["posMs"] + max(0, case["hubUs"] - line["atUs"]) // 1000 * line["rate"] // 1000
    position = max(0, min(position, case.get("durMs", position)))
    assert abs(position - case["posMs"]) <= file["toleranceMs"], position
    for one in file["watch"]:
        begin, moment, rate, *_ = one["l"]
        later = max(0, since(one["hubMs"], moment))
        found = max(0, min(begin + later * rate // 1000, one.get("durMs", 2**53)))
        assert abs(found - one["posMs"]) <= file["toleranceMs"], (one, found)
    # A screen glides over little, jumps over much, and may do either in between.
    assert all(abs(one["shownMs"] - one["trueMs"]) > 2000 if one["jumps"] else abs(one["shownMs"] - one["trueMs"]) < 250 for one in file["shown"])


def clock(case, file):
    samples = []
    for x in case["exchanges"]:
        trip = (x["t4"] - x["t1"]) - (x["t3"] - x["t2"])
        if x["t4"] >= x["t1"] and trip >= 0:
            samples.append((((x["t2"] - x["t1"]) + (x["t3"] - x["t4"])) // 2, trip, x["t4"]))
    found = [(trip / 2 + max(0, case["atUs"] - at) * 50 / 1e6, offset) for offset, trip, at in samples[-8:]]
    if case["offsetUs"] is None:
        assert not found
        return
    error, offset = min(found)
    assert abs(offset - case["offsetUs"]) <= file["toleranceUs"] and abs(error - case["errorUs"]) <= file["toleranceUs"], (offset, error)


def audioclock(case, file):
    known = AudioClock()
    for one in case["exchanges"]:
        known.take(one["offsetUs"], one["errorUs"], one["atUs"])
    for ask in case["asks"]:
        found = known.hub(ask["atUs"])
        assert found == ask["hubUs"] or None not in (found, ask["hubUs"]) and abs(found - ask["hubUs"]) <= file["toleranceUs"], found


def starts(case, _):
    found = start(case["line"], case["nowUs"], case["leadUs"], case.get("offsetUs", 0), case.get("lengthUs"))
    assert (found and {"positionMs": found[0], "dueUs": found[1]}) == case["start"], found


def corrections(case, _):
    rule = StepRule()
    for one in case["steps"]:
        assert rule.step(one["driftUs"], one.get("settled", True), one["atUs"]) == one["step"], one
    assert rule.new_starts == case["newStarts"]


def dedupe(case, _):
    def essence(text):
        command = strict(text)
        return json.dumps([command["m"], command.get("room"), command.get("p") or {}], sort_keys=True)
    assert (essence(case["first"]) == essence(case["second"])) == case["same"]


def truncation(case, _):
    cut = case["cut"]
    assert len(json.dumps(cut, ensure_ascii=False).encode()) - 2 <= case["bytes"]
    printable = "".join(" " if ord(char) < 32 or ord(char) == 127 else char for char in case["text"])
    assert cut == printable or cut.endswith("…") and printable.startswith(cut[:-1])


def txt(case, _):
    said = {}
    for word in case["txt"]:
        key, equals, value = word.partition("=")
        if equals:
            said.setdefault(key.lower(), value)
    found = {"id": None, "v": [1], "p": "/baton", "plain": None, "tls": None, "fp": None, "pair": False, "f": []}
    if said.get("txtvers", "1") == "1":
        found["id"] = said.get("id")
        found["v"] = [int(word) for word in said.get("v", "1").split(",")]
        found["p"] = said["p"] if said.get("p", "").startswith("/") else found["p"]
        port = int(said.get("plain", 0))
        found["plain"] = port if 0 < port < 65536 else None
        hint = said.get("fp", "")
        found["fp"] = hint if len(hint) == 16 and all(char in "0123456789abcdef" for char in hint) else None
        found["pair"] = said.get("pair") == "1"
        found["f"] = [code for code in said.get("f", "").split(",") if re.fullmatch("[a-z]{2}[0-9]*", code)]
    found["tls"] = case["port"] if case["port"] != found["plain"] else None
    assert found == case["expect"], found


def queue(case, _):
    order, cur = list(case["start"]), case["cur"]
    for name, *rest in case["ops"]:
        if name not in ("ins", "del", "mov", "cur"):
            assert case["expect"] is None
            return
        if name == "cur":
            cur = rest[0]
            continue
        ids, anchor = (rest[1], rest[0]) if name == "ins" else (rest[0], rest[1] if name == "mov" else None)
        order = [entry for entry in order if entry not in ids]
        if name != "del":
            at = order.index(anchor) + 1 if anchor else 0
            order[at:at] = ids
    assert order == case["expect"] and (cur or "") == (case["after"] or ""), (order, cur)


def playlist(case, _):
    model = Playlist(case["start"])
    for edit in case["edits"]:
        try:
            answer = model.edit(edit["ops"], edit.get("base"))
        except Refused as refused:
            answer = {"err": str(refused)}
        seen = (answer, model.order, model.name, model.past[-1][0] if model.past else None)
        assert seen == (edit["expect"], edit["after"], edit["name"], edit.get("undo")), seen


def coalescing(case, _):
    if case["kind"] == "owed":
        owed = {name: posted["value"] for name, posted in case["board"].items() if name in case["sections"] and posted["rev"] > case["from"]}
        assert owed == case["expect"], owed
        return
    state, held = case["state"], case["holds"]
    if not state.get("full") and state["from"] != held["rev"]:
        assert case["expect"] == "sync"
        return
    sections = {} if state.get("full") else dict(held["sections"])
    for name, value in state["s"].items():
        sections[name] = value
    # A client keeps what it shows: it knows no weather.
    sections = {name: value for name, value in sections.items() if value is not None and name != "weather"}
    assert sections == case["expect"] and state["rev"] == case["rev"], sections


def bad(case, _):
    try:
        data = case["text"].encode("utf-8", "surrogatepass") if "text" in case else bytes.fromhex(case["hex"])
        strict(data.decode("utf-8"))
        is_json = not data.startswith(b"\xef\xbb\xbf")
    except (NotJSON, UnicodeDecodeError):
        is_json = False
    assert is_json == case["isJSON"], is_json


def octets(case):
    """Everything of a case that is hexadecimal, as bytes."""
    texts = {"name", "cb", "hello", "challenge", "client", "deviceName", "hub", "round"}
    return {name: value if name in texts else bytes.fromhex(value) for name, value in case.items()}


def binding(v):
    return hashlib.sha256((b"bt-cb-exp" if v["cb"] == "exp" else b"bt-cb-spki") + v["channel"]).digest()


def auth(case, _):
    v = octets(case)
    hello, challenge = v["hello"].encode(), v["challenge"].encode()
    assert binding(v) == v["binding"] and hashlib.sha256(hello + challenge).digest() == v["words"]
    assert v["binding"] + v["words"] + v["nonce"] == v["covered"]
    for side, name in ((b"client", "macClient"), (b"hub", "macHub")):
        assert keys.proof(side, v["key"], v["binding"], hello, challenge, v["nonce"]) == v[name], name


def pairing(case, file):
    v = octets(case)
    assert binding(v) == v["binding"] and b"baton-pair-v1" + v["binding"] == v["ci"]
    assert v["hubNonce"] + v["deviceNonce"] + struct.pack(">L", v["round"]) == v["sid"]
    assert keys.joined(v["client"].encode(), v["deviceName"].encode()) == v["ada"] and keys.joined(v["hub"].encode()) == v["adb"]
    assert keys.elligator2(hashlib.sha512(v["generatorString"]).digest()[:32]) == keys.generator(v["code"], v["ci"], v["sid"]) == v["generator"]
    assert keys.x25519(v["a"], v["generator"]) == v["ya"] and keys.x25519(v["b"], v["generator"]) == v["yb"]
    assert keys.x25519(v["a"], v["yb"]) == keys.x25519(v["b"], v["ya"]) == v["secret"]
    assert keys.joined(v["ya"], v["ada"]) + keys.joined(v["yb"], v["adb"]) == v["transcript"]
    assert keys.session_key(v["sid"], v["secret"], v["ya"], v["ada"], v["yb"], v["adb"]) == v["isk"]
    assert hashlib.sha512(b"CPaceMac" + v["sid"] + v["isk"]).digest() == v["macKey"]
    for share, ad, tag in (("ya", "ada", "ta"), ("yb", "adb", "tb")):
        assert hmac.digest(v["macKey"], keys.joined(v[share], v[ad]), "sha512") == v[tag]
    assert keys.hkdf(v["isk"], v["sid"], b"baton-wrap") == v["wrappingKey"]
    assert keys.open_sealed(v["wrappingKey"], bytes(12), v["wk"]) == v["key"]
    for one in map(octets, file["rotated"]):
        assert keys.hkdf(one["old"], one["salt"], b"baton-rotate") == one["wrappingKey"]
        assert keys.open_sealed(one["wrappingKey"], bytes(12), one["wk"]) == one["key"]
    if case is file["cases"][0]:
        assert all(one["share"] == "own" or keys.x25519(v["a"], bytes.fromhex(one["share"])) is None for one in file["refused"])


def attempts(case, _):
    """The runner's device counts by what it hears, as the hub does by what it says."""
    one = Exchange(bytes(32))
    for message in case["said"]:
        if message["by"] == "hub":
            one.heard(json.dumps({"t": "pair", "step": 2, "yb": ""} if "step" in message else {"t": "err", "err": {"code": message["err"]}}).encode())
    assert (one.shares + 1, one.shares) == (case["round"], case["counted"]), one.shares


def errors(case, _):
    assert (case["code"] in RETRY) == bool(case["retry"])


def behind(case, names, here, is_left):
    """The entry that follows, or nothing where the queue ends. is_left: the current one is going to be removed."""
    if here + 1 < len(names):
        return names[here + 1]
    return names[0] if case["repeat"] and not (is_left and len(names) == 1) else None


def once(mode):
    return "off" if mode == "once" else mode


def modes(case, _):
    names, current, state, single, consume = list(case["queue"]), case["cur"], case["st"], case["single"], case["consume"]
    is_mixed = False
    for _ in range(case.get("n", 1)):
        here = names.index(current)
        if case["event"] == "prev":
            current = names[here - 1] if here or case["repeat"] else current
            continue
        is_single = case["event"] == "end" and single != "off"
        is_left = case["event"] != "failed" and consume != "off" and state != "stopped"
        if case["repeat"] and consume == "off" and (is_single or case["event"] == "failed" and single != "off"):
            state = "stopped" if case["event"] == "failed" else state
            continue
        follower = behind(case, names, here, is_left)
        is_mixed = is_mixed or case["shuffle"] and follower is not None and here + 1 == len(names)
        if is_left:
            names.remove(current)
            consume = once(consume)
        if follower is None or (case["event"] == "failed" and follower == current):
            current, state = (names[0] if names else None), "stopped"
            break
        if is_single and not case["repeat"]:
            state, single = "paused", once(single)
        current = follower
    expect = case["expect"]
    assert [state, single, consume] == [expect[name] for name in ("st", "single", "consume")], (state, single, consume)
    if is_mixed:
        assert sorted(names) == expect["mixed"] and case["cur"] == expect["curNot"], names
    else:
        assert (names, current) == (expect["queue"], expect["cur"]), (names, current)


def gateways(case, file):
    shown = [bytes.fromhex(file["certificates"][name]) for name in case["shown"]]
    pin = bytes.fromhex(file["pin"])
    assert trusted(shown, pin, case["at"]) == case["trusted"], shown
    if "gateway" in case:
        first, last = times(shown[0])
        is_of_hub = len(shown) > 1 and keys.public_key_hash(shown[1]) == pin and signed(shown[0], shown[1])
        assert (is_of_hub and last - first <= 30 * 86400) == case["gateway"]


READERS = {"gateways": gateways, "attempts": attempts, "audioclock": audioclock, "starts": starts, "corrections": corrections, "auth": auth, "pairing": pairing, "errors": errors, "timeline": timeline, "clock": clock, "dedupe": dedupe, "truncation": truncation, "txt": txt, "queue": queue, "playlist": playlist, "coalescing": coalescing, "bad": bad, "modes": modes, **devices.READERS}


def main():
    count = failed = 0
    for name in sorted(os.listdir(f"{HERE}/v1")):
        with open(f"{HERE}/v1/{name}", encoding="utf-8") as file:
            content = json.load(file)
        reader = READERS.get(name[:-5])
        for case in content["cases"] if reader else ():
            count += 1
            try:
                reader(case, content)
            except AssertionError as error:
                failed += 1
                print(f"FAIL {name}: {case['name']}: {error}")
    print(f"{count - failed} of {count} vectors hold in Python")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
