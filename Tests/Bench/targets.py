"""The servers under test.

Each is a plain dict in the shape of hub.json (README.md explains the fields); a few need a hook for
what a dict cannot say. Nothing here outlives a `with` block: every server gets its own temporary
directory and free loopback ports, and is stopped by its own process id."""
import json, os, shutil, signal, socket, subprocess, tempfile, time

from ports import free_port
from runner.websocket import BINARY, CLOSE, PING, PONG, TEXT, Framing, encode, request

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "build")
# The shipped binaries: what deploy/bench built, or a folder that the environment names.
BATON_BIN = os.environ.get("BATON_BIN") or os.path.normpath(os.path.join(HERE, "../../.build/release"))
# What is set about a hub of one's own must not reach the one that is measured.
PLAIN_ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("BATON_")}


class Chan:
    """One blocking control connection: WebSocket or lines."""
    def __init__(self, cfg, port, timeout=10.0, context=None, unix=None):
        self.ws = cfg.get("proto", "ws") == "ws"
        if unix:
            self.s = socket.socket(socket.AF_UNIX)
            self.s.settimeout(timeout)
            self.s.connect(unix)
        else:
            self.s = socket.create_connection(("127.0.0.1", port), timeout)
            self.s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.s = context.wrap_socket(self.s)
        self.framing = Framing()
        if self.ws:
            headers = [tuple(x.replace("{tok}", cfg.get("token", "")).split(": ", 1)) for x in cfg.get("headers", [])]
            path = cfg.get("path", "/").replace("{tok}", cfg.get("token", ""))
            self.s.sendall(request(f"127.0.0.1:{port}", headers, path, cfg.get("subprotocol") or ""))
            head = self._until(b"\r\n\r\n")
            if b" 101 " not in head.split(b"\r\n")[0]:
                raise OSError("no upgrade: " + head[:60].decode("latin1"))

    def _fill(self):
        d = self.s.recv(262144)
        if not d:
            raise OSError("closed")
        self.framing.rest += d

    def _until(self, mark):
        while mark not in self.framing.rest:
            self._fill()
        before, _, self.framing.rest = self.framing.rest.partition(mark)
        return before

    def frame(self):
        """-> (whether it ends a message, its opcode, its payload)"""
        while (taken := self.framing.take()) is None:
            self._fill()
        return taken[:3]

    def send(self, text, op=TEXT):
        b = text if op != TEXT else text.encode()
        self.s.sendall(encode(b, op) if self.ws else b + b"\n")

    def recv(self):
        if not self.ws:
            return self._until(b"\n").rstrip(b"\r").decode("utf8", "replace")
        out = b""
        while True:
            is_last, op, body = self.frame()
            if op == CLOSE:
                raise OSError("closed")
            if op == PING:
                self.send(body, op=PONG)
            if op <= BINARY:
                out += body
                if is_last:
                    return out.decode("utf8", "replace")

    def wait(self, needle, limit=30.0):
        end = time.monotonic() + limit
        self.s.settimeout(limit)
        while time.monotonic() < end:
            m = self.recv()
            if m.startswith(needle[1:]) if needle.startswith("^") else needle in m:
                return m
        raise TimeoutError(needle)

    def script(self, steps):
        last = None
        for what, text in steps or []:
            if what == "send":
                self.send(text.replace("{id}", "99999").replace("{n}", "-1"))
            elif what == "sleep":
                time.sleep(float(text))
            else:
                last = self.wait(text)
        return last

    def close(self):
        self.s.close()


