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

from runner.faulty_clients import CLIENTS
from runner.faulty_hubs import MUTANTS
from runner.hub import DEFAULT, words_of
from runner.mutated import stand_in

PROTOCOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
def catch(name, mutant, adapter):
    """Whether the scenario named for it fails on a mutant, and with which sentences."""
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        words = [sys.executable, PROTOCOL, "run", "--only", "=" + mutant.caught_by, "--traces", folder, "--jobs", "2", "--hub",
                 f"{sys.executable} {PROTOCOL} mutants --as {name} --behind {','.join(adapter)}"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    said = ended.stdout
    failed = re.search(rf"^FAIL {re.escape(mutant.caught_by)} .*\n((?:     .*\n)*)", said, re.MULTILINE)
    is_caught = ended.returncode == 1 and failed and "runner itself" not in said and "no evidence" not in said
    return name, mutant, is_caught, (failed.group(1).strip().split("\n")[0] if failed else said + ended.stderr)


def passes_clear(adapter):
    """Whether a hub behind a proxy that changes nothing passes."""
    words = [sys.executable, PROTOCOL, "run", "--quiet", "--jobs", "4", "--patience", "4", "--hub", f"{sys.executable} {PROTOCOL} mutants --as breaks-nothing --behind {','.join(adapter)}"]
    for name in sorted({mutant.caught_by for mutant in MUTANTS.values() if mutant.caught_by}):
        words += ["--only", "=" + name]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    print(ended.stdout.strip().split("\n")[-1] + " behind a proxy that changes nothing", flush=True)
    return ended.returncode == 0


def catch_client(name, mutant, adapter, client):
    """Whether the judge of clients sees a client break a rule, in the case that is there for it."""
    words = [sys.executable, PROTOCOL, "clients", "--only", mutant.caught_by or "usual", "--bend", name, "--client", client, "--can", "all", "--hub", " ".join(adapter)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    is_right = (ended.returncode == 1) == bool(mutant.caught_by) and "runner itself" not in ended.stdout and "no evidence" not in ended.stdout
    sentences = [line.strip() for line in ended.stdout.split("\n") if line.startswith("     ")]
    return name, mutant, is_right, sentences[0] if sentences else ended.stdout.strip() + ended.stderr


def main():
    parser = argparse.ArgumentParser(description="Hubs with one broken rule each.")
    parser.add_argument("--as", dest="name", choices=sorted(MUTANTS), help="be this hub, as an adapter")
    parser.add_argument("--behind", default=DEFAULT, help="the adapter of the good hub; commas for spaces")
    parser.add_argument("--only", action="append", help="only these mutants")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--clients", metavar="COMMAND", help="show the same of the judge of clients, with this client")
    asked, words = parser.parse_known_args()
    adapter = words_of(asked.behind.replace(",", " "))
    if asked.name:
        sys.exit(asyncio.run(stand_in(MUTANTS[asked.name], adapter, words)))
    if asked.clients:
        table, attempt = CLIENTS, lambda pair: catch_client(*pair, adapter, asked.clients)
    else:
        table, attempt = {name: mutant for name, mutant in MUTANTS.items() if mutant.caught_by}, lambda pair: catch(*pair, adapter)
    if not asked.clients and not asked.only and not passes_clear(adapter):
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
    main()
