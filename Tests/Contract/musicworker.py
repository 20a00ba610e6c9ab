#!/usr/bin/python3
"""A worker that makes music over HTTP, as Protocol/worker.md describes it: seven endpoints, jobs in memory, files on its own disk.

It makes noise of the right length, as a real worker does that has no model. What is special happens by the first word of the
prompt, so that nothing but the seven endpoints is there. `submitted` in its folder has a line for each job that it was given.

    musicworker.py --port 8000 --root DIR [--extension audio]... [--token TOKEN] [--mix SECONDS] [--model]
"""

import argparse
import asyncio
import datetime
import json
import os
import time
import uuid
import wave

import uvicorn
from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, StreamingResponse

LAYERS = "^(rhythm|bass|harmony|lead|textures|vocals)$"
RATE = 48000
asked = argparse.Namespace(root="/tmp", extension=[], token=None, mix=0.0, model=False)
app = FastAPI()
jobs, sessions, keys = {}, {}, {}


class Generation(BaseModel):
    prompt: str = Field(min_length=1, max_length=512)
    seed: int | None = Field(None, ge=0)
    duration_seconds: int = Field(120, ge=1, le=300)
    model_id: str = "musicgen-stereo-medium"
    mode: str = Field("full_track", pattern="^(full_track|motif|clip)$")
    session_id: str | None = Field(None, min_length=8, max_length=64)
    clip_layer: str | None = Field(None, pattern=LAYERS)
    clip_scene_index: int | None = Field(None, ge=0, le=2)
    clip_bars: int | None = Field(None, ge=1, le=64)
    cfg_scale: float | None = Field(None, ge=0, le=20)
    musicgen_cfg_coef: float | None = Field(None, ge=0, le=20)
    plan: dict | None = None


class Session(BaseModel):
    name: str | None = Field(None, max_length=64)
    prompt: str | None = Field(None, max_length=512)
    tempo_bpm: int | None = Field(None, ge=40, le=300)
    key: str | None = Field(None, max_length=32)
    time_signature: str | None = Field(None, max_length=8)


class Clip(BaseModel):
    layer: str = Field(pattern=LAYERS)
    prompt: str | None = None
    bars: int | None = Field(None, ge=1, le=64)
    scene_index: int | None = Field(None, ge=0, le=2)
    generation: Generation | None = None


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def is_released():
    return os.path.exists(f"{asked.root}/release")


class Job:
    def __init__(self, request, clip=None):
        self.id, self.request, self.clip, self.polls = str(uuid.uuid4()), request, clip, 0
        self.word = request.prompt.split(" ", maxsplit=1)[0]
        self.path, self.artifact, self.said = f"{asked.root}/{self.id}.wav", None, time.time()
        self.set("queued", 0.0, "queued")
        jobs[self.id] = self
        with open(f"{asked.root}/submitted", "a", encoding="utf-8") as file:
            file.write(f"{self.id} {request.prompt}\n")
        self.task = asyncio.ensure_future(self.make())

    def set(self, state, progress, message):
        self.state, self.progress, self.message, self.updated = state, progress, message, now()

    def status(self):
        return {"job_id": self.id, "state": self.state, "progress": self.progress, "message": self.message, "updated_at": self.updated}

    async def make(self):
        self.set("running", 0.05, "planning")
        for number in range(3):
            self.set("running", 0.2 + 0.2 * number, f"rendering {number + 1}/3: Motif (musicgen)")
            await asyncio.sleep(0.1)
        while self.word == "held" and not is_released():
            await asyncio.sleep(0.02)
        if self.word == "failing":
            return self.set("failed", 1.0, "There are no weights.")
        self.set("running", 0.9, "mixdown")
        # The mixdown of the real worker blocks its loop: nothing is answered meanwhile.
        time.sleep(asked.mix)
        plan = plan_of(self.request)
        session = sessions.get(self.request.session_id)
        if self.clip:
            plan = session["seed_plan"]
        seconds = bars_of(plan, self.clip["bars"]) if self.clip else 16 if self.request.mode == "motif" else min(29.5, self.request.duration_seconds)
        write(self.path, 0.5 if self.word == "short" else seconds)
        spoil(self)
        # A clip that was asked for without a seed gets one of 63 bits.
        seed = self.request.seed if self.request.seed is not None or not self.clip else 1 << 62 | 1
        metadata = {
            "prompt": self.request.prompt, "seed": seed, "model_id": self.request.model_id, "duration_seconds": round(seconds),
            "extras": {"backend": "composer", "placeholder": not asked.model, "sample_rate": RATE, "bit_depth": "pcm24", "format": "wav"},
            "plan": plan,
        }
        if self.clip:
            metadata["extras"]["clip"] = {**self.clip, "loop_seconds": seconds, "loop_ready": True, "tempo_bpm": plan["tempo_bpm"]}
        self.artifact = {"job_id": self.id, "artifact_path": self.path, "metadata": metadata}
        if session and not session["seed_plan"]:
            session.update(seed_job_id=self.id, seed_prompt=self.request.prompt, seed_plan=plan, tempo_bpm=plan["tempo_bpm"], key=plan["key"])
        return self.set("succeeded", 1.0, "generation complete")


