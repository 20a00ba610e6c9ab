#!/usr/bin/python3
"""Side-by-side bench of playback servers. README.md says more.
  bench.py figures  [--rounds 5] [--quick] [--ours hub]                             the figures the hub is held to: one table, exit 1 when a bar fails
  bench.py trouble  [--rounds 5] [--quick]                                          what keys, many clients that come back at once, stalled readers and a day cost: one table
  bench.py secure   [--rounds 5] [--quick]                                          what pairing and TLS cost: one table
  bench.py floods   [--rounds 5] [--quick]                                          what others notice of a client that sends without end: one table
  bench.py library  [--rounds 3] [--sizes 10000,100000]                             scans beside mpd's, searches, pages, memory: one table
  bench.py sources  [--rounds 7] [--quick]                                          what two sources that hang cost a search of the library: one table
  bench.py servers  [--rounds 5] [--quick] [--parts sound40,search0]                 what the music of other servers costs: one table
  bench.py keeping  [--rounds 5] [--quick]                                           what commands notice while tracks are fetched to be kept
  bench.py composer [--rounds 5] [--quick]                                          what a composed piece costs, beside fluidsynth on its score
  bench.py accounts [--rounds 3] [--quick]                                          others' commands and the hub's memory while 20 users sign in at once
  bench.py monitoring [--rounds 3] [--quick] [--parts figures,completion]            what /metrics takes of the loop with 1,000 remotes, and completing one of 100,000 tracks
  bench.py musicrooms [--rounds 3] [--quick]                                        a change to the last of 1,000 clients of a room, and commands while the library is read
  bench.py top      [--quick]                                                        what `baton top` costs: a key to a changed screen, the processor while playing, bytes: one table
  bench.py quiet    [--quick] [--before FOLDER]                                     a room without a speaker that plays, and `baton status` beside `baton --help`: one table
  bench.py workers  [--rounds 5] [--quick]                                          how soon a piece of a worker can be played, and a cancelled one is gone
  bench.py making   [--rounds 5] [--quick] [--parts start,first]                     what pieces in the making cost the hub: one table
                    parts: start, jobs, beside, first
  bench.py radio    [--rounds 5] [--quick] [--parts sound0,back]                     what stations and kept music cost: one table
                    parts: sound0, sound40, back, rooms, writing, keeping, away, hanging
  bench.py listening [--rounds 5] [--quick] [--parts seek,feeds]                    what books, sleep timers and podcasts cost, and how exact they are: one table
                    parts: answers, seek, double, exact, chapter, fade, feeds, watch
  bench.py devices  [--rounds 3] [--quick] [--parts fetch,report]                    what devices that play along cost the hub: one table
  bench.py dialects [--rounds 3] [--quick] [--parts programs,library]                what MPD's protocol costs through the hub, beside mpd: one table
  bench.py page     [--rounds 5] [--quick] [--parts cold,grid]                       what the page takes and draws in Chromium: one table
                    parts: cold, warm, bytes, unused, moves, grid, phone, desktop
  bench.py paired   --before FOLDER [--rounds 7] [--quick]                          this build against an older one's binaries, in one run: one table
  bench.py instructions [--quick] [--record] [--tree]                               instructions of a command against those that are recorded: one table
  bench.py soak     [--minutes 60] [--clients 64] [--parts bare,watchers,soak]         memory that stands still: one table
  bench.py rounds   [--rounds 5] [--targets a,b] [--levels 0,1,10,100,1000,5000]    latency, bytes, CPU, memory, storms
  bench.py idle     [--passes 2] [--secs 6]                                         CPU and wakeups at rest
  bench.py cold     [--passes 5]                                                    cold start, first audio
  bench.py mpv                                                                      libmpv alone
  bench.py report                                                                   wide tables from results.json
  bench.py selftest                                                                 the harness itself, against the floors: about 6 s
"""
import argparse, contextlib, io, os, random, resource, shutil, signal, sys, tempfile, time

import composing
import devices
import dialects
import figures
import floods
import instructions
import keeping
import library
import monitoring
import paired
import quiet
import report
import room_clients
import runs
import secure
import servers
import sign_ins
import soak
import soak_clients
import soak_table
import sources
import targets as T
import top
import trouble
import worker_pieces

DEFAULT = "mpd,mopidy,snapcast-tcp,snapcast-ws,floor-lws,floor-lws-ev,floor-lws-queued,floor-raw,hub"


def wanted(a):
    known = T.all_targets()
    unknown = [n for n in a.targets.split(",") if n not in known]
    if unknown:
        sys.exit(f"There is no target {', '.join(unknown)}; there are {', '.join(known)}.")
    return {n: known[n] for n in a.targets.split(",")}


