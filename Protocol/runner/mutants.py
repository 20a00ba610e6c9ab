"""Hubs with one broken rule each, which show that the runner catches what it claims to.

A mutant is a correct hub behind a proxy that breaks one rule: it removes a guard, forgets a key, sends an
answer twice. So each differs from a correct hub by a few lines, and whatever the runner finds
is caused by those. Alone it runs every mutant against the scenario that must
catch it; with `--as NAME` it is an adapter like any other.
"""

import argparse
import asyncio
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from runner import clients
from runner.failing import Mistyped
from runner.faulty_clients import CLIENTS
from runner.faulty_hubs import MUTANTS as HUBS
from runner.faulty_remotes import REMOTES
from runner.faulty_negotiation import NEGOTIATION
from runner.hub import DEFAULT, words_of
from runner.levels import Levels
from runner.run import load
from runner.mutated import stand_in

PROTOCOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MUTANTS = {**HUBS, **NEGOTIATION}


def ended(words, seconds=240):
    """A program of this folder when it has ended. One that a busy machine keeps for too long has failed, and says so."""
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 2, f"it was not over after {seconds} s\n", "")


def catch(name, mutant, adapter):
    """Whether the scenario named for it fails on a mutant, and with which sentences."""
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        words = [sys.executable, PROTOCOL, "run", "--only", "=" + mutant.caught_by, "--traces", folder, "--jobs", "2", "--hub",
                 f"{sys.executable} {PROTOCOL} mutants --as {name} --behind {','.join(adapter)}"]
        run = ended(words)
    said = run.stdout
    failed = re.search(rf"^FAIL {re.escape(mutant.caught_by)} .*\n((?:     .*\n)*)", said, re.MULTILINE)
    is_caught = run.returncode == 1 and failed and "runner itself" not in said and "no evidence" not in said
    return name, mutant, is_caught, (failed.group(1).strip().split("\n")[0] if failed else said + run.stderr)


def passes_clear(adapter, scenarios):
    """Whether a hub behind a proxy that changes nothing passes."""
    words = [sys.executable, PROTOCOL, "run", "--quiet", "--jobs", "4", "--patience", "4", "--hub", f"{sys.executable} {PROTOCOL} mutants --as breaks-nothing --behind {','.join(adapter)}"]
    for name in scenarios:
        words += ["--only", "=" + name]
    run = ended(words, seconds=900)
    print(run.stdout.strip().split("\n")[-1] + " behind a proxy that changes nothing", flush=True)
    return run.returncode == 0


def catch_client(name, mutant, adapter, client):
    """Whether the judge of clients sees a client break a rule, in the case that is there for it."""
    client = f"{sys.executable} {PROTOCOL} reference --as {name}" if name in REMOTES else client
    hub = f"{PROTOCOL}/runner/adapters/{mutant.behind}" if mutant.behind else " ".join(adapter)
    words = [sys.executable, PROTOCOL, "clients", "--only", "=" + (mutant.caught_by or "usual"), "--bend", name, "--client", client, "--can", "all", "--hub", hub]
    run = ended(words)
    is_right = run.returncode != 2 and (run.returncode == 1) == bool(mutant.caught_by) and "runner itself" not in run.stdout and "no evidence" not in run.stdout
    sentences = [line.strip() for line in run.stdout.split("\n") if line.startswith("     ")]
    return name, mutant, is_right, sentences[0] if sentences else run.stdout.strip() + run.stderr


def main():
    parser = argparse.ArgumentParser(description="Hubs with one broken rule each.")
    parser.add_argument("--as", dest="name", choices=sorted(MUTANTS), help="be this hub, as an adapter")
    parser.add_argument("--behind", default=DEFAULT, help="the adapter of the good hub; commas for spaces")
    parser.add_argument("--level", metavar="NAMES", help="only mutants that scenarios of these profiles catch, separated by commas")
    parser.add_argument("--only", action="append", help="only these mutants")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--clients", metavar="COMMAND", help="show the same of the judge of clients, with this client")
    asked, words = parser.parse_known_args()
    adapter = words_of(asked.behind.replace(",", " "))
    if asked.name:
        sys.exit(asyncio.run(stand_in(MUTANTS[asked.name], adapter, words)))
    if asked.clients:
        judged = {case["id"] for case in Levels(asked.level).wanted(clients.load())}
        table = {name: mutant for name, mutant in CLIENTS.items() if (mutant.caught_by or "usual") in judged}
        attempt = lambda pair: catch_client(*pair, adapter, asked.clients)
    else:
        judged = {scenario["id"] for scenario in Levels(asked.level).wanted(load())}
        table, attempt = {name: mutant for name, mutant in MUTANTS.items() if mutant.caught_by in judged}, lambda pair: catch(*pair, adapter)
    if not asked.clients and not asked.only and not passes_clear(adapter, sorted({mutant.caught_by for mutant in table.values()})):
        sys.exit("a correct hub fails behind a proxy that changes nothing, so the mutants prove nothing")
    chosen = {name: mutant for name, mutant in table.items() if not asked.only or name in asked.only}
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for name, mutant, is_caught, said in pool.map(attempt, chosen.items()):
            missed += not is_caught
            verdict = ("caught" if mutant.caught_by else "passes") if is_caught else "MISSED"
            print(f"{verdict} {name:22} {mutant.rule or '':12} {mutant.caught_by or 'usual'}: {said.splitlines()[0][:160]}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} mutants were caught")
    sys.exit(1 if missed or not chosen else 0)


if __name__ == "__main__":
    try:
        main()
    except Mistyped as mistyped:
        sys.exit(f"mutants: {mistyped}")