class Server:
    def __init__(self, cfg, mode="run", track=None, music=None, keep=None, raw_pcm=None):
        self.cfg, self.mode, self.track, self.music, self.raw_pcm = cfg, mode, track, music, raw_pcm
        self.keep = keep
        self.procs = []

    def __enter__(self):
        self.dir = self.keep or tempfile.mkdtemp(prefix="baton-bench-")
        os.makedirs(self.dir, exist_ok=True)
        self.port, self.port2, self.port3 = free_port(), free_port(), free_port()
        self.fifo = os.path.join(self.dir, "pcm")
        if self.mode == "audio" and not os.path.exists(self.fifo):
            os.mkfifo(self.fifo)
        self.vars = {"dir": self.dir, "port": str(self.port), "port2": str(self.port2), "port3": str(self.port3), "fifo": self.fifo,
                     "build": BUILD, "bench": HERE, "bin": BATON_BIN, "track": self.track or "", "track_name": os.path.basename(self.track or ""),
                     "music": self.music or os.path.dirname(self.track or ""), "raw_pcm": self.raw_pcm or "", "mode": self.mode}
        for k, v in (self.cfg.get("mode_vars", {}).get(self.mode, self.cfg.get("mode_vars", {}).get("run", {}))).items():
            self.vars[k] = self.sub(v)
        if self.cfg.get("tokens"):
            self.cfg["tokens_path"] = self.sub(self.cfg["tokens"])
        for name, text in self.cfg.get("files", {}).items():
            p = os.path.join(self.dir, name)
            os.makedirs(os.path.dirname(p), exist_ok=True)
            with open(p, "w") as f:
                f.write(self.sub(text))
        for d in self.cfg.get("dirs", []):
            os.makedirs(os.path.join(self.dir, d), exist_ok=True)
        self.log = open(os.path.join(self.dir, "log.txt"), "ab")
        self.t0 = time.monotonic()
        try:
            for name, argv in self.cfg["argv"].items():
                self.spawn(name, argv)
                if name == next(iter(self.cfg["argv"])) and len(self.cfg["argv"]) > 1:
                    self.wait_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def sub(self, s):
        for _ in range(2):
            for k, v in self.vars.items():
                s = s.replace("{" + k + "}", v)
        return s

    def spawn(self, name, argv):
        p = subprocess.Popen([self.sub(a) for a in argv], cwd=self.dir, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                             env={**PLAIN_ENVIRONMENT, **{k: self.sub(v) for k, v in self.cfg.get("env", {}).items()}})
        self.procs.append((name, p))

    def chan(self, timeout=10.0, init=True):
        c = Chan(self.cfg, self.port, timeout)
        if init:
            c.script([(w, self.sub(t)) for w, t in self.cfg.get("controller_init", [])])
        return c

    def wait_ready(self, limit=40.0):
        """-> seconds from the start of the process to its first answered command"""
        end = time.monotonic() + limit
        while time.monotonic() < end:
            if self.procs[0][1].poll() is not None:
                raise RuntimeError(f"{self.cfg['name']}: server ended; see {self.dir}/log.txt")
            try:
                c = self.chan(2.0)
                c.script([(w, self.sub(t)) for w, t in self.cfg["probe"]])
                c.close()
                return time.monotonic() - self.t0
            except (OSError, TimeoutError):
                time.sleep(0.001)
        raise TimeoutError(self.cfg["name"])

    def prepare(self):
        self.wait_ready()
        hook = self.cfg.get("hook")
        if hook:
            hook(self)
        c = self.chan()
        c.script([(w, self.sub(t)) for w, t in self.cfg.get("prepare", [])])
        c.close()

    def script(self, key):
        c = self.chan()
        c.script([(w, self.sub(t)) for w, t in self.cfg.get(key, [])])
        c.close()

    def spec(self, phases):
        c, e = self.cfg, lambda s: self.sub(s).replace("\\", "\\\\").replace("\n", "\\n")
        out = [f"proto {c.get('proto', 'ws')}"] + ([f"port {self.port2}", "tls"] if c.get("tls") else [f"port {self.port}"])
        if c.get("path"):
            out.append("path " + c["path"])
        if c.get("subprotocol"):
            out.append("subprotocol " + c["subprotocol"])
        out += ["header " + h for h in c.get("headers", [])]
        if c.get("tokens"):
            out.append("tokens " + self.sub(c["tokens"]))
        out += [f"cinit {w} {e(t)}" for w, t in c.get("controller_init", [])]
        out += [f"winit {w} {e(t)}" for w, t in c.get("watcher_init", [])]
        out += [f"wcycle {w} {e(t)}" for w, t in c.get("watcher_cycle", [])]
        if c.get("note"):
            out.append("note " + c["note"])
        if c.get("ask"):
            out += ["ask " + e(c["ask"][0]), "answer " + e(c["ask"][1])]
        if c.get("narrow"):
            out += [f"narrow {c['narrow']}", "flood " + e(c["flood"])]
        for k, vs in c["kinds"].items():
            out.append("kind " + k)
            for v in vs:
                out += ["cmd " + e(v["cmd"]), "ack " + e(v["ack"]), "event " + e(v["event"])]
        out += [f"pid {n} {p.pid}" for n, p in self.procs]
        out += ["phase " + p for p in phases]
        return "\n".join(out) + "\n"

    def fan(self, phases, limit=300):
        path = os.path.join(self.dir, "fan.spec")
        with open(path, "w") as f:
            f.write(self.spec(phases))
        p = subprocess.run([os.path.join(BUILD, "fan"), path], stdout=subprocess.PIPE, timeout=limit, check=False)
        out = []
        for line in p.stdout.decode().splitlines():
            try:
                out.append(json.loads(line))
            except ValueError:
                out.append({"fatal": line[:200]})
        if p.returncode and not any("fatal" in r for r in out):
            out.append({"fatal": f"fan exit {p.returncode}"})
        return out

    def rss(self):
        r = {}
        for n, p in self.procs:
            with open(f"/proc/{p.pid}/status") as f:
                r[n] = next((int(line.split()[1]) for line in f if line.startswith("VmRSS")), 0)
        return r

    def __exit__(self, *a):
        for _, p in reversed(self.procs):
            if p.poll() is None:
                p.send_signal(signal.SIGTERM)
        for _, p in reversed(self.procs):
            try:
                p.wait(4)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
        self.log.close()
        if not self.keep and not os.environ.get("KEEP"):
            shutil.rmtree(self.dir, ignore_errors=True)


