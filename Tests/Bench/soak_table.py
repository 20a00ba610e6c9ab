"""What the soak has measured, as lines during the run and as one table with its limits at the end."""
import os

import figures
import memory

HEAD = "|    s | RSS MiB | PSS | dirty | threads | fds | readers | visits | commands | told by the hub |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|"


def line(row):
    mib = lambda name: f"{row[name] / memory.MIB:.1f}"
    return (f"| {row['s']:4} | {mib('rss')} | {mib('pss')} | {mib('dirty')} | {row['threads']:g} | {row['fds']:g} | {row['readers']:g} | {row.get('visits', '')} | {row.get('commands', '')} "
            f"| {' '.join(f'{k}={v}' for k, v in row.get('told', {}).items())} |")


def table(d):
    """Prints the table; -> whether every bar holds"""
    rows = {r["part"]: r for r in d.get("soak", [])}
    print(f"\n## Memory over time; {os.cpu_count()} processors\n")
    bars, notes = [], []
    grown = lambda before, after, what: (after[what] - before[what]) / memory.MIB
    if (r := rows.get("bare")):
        notes += [f"Bare, {name} libmpv: {parts(row)}." for name, row in r.items() if name in ("with", "without")]
    if (r := rows.get("watchers")):
        first, last = r["rows"][0], r["rows"][-1]
        bars.append((f"{r['watchers']:,} watchers come and go {len(r['rows']) - 1} times: memory a minute later, above before", "MiB", grown(first, last, "rss"), "", None, "at most", 3))
        notes += [f"Watchers: {parts(row)}." for row in r["rows"]]
    if (r := rows.get("soak")):
        first, last = r["settled"], r["end"]
        bars.append((f"{r['clients']} mixed clients, {r['minutes']:g} minutes: memory at the end, above minute 5", "MiB", grown(first, last, "rss"), "", None, "at most", 2))
        for name in ("threads", "fds"):
            bars.append((f"{name} at the end, above minute 5", "", abs(last[name] - first[name]), "", None, "at most", 0))
        notes += [f"Soak, {name}: {parts(r[name])}." for name in ("settled", "end", "left")]
        notes += [f"Threads that came or went: {memory.difference(first['names'], last['names']) or 'none'}; descriptors: {memory.difference(first['open'], last['open']) or 'none'}.",
                  f"Done: {r['count']}. Refused: {r['refused']}."]
    holds = figures.print_bars(bars)
    print("\n" + "\n".join(notes))
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}")
    return holds


def parts(row):
    figures_ = ", ".join(f"{label} {row[name] / memory.MIB:.1f}" for label, name in (("resident", "rss"), ("proportional", "pss"), ("private and written", "dirty")))
    told = ", ".join(f"{k} {v:,}" for k, v in row["told"].items())
    return f"{figures_} MiB, {row['threads']:g} threads, {row['fds']:g} descriptors, {row['readers']:g} readers{'; ' + told if told else ''}"
