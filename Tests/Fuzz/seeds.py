#!/usr/bin/python3
"""Seeds for the fuzz targets: the examples and the bad vectors of Protocol/, in the shape that each target reads."""

import glob
import json
import re
import struct
import sys

from opensubsonic_methods import Library, Methods
from sappho_books import Shelf, small

HELLO = b'{"t":"hello","core":"1.0","view":"%s","client":{"id":"seed-1","run":"1"}}'
# What a client of another version says first, and one that knows more or less than the hub.
GREETINGS = [b'{"t":"hello",%s"client":{"id":"seed-2","run":"1"}}' % part for part in (
    b'"v":1,"profile":"remote",', b'"core":"2.0","view":"remote",', b'"core":"1.7","view":"tv",', b'"core":"1.0","view":"watch","features":[],"max":512,',
    b'"core":"1.0","view":"full","features":["rooms","com.example.dim","history@2"],"caps":["reasons","com.example.lights"],"locale":"de-CH","laterOn":1,',
    b'"core":"1.0","view":"remote","rooms":["main","attic"],"pace":[20,120000],')]


def texts(protocol):
    found = {path.rsplit("/", 1)[1][:-5]: open(path, "rb").read().strip() for path in glob.glob(f"{protocol}/examples/*.json")}
    for number, case in enumerate(json.load(open(f"{protocol}/vectors/v1/bad.json", encoding="utf-8"))["cases"]):
        found[f"bad-{number}"] = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode("utf-8", "surrogatepass")
    return found


def decoders(said):
    """The first byte chooses the decoder."""
    states = b"\n".join(text for text in said.values() if b'"t":"state"' in text)
    return [bytes([decoder]) + text for text in (*said.values(), states) for decoder in range(5)]


def sessions(said):
    """A step a line: each text behind a greeting, each behind none, and all commands one after the other."""
    mine = [text.replace(b"\n", b" ") for name, text in said.items() if name.startswith(("client-", "bad-"))]
    greeted = {view: HELLO % view for view in (b"watch", b"remote", b"full")}
    scripts = [b"cl\n0" + text + b"\nw3" for text in mine]
    scripts += [b"cu\n0" + hello + b"\n0" + text + b"\nw3\ncl\n1" + hello for hello in greeted.values() for text in mine]
    scripts += [line + b"\n0" + hello + b"\n0" + said["client-cmd-play"] + b"\nw6\n0" + hello for hello in (*GREETINGS, *greeted.values())
                for line in (b"cu", b"cn", b"ce", b"co")]
    # Each command with what it does not know, and keys that are in memory alone over a restart.
    greeting = b"cu\n0" + greeted[b"full"] + b"\n0"
    for text in (text for name, text in said.items() if name.startswith("client-cmd-")):
        future, outside = (text.replace(before, after, 1) for before, after in ((b'"p":{', b'"p":{"laterOn":1,'), (b'"t":"cmd"', b'"t":"cmd","if":{"rev":1}')))
        scripts.append(greeting + future.replace(b'"laterOn":1,}', b'"laterOn":1}') + b"\n0" + outside + b"\nw3")
    for name in ("pair.open", "dev.rotate", "user.signin", "user.signup", "user.guest", "hub.ticket", "listen.link"):
        text = re.sub(rb'"k":"[^"]*",?', b"", said[f"client-cmd-{name}"]).replace(b'"t":"cmd",', b'"t":"cmd","k":"seed1",')
        again = re.sub(rb'"id":\d+', b'"id":9999', text)
        scripts.append(greeting + text + b"\n0" + again + b"\nk\n" + greeting + text + b"\nw9\n0" + again)
    modes = [b'{"t":"cmd","id":%d,"m":"mode.set","p":{"repeat":%s,"single":"%s","consume":"%s"}}' % (10 + number, *mode) for number, mode in enumerate(
        (repeat, single, consume) for repeat in (b"true", b"false") for single in (b"off", b"on", b"once") for consume in (b"off", b"on", b"once"))]
    steps = [b'{"t":"cmd","id":1,"m":"play","k":"seed","p":{"uri":"file:track/album:3"}}']
    for number, mode in enumerate(modes):
        steps += [mode, b'{"t":"cmd","id":%d,"m":"next","k":"n%03d"}' % (100 + number, number)]
    scripts.append(greeting + b"\n0".join(steps[:1]) + b"".join(b"\n0" + step + b"\nw3" for step in steps[1:]) + b"\nw8")
    scripts += [b"ct\n0" + said["client-hello"] + b"\n0" + said[name] + b"\nw9" for name in ("client-auth", "client-pair-begin", "client-pair-prove")]
    many = [b"cu", b"0" + greeted[b"full"], b"cl", b"1" + greeted[b"watch"]]
    for number, text in enumerate(text for name, text in said.items() if name.startswith("client-cmd")):
        many.append(b"%d" % (number % 2) + re.sub(rb'"id":\d+', b'"id":%d' % (number + 1), text))
        many.append([b"w2", b"s1", b"w5", b"r1", b"k\ncu\n0" + greeted[b"remote"]][number % 5])
    return scripts + [b"\n".join(many)]