# ---------------------------------------------------------------- floors
def floor(name, argv, proto):
    k = lambda c, a, b: [{"cmd": '{"id":{id},"cmd":"%s","v":%s}' % (c, x), "ack": '"id":{id}', "event": e} for x, e in (a, b)]
    return {"name": name, "proto": proto, "argv": {"server": argv},
            "watcher_init": [("wait", '"type":"state"')],
            "probe": [("send", '{"id":1,"cmd":"hello"}'), ("wait", '"id":1')],
            "ask": ['{"id":{id},"cmd":"hello"}', '"id":{id}'],
            "kinds": {"toggle": k("toggle", (0, '"state":"paused"'), (1, '"state":"playing"')),
                      "volume": k("volume", (40, '"volume":40'), (60, '"volume":60'))}}


# ---------------------------------------------------------------- mpd
MPD_STATE = "command_list_begin\nstatus\ncurrentsong\ncommand_list_end"
mpd = {
    "name": "mpd", "proto": "line", "connect_window": 4, "argv": {"server": ["mpd", "--no-daemon", "{dir}/mpd.conf"]}, "dirs": ["pl"],
    "mode_vars": {"run": {"out": 'type "null"'}, "audio": {"out": 'type "fifo"\n path "{fifo}"'}},
    "files": {"mpd.conf": '''music_directory "{music}"
playlist_directory "{dir}/pl"
db_file "{dir}/db"
state_file "{dir}/state"
log_file "{dir}/mpd.log"
bind_to_address "127.0.0.1"
port "{port}"
max_connections "20000"
zeroconf_enabled "no"
auto_update "no"
audio_output {
 {out}
 name "bench"
 mixer_type "software"
}
'''},
    "controller_init": [("wait", "^OK MPD")],
    "watcher_init": [("wait", "^OK MPD"), ("send", MPD_STATE), ("wait", "^OK"), ("send", "idle player mixer")],
    "watcher_cycle": [("wait", "^changed:"), ("wait", "^OK"), ("send", MPD_STATE), ("wait", "^OK"), ("send", "idle player mixer")],
    "note": "^changed:",
    "probe": [("send", "status"), ("wait", "^OK")],
    "prepare": [("send", "update"), ("wait", "^OK"), ("send", "idle update"), ("wait", "^OK"), ("sleep", "0.3"),
                ("send", "add {track_name}"), ("wait", "^OK"), ("send", "repeat 1"), ("wait", "^OK"), ("send", "setvol 50"), ("wait", "^OK"),
                ("send", "play"), ("wait", "^OK")],
    "play": [("send", "play"), ("wait", "^OK")],
    "pause": [("send", "pause 1"), ("wait", "^OK")],
    "kinds": {"toggle": [{"cmd": "pause 1", "ack": "^OK", "event": "^state: pause"}, {"cmd": "pause 0", "ack": "^OK", "event": "^state: play"}],
              "volume": [{"cmd": "setvol 40", "ack": "^OK", "event": "^volume: 40"}, {"cmd": "setvol 60", "ack": "^OK", "event": "^volume: 60"}]},
    "ask": ["status", "^OK"],
}


