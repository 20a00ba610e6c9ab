"""A worker that makes clips over HTTP, for scenarios of the profile clips: the seven endpoints of ../../worker.md, with `audio` and `key`.

It makes a quiet tone of the right length as soon as it is asked, since silence is no music, and all of it is in memory.
"""

import http.server
import io
import itertools
import json
import math
import struct
import threading
import wave

from runner.adapters.subsonic import Answering

TOKEN, TEMPO, RATE = "open-studio", 120, 44100
# One wave of 441 Hz in two channels.
TONE = b"".join(2 * struct.pack("<h", round(2000 * math.sin(math.tau * at / 100))) for at in range(100))


class Studio:
    """The worker, and what it was told by the runner."""

    def __init__(self):
        self.jobs, self.sessions, self.keys, self.numbers, self.lock = {}, {}, {}, itertools.count(1), threading.Lock()
        # What happens to the next clip.
        self.fault = None
        self.made = self.plans = self.continued = 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Request)
        self.server.daemon_threads, self.server.studio = True, self
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.account = {"url": f"http://127.0.0.1:{self.server.server_port}", "token": TOKEN}

    def obey(self, word):
        if word["do"] == "forget":
            self.sessions.clear()
        elif word["do"] in ("fail", "garble", "lose"):
            self.fault = word["do"]
        elif word["do"] == "up":
            self.fault = None
        elif word["do"] != "told":
            return {"error": f"this worker knows no {word['do']}"}
        return {"made": self.made, "plans": self.plans, "continued": self.continued}

    def fresh(self, kind):
        return f"{kind}-{next(self.numbers)}"

    # Sessions

    def open(self, wish):
        name = self.fresh("session")
        self.sessions[name] = {"session_id": name, "name": wish.get("name"), "tempo": wish.get("tempo_bpm") or TEMPO, "key": wish.get("key") or "D minor",
                               "seed_plan": None, "clips": []}
        return self.sessions[name]

    # Jobs

    def job(self, seconds, plan, **more):
        name = self.fresh("job")
        self.jobs[name] = {"job_id": name, "state": "succeeded", "progress": 1.0, "message": "done", "updated_at": "2026-01-02T03:04:05Z",
                           "seconds": seconds, "plan": plan, **more}
        return self.jobs[name]

    def piece(self, wish, key):
        """A piece. The first one of a session plans it; one with a plan that belongs to no session goes on with a motif."""
        if key in self.keys:
            return self.keys[key]
        session, plan = self.sessions.get(wish.get("session_id")), wish.get("plan")
        if "session_id" in wish and session is None:
            return None
        if plan:
            self.plans, self.continued = self.plans + bool(session), self.continued + (session is None)
        else:
            plan = {"version": "v3", "tempo_bpm": session["tempo"] if session else TEMPO, "time_signature": "4/4", "key": session["key"] if session else "D minor"}
        made = self.job(wish.get("duration_seconds", 60), plan)
        if session:
            session["seed_plan"] = session["seed_plan"] or plan
            session["clips"].append({name: made[name] for name in ("job_id", "state")})
        if key:
            self.keys[key] = made
        return made

    def clip(self, session, wish):
        fault, self.fault = self.fault, None
        bars, plan = wish.get("bars") or 4, session["seed_plan"]
        made = self.job(bars * 4 * 60 / plan["tempo_bpm"], plan, fault=fault)
        if fault == "fail":
            made.update(state="failed", message="There is no room for this layer.")
        self.made += 1
        session["clips"].append({"job_id": made["job_id"], "state": made["state"], "layer": wish["layer"], "scene_index": wish.get("scene_index") or 0, "bars": bars})
        return made


def sound(job):
    """The file of a job: a tone, or for one that cannot be mixed the head of a FLAC file with noise behind it."""
    samples = int(RATE * job["seconds"])
    if job.get("fault") == "garble":
        about = struct.pack(">HH", 4096, 4096) + bytes(6) + (RATE << 44 | 1 << 41 | 15 << 36 | samples).to_bytes(8, "big") + bytes(16)
        return b"fLaC\x80" + len(about).to_bytes(3, "big") + about + b"noise " * 2000
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((TONE * (samples // (len(TONE) // 4) + 1))[:4 * samples])
    return data.getvalue()


class Request(Answering):
    """One request of the hub."""

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.tell({"detail": "This worker needs its token."}, 401)
        with self.server.studio.lock:
            return self.take(self.server.studio, self.path.strip("/").split("/"), json.loads(body or b"{}"))

    do_POST = do_GET

    def take(self, studio, parts, wish):
        found = {"status": studio.jobs, "artifact": studio.jobs, "session": studio.sessions}.get(parts[0], {}).get(parts[1] if len(parts) > 1 else "")
        match (self.command, *parts):
            case "GET", "health":
                ready = {"name": "tone", "ready": True}
                return self.tell({"status": "ok", "default_model_id": "tone", "backend_status": {"tone": ready}, "extensions": ["audio", "key"]})
            case "POST", "session":
                return self.tell(studio.open(wish))
            case "POST", "generate":
                found = studio.piece(wish, self.headers.get("Idempotency-Key"))
            case "POST", "session", _, "clip" if found:
                if not found["seed_plan"]:
                    return self.tell({"detail": "The session has no plan yet."}, 409)
                is_lost = studio.fault == "lose"
                found = studio.clip(found, wish)
                if is_lost:
                    self.close_connection = True
                    return None
            case "GET", "artifact", job, "audio" if found:
                return self.send_sound(job, sound(found))
            case "GET", "artifact", job if found:
                found = {"job_id": job, "artifact_path": f"/studio/{job}", "metadata": {"plan": found["plan"]}}
            case "GET", "status" | "session", _:
                pass
            case _:
                found = None
        return self.tell(found) if found else self.tell({"detail": "This worker does not know it."}, 404)

    def send_sound(self, job, data):
        begin = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
        ranged = {"Content-Range": f"bytes {begin}-{len(data) - 1}/{len(data)}"} if "Range" in self.headers else {}
        self.say(206 if ranged else 200, "application/octet-stream", data[begin:], {"ETag": f'"{job}"', "Accept-Ranges": "bytes", **ranged})

    def tell(self, content, status=200):
        self.say(status, "application/json", json.dumps(content).encode())
