# deploy/test: tier 2, first Pieces.test_made.
# deploy/test: judges Sources/Features/Making/MusicWorkers Sources/Features/Making/BatonMaking Sources/Platform/Stores/JobStore.
# deploy/test: judges Sources/Programs/baton-composer Tests/Contract/musicworker.py.
# deploy/test: waits, mostly for the pace at which jobs are polled and tried again.
"""Hub and workers over HTTP: pieces arrive once and whole, whatever is lost, restarted, killed or cancelled on the way."""

import contextlib
import json
import os
import subprocess
import unittest
import urllib.error
import urllib.request

import mutagen

from Support.hubs import IS_SLOW, main, wait
from Support.remote import Remote
from Support.suite import chosen_if, possible_if, slow
from Support.workercase import WorkerCase as Case
from Support.workers import Composer, LosingProxy, Real, Service, SilentServer


class Pieces(Case):
    def test_made(self):
        """A piece is shown while it is made, is as long as its file, plays, and its description is kept byte for byte."""
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("held rain on tin /duration 120 /seed 18446744073709551615", "--play")
        job = self.job("progress is seen", lambda job: job["st"] == "running" and job.get("pct", 0) >= 60)
        self.assertIn("rendering 3/3", job["msg"])
        service.release()
        job = self.ends("ready")
        self.assertAlmostEqual(job["dur"], 29500, delta=50)
        status = self.home.reaches("it plays", lambda status: (status.get("tl") or {}).get("st") == "playing")
        self.assertEqual(status["now"]["uri"], job["uri"])
        remote = service.lines("submitted")[0].split()[0]
        with open(f"{self.folder(job)}/metadata.json", "rb") as file:
            kept = file.read()
        self.assertEqual(kept, service.ask(f"/artifact/{remote}")[1])
        self.assertEqual(json.loads(kept)["metadata"]["seed"], 18446744073709551615)

    def test_stored(self):
        """Sound is stored as FLAC with the same samples, its tags name piece and people; what it came as goes when it is not queued."""
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("held rain on tin", "--no-queue")
        service.release()
        job = self.ends("ready")
        flac = self.stored(job)
        remote = service.lines("submitted")[0].split()[0]
        self.assertTrue(self.same_samples(flac, f"{service.root}/{remote}.wav"))
        tags = mutagen.File(flac)
        self.assertEqual((tags["title"], tags["artist"], tags["prompt"]), ([job["title"]], ["studio"], ["held rain on tin"]))
        self.assertTrue(tags["performer"][0] and tags.pictures)
        wait("the first file is removed", lambda: not os.path.exists(f"{self.folder(job)}/sound.wav"))
        self.home.baton("play", job["uri"])
        self.home.reaches("it plays", lambda status: (status.get("tl") or {}).get("st") == "playing")

    def test_restarted(self):
        """A worker that was restarted has forgotten the job, which is made anew; a hub that was killed goes on with the same one."""
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("held one")
        before = self.job("it is made", lambda job: job["st"] == "running")
        self.hub.kill()
        self.begin()
        self.job("the hub goes on", lambda job: job["st"] == "running")
        self.assertEqual(self.prompts(service), ["held one"])
        service.kill()
        self.job("the worker is away", lambda job: job["st"] == "offline" and job["msg"])
        self.assertEqual(self.workers()["studio"]["st"], "down")
        service.start()
        self.job("it is made anew", lambda job: job["st"] == "running")
        service.release()
        after = self.ends("ready")
        self.assertEqual((after["job"], len(self.jobs())), (before["job"], 1))
        self.assertEqual(self.prompts(service), ["held one", "held one"])

    def test_cancelled(self):
        """A worker without an extension goes on with a cancelled job; its late file is deleted, also by a hub that was killed."""
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("held one")
        self.job("it is made", lambda job: job["st"] == "running")
        self.home.baton("jobs", "cancel", "1")
        self.ends("cancelled")
        self.hub.kill()
        self.begin()
        service.release()
        remote = service.lines("submitted")[0].split()[0]
        wait("the worker has made it", lambda: json.loads(service.ask(f"/status/{remote}")[1])["state"] == "succeeded")
        wait("its file is deleted", lambda: not os.path.exists(f"{service.root}/{remote}.wav"))
        self.assertEqual(self.jobs()[0]["st"], "cancelled")

    def test_lost_answers(self):
        """However many answers to submissions are lost, there are as many jobs as prompts."""
        service = self.service()
        wanted = self.lose(service, 200 if IS_SLOW else 24)
        self.assertEqual(self.prompts(service), wanted)

    def test_lost_clips(self):
        """Whatever answer is lost, a session has one first piece there, and each clip is made once."""
        service = self.service()
        proxy = LosingProxy(service.url, 4)
        self.addCleanup(proxy.close)
        self.begin(f"[worker studio]\nurl = {proxy.url}\nartifact_map = {service.root}:{service.root}")
        self.home.baton("clips", "start", "plan", "--worker", "studio")
        for layer in ("bass", "rhythm", "lead"):
            self.home.baton("clips", "add", layer, layer, "--bars", "1")
        clips = self.session("all clips sound", 3, 60)["clips"]
        self.assertLess(proxy.left, 1)
        self.assertEqual(self.prompts(service), ["bass", "lead", "plan", "rhythm"])
        # The plan of the worker counts, and the length of the file.
        session = self.session("all clips sound", 3)
        self.assertEqual((session["tempo"], session["scenes"][0]["dur"]), (128, 1875))
        with open(f"{self.home.folder}/state/baton/generated/{clips[0]['job']}/metadata.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["metadata"]["extras"]["clip"]["loop_seconds"], 1.875)

    def test_forgotten(self):
        """A worker that forgets the session between its opening and the submission gets a new one, and makes the piece once."""
        service = self.service()
        proxy = LosingProxy(service.url, 0, unknown=2)
        self.addCleanup(proxy.close)
        self.begin(f"[worker studio]\nurl = {proxy.url}\nartifact_map = {service.root}:{service.root}")
        self.imagine("one")
        self.ends("ready", limit=60)
        self.assertEqual((self.prompts(service), len(self.jobs())), (["one"], 1))
        self.assertEqual(json.loads(service.ask("/health")[1])["session_count"], 3)

    def test_slow(self):
        """A worker that answers nothing while it mixes is not down, and its piece arrives."""
        service = self.service(more=("--mix", "4"))
        self.begin(self.mapped(service))
        self.assertEqual(self.workers()["studio"]["st"], "placeholder")
        self.imagine("one")
        self.job("it is made", lambda job: job["st"] == "running")
        seen = set()
        self.job("it is ready", lambda job: seen.add(self.workers()["studio"]["st"]) or job["st"] == "ready")
        self.assertEqual(seen, {"placeholder"})


class Extensions(Case):
    def remote(self, service):
        return f"[worker studio]\nurl = {service.url}\ntoken_file = {self.home.secret('token', 'sesame')}"

    def test_audio(self):
        """Without a shared disk the sound comes by HTTP; a download that breaks goes on from there, also after a kill of the hub."""
        service = self.service("audio", token="sesame")
        self.begin(self.remote(service))
        self.imagine("breaking one")
        job = self.ends("ready")
        starts = [int(line.split()[1]) for line in service.lines("downloads")]
        self.assertEqual((starts, starts[0], len(starts) >= 3), (sorted(set(starts)), 0, True))
        remote = service.lines("submitted")[0].split()[0]
        self.assertTrue(self.same_samples(self.stored(job), f"{service.root}/{remote}.wav"))
        self.imagine("trickling two")
        self.ends("fetching")
        part = f"{self.folder(self.jobs()[0])}/sound.new.part"
        wait("half of it is there", lambda: os.path.exists(part) and os.path.getsize(part) > 1 << 20)
        self.hub.kill()
        self.begin()
        self.ends("ready")
        self.assertGreater(int(service.lines("downloads")[-1].split()[1]), 1 << 20)
        self.assertEqual(self.prompts(service), ["breaking one", "trickling two"])

    def test_cancel(self):
        """A worker that can be told ends a cancelled job at once."""
        service = self.service("cancel", "audio")
        self.begin(f"[worker studio]\nurl = {service.url}")
        self.imagine("held one")
        self.job("it is made", lambda job: job["st"] == "running")
        self.home.baton("jobs", "cancel", "1")
        remote = service.lines("submitted")[0].split()[0]
        wait("the worker has ended it", lambda: service.ask(f"/status/{remote}")[0] == 404)

    def test_key(self):
        """With keys no session is opened, and a lost answer is asked for again by the key."""
        service = self.service("key", "audio")
        proxy = LosingProxy(service.url, 3)
        self.addCleanup(proxy.close)
        self.begin(f"[worker studio]\nurl = {proxy.url}")
        self.imagine("one")
        self.ends("ready")
        self.assertEqual(self.prompts(service), ["one"])
        self.assertEqual(json.loads(service.ask("/health")[1])["session_count"], 0)
        self.assertLess(proxy.left, 1)

    def test_none(self):
        """Without a map and without the extension the sentence says where the file is and what to do."""
        service = self.service()
        self.begin(f"[worker studio]\nurl = {service.url}")
        self.imagine("one")
        self.assertIn("on the disk of the worker", self.ends("failed")["msg"])

    def test_added(self):
        """A worker is added, chosen and removed while the hub runs, and says how it is."""
        service = self.service("audio", token="sesame")
        self.begin("[worker tones]\nprogram = /bin/true\nsandbox = off")
        token = self.home.secret("token", "sesame")
        refused = self.home.run(f"{os.path.dirname(self.hub.process.args[0])}/baton", "worker", "add", "studio", service.url)
        self.assertIn("401", refused.stderr)
        self.home.baton("worker", "add", "studio", service.url, "--token-file", token)
        self.home.baton("worker", "default", "studio")
        self.home.baton("imagine", "one")
        self.assertEqual(self.ends("ready")["worker"], "studio")
        row = self.workers()["studio"]
        self.assertEqual((row["st"], row["usual"], row["can"]), ("placeholder", 1, ["audio"]))
        self.assertIn("torch_unavailable", row["msg"])
        self.assertIn("musicgen-stereo-medium", row["models"])
        self.assertNotIn("sesame", json.dumps(row))
        self.home.baton("worker", "remove", "--yes", "studio")
        self.assertEqual(os.listdir(f"{self.home.folder}/state/baton/workers"), ["workers.conf"])
        self.home.baton("worker", "add", "other", "--program", "/bin/false", "--no-sandbox", "--untested")
        self.assertEqual(self.workers()["other"]["program"], "/bin/false")


class Alike:
    """What holds for each worker over HTTP, whoever wrote it."""

    words = "slow piano /duration 90 /seed 7"

    def worker(self):
        service = self.make()
        self.addCleanup(service.kill)
        return service.start()

    def section(self, service):
        return f"[worker studio]\nurl = {service.url}"

    def test_endpoints(self):
        """The endpoints answer, and refuse, in the forms of the contract."""
        service = self.worker()

        def asked(path, body=None):
            status, content = service.ask(path, body)
            return status, json.loads(content)
        status, health = asked("/health")
        self.assertEqual((status, health["status"]), (200, "ok"))
        self.assertLessEqual({"artifact_root", "backend_status", "default_model_id", "session_count"}, set(health))
        for path in ("/status/none", "/artifact/none", "/session/session-none"):
            self.assertEqual((asked(path)[0], type(asked(path)[1]["detail"])), (404, str), path)
        status, complaint = asked("/generate", {"prompt": ""})
        self.assertEqual((status, complaint["detail"][0]["loc"]), (422, ["body", "prompt"]))
        self.assertEqual(asked("/generate", {"prompt": "a", "duration_seconds": 301})[0], 422)
        self.assertEqual(asked("/generate", {"prompt": "a", "session_id": "session-none"})[0], 404)
        session = asked("/session", {"name": "one"})[1]
        self.assertEqual((session["clips"], session["seed_plan"], session["name"]), ([], None, "one"))
        clips = f"/session/{session['session_id']}/clip"
        self.assertEqual(asked(clips, {"layer": "bass"})[0], 409)
        self.assertEqual(asked("/session/session-none/clip", {"layer": "bass"})[0], 404)
        job = asked("/generate", {"prompt": "slow piano", "mode": "motif", "session_id": session["session_id"]})[1]
        self.assertEqual((set(job), job["state"]), ({"job_id", "state", "progress", "message", "updated_at"}, "queued"))
        done = wait("it is made", lambda: asked(f"/status/{job['job_id']}")[1]["state"] == "succeeded", 60)
        self.assertTrue(done)
        session = asked(f"/session/{session['session_id']}")[1]
        self.assertEqual([row["job_id"] for row in session["clips"]], [job["job_id"]])
        self.assertEqual((session["seed_job_id"], type(session["seed_plan"])), (job["job_id"], dict))
        self.assertEqual(asked(clips, {"layer": "drums"})[0], 422)
        self.assertEqual(asked(clips, {"layer": "bass", "bars": 65})[0], 422)
        clip = asked(clips, {"layer": "bass", "bars": 1, "scene_index": 2, "generation": {"prompt": "deep bass", "seed": 2 ** 63 - 1}})[1]
        wait("the clip is made", lambda: asked(f"/status/{clip['job_id']}")[1]["state"] == "succeeded", 60)
        row = asked(f"/session/{session['session_id']}")[1]["clips"][1]
        self.assertEqual((row["job_id"], row["layer"], row["scene_index"], row["bars"]), (clip["job_id"], "bass", 2, 1))
        about = asked(f"/artifact/{clip['job_id']}")[1]["metadata"]["extras"]["clip"]
        self.assertEqual((about["layer"], about["bars"]), ("bass", 1))
        artifact = asked(f"/artifact/{job['job_id']}")[1]
        self.assertTrue(os.path.exists(artifact["artifact_path"]))
        self.assertGreater(artifact["metadata"]["plan"]["tempo_bpm"], 39)

    def test_made(self):
        """A piece is made, and plays."""
        service = self.worker()
        self.begin(self.section(service))
        self.imagine(self.words, "--play")
        job = self.ends("ready", limit=60)
        status = self.home.reaches("it plays", lambda status: (status.get("tl") or {}).get("st") == "playing")
        self.assertEqual(status["now"]["uri"], job["uri"])
        self.assertGreater(job["dur"], 10000)

    def test_clips(self):
        """Clips of a session have its worker's plan, sound together, and still fit when the worker has forgotten the session."""
        service = self.worker()
        self.begin(self.section(service))
        self.home.baton("clips", "start", self.words.split(" /")[0], "--worker", "studio")
        self.home.baton("clips", "add", "bass", "--bars", "2")
        self.home.baton("clips", "add", "rhythm", "--bars", "1")
        before = self.session("two clips sound", 2)
        service.kill()
        service.start()
        self.home.baton("clips", "add", "lead", "--bars", "1")
        after = self.session("the third clip sounds", 3, 60)
        self.assertEqual((after["tempo"], after["key"], after["worker"]), (before["tempo"], before["key"], "studio"))
        # Two bars, whatever the worker says of their length: of two beats in 6/8, of three, or of four.
        self.assertIn(round(after["scenes"][0]["dur"] * after["tempo"] / 60_000), (4, 6, 8))
        self.assertEqual(after["scenes"][0]["dur"], before["scenes"][0]["dur"])


class Extended(Alike):
    """What holds for those with all extensions."""

    held = "techno /duration 180"

    def test_killed(self):
        """A hub that is killed in the midst of a job goes on with the same one; a cancelled job ends at the worker."""
        service = self.worker()
        self.begin(self.section(service))
        self.imagine(self.held)
        self.job("it is made", lambda job: job["st"] == "running")
        remote = service.made()[0]
        self.hub.kill()
        self.begin()
        self.job("the hub goes on", lambda job: job["st"] == "running")
        self.assertEqual(service.made(), [remote])
        self.home.baton("jobs", "cancel", "1")
        wait("the worker has ended it", lambda: service.ask(f"/status/{remote}")[0] == 404)


class OurServer(Extended, Case):
    held = "held one"

    def make(self):
        return Service(f"{self.home.folder}/worker", "audio", "cancel", "key")


@unittest.skipUnless(os.path.exists("/usr/share/sounds/sf2"), "there is no sound font here")
class OurComposer(Extended, Case):
    def make(self):
        return Composer(f"{self.home.folder}/worker")

    def test_restarted(self):
        """A worker that was killed makes the job anew when it is back."""
        service = self.worker()
        self.begin(self.section(service))
        self.imagine(self.held)
        before = self.job("it is made", lambda job: job["st"] == "running")
        service.kill()
        self.ends("offline")
        service.start()
        after = self.job("it is made anew", lambda job: job["st"] == "running")
        self.assertEqual(after["job"], before["job"])

    def test_guarded(self):
        """It serves no page of a browser, and nothing but its own machine."""
        service = self.worker()
        request = urllib.request.Request(f"{service.url}/health", headers={"Origin": "https://elsewhere.example"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        self.assertEqual(refused.exception.code, 403)
        listening = self.home.run("/usr/bin/ss", "-Hltnp").stdout if os.path.exists("/usr/bin/ss") else ""
        self.assertNotIn(f"0.0.0.0:{service.port}", listening)


# deploy/test --timbre DIR names a checkout of the real worker.
@chosen_if(os.environ.get("BATON_TIMBRE"))
class RealWorker(Alike, Case):
    words = "slow piano /duration 120 /seed 7"

    def make(self):
        return Real(f"{self.home.folder}/worker")

    def section(self, service):
        return self.mapped(service)

    def test_lost_answers(self):
        """Of each submission whose answer is lost there is one piece."""
        service = self.worker()
        wanted = self.lose(service, 16)
        self.assertEqual(len(service.made()), len(wanted))


class Trouble(Case):
    WORDS = [
        ("unprocessable", "422"), ("failing", "no weights"), ("cut", "ends before its sound does"), ("text", "no WAV and no FLAC"),
        ("huge", "larger than 1 GiB"), ("link", "cannot be read here"), ("device", "cannot be read here"),
        ("outside", "artifact_map does not reach"), ("climbing", "cannot be read here"), ("gone", "cannot be read here"), ("flood", "large"),
    ]

    def test_refused(self):
        """What a worker refuses, what fails there, and files that are none are each a sentence, and leave nothing."""
        service = self.service()
        self.begin(self.mapped(service))
        for word, part in self.WORDS:
            with self.subTest(word):
                self.imagine(word, "--no-queue")
                job = self.job(word, lambda job, word=word: job["title"] == word and job["st"] == "failed", limit=60)
                self.assertIn(part, job["msg"])
                wait("its files are deleted", lambda job=job: not os.path.exists(self.folder(job)))

    @possible_if(os.geteuid() == 0, "only root can mount a small disk")
    def test_full_disk(self):
        """On a full disk the job waits with a sentence and is made when there is room."""
        folder = f"{self.home.folder}/state/baton/generated"
        os.makedirs(folder, 0o700)
        os.chmod(f"{self.home.folder}/state/baton", 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "baton-test", folder], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", folder], check=True)
        service = self.service("audio")
        self.begin(self.mapped(service), f"[worker apart]\nurl = {service.url}")
        for worker in ("studio", "apart"):
            self.imagine(worker, "--no-queue", worker=worker)
            self.assertIn("disk is full", self.ends("offline")["msg"])
        subprocess.run(["mount", "-o", "remount,size=32m", folder], check=True)
        for number in ("1", "2"):
            self.home.baton("jobs", "retry", number)
        wait("both are made", lambda: [job["st"] for job in self.jobs()] == ["ready", "ready"])

    def test_no_bubblewrap(self):
        """A program is not run without its sandbox, and the sentence says what to do."""
        start = self.home.start

        def apart(*words, **options):
            hidden = 'mount --bind /dev/null /usr/bin/bwrap && exec "$0" "$@"'
            return start("unshare", "-rm", "bash", "-c", hidden, *words, **options)
        self.home.start = apart
        if not os.path.exists("/usr/bin/bwrap"):
            self.home.start = start
        self.begin("[worker tones]\nprogram = /bin/true", "[worker bare]\nprogram = /bin/true\nsandbox = off")
        self.imagine("one", worker="tones")
        self.assertIn("Install the package bubblewrap", self.ends("failed")["msg"])
        rows = self.workers()
        self.assertEqual((rows["tones"]["st"], rows["bare"]["st"]), ("down", "ready"))
        self.imagine("two", worker="bare")
        self.assertIn("made nothing", self.ends("failed")["msg"])

    def test_strange(self):
        """States of a newer worker and progress that goes backward or nowhere do no harm."""
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("strange one")
        self.assertEqual(self.ends("ready")["st"], "ready")

    @slow
    def test_nonsense(self):
        """A worker whose answers cannot be read fails in the end, with a sentence."""
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("nan one")
        self.assertIn("cannot be read", self.ends("failed", limit=90)["msg"])

    @possible_if(os.geteuid() == 0, "only root can mount a small disk")
    def test_full_store(self):
        """Where a job cannot be noted the prompt is refused with a sentence; with room the same press makes it once."""
        data = f"{self.home.folder}/state/baton"
        os.makedirs(data, 0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40m,mode=700", "baton-test", data], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", data], check=True)
        service = self.service()
        self.begin(self.mapped(service))
        self.imagine("one", "--no-queue")
        self.ends("ready")
        ballast = f"{data}/ballast"
        with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        press = {"kind": "generation", "worker": "studio", "at": "none"}
        with Remote(self.hub.port, "imagining") as remote:
            # A log that is used again has some room left.
            for number in range(200):
                prompt, key = f"two {'and more ' * 50}{number}", f"press-{number}"
                answer = remote.ask("job.start", press | {"text": prompt[:500]}, key)
                if not answer["ok"]:
                    break
            self.assertEqual(answer["err"]["code"], "unavailable", answer)
            self.assertIn("disk", answer["err"]["msg"])
            # Where the store had room for the job and the journal none for the answer, the job is withdrawn.
            before = len([job for job in self.jobs() if job["st"] != "cancelled"])
            os.remove(ballast)
            answer = remote.ask("job.start", press | {"text": prompt[:500]}, key)
            self.assertTrue(answer["ok"], answer)
            self.assertEqual(len(self.jobs()), before + 1)
        # Those that were answered found no room for their sound.
        wait("each has been tried", lambda: all(job["st"] in ("ready", "offline") for job in self.jobs()), 60)
        for number, job in enumerate(self.jobs(), 1):
            if job["st"] == "offline":
                # Of the piece, or of the store that notes how far the job is.
                self.assertRegex(job["msg"], "disk is full|no room left on the disk")
                self.home.baton("jobs", "retry", str(number))
        wait("all are made", lambda: all(job["st"] == "ready" for job in self.jobs()), 60)
        self.assertEqual(len(self.prompts(service)), before + 1)

    def test_silent(self):
        """A worker that accepts and never answers holds up no other; its job waits, and is cancelled at once."""
        service, silent = self.service(), SilentServer()
        self.addCleanup(silent.close)
        self.begin(self.mapped(service), f"[worker silent]\nurl = {silent.url}")
        self.imagine("one", "--no-queue", worker="silent")
        self.imagine("two", "--no-queue")
        jobs = wait("the other is made", lambda: (jobs := {job["title"]: job for job in self.jobs()}) and jobs["two"]["st"] == "ready" and jobs)
        self.assertEqual(jobs["one"]["st"], "submitting")
        if IS_SLOW:
            job = self.job("it is away", lambda job: job["st"] == "offline" and job["msg"], at=1, limit=120)
            self.assertIn("127.0.0.1", job["msg"])
        self.home.baton("jobs", "cancel", "2")
        self.ends("cancelled", at=1)

    def test_away(self):
        """A job of a worker that is not there waits, and is made when it is."""
        service = Service(f"{self.home.folder}/worker")
        self.addCleanup(service.kill)
        self.begin(self.mapped(service))
        self.imagine("one")
        job = self.ends("offline")
        self.assertIn("127.0.0.1", job["msg"])
        service.start()
        self.assertEqual(self.ends("ready")["job"], job["job"])
        self.assertEqual(self.prompts(service), ["one"])


if __name__ == "__main__":
    main()