# ---------------------------------------------------------------- mopidy
def call(i, m, **p):
    return json.dumps({"jsonrpc": "2.0", "id": i, "method": "core." + m, **({"params": p} if p else {})}).replace('"ID"', "{id}")


MOPIDY_STATE = "[" + ", ".join(call(i + 1, m) for i, m in enumerate(
    ["playback.get_state", "mixer.get_volume", "playback.get_current_tl_track", "playback.get_time_position"])) + "]"
mopidy = {
    "name": "mopidy", "proto": "ws", "path": "/mopidy/ws", "argv": {"server": ["mopidy", "--config", "{dir}/mopidy.conf"]},
    "dirs": ["cache", "config", "data"],
    "mode_vars": {"run": {"out": "fakesink sync=true"},
                  "audio": {"out": "audioresample ! audioconvert ! filesink location={fifo} buffer-mode=unbuffered"}},
    "files": {"mopidy.conf": '''[core]
cache_dir = {dir}/cache
config_dir = {dir}/config
data_dir = {dir}/data
restore_state = false
[logging]
verbosity = -1
[audio]
output = {out}
mixer = software
mixer_volume = 50
[http]
enabled = true
hostname = 127.0.0.1
port = {port}
zeroconf =
csrf_protection = false
[mpd]
enabled = false
[file]
enabled = true
media_dirs = {music}
[local]
enabled = true
media_dir = {music}
scan_timeout = 5000
[m3u]
enabled = false
[stream]
enabled = true
protocols = file
[softwaremixer]
enabled = true
'''},
    "watcher_init": [("send", MOPIDY_STATE), ("wait", '"id": 4')],
    "probe": [("send", call(1, "playback.get_state")), ("wait", '"id": 1')],
    "prepare": [("send", call(2, "tracklist.add", uris=["file://{track}"])), ("wait", '"id": 2'),
                ("send", call(3, "tracklist.set_repeat", value=True)), ("wait", '"id": 3'),
                ("send", call(4, "playback.play")), ("wait", '"id": 4'), ("sleep", "0.5")],
    "play": [("send", call(5, "playback.play")), ("wait", '"id": 5')],
    "pause": [("send", call(6, "playback.pause")), ("wait", '"id": 6')],
    "kinds": {"toggle": [{"cmd": call("ID", "playback.pause"), "ack": '"id": {id}', "event": '"new_state": "paused"'},
                         {"cmd": call("ID", "playback.resume"), "ack": '"id": {id}', "event": '"new_state": "playing"'}],
              "volume": [{"cmd": call("ID", "mixer.set_volume", volume=v), "ack": '"id": {id}', "event": '"volume": %d' % v} for v in (40, 60)]},
    "ask": [call("ID", "playback.get_state"), '"id": {id}'],
}