def pairing(_):
    """Two bytes a step, as PairingDialogue counts its acts: what leads somewhere, and each crooked way in its middle."""
    connect, open_, right, wrong, prove, crooked, show, forged, wait = ((number, 0) for number in range(9))
    whole = [open_, connect, right, prove, show]
    scripts = [whole, [open_, connect, *[wrong, prove, (8, 2)] * 6, right, prove]]
    for act in range(16):
        for at in range(len(whole) + 1):
            scripts.append([*whole[:at], (act, 1), (act, 2), *whole[at:], forged, wait, crooked])
    return [bytes(byte for step in script for byte in step) for script in scripts]


def reading(_):
    """The first byte chooses what reads: answers, requests, pictures, ID3, lyrics, tags."""

    def text(data):
        return struct.pack("<I", len(data)) + data

    facts = b"\1" + struct.pack("<QQq", 1, 2, 3000) + text(b"flac") + struct.pack("<IBB", 44100, 16, 2) + struct.pack("<q", -(2**63)) * 4
    facts += struct.pack("<H", 2) + text(b"title") + text(b"T") + text(b"LYRICS") + text(b"[00:01.00]x")
    facts += struct.pack("<H", 1) + text(b"One") + struct.pack("<qq", 0, 5) + b"\1" + struct.pack("<QBII", 9, 1, 300, 200)
    answers = [facts, b"\2" + struct.pack("<QBII", 9, 2, 3, 4) + text(b"png"), b"\3\2" + struct.pack("<II", 0, 0xFFFFFF), b"\4\1\2\0\0\0", b"\5"]
    answers.append(b"\x08" + struct.pack("<HIIII", 2, 0, 700, 900, 2000) + struct.pack("<IqB", 120_000, -25, 0))
    requests = [b"\1" + struct.pack("<H", 1) + text(b"/a"), b"\2\0" + text(b"/a"), b"\3\2" + text(b"x") + struct.pack("<HHBI", 9, 0, 1, 99), b"\4\1" + text(b"/a")]
    requests += [b"\7" + text(b"/a"), b"\x08"]
    jpeg = bytes([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC2, 0, 11, 8, 0, 200, 1, 44, 3])
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 300, 200)
    pictures = [jpeg, png, b"GIF89a\4\1\2\0", b"RIFF\0\0\0\0WEBPVP8X" + bytes(20), b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0/" + bytes(8)]
    frame = b"TPE1\0\0\0\x08\0\0\3One\0Two" + b"TXXX\0\0\0\x0c\0\0\1\xff\xfeA\0\0\0\xff\xfeB\0"
    series = b"MVNM\0\0\0\x06\0\0\3Saga1MVIN\0\0\0\4\0\0\0002/5"
    box = lambda name, content: struct.pack(">I", len(content) + 8) + name + content
    item = lambda name, kind, value: box(b"\xa9" + name, box(b"data", struct.pack(">II", kind, 0) + value))
    book = box(b"moov", box(b"udta", box(b"meta", bytes(4) + box(b"hdlr", bytes(25)) + box(
        b"ilst", item(b"nrt", 1, b"Ann") + item(b"mvn", 1, b"Saga") + item(b"mvi", 21, b"\0\2")))))
    heads = [b"ID3\4\0\0\0\0\0" + bytes([len(frame)]) + frame, b"ID3\3\0\0\0\0\0" + bytes([len(series)]) + series, book, b"\xff\xfb\x90\0"]
    words = [b"[ar:x]\n[00:01.50]One\n[00:02][00:03.123]<00:01.00>Two", b"[offset:+500]\n[01:00:00]x", b"Plain\n\nwords"]
    tags = [b"artist\nOne; Two / Three\ntrack\n3/12\nREPLAYGAIN_TRACK_GAIN\n-7.03 dB\ndate\n1999-04-12", b"R128_TRACK_GAIN\n-512\ntitle\n\xff\x92"]
    return [bytes([number]) + seed for number, seeds in enumerate((answers, requests, pictures, heads, words, tags)) for seed in seeds]


def beside(_):
    """The first byte chooses what reads: cue sheets (twice), words, lists of paths."""
    sheet = b'REM GENRE Jazz\nREM DATE 1999\nPERFORMER "Ann"\nTITLE "First"\nFILE "a.flac" WAVE\n  TRACK 01 AUDIO\n    TITLE "One"\n    INDEX 00 00:00:00\n'
    sheet += b'    INDEX 01 00:00:12\n    REM REPLAYGAIN_TRACK_GAIN -6.5 dB\n  TRACK 02 AUDIO\n    PERFORMER "Bob"\n    INDEX 01 03:12:74\n'
    two = sheet + sheet.replace(b"a.flac", b"b\\c.wav").replace(b"TRACK 02", b"TRACK 03")
    sheets = [sheet, two, b"\xff\xfe" + sheet.decode().encode("utf-16-le"), b"\xfe\xff" + sheet.decode().encode("utf-16-be")]
    words = [b"[ar:x]\n[00:01.50]One\n[00:02][00:03.123]<00:01.00>Two", b"[offset:-99999]\n[01:00:00]x", b"Plain\r\n\r\nwords"]
    lists = [b"#EXTM3U\n#PLAYLIST:A\n#EXTINF:123 a=b,Ann - One\n#BATON-ITEM:lib:track/1\n../a b.flac\nhttp://x/y\n", b"[playlist]\nFile1=a.mp3\nTitle1=Ann - One\nLength1=99\n"]
    lists.append(b'{"playlist":{"title":"A","track":[{"location":["file:///a%20b.flac"],"identifier":["lib:track/1"],"title":"One","creator":"Ann","duration":1000,"trackNum":1},{"title":"Two"}]}}')
    return [bytes([number]) + seed for number, seeds in enumerate((sheets, sheets, words, lists)) for seed in seeds]


def names(_):
    """The first byte chooses what reads: outputs, addresses and paths, headers, records of hubs, names of pictures."""
    outputs = [b"alsa/file:FILE='|id>/tmp/ran'\npulse/kitchen", b"alsa/tee:null,/tmp/x,raw\npcm:/tmp/x", b"alsa/hw:CARD=PCH,DEV=0\nauto\nnull", b"pulse/kitchen,x"]
    places = [b"/music/a b.flac", b"file:track/music/%2e%2e/a", b"file://localhost/a%00b", b"HTTP://h:80/a%0d%0ab?c#d", b"https://u:p@h/x", b"av://lavfi:sine", b"edl://x"]
    places += [b"..\\a.mp3", b"fd://3", b"memory://x", b"concat:/a|/b", b"http://h/\r\nX: y"]
    headers = [b"X-Token\0abc\0Accept\0*/*", b"X\0a\r\nHost: b\0Y\0z", b"A,B\0c,d"]
    records = [b"Attic\0txtvers=1\0id=abcdefgh\0v=1,2\0p=/baton\0f=ad,bo,hi2,ne,zz\0plain=9442\0fp=0123456789abcdef\0pair=1", b"\x1b[2J\0p=//evil\0P=x\0id=a b"]
    folders = [b"/nonexistent", b"/nonexistent/a", b"/nonexistent/data", b"/nonexistent/database", b"/", b"/proc", b"/nonexistent2"]
    pictures = [b"91c3f0", b"../../etc/passwd", b"a/b", b"", b"a" * 65]
    return [bytes([number]) + seed for number, seeds in enumerate((outputs, places, headers, records, pictures, folders)) for seed in seeds]


def heads(_):
    """The first byte chooses what reads: heads of requests, authorities."""
    first = b"GET /a%20b?room=main&x HTTP/1.1\r\nHost: localhost:9442\r\n"
    heads = [first + rest + b"\r\n" for rest in (
        b"", b"Origin: http://localhost:9442\r\n", b"Host: x\r\n", b"Origin:\r\n", b"Origin:\r\n x\r\n", b"Origin : x\r\n", b"X-Forwarded-Any:\r\n",
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        b"Cookie: a=b\r\nCookie: c=d\r\nContent-Length: 3\r\n", b"Authorization: Bearer mK2x9q.c2VlZA\r\n")]
    heads += [b"%s HTTP/1.1\r\nHost: localhost:9442\r\n\r\n" % line for line in (
        b"GET /companion/v1", b"POST /companion/v1/cmd", b"DELETE /baton/state?view=wall&view=watch", b"OPTIONS /baton/cmd?client=")]
    hosts = [b"localhost", b"127.0.0.1:9442", b"[::1]:9442", b"127.0.0.1:9442@evil.example", b"[fe80::1%25lo]", b"kitchen.local.", b"a:99999"]
    return [bytes([number]) + seed for number, seeds in enumerate((heads, hosts)) for seed in seeds]


def lines(_):
    """The first byte is the bound."""
    return [bytes([bound]) + text for bound in (0, 1, 5, 100) for text in (b"one\ntwo\r\n\n", b"123456\r\n", b"12345\r", b"half", b"\r\r\n\n\r")]


def commands(said):
    """The name of a command, a line feed, and its parameters."""
    asked = [json.loads(text) for name, text in said.items() if name.startswith("client-cmd")]
    given = [(command["m"], {**command.get("p", {}), **more}) for command in asked for more in ({}, {"laterOn": 1}, {"a/b~c": None})]
    return [name.encode() + b"\n" + json.dumps(parameters).encode() for name, parameters in given]


def chad(_):
    """The first byte chooses what reads: answers (in each shape of the names), names of items, paths as servers write them."""
    album = '{"id":"a-1","album":"A","artist":["B"],"year":"1999-05-01","track_count":3,"total_duration":12.5,"cover":"/c.png"}'
    track = '{"id":1152921504606846977,"title":"T","no":"3/12","disc":1,"duration":"4:01","url":"/files/a%20b.flac"}'
    answers = ['["artist","year"]', '{"artist":1,"year":2}', f"[{album}]", f'{{"items":[{album}],"total":9}}', f'{{"tracks":[{track}]}}']
    names = ["shelf/artist", "artist/A%20B", "album/a-1", "track/1/a-1/files/a%20b.flac", "track/1/a-1"]
    paths = ["/files/03 Low Tide?.flac", "/files/100%.flac", "/base/x", "../x", "http://h/x", "a%2Fb", "/x?token=1"]
    return [bytes([number]) + seed.encode() for number, seeds in enumerate((answers, names, paths)) for seed in seeds]


def subsonic(_):
    """The first byte chooses the status: what the server of Tests/Contract answers, and names of items."""
    methods = Methods(Library(), {"without": [], "ahead": 0})
    asked = [("getAlbum", {"id": ["al-1"]}), ("getArtists", {}), ("getPodcasts", {}), ("getMusicDirectory", {"id": ["di-1"]}), ("search3", {"query": [""]})]
    asked += [("createPlaylist", {"name": ["A"], "songId": ["so-1", "so-2"]}), ("getPlaylists", {}), ("getLyricsBySongId", {"id": ["so-1"]})]
    methods.createBookmark({"id": ["so-1"], "position": ["21500"], "comment": ["Den"]})
    asked.append(("getBookmarks", {}))
    answers = [{"status": "ok", **getattr(methods, method)(ask)} for method, ask in asked]
    answers.append({"status": "failed", "error": {"code": 40, "message": "Wrong"}})
    texts = [json.dumps({"subsonic-response": answer}).encode() for answer in answers]
    names = [b"attic:track/a%2Fb", b"attic:episode/1/2", b"attic:shelf/newest", b"0f8fad5b-d9cb-469f-a165-70867728950e", b"2026-11-23T03:04:36.12+01:00"]
    return [bytes([status]) + text for text in texts + names for status in (0, 3)]


def sappho(_):
    """The first byte chooses what reads: what the server of Tests/Contract answers, names of items, and searches."""
    shelf = Shelf(small(), lambda: 1_700_000_000)
    shelf.keep_place(1, 1, 30.7)
    one = shelf.new_collection({"id": 1, "username": "anna"}, {"name": "Sea"})
    shelf.collections[one["id"]]["books"] = [1, 2]
    chapters = [{"chapter_number": 1, "title": None, "start_time": 0.5, "duration": 9, "file_path": "a"}]
    answers = [shelf.found(1, {}), shelf.all_series(1), shelf.in_progress(1), shelf.collection_books(shelf.collections[one["id"]], 1), chapters, {"error": "No"}]
    names = ["book/12", "series/The%20Tide", "shelf/continue", "account/profile", "recap/3"]
    searches = ['author:weir low', 'series:"the tide" genre:x', 'author:""', 'water']
    return [bytes([0]) + json.dumps(answer).encode() for answer in answers] + [bytes([kind]) + text.encode() for kind, texts in ((1, names), (2, searches)) for text in texts]


def musicroom(_):
    """The first byte chooses what reads: messages of a room, lists, and names of items."""
    track = {"id": "sha256:9f", "filename": "a.flac", "title": None, "duration": 201.4}
    state = {"track": track, "currentTimestamp": 12.75, "channelId": "main", "channelName": "Main", "paused": False, "currentIndex": 1,
             "listenerCount": 2, "playbackMode": "repeat-all", "hubs": ["h"]}
    whole = {**state, "queue": [track, {"id": "b"}, 7]}
    typed = [{"type": "kick", "reason": "x"}, {"type": "switched", "channelId": "c"}, {"type": "error", "message": "no"}]
    rooms = [{"id": 1, "name": "One", "is_default": 1, "listeners": ["anna", {"username": "b"}]}]
    messages = "\n".join(json.dumps(one) for one in (whole, state, {**state, "paused": 1, "currentTimestamp": "3"}, *typed, {"type": "channel_list", "channels": rooms}))
    lists = [[track], {"tracks": [track]}, rooms, {"mine": [{"id": "p", "trackIds": ["a"]}], "shared": []}, {"hub": {"id": "h"}}]
    return [b"\0" + messages.encode()] + [b"\2" + json.dumps(one).encode() for one in lists] + [b"\3" + name for name in (b"track/sha256%3A9f", b"shelf/rooms", b"room/a%2Fb")]


def radio(_):
    """The first byte chooses what reads: ICY with its interval, playlists of HLS, lists of stations, sound that is cut."""
    block = b"\3StreamTitle='It\'s Low';StreamUrl='';".ljust(49, b"\0")
    hls = b'#EXTM3U\n#EXT-X-MAP:URI="h.mp4",BYTERANGE="9@0"\n#EXTINF:4.0,\n#EXT-X-BYTERANGE:5@9\na.mp4\n#EXT-X-ENDLIST\n'
    master = b'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"\n../low.m3u8?x=1\n'
    lists = [b"#EXTM3U\n#EXTINF:-1,A - B\nhttp://a/x\n", b"[playlist]\nFile1=http://a/x\nTitle1=A\n"]
    lists.append(b'<opml><head><title>M</title></head><body><outline text="A &amp; B" URL="http://a/x"/></body></opml>')
    lists.append(b"<playlist><trackList><track><location>http://a/x</location><title><![CDATA[A]]></title></track></trackList></playlist>")
    lists.append(b'[{"name":"A","url_resolved":"http://a/x","tags":"jazz,swing","country":"France","favicon":"http://a/i.png"}]')
    icy = [bytes([0, metaint]) + b"x" * metaint + block + b"y" * metaint + b"\0" for metaint in (1, 2, 64)]
    cut = [b"\4\0" + (b"\xff\xfb\x50\x40" + bytes(205)) * 3, b"\4\2OggS\0\2" + bytes(20) + b"\1\5abcde"]
    return icy + [b"\0\0" + block[1:], b"\1" + hls, b"\1" + master, b"\1/x/../y?z"] + [b"\2" + text for text in lists] + cut


def feeds(_):
    """The first byte chooses what reads: feeds, chapters, times, descriptions."""
    item = b'<item><title>A &amp; B</title><guid isPermaLink="false">g</guid><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate>'
    item += b'<enclosure url="http://a/1.mp3" type="audio/mpeg" length="9"/><description><![CDATA[<p>x</p>]]></description></item>'
    atom = b'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>a</id><link rel="enclosure" href="http://a/1"/></entry></feed>'
    bomb = b'<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss>&b;</rss>'
    all_feeds = [b"<rss><channel><title>T</title>" + item + b"</channel></rss>", atom, bomb, b'<?xml version="1.0" encoding="windows-1252"?><rss/>']
    chapters = [b'{"version":"1.2.0","chapters":[{"startTime":0,"title":"A"},{"startTime":1.5,"toc":false},{"startTime":1e3}]}']
    times = [b"Tue, 10 Jun 2003 04:00:00 GMT", b"2003-06-10T04:00:00.5+02:00", b"10 Jun 03 4:00 EST"]
    markup = [b"<p>One<br/>Two &amp; &#8211; &#x1F600; &nope; <li>x</li>", b"<" * 30]
    return [bytes([number]) + seed for number, seeds in enumerate((all_feeds, chapters, times, markup)) for seed in seeds]


def rooms(_):
    """The first byte chooses what reads: messages of a socket, patches, credentials, rooms, playlists, texts."""
    messages = [b'{"action":"pause"}', b'{"action":"seek","timestamp":45.5}', b'{"action":"jump","index":3}', b'{"action":"switch","channelId":"c2"}']
    patches = [b'{"add":["a"],"insertAt":5}', b'{"trackIds":["a","b"]}', b'{"indices":[2,7]}', b'{"move":{"from":3,"to":1}}', b'{"set":[]}']
    lists = [b'{"name":"A","isPublic":true,"trackIds":["a"]}', *patches]
    wishes = [b'{"name":"A","playbackMode":"repeat-all"}', b'{"mode":"shuffle","description":""}']
    seeds = (messages, patches, [b'{"username":"a","password":"b"}'], wishes, lists, [b'a"\\\x01\xc3\xa9'])
    return [bytes([number]) + seed for number, some in enumerate(seeds) for seed in some]


def mpd(_):
    """Lines with filters, orders, windows and groups."""
    filters = [b"((Artist == 'Amber Lane') AND (!(Title contains 'aw')))", b"(Title =~ '^(D|[a-c]+)\\\\w{1,2}.*?n$')", b"(AudioFormat =~ '48000:*:2')"]
    lines = [b'find "%s" sort -Title window 1:3' % text for text in filters]
    lines += [b"search artist dawn modified-since 2020-09-13T12:26:40+01:00", b"list album group date group artist", b'list album "Amber Lane"']
    return [*lines, b'sticker "a\\"b" gt 9 sort value_int', b"move 1:3 +2", b"seekcur -1.5e3", b"clear\nadd a\nadd b\nplay 1"]


def main():
    target, protocol, corpus = sys.argv[1:]
    said = texts(protocol)
    for number, seed in enumerate({"Decoders": decoders, "Sessions": sessions, "Pairing": pairing, "Reading": reading, "Beside": beside, "Names": names, "Heads": heads, "Lines": lines, "Commands": commands, "ChadNoise": chad, "Subsonic": subsonic, "Radio": radio, "SapphoNoise": sappho, "Feeds": feeds, "MusicRooms": rooms, "MusicRoomNoise": musicroom, "MPDLines": mpd}.get(target, lambda all: list(all.values()))(said)):
        with open(f"{corpus}/seed-{number}", "wb") as file:
            file.write(seed)
    words = {word for text in said.values() for word in re.findall(rb'"[A-Za-z.]{1,20}"', text)}
    with open(f"{corpus}.words", "wb") as file:
        file.write(b"".join(b'"%s"\n' % word.replace(b'"', b'\\x22') for word in sorted(words)))


if __name__ == "__main__":
    main()
