#!/usr/bin/python3
"""Makes baton.js, which others use as one file, of the modules in client/, of which the hub's own page loads what it needs.

    examples/browser/bundle.py FILE    writes it there

`python3 Protocol build` does so, and lays beside it what belongs to a package of npm.
"""
import pathlib, re, sys

HERE = pathlib.Path(__file__).parent
# A module stands below those whose names it uses.
MODULES = ["basics", "clock", "verbs", "queue", "latest", "endings", "views", "watchview", "core", "whole"]
# What the one file exports; baton.d.ts has their types.
PUBLIC = {"token", "items", "Clock", "operate", "QueueCopy", "Latest", "refusals", "Hub"}
HEAD = """\
// A Baton client for browsers, in one file: reconnects, mirrors one room, follows the hub's clock, and makes sure that
// each press counts once. No build step, no dependency. node.js beside it is the same for Node, and baton.d.ts describes
// both to TypeScript. Made by bundle.py from client/; edit those.
//
//   import { Hub } from './baton.js';
//   const hub = new Hub({ url: 'ws://127.0.0.1:9442/baton', name: 'Kitchen tablet' });
//   hub.on('change', () => { title.textContent = hub.view().title ?? 'No music' });
//   hub.start();
//   button.onclick = () => hub.toggle();
"""
EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.M)


def part(name):
    text = (HERE / "client" / f"baton-{name}.js").read_text(encoding="utf-8")
    text = re.sub(r"^import .*\n", "", text, flags=re.M)
    text = EXPORT.sub(lambda found: found[0] if found[1] in PUBLIC else "", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit("bundle.py: name the file that it writes")
    pathlib.Path(sys.argv[1]).write_text("\n".join([HEAD, *map(part, MODULES)]), encoding="utf-8")


if __name__ == "__main__":
    main()