# ---------------------------------------------------------------- snapcast
def snap_hook(srv):
    """wait for the snapclient and learn its group"""
    tcp = {"proto": "line"}
    for _ in range(200):
        c = Chan(tcp, srv.port if srv.cfg["proto"] == "line" else srv.port2)
        c.send('{"id":1,"jsonrpc":"2.0","method":"Server.GetStatus"}')
        g = json.loads(c.wait('"id":1'))["result"]["server"]["groups"]
        c.close()
        if g and g[0]["clients"][0]["connected"]:
            srv.vars["group"] = g[0]["id"]
            return
        time.sleep(0.05)
    raise TimeoutError("snapclient")


def rpc(m, **p):
    return json.dumps({"id": "ID", "jsonrpc": "2.0", "method": m, **({"params": p} if p else {})}, separators=(",", ":")).replace('"ID"', "{id}")


def snapcast(ws):
    a, b = ("{port2}", "{port}") if ws else ("{port}", "{port2}")
    return {
        "name": "snapcast-ws" if ws else "snapcast-tcp", "proto": "ws" if ws else "line", "path": "/jsonrpc",
        "argv": {"server": ["snapserver", "-c", "{dir}/snapserver.conf"],
                 "client": ["snapclient", "-h", "127.0.0.1", "-p", "{port3}", "--player", "file:filename=null", "--hostID", "bench", "--logsink", "null"]},
        "dirs": ["data"],
        "mode_vars": {"run": {"src": "file://{raw_pcm}?name=default&sampleformat=48000:16:2"},
                      "paused": {"src": "pipe://{dir}/in?name=default&sampleformat=48000:16:2&mode=create"}},
        "files": {"snapserver.conf": f'''[server]
datadir = {{dir}}/data
[http]
enabled = true
bind_to_address = 127.0.0.1
port = {b}
doc_root =
[tcp]
enabled = true
bind_to_address = 127.0.0.1
port = {a}
[stream]
bind_to_address = 127.0.0.1
port = {{port3}}
source = {{src}}
[logging]
sink = null
filter = *:error
'''},
        "watcher_init": [("send", '{"id":7,"jsonrpc":"2.0","method":"Server.GetStatus"}'), ("wait", '"result":{"server"')],
        "probe": [("send", '{"id":1,"jsonrpc":"2.0","method":"Server.GetRPCVersion"}'), ("wait", '"id":1')],
        "ask": [rpc("Server.GetRPCVersion"), '"id":{id}'],
        "hook": snap_hook,
        "kinds": {"toggle": [{"cmd": rpc("Group.SetMute", id="{group}", mute=m), "ack": '"id":{id}', "event": '"mute":%s' % str(m).lower()} for m in (True, False)],
                  "volume": [{"cmd": rpc("Client.SetVolume", id="bench", volume={"muted": False, "percent": v}), "ack": '"id":{id}', "event": '"percent":%d' % v} for v in (40, 60)]},
    }


def all_targets():
    t = {"mpd": mpd, "mopidy": mopidy, "snapcast-tcp": snapcast(False), "snapcast-ws": snapcast(True),
         "floor-lws": floor("floor-lws", ["{build}/floor_lws", "{port}"], "ws"),
         "floor-lws-queued": floor("floor-lws-queued", ["{build}/floor_lws", "{port}", "queued"], "ws"),
         "floor-lws-uv": floor("floor-lws-uv", ["{build}/floor_lws", "{port}", "uv"], "ws"),
         "floor-lws-ev": floor("floor-lws-ev", ["{build}/floor_lws", "{port}", "ev"], "ws"),
         "floor-raw": floor("floor-raw", ["{build}/floor_raw", "{port}"], "line")}
    for f in sorted(os.listdir(HERE)):
        if f.startswith("hub") and f.endswith(".json"):
            with open(os.path.join(HERE, f)) as h:
                c = json.load(h)
            t[c["name"]] = c
    return t
