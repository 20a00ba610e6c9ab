"""Checks the models with Spin: each promise holds, and each model finds the fault it was made to find.

A model that cannot fail shows nothing, so every one is also run with its protection taken out.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = [
    ("retry.pml", {"KEYS": 2, "GUARD": 0}, True, "a key that is kept with the change: no press counts twice"),
    ("retry.pml", {"KEYS": 2, "GUARD": 1}, True, "key and guard together"),
    ("retry.pml", {"KEYS": 0, "GUARD": 1}, True, "a guard alone: one song is skipped at most"),
    ("retry.pml", {"KEYS": 1, "GUARD": 1}, True, "a guard, and keys in memory"),
    ("retry.pml", {"KEYS": 0, "GUARD": 0}, False, "neither key nor guard"),
    ("retry.pml", {"KEYS": 1, "GUARD": 0}, False, "keys in memory, and the hub is killed"),
    ("resume.pml", {"RESTAMP": 1}, True, "a copy is right again whenever things are quiet"),
    ("resume.pml", {"RESTAMP": 0}, False, "sections keep their old revisions through a restart"),
]


def run(model, macros):
    """Errors and states of one exhaustive search."""
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        shutil.copy(f"{HERE}/{model}", folder)
        for words in (["spin", *[f"-D{name}={value}" for name, value in macros.items()], "-a", model],
                      ["gcc", "-O0", "-w", "-DSAFETY", "-o", "pan", "pan.c"], ["./pan", "-m100000"]):
            ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
            if ended.returncode != 0 and words[0] != "./pan":
                raise SystemExit(f"{words[0]}: {ended.stdout}{ended.stderr}")
        said = ended.stdout
    found = re.search(r"errors: (\d+)", said)
    if not found or "max search depth too small" in said:
        raise SystemExit(f"{model}: the search did not end: {said}")
    return int(found.group(1)), int(float(re.search(r"(\d[\d.e+]*) states, stored", said).group(1)))


def main():
    if not shutil.which("spin"):
        print("spin is not installed; deploy/packages test brings it")
        return 77
    wrong = 0
    for model, macros, holds, what in RUNS:
        errors, states = run(model, macros)
        is_right = (errors == 0) == holds
        wrong += not is_right
        verdict = "holds" if errors == 0 else "broken"
        print(f"{'ok  ' if is_right else 'WRONG'} {model} {' '.join(f'{n}={v}' for n, v in macros.items()):16} {verdict:6} in {states} states: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