def write(path, seconds):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(3)
        file.setframerate(RATE)
        file.writeframes(b"\x01\x02\x03\x04\x05\x06" * int(RATE * seconds / 2))


def spoil(job):
    """What must never be taken for a piece, by the first word of the prompt."""
    if job.word == "cut":
        os.truncate(job.path, os.path.getsize(job.path) // 2)
    elif job.word == "text":
        with open(job.path, "w", encoding="utf-8") as file:
            file.write("This is no music.\n" * 100)
    elif job.word == "huge":
        os.truncate(job.path, 4 << 30)
    elif job.word == "link":
        # A link that leads out of the folder.
        os.rename(job.path, f"{asked.root}-away.wav")
        os.symlink(f"{asked.root}-away.wav", job.path)
    elif job.word == "device":
        os.remove(job.path)
        os.mkfifo(job.path)
    elif job.word == "outside":
        job.path = "/etc/passwd"
    elif job.word == "climbing":
        outer = f"{asked.root}/../climbing.wav"
        os.rename(job.path, outer)
        job.path = outer
    elif job.word == "gone":
        os.remove(job.path)


def bars_of(plan, bars):
    """How long they last. Four bars of a session's plan are 7.5 seconds."""
    return bars * 4 * 60 / plan["tempo_bpm"]


def plan_of(request):
    """A plan that is given is rendered as it is; a session has a tempo of its own, whatever was asked for."""
    if request.plan:
        return request.plan
    sections = [{"section_id": "s1", "role": "motif", "label": "Motif", "prompt": request.prompt, "bars": 16, "target_seconds": 29.5, "energy": "medium"}]
    return {"version": "v3", "tempo_bpm": 128 if request.session_id else 90, "time_signature": "4/4", "key": "D minor", "total_bars": 45,
            "total_duration_seconds": float(request.duration_seconds), "sections": sections}


def not_found(what):
    raise HTTPException(404, what)


@app.middleware("http")
async def admit(request: Request, call_next):
    if asked.token and request.headers.get("authorization") != f"Bearer {asked.token}":
        return JSONResponse({"detail": "a token is needed"}, 401)
    return await call_next(request)


@app.get("/health")
def health():
    lack = {} if asked.model else {"error": "torch_unavailable: No module named 'torch'"}
    return {
        "status": "ok", "default_model_id": "composer", "musicgen_default_model_id": "musicgen-stereo-medium", "artifact_root": asked.root,
        "planner_version": "v3", "available_backends": ["composer"], "warmup_complete": True, "session_count": len(sessions),
        "backend_status": {"musicgen": {"name": "musicgen", "ready": asked.model, "updated_at": now(), **lack}},
        **({"extensions": asked.extension} if asked.extension else {}),
    }


@app.post("/generate")
async def generate(request: Request, wanted: Generation):
    key = request.headers.get("idempotency-key") if "key" in asked.extension else None
    if key in keys:
        return keys[key].status()
    if wanted.prompt.startswith("unprocessable"):
        raise RequestValidationError([{"type": "value_error", "loc": ("body", "prompt"), "msg": "this prompt cannot be planned", "input": ""}])
    if wanted.session_id and wanted.session_id not in sessions:
        not_found(f"session {wanted.session_id} not found")
    if wanted.mode == "clip":
        raise HTTPException(409, "clip request missing precomputed plan")
    job = Job(wanted)
    if key:
        keys[key] = job
    if wanted.session_id:
        sessions[wanted.session_id]["jobs"].append(job)
    return job.status()


@app.get("/status/{job}")
async def status(job: str):
    found = jobs.get(job) or not_found("job not found")
    found.polls += 1
    answer = found.status()
    if found.state == "running" and found.word == "strange":
        answer |= {"state": "warming", "progress": (0.9, 0.1, -3, 1e300)[found.polls % 4], "later": {"unknown": 1}}
    if found.word == "nan":
        return Response(json.dumps(answer | {"progress": float("nan")}), media_type="application/json")
    if found.word == "flood":
        return Response('{"message":"' + "x" * (50 << 20) + '"}', media_type="application/json")
    return answer


@app.get("/artifact/{job}")
async def artifact(job: str):
    found = jobs.get(job)
    if not found or not found.artifact:
        not_found("artifact not available")
    return {**found.artifact, "artifact_path": found.path}


@app.post("/session")
async def open_session(wanted: Session):
    name = f"session-{uuid.uuid4()}"
    sessions[name] = {"session_id": name, "created_at": now(), "updated_at": now(), **wanted.model_dump(exclude={"prompt"}),
                      "seed_job_id": None, "seed_prompt": wanted.prompt, "seed_plan": None, "theme": None, "motif": None, "jobs": []}
    return summary(sessions[name])


def summary(session):
    rows = [{"job_id": job.id, "prompt": job.request.prompt, "state": job.state, "duration_seconds": None,
             "artifact_path": job.path if job.artifact else None, "layer": (job.clip or {}).get("layer"),
             "scene_index": (job.clip or {}).get("scene_index"), "bars": (job.clip or {}).get("bars")} for job in session["jobs"]]
    return {**{name: value for name, value in session.items() if name != "jobs"}, "clip_count": len(rows), "clips": rows}


@app.get("/session/{session}")
async def session_of(session: str):
    return summary(sessions.get(session) or not_found("session not found"))


@app.post("/session/{session}/clip")
async def clip(session: str, wanted: Clip):
    found = sessions.get(session) or not_found("session not found")
    if not found["seed_plan"]:
        raise HTTPException(409, "session seed plan not available")
    base = wanted.generation or Generation(prompt=wanted.prompt or found["seed_prompt"] or wanted.layer)
    request = base.model_copy(update={"session_id": session, "mode": "clip"})
    job = Job(request, {"session_id": session, "layer": wanted.layer, "bars": wanted.bars or 4, "scene_index": wanted.scene_index or 0})
    found["jobs"].append(job)
    return job.status()


def extend():
    """What the real worker does not have; `/health` names it."""
    if "cancel" in asked.extension:
        @app.delete("/status/{job}")
        async def cancel(job: str):
            found = jobs.pop(job, None) or not_found("job not found")
            found.task.cancel()
            return {"job_id": job, "state": "failed", "progress": 1.0, "message": "cancelled", "updated_at": now()}
    if "audio" in asked.extension:
        @app.get("/artifact/{job}/audio")
        async def audio(job: str, request: Request):
            found = jobs.get(job)
            if not found or not found.artifact:
                not_found("artifact not available")
            return sound(found, request.headers.get("range"))


def sound(job, wanted):
    size = os.path.getsize(job.path)
    start = int(wanted.removeprefix("bytes=").split("-")[0]) if wanted else 0
    if start >= size:
        return Response(status_code=416, headers={"content-range": f"bytes */{size}"})
    with open(f"{asked.root}/downloads", "a", encoding="utf-8") as file:
        file.write(f"{job.id} {start}\n")

    async def pieces():
        with open(job.path, "rb") as file:
            file.seek(start)
            while data := file.read(65536):
                # Each connection breaks after a while, so that the download has to go on from there.
                if job.word == "breaking" and file.tell() - start > size // 3 and file.tell() < size:
                    raise ConnectionError("This download breaks.")
                if job.word == "trickling" and start == 0 and file.tell() > size // 2 and not is_released():
                    await asyncio.sleep(3600)
                yield data
    headers = {"accept-ranges": "bytes", "content-length": str(size - start), "etag": f'"{job.id}"'}
    if wanted:
        headers["content-range"] = f"bytes {start}-{size - 1}/{size}"
    return StreamingResponse(pieces(), 206 if wanted else 200, headers, "audio/wav")


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    words.add_argument("--port", type=int, required=True)
    words.add_argument("--root", required=True)
    words.add_argument("--extension", action="append", default=[], choices=["audio", "cancel", "key"])
    words.add_argument("--token")
    words.add_argument("--mix", type=float, default=0.0)
    words.add_argument("--model", action="store_true", help="says that a model is ready")
    words.parse_args(namespace=asked)
    extend()
    uvicorn.run(app, host="127.0.0.1", port=asked.port, log_level="error", ws="none")


if __name__ == "__main__":
    main()
