#!/usr/bin/python3
"""Writes what follows from the definitions in `commands/` and `registries/`.

    build.py            writes all of it
    build.py --check    writes nothing, and fails with a sentence for each file that is out of date

The schemas of commands, the sections of chapter 5, the registries of chapter 11, asyncapi.json, and site/index.html;
beside a hub in Swift also its table of commands. It needs Python 3.11 and nothing else.
"""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import agreement  # noqa: E402
import asyncapi  # noqa: E402
import chapters  # noqa: E402
import schemas  # noqa: E402
import site_page  # noqa: E402
import swift  # noqa: E402
from definitions import PROTOCOL, Definitions, Wrong, text_of  # noqa: E402

# Later ones read what earlier ones have written, so each begins when the one before it is on the disk.
STEPS = (schemas, chapters, asyncapi, swift, site_page)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("build.py: there is --check, and nothing else")
    checks = sys.argv[1:] == ["--check"]
    try:
        definitions = Definitions()
        wrong = list(agreement.complaints(definitions))
        # What is written from lists that disagree would be wrong as well.
        for step in () if wrong else STEPS:
            for path, text in step.outputs(definitions).items():
                whole = os.path.normpath(os.path.join(PROTOCOL, path))
                if os.path.exists(whole) and text_of(whole) == text:
                    continue
                if checks:
                    wrong.append(f"{path} is out of date: run Protocol/tools/build.py")
                    continue
                os.makedirs(os.path.dirname(whole), exist_ok=True)
                with open(whole, "w", encoding="utf-8") as file:
                    file.write(text)
                print(f"build.py: wrote {path}")
    except (Wrong, ValueError) as error:
        sys.exit(f"build.py: {error}")
    for sentence in wrong:
        print(f"build.py: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
