"""The steps of a container file, as far as the project's uses them: a line that ends with a backslash goes on, and a list in brackets is one of
words."""

import json


def steps(path):
    """[(verb, words)]; what RUN carries out is one word."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if line.strip() and not line.lstrip().startswith("#")]
    text = "\n".join(lines).replace("\\\n", " ")
    found = []
    for line in text.split("\n"):
        verb, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        words = json.loads(rest) if rest.startswith("[") else [rest] if verb in ("RUN", "CMD") else rest.split()
        found.append((verb, words))
    return found
