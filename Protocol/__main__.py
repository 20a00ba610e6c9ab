"""Starts a program of this folder, wherever the folder lies: python3 Protocol run --hub ws://127.0.0.1:9442

{programs}
With --help behind its name each says what it takes.
"""

import os
import runpy
import sys

# Bytecode beside these files would make all that is built from them look old.
sys.dont_write_bytecode = True
PROGRAMS = {
    "check": ("runner.check", "judges a hub, or a client, and gives a verdict for each level; run is the same"),
    "run": ("runner.check", "runs the scenarios against a hub and judges it"),
    "verify": ("runner.signing", "whether a result of check is as it was written"),
    "talk": ("runner.talk", "sends to a hub what you type, and shows what it says"),
    "clients": ("runner.clients", "presses the buttons of a client behind a bad network and judges it"),
    "proxy": ("runner.proxy", "a bad network that can be used alone"),
    "minihub": ("runner.small", "the small hub of Core as an adapter"),
    "mdns": ("runner.mdns", "what is published by DNS-SD in this network"),
    "reference": ("runner.reference", "a client that passes all cases"),
    "compare": ("runner.compare", "compares the traces of two hubs"),
    "mutants": ("runner.mutants", "shows that the judges find faults"),
    "coverage": ("runner.coverage", "says which rule has no evidence"),
    "proved": ("runner.proved", "says whether mutants and models are due, and runs them with --record"),
    "conversations": ("conversations.run", "plays golden conversations against a hub or a client, or checks them"),
    "vectors": ("vectors.check", "reads the vectors as a client in Python would"),
    "models": ("models.check", "searches the models in every order of events, with Spin"),
    "build": ("tools.build", "writes what follows from commands/ and registries/"),
    "kit": ("tools.kit", "writes check with all that it needs as one file: baton-check.pyz"),
    "checklist": ("tools.checklist", "writes a list to tick for whoever builds a hub or a client"),
    "archive": ("tools.archive", "writes the folder, the examples and the judge as one archive"),
    "implementations": ("tools.implementations", "writes the table of implementations, and judges them anew"),
    "levels": ("tools.levels", "says the profile of each name, and which has none"),
    "versions": ("tools.versions", "says whether a rule, a definition or a byte budget has changed without a new version"),
    "tables": ("tools.core_tables", "writes the tables of Core and of the profiles"),
    "documents": ("tools.documents", "checks links, the JSON in the chapters, and rules"),
}
# This file in an archive, which tools/kit.py writes, is the program check, and others by their names.
HERE = os.path.dirname(os.path.abspath(__file__))
KIT = ("check", "run", "verify", "clients", "proxy", "reference", "mutants", "minihub", "mdns", "talk") if os.path.isfile(HERE) else ()


def main():
    if sys.version_info < (3, 11):
        sys.exit(f"This needs Python 3.11, and this one is {sys.version.split()[0]}.")
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if KIT and name not in KIT:
        sys.argv[1:1] = [name := "check"]
    if name in PROGRAMS:
        # The name by which a program is called in its help.
        sys.argv[:2] = [f"python3 {os.path.basename(HERE)} {name}"]
        runpy.run_module(PROGRAMS[name][0], run_name="__main__")
        return
    print(__doc__.format(programs="".join(f"    {one:16}{about}\n" for one, (_, about) in PROGRAMS.items())), end="")
    if name not in ("--help", "-h"):
        sys.exit(f"There is no program {name}.")


if __name__ == "__main__":
    main()
