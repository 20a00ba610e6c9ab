"""Wide tables from results.json: medians over rounds, ratios against mpd and against the floor."""
from runs import median as med

ORDER = ["hub", "mpd", "mopidy", "snapcast-tcp", "snapcast-ws", "floor-lws", "floor-lws-ev", "floor-lws-queued", "floor-lws-uv", "floor-raw"]


def num(x, unit=""):
    if x is None:
        return "–"
    a = abs(x)
    return (f"{x:,.0f}" if a >= 100 else f"{x:.1f}" if a >= 10 else f"{x:.2f}" if a >= .1 or not a else f"{x:.3f}") + unit


def us(x):
    return None if x is None else x / 1000


def names(found):
    return [n for n in ORDER if n in found] + sorted(n for n in found if n not in ORDER)


def table(title, cols, rows, note=""):
    """rows: {target: [value per column]}; a value with its ratios against mpd and floor-lws"""
    print(f"\n### {title}\n")
    if note:
        print(note + "\n")
    print("| target | " + " | ".join(cols) + " |")
    print("|---|" + "---:|" * len(cols))
    for n in names(rows):
        cells = []
        for i, v in enumerate(rows[n]):
            s = num(v)
            r = []
            for ref in ("mpd", "floor-lws"):
                b = rows.get(ref, [None] * len(cols))[i] if ref in rows else None
                r.append(num(v / b, "×") if v is not None and b else "–")
            cells.append(s + ("" if v is None else f" ({r[0]}, {r[1]})"))
        print(f"| {n} | " + " | ".join(cells) + " |")


def cmds(d, kind, n):
    out = {}
    for r in d["rounds"]:
        for x in r["rows"]:
            if x.get("phase") == "cmds" and x["kind"] == kind and x["n"] == n:
                out.setdefault(r["target"], []).append(x)
    return out


def pick(rows, *path, good=True):
    out = []
    for x in rows:
        v = x
        for p in path:
            v = v.get(p) if isinstance(v, dict) else None
        if v is not None and v >= 0:
            out.append(v)
    return out


def total(x, what):
    return sum(s[what] for s in x["srv"].values())


def summary(d):
    cols = [n for n in ORDER if any(r["target"] == n for r in d["rounds"])]
    rows = []
    def add(label, f):
        rows.append((label, [f(n) for n in cols]))
    get = lambda k, n, t: cmds(d, k, n).get(t, [])
    for k in ("toggle", "volume"):
        for n in (0, 100, 1000):
            for p in ("p50", "p99"):
                add(f"{k} → ack, {n} watchers, {p}, ms", lambda t: us(med(pick(get(k, n, t), "ack_us", p))))
    for k in ("toggle", "volume"):
        for p in ("p50", "p99"):
            add(f"{k} → state at another client (N=1), {p}, ms", lambda t: us(med(pick(get(k, 1, t), "w0_us", p))))
        for n in (100, 1000, 5000, 10000):
            for p in ("p50", "p99") if n < 5000 else ("p50",):
                add(f"{k} → state at the last of {n:,}, {p}, ms", lambda t: us(med(pick(get(k, n, t), "last_us", p))))
    for k in ("toggle", "volume"):
        add(f"bytes per {k} change per watcher, with TCP/IP headers", lambda t: med([a["rx_per_change"] + a["tx_per_change"] + 52 * a["segs_per_change"] for a in get(k, 100, t)]))
    for k in ("toggle", "volume"):
        add(f"CPU s per 1,000 {k}s, 100 watchers", lambda t: med([total(x, "cpu_us") / x["count"] / 1e3 for x in get(k, 100, t)]))
    def mem(t, i):
        v = []
        for r in d["rounds"]:
            h = [x for x in r["rows"] if x.get("phase") == "hold"]
            g = [x for x in r["rows"] if x.get("phase") == "grow" and x["n"] == 1000]
            if r["target"] == t and h and g:
                a, b = h[0]["srv"]["server"]["own_kib"], g[0]["srv"]["server"]["own_kib"]
                v.append((a / 1024, b / 1024, (b - a) / 1000)[i])
        return med(v)
    for i, label in enumerate(("RSS idle, MiB", "RSS with 1,000 watchers, MiB", "KiB per connection")):
        add(label, lambda t: mem(t, i))
    def rest(t, state, n, what):
        return med([total(r, what) / r["wall_ms"] * (.1 if what == "cpu_us" else 1000) for x in d["idle"] if x["target"] == t and x["state"] == state for r in x["rows"] if r.get("n") == n and "srv" in r])
    for state in ("paused", "playing"):
        for n in (0, 100):
            add(f"CPU at rest, {state}, {n} watchers, % of a core", lambda t: rest(t, state, n, "cpu_us"))
            add(f"wakeups/s at rest, {state}, {n} watchers", lambda t: rest(t, state, n, "wakeups"))
    for k, label in (("ready_ms", "process start → first answer, ms"), ("play_to_audio_ms", "play → first PCM byte, ms")):
        add(label, lambda t: med([x.get(k) for x in d["cold"] if x["target"] == t]))
    add("1,000 reconnect at once → all fresh, ms", lambda t: med([x["all_ms"] for r in d["rounds"] if r["target"] == t for x in r["rows"] if x.get("phase") == "storm" and x["n"] == 1000]))
    print("\n### Key medians\n\n| | " + " | ".join(cols) + " |\n|---|" + "---:|" * len(cols))
    for label, v in rows:
        if any(x is not None for x in v):
            print(f"| {label} | " + " | ".join(num(x) for x in v) + " |")