def do_rounds(a):
    levels = [int(x) for x in a.levels.split(",")]
    count = lambda n: {0: 400, 1: 200, 10: 200, 100: 400, 1000: 200}.get(n, max(6, min(40, 60000 // max(n, 1))))
    for rnd in range(a.rounds):
        names = list(wanted(a).items())
        random.Random(time.time()).shuffle(names)
        for name, target in names:
            row = runs.series(target, runs.watchers(target, {n: count(n) for n in levels}, a.gap_us, a.limit, storm=1000))
            runs.add("rounds", {"round": rnd, "target": name, **row})
            print(f"round {rnd} {name:18s} {row['secs']:6.1f} s {[r['fatal'] for r in row['rows'] if 'fatal' in r] or ''}", flush=True)


def do_idle(a):
    for _ in range(a.passes):
        for name, target in wanted(a).items():
            for state in ("paused", "playing"):
                if name.startswith("floor") and state == "playing":
                    continue
                row = {"target": name, **runs.rest(target, state, a.secs)}
                runs.add("idle", row)
                print("idle", name, state, [r.get("fatal") or (r["n"], {k: round(v["wakeups"] / r["wall_ms"] * 1000, 1) for k, v in r["srv"].items()}) for r in row["rows"]], flush=True)


def do_cold(a):
    for _ in range(a.passes):
        for name, target in wanted(a).items():
            row = {"target": name, **runs.cold_start(target)}
            if "audio" in target.get("mode_vars", {}):
                row.update(runs.first_audio(target))
            runs.add("cold", row)
            print("cold", row, flush=True)


def do_mpv(a):
    for sound in [False] * 3 + [True] * 5:
        row = runs.libmpv(sound)
        runs.add("libmpv", row)
        print("libmpv", row, flush=True)


def do_figures(a):
    known = T.all_targets()
    if a.ours not in known:
        sys.exit(f"There is no target {a.ours}; there are {', '.join(known)}.")
    if a.quick:
        figures.run(a.ours, known, 1, 4, (0, 100, 1000))
    elif not a.again:
        figures.run(a.ours, known, a.rounds, a.rest_secs, (0, 100, 1000, 10000))
    sys.exit(0 if figures.table(runs.load(), a.ours) else 1)


def do_trouble(a):
    if not a.again:
        trouble.run(a.ours, T.all_targets(), 1 if a.quick else a.rounds, with_day=not a.quick)
    sys.exit(0 if trouble.table(runs.load(), a.ours) else 1)


def do_secure(a):
    if not a.again:
        secure.run(a.ours, T.all_targets(), 1 if a.quick else a.rounds)
    sys.exit(0 if secure.table(runs.load(), a.ours) else 1)


def do_floods(a):
    if not a.again:
        floods.run(a.ours, T.all_targets(), 1 if a.quick else a.rounds, a.quick)
    sys.exit(0 if floods.table(runs.load(), a.ours) else 1)


def do_library(a):
    if not a.again:
        library.run(a.ours, T.all_targets(), 1 if a.quick else min(a.rounds, 3), [int(x) for x in ("10000" if a.quick else a.sizes).split(",")])
    sys.exit(0 if library.table(runs.load()) else 1)


def do_sources(a):
    if not a.again:
        sources.run(T.all_targets()[a.ours], 1 if a.quick else a.rounds)
    sys.exit(0 if sources.table(runs.load()) else 1)


def do_servers(a):
    if not a.again:
        only = [part for part in a.parts.split(",") if part in servers.JOBS]
        servers.run(T.all_targets()[a.ours], 1 if a.quick else a.rounds, only)
    sys.exit(0 if servers.table(runs.load()) else 1)


def do_keeping(a):
    if not a.again:
        keeping.run(a.ours, T.all_targets(), 1 if a.quick else a.rounds)
    sys.exit(0 if keeping.table(runs.load()) else 1)


def do_composer(a):
    if not a.again:
        composing.run(1 if a.quick else a.rounds)
    sys.exit(0 if composing.table(runs.load()) else 1)


def do_top(a):
    sys.exit(0 if top.table(top.measure(20, 10) if a.quick else top.measure()) else 1)


def do_quiet(a):
    sys.exit(0 if quiet.table(quiet.measure(a.before, 20, 15) if a.quick else quiet.measure(a.before)) else 1)


def do_musicrooms(a):
    if not a.again:
        room_clients.run(T.all_targets()[a.ours], 1 if a.quick else min(a.rounds, 3), 10000 if a.quick else 100000)
    sys.exit(0 if room_clients.table(runs.load()) else 1)


def do_accounts(a):
    if not a.again:
        sign_ins.run(T.all_targets()[a.ours], 1 if a.quick else min(a.rounds, 3))
    sys.exit(0 if sign_ins.table(runs.load()) else 1)


def do_monitoring(a):
    if not a.again:
        only = [part for part in a.parts.split(",") if part in monitoring.PARTS]
        monitoring.run(T.all_targets()[a.ours], 1 if a.quick else min(a.rounds, 3), only or monitoring.PARTS)
    sys.exit(0 if monitoring.table(runs.load()) else 1)


def do_workers(a):
    if not a.again:
        worker_pieces.run(T.all_targets()[a.ours], 1 if a.quick else a.rounds)
    sys.exit(0 if worker_pieces.table(runs.load()) else 1)


def do_making(a):
    # Here, since the other figures need none of its packages.
    import making
    if not a.again:
        only = [part for part in a.parts.split(",") if part in making.JOBS_OF]
        making.run(T.all_targets()[a.ours], 1 if a.quick else a.rounds, only)
    sys.exit(0 if making.table(runs.load()) else 1)


def do_radio(a):
    # Here, since the other figures need none of its packages.
    from radiobench import table
    if not a.again:
        only = [part for part in a.parts.split(",") if part in table.JOBS]
        table.run(T.all_targets()[a.ours], 1 if a.quick else a.rounds, only)
    sys.exit(0 if table.table(runs.load()) else 1)


def do_listening(a):
    # Here, since the other figures need none of its packages.
    from listeningbench import table
    if not a.again:
        only = [part for part in a.parts.split(",") if part in table.JOBS]
        table.run(T.all_targets()[a.ours], 1 if a.quick else a.rounds, only)
    sys.exit(0 if table.table(runs.load()) else 1)


def do_devices(a):
    if not a.again:
        only = [part for part in a.parts.split(",") if part in devices.JOBS]
        devices.run(T.all_targets()[a.ours], 1 if a.quick else min(a.rounds, 3), only)
    sys.exit(0 if devices.table(runs.load()) else 1)


def do_dialects(a):
    if not a.again:
        only = [part for part in a.parts.split(",") if part in dialects.PARTS]
        dialects.run(T.all_targets(), 1 if a.quick else min(a.rounds, 3), 10000 if a.quick else 100000, only or dialects.PARTS)
    sys.exit(0 if dialects.table(runs.load()) else 1)


def do_page(a):
    # Here, since the other figures need no browser.
    from pagebench import table
    if not a.again:
        only = [part for part in a.parts.split(",") if part in table.JOBS]
        table.run(1 if a.quick else a.rounds, only)
    sys.exit(0 if table.table(runs.load()) else 1)


def do_paired(a):
    if not a.again:
        if not a.before or not os.access(os.path.join(a.before, "batond"), os.X_OK):
            sys.exit("paired needs --before FOLDER, where the batond of the older build lies, linked in the same way as this one.")
        paired.run(T.all_targets()[a.ours], os.path.abspath(a.before), T.BATON_BIN, a.rounds, a.quick)
    sys.exit(0 if paired.table(runs.load()) else 1)


def do_instructions(a):
    watchers = instructions.WATCHERS[:1] if a.quick else instructions.WATCHERS
    sys.exit(0 if instructions.run(T.all_targets()[a.ours], watchers, a.record, a.tree) else 1)


def do_soak(a):
    if not a.again:
        soak.run(a.ours, T.all_targets(), a.minutes, a.clients, a.parts.split(","), a.only.split(",") if a.only else None)
    sys.exit(0 if soak_table.table(runs.load()) else 1)


def do_selftest(a):
    """Both wires, every phase of the load client, and the table, in a few seconds."""
    t0, tmp = time.time(), tempfile.mkdtemp(prefix="baton-bench-")
    runs.RESULTS = os.path.join(tmp, "results.json")
    known = T.all_targets()
    for name in (figures.FLOOR, "floor-raw"):
        target = known[name]
        phases = runs.watchers(target, {0: 20, 100: 20}, 2000, 20, storm=100) + ["ask volume 6 2000 200 10", "hold 0.5"]
        with T.Server(target) as s:
            s.wait_ready()
            rows = [runs.shrink(r) for r in s.fan(phases, limit=60)]
        found = [r.get("phase", r) for r in rows]
        expected = ["hold", "cmds", "cmds", "grow", "grow", "cmds", "cmds", "storm", "ask", "hold"]
        assert found == expected, f"{name}: the load client ran {found} and not {expected}"
        for r in rows:
            assert not r.get("missing_acks") and not r.get("missing_events") and not r.get("closed"), f"{name}: something was lost: {r}"
            if r["phase"] == "cmds":
                assert r["ack_us"]["n"] == 20 and r["live"] == r["n"], f"{name}: not every command was answered: {r}"
                assert r["n"] == 0 or r["last_us"]["n"] == 20, f"{name}: not every change arrived: {r}"
        storm, ask, hold = rows[-3:]
        assert storm["fresh"] == 100, f"{name}: not everyone came back: {storm}"
        assert ask["at_once_us"]["n"] == 6 and ask["answer_us"]["n"] >= 6, f"{name}: the second connection was not answered: {ask}"
        assert sum(t["main"] for t in hold["threads"]) == 1, f"{name}: the main thread was not told apart: {hold}"
        runs.add("figures", {"round": 0, "job": "fan", "target": name, "rows": rows})
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert not figures.table(runs.load(), figures.FLOOR), "the table claims that limits hold which were not measured"
    assert "| volume → last of 100, p50 |" in printed.getvalue() and "| not measured |" in printed.getvalue()
    assert figures.judge(1.0, 2.0, "times", .5) == (.5, "pass") and figures.judge(1.0, 2.0, "below", .5)[1] == "FAIL"
    assert figures.judge(1.0, None, "times", 2)[1] == "not measured" and figures.judge(5.5, None, "at most", 5)[1] == "FAIL"
    shutil.rmtree(tmp)
    # Modules of both folders are imported by their bare names, and those of the bench are found first.
    own, servers_for_tests = ({n for n in os.listdir(folder) if n.endswith(".py")} for folder in (T.HERE, os.path.join(T.HERE, "../Contract")))
    assert not own & servers_for_tests, f"the bench and Tests/Contract both have {', '.join(sorted(own & servers_for_tests))}"
    print(f"The harness works: both wires, every phase, {time.time() - t0:.1f} s.")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    does = {"figures": do_figures, "trouble": do_trouble, "secure": do_secure, "floods": do_floods, "library": do_library, "sources": do_sources, "servers": do_servers, "keeping": do_keeping, "composer": do_composer, "workers": do_workers, "top": do_top, "musicrooms": do_musicrooms, "accounts": do_accounts, "monitoring": do_monitoring, "making": do_making, "radio": do_radio, "listening": do_listening, "devices": do_devices, "dialects": do_dialects, "quiet": do_quiet, "page": do_page, "paired": do_paired, "instructions": do_instructions, "soak": do_soak, "rounds": do_rounds, "idle": do_idle, "cold": do_cold, "mpv": do_mpv, "report": lambda a: report.main(runs.load()), "selftest": do_selftest}
    p.add_argument("what", choices=list(does))
    p.add_argument("--targets", default=DEFAULT)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--sizes", default="10000,100000", help="library: how many tracks")
    p.add_argument("--before", help="paired, quiet: the folder with the binaries of the older build")
    p.add_argument("--minutes", type=float, default=60, help="soak: how long")
    p.add_argument("--clients", type=int, default=64, help="soak: how many at the same time")
    p.add_argument("--parts", default=",".join(soak.PARTS), help="soak, servers, making, radio, listening, devices, dialects, page: which parts")
    p.add_argument("--only", help=f"soak: clients of these kinds alone, to see who makes memory grow: {', '.join([*soak_clients.Client.CHANNELS, *soak_clients.RARE])}")
    p.add_argument("--levels", default="0,1,10,100,1000,5000")
    p.add_argument("--limit", type=int, default=20, help="seconds at most for one series of commands")
    p.add_argument("--gap-us", type=int, default=25000, dest="gap_us", help="pause after the last watcher has seen a change, the same for every target: a paced hub must not be hurried")
    p.add_argument("--passes", type=int, default=2)
    p.add_argument("--secs", type=float, default=6, help="idle: seconds at rest")
    p.add_argument("--rest-secs", type=float, default=30, dest="rest_secs", help="figures: seconds at rest, more than one period of the protocol's liveness")
    p.add_argument("--ours", default="hub", help="figures, trouble, secure, floods, library, sources, servers, radio, soak: the target that is held to the bars")
    p.add_argument("--record", action="store_true", help="instructions: writes the figures into instructions.json")
    p.add_argument("--tree", action="store_true", help="instructions: the functions that cost most, and no bars")
    p.add_argument("--quick", action="store_true", help="figures: one round, without the 10,000 watchers; trouble: one round, no day; secure: one round; floods: one round, half the commands; library: one round, 10,000 tracks; sources, servers, radio, listening, page: one round; paired: without memory and library; instructions: without watchers")
    p.add_argument("--again", action="store_true", help="figures, trouble, secure, floods, library, sources, servers, radio, listening, page, paired, soak: print the table of the last run")
    a = p.parse_args()
    # Servers inherit the limit: some peers do not raise their own.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))   # so that servers are stopped on the way out
    if a.what != "report" and not a.again:
        runs.make()
    does[a.what](a)


if __name__ == "__main__":
    main()
