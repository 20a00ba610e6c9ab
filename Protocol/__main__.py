"""Starts a program of this folder, wherever the folder lies: python3 Protocol run --hub ws://127.0.0.1:9442

{programs}
With --help behind its name each says what it takes.
"""

import runpy
import sys

# Bytecode beside these files would make all that is built from them look old.
sys.dont_write_bytecode = True
PROGRAMS = {
    "run": ("runner.run", "runs the scenarios against a hub and judges it"),
    "clients": ("runner.clients", "presses the buttons of a client behind a bad network and judges it"),
    "proxy": ("runner.proxy", "a bad network that can be used alone"),
    "reference": ("runner.reference", "a client that passes all cases"),
    "compare": ("runner.compare", "compares the traces of two hubs"),
    "mutants": ("runner.mutants", "shows that the judges find faults"),
    "coverage": ("runner.coverage", "says which rule has no evidence"),
    "proved": ("runner.proved", "says whether mutants and models are due, and runs them with --record"),
    "vectors": ("vectors.check", "reads the vectors as a client in Python would"),
    "models": ("models.check", "searches the models in every order of events, with Spin"),
    "build": ("tools.build", "writes what follows from commands/ and registries/"),
    "documents": ("tools.documents", "checks links, the JSON in the chapters, and rules"),
}


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in PROGRAMS:
        # The name by which a program is called in its help.
        sys.argv[:2] = [f"python3 Protocol {name}"]
        runpy.run_module(PROGRAMS[name][0], run_name="__main__")
        return
    print(__doc__.format(programs="".join(f"    {one:12}{about}\n" for one, (_, about) in PROGRAMS.items())), end="")
    if name not in ("--help", "-h"):
        sys.exit(f"There is no program {name}.")


if __name__ == "__main__":
    main()