def main(d):
    if not d["rounds"]:
        print("No rounds in the results yet: run bench.py rounds first.")
        return
    levels = sorted({x["n"] for r in d["rounds"] for x in r["rows"] if x.get("phase") == "cmds"})
    kinds = ["toggle", "volume"]
    rounds = {}
    for r in d["rounds"]:
        rounds[r["target"]] = rounds.get(r["target"], 0) + 1
    print("Rounds per target: " + ", ".join(f"{n} {rounds[n]}" for n in names(rounds)) +
          f"; machine busy (both cores, all processes) median {num(100 * (med([r['machine_busy'] for r in d['rounds']]) or 0))} %, "
          f"one-minute load {num(min(r['load1'] for r in d['rounds']))}–{num(max(r['load1'] for r in d['rounds']))}.")
    print("Each cell: median over rounds (ratio to mpd, ratio to floor-lws). A ratio under 1 is better than that reference.")
    fatal = {}
    for r in d["rounds"]:
        for x in r["rows"]:
            if "fatal" in x:
                fatal.setdefault(r["target"], []).append(x["fatal"])
    for n, f in fatal.items():
        print(f"\n**{n}**: {len(f)} round(s) cut short: {f[0]}")
    miss = {}
    for r in d["rounds"]:
        for x in r["rows"]:
            if x.get("phase") == "cmds" and (x["missing_acks"] or x["missing_events"] or x["closed"] or x["error_acks"]):
                miss.setdefault(r["target"], []).append((x["kind"], x["n"], x["missing_acks"], x["missing_events"], x["closed"], x["error_acks"]))
    summary(d)
    print("\nMissing acks, events or connections: " + ("none" if not miss else str(miss)))

    for k in kinds:
        for n in (0, 100, 1000, 5000):
            c = cmds(d, k, n)
            if c:
                table(f"a. {k}: command → ack, ms, {n} watchers", ["p50", "p95", "p99"],
                      {t: [us(med(pick(v, "ack_us", p))) for p in ("p50", "p95", "p99")] for t, v in c.items()})
                print("\np50 per round, ms: " + "; ".join(f"{t} {num(us(min(pick(v, 'ack_us', 'p50'))))}–{num(us(max(pick(v, 'ack_us', 'p50'))))}" for t, v in ((t, c[t]) for t in names(c)) if pick(v, "ack_us", "p50")))
    for k in kinds:
        c = cmds(d, k, 1)
        table(f"b. {k}: command → state at another client, ms, N = 1", ["p50", "p95", "p99"],
              {t: [us(med(pick(v, "w0_us", p))) for p in ("p50", "p95", "p99")] for t, v in c.items()})
        for what, label in (("last_us", "the LAST of N watchers"), ("any_us", "any one of N watchers (all pooled)")):
            for p in ("p50", "p95", "p99"):
                if what == "any_us" and p == "p95":
                    continue
                cols = [n for n in levels if n]
                t = {}
                for n in cols:
                    for name, v in cmds(d, k, n).items():
                        t.setdefault(name, {})[n] = us(med(pick(v, what, p)))
                table(f"b. {k}: command → state at {label}, {p}, ms", [f"N={n}" for n in cols], {a: [x.get(n) for n in cols] for a, x in t.items()})
        mp = {n: cmds(d, k, n).get("mpd", []) for n in levels if n}
        print(f"\nmpd, {k}: `changed:` notice alone at the last watcher, p50 ms (the state needs a further request): " +
              ", ".join(f"N={n}: {num(us(med(pick(v, 'note_last_us', 'p50'))))}" for n, v in mp.items()))
    rows = {}
    for k in kinds:
        for t, v in cmds(d, k, 100).items():
            x = rows.setdefault(t, [])
            x += [med(pick(v, "rx_per_change")), med(pick(v, "tx_per_change")), med([a["rx_per_change"] + a["tx_per_change"] + 52 * a["segs_per_change"] for a in v])]
    table("c. bytes per state change per watcher, 100 watchers", [f"{k} {w}" for k in kinds for w in ("received", "sent", "with TCP/IP headers")],
          {t: x for t, x in rows.items() if len(x) == 6}, "Headers: 52 bytes for each segment either way (TCP_INFO).")
    rows = {}
    for k in kinds:
        for t, v in cmds(d, k, 100).items():
            rows.setdefault(t, []).append(med([total(x, "cpu_us") / x["count"] / 1e3 for x in v]))
    table("d. server CPU seconds per 1,000 commands, 100 watchers", kinds, rows, "All processes of the target (Snapcast: server and one player); playback running.")
    rss = {}
    for r in d["rounds"]:
        h = [x for x in r["rows"] if x.get("phase") == "hold"]
        g = {x["n"]: x for x in r["rows"] if x.get("phase") == "grow" and x["live"] == x["n"]}
        if not h:
            continue
        b = h[0]["srv"]["server"]["own_kib"]
        rss.setdefault(r["target"], []).append((b / 1024, g[1000]["srv"]["server"]["own_kib"] / 1024 if 1000 in g else None, g[5000]["srv"]["server"]["own_kib"] / 1024 if 5000 in g else None,
                                                (g[1000]["srv"]["server"]["own_kib"] - b) / 1000 if 1000 in g else None, (g[5000]["srv"]["server"]["own_kib"] - b) / 5000 if 5000 in g else None))
    table("d. server memory", ["idle MiB", "1,000 watchers MiB", "5,000 watchers MiB", "KiB/conn at 1,000", "KiB/conn at 5,000"],
          {t: [med([x[i] for x in v]) for i in range(5)] for t, v in rss.items()}, "Memory of the server process that lies in no file; socket memory in the kernel is not in it.")
    rows = {}
    for x in d["idle"]:
        for r in x["rows"]:
            if "srv" in r:
                col = {("paused", 0): 0, ("paused", 100): 1, ("playing", 0): 2, ("playing", 100): 3}[(x["state"], r["n"])]
                e = rows.setdefault(x["target"], [[] for _ in range(8)])
                e[col].append(total(r, "cpu_us") / r["wall_ms"] / 10)
                e[col + 4].append(total(r, "wakeups") / r["wall_ms"] * 1000)
    if rows:
        h = ["paused, 0", "paused, 100", "playing, 0", "playing, 100"]
        table("d. CPU at rest, % of one core", h, {t: [med(c) for c in v[:4]] for t, v in rows.items()}, "All processes of the target; columns: state, watchers.")
        table("d. wakeups per second at rest", h, {t: [med(c) for c in v[4:]] for t, v in rows.items()}, "Voluntary context switches of all threads.")
    rows = {}
    for x in d["cold"]:
        rows.setdefault(x["target"], []).append(x)
    if rows:
        table("e. cold start, ms", ["start → first answered command", "play → first PCM byte", "start → first PCM byte"],
              {t: [med([x.get(k) for x in v]) for k in ("ready_ms", "play_to_audio_ms", "start_to_audio_ms")] for t, v in rows.items()})
    rows = {}
    for r in d["rounds"]:
        for x in r["rows"]:
            if x.get("phase") == "storm" and x["n"] == 1000:
                rows.setdefault(r["target"], []).append((x["all_ms"], x["p50_ms"], x["p99_ms"], x["retries"], x["fresh"], total(x, "cpu_us") / 1e3))
    if rows:
        table("f. 1,000 watchers dropped and reconnecting at once", ["all fresh, ms", "p50 ms", "p99 ms", "retries", "fresh", "server CPU ms"],
              {t: [med([x[i] for x in v]) for i in range(6)] for t, v in rows.items()}, "A client not fresh after 2 s starts over.")
    m = d.get("libmpv", [])
    if m:
        g = lambda f: num(med([f(x) for x in m if f(x) is not None]))
        print("\n### libmpv alone (no server around it), medians\n\n| | |\n|---|---:|")
        for label, f in (("create + initialize, ms", lambda x: x.get("init_ms")), ("loadfile → first PCM byte, ms", lambda x: x.get("load_to_pcm_ms")),
                         ("set pause, blocking call, p50 ms", lambda x: x.get("pause", {}).get("set_p50")), ("set pause → property event, p50 ms", lambda x: x.get("pause", {}).get("event_p50")),
                         ("set volume, blocking call, p50 ms", lambda x: x.get("volume", {}).get("set_p50")), ("set volume → property event, p50 ms", lambda x: x.get("volume", {}).get("event_p50")),
                         ("RSS initialized, MiB", lambda x: x["rss_idle_kib"] / 1024), ("RSS playing, MiB", lambda x: x["rss_playing_kib"] / 1024 if "rss_playing_kib" in x else None),
                         ("CPU paused, % of a core", lambda x: x.get("paused_cpu_pct")), ("wakeups/s paused", lambda x: x.get("paused_wakeups_s")),
                         ("CPU playing, % of a core", lambda x: x.get("playing_cpu_pct")), ("wakeups/s playing", lambda x: x.get("playing_wakeups_s"))):
            print(f"| {label} | {g(f)} |")
