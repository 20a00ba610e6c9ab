"""Makes deploy/docs/terminal.svg: a session of `baton` in a terminal, as it really is.

    deploy/screencast [FILE]        takes the newer of the release and the debug build, or that in BATON_BIN

A hub of its own plays a few seconds of silence with names, into nothing. Each command runs in a pseudo-terminal, and its lines become text of an SVG, which shows
them one after the other, without a script and without a font of its own. Who asks for less motion sees all lines at once.
"""

import html
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

from Support.fixtures import make, metadata
from Support.hubs import ROOT, Home, binaries, wait

COMMANDS = ["baton search harbour", "baton play 2", "baton status", "baton volume 40%", "baton add 3-5", "baton queue", "baton next", "baton queue move 4 next",
            "baton rooms"]
# Artist, album, its tracks with their seconds.
MUSIC = [("Mara Lind", "Harbour Songs", [("Harbour Lights", 221), ("The Last Ferry", 254), ("Salt and Rope", 187)]),
         ("The Quiet Engines", "Night Shift", [("Harbour Crane", 305), ("Third Platform", 268)]), ("Ilse Brandt", "Rooms", [("A Window on the Harbour", 342)])]
COLUMNS, SECONDS_A_KEY, PAUSE, END = 88, 0.045, 0.9, 4.0
WIDTH, HEIGHT, LEFT, TOP = 8.4, 19, 16, 44
COLOURS = {"1": "bold", "2": "faint", "31": "red", "32": "green", "33": "yellow"}


def run(command, environment):
    """What the command writes to a terminal of this width."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.clear()
        os.environ.update(environment)
        os.execv("/bin/bash", ["bash", "-c", f"stty columns {COLUMNS} rows 40; {command}"])
    said = b""
    while select.select([terminal], [], [], 30)[0]:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        said += piece
    os.waitpid(process, 0)
    os.close(terminal)
    return [line for line in said.decode(errors="replace").replace("\r", "").split("\n") if line.strip()]


def spans(line):
    """A line as SVG: its colours are classes."""
    text, styles = "", []
    for piece in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        if piece.startswith("\x1b"):
            for code in piece[2:-1].split(";") if piece.endswith("m") else []:
                styles = [] if code in ("", "0") else [*styles, COLOURS.get(code, "")]
        elif piece:
            shown = html.escape(piece[:COLUMNS])
            text += f'<tspan class="{" ".join(style for style in styles if style)}">{shown}</tspan>' if any(styles) else shown
    return text


def film(sessions):
    """[(second, typed or not, SVG of the line, its length)] and how long all of it takes"""
    second, lines = 0.8, []
    for command, output in sessions:
        lines.append((second, command, None))
        second += len(command) * SECONDS_A_KEY + 0.35
        for line in output:
            lines.append((second, None, spans(line)))
            second += 0.02
        second += PAUSE
    return lines, second + END


def picture(lines, whole):
    width, height = int(COLUMNS * WIDTH + 2 * LEFT), TOP + len(lines) * HEIGHT + 12
    style, body = [], []
    for number, (second, typed, text) in enumerate(lines):
        begin = 100 * second / whole
        style.append(f"@keyframes l{number}{{0%{{opacity:0}}{begin:.2f}%{{opacity:1}}100%{{opacity:1}}}}#l{number}{{animation-name:l{number}}}")
        place = TOP + number * HEIGHT
        if typed is None:
            body.append(f'<text id="l{number}" x="{LEFT}" y="{place}">{text}</text>')
            continue
        # The command is under a cover that moves away key by key.
        end = 100 * (second + len(typed) * SECONDS_A_KEY) / whole
        moved = len(typed) * WIDTH + 4
        style.append(f"@keyframes c{number}{{0%,{begin:.2f}%{{transform:none;animation-timing-function:steps({len(typed)})}}"
                     f"{end:.2f}%,100%{{transform:translateX({moved:.0f}px)}}}}#c{number}{{animation-name:c{number}}}")
        body.append(f'<g id="l{number}"><text x="{LEFT}" y="{place}"><tspan class="green">$</tspan> <tspan class="bold">{html.escape(typed)}</tspan></text>'
                    f'<rect id="c{number}" class="cover" x="{LEFT + 2 * WIDTH - 2:.0f}" y="{place - 14}" width="{width}" height="{HEIGHT}"/></g>')
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="A session of baton">
<title>A session of baton in a terminal</title>
<style>
svg{{background:#16181d;border-radius:8px}}text{{font:14px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;fill:#d6dae2;white-space:pre}}
.cover{{fill:#16181d}}.bold{{font-weight:700;fill:#fff}}.faint{{fill:#868d9b}}.green{{fill:#7fd18b}}.yellow{{fill:#e5c07b}}.red{{fill:#ef7f7f}}
text,g,rect{{animation-duration:{whole:.1f}s;animation-iteration-count:infinite;animation-timing-function:step-end}}
{"".join(style)}
@media (prefers-reduced-motion:reduce){{text,g,rect{{animation:none!important}}.cover{{display:none}}}}
</style>
<rect width="{width}" height="{height}" rx="8" fill="#16181d"/><circle cx="20" cy="18" r="5" fill="#3a3f4b"/><circle cx="36" cy="18" r="5" fill="#3a3f4b"/>
{chr(10).join(body)}
</svg>
"""


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else f"{ROOT}/deploy/docs/terminal.svg"
    home = Home()
    for artist, album, tracks in MUSIC:
        for number, (title, seconds) in enumerate(tracks, 1):
            make(f"{home.music}/{album}/{number} {title}.flac", "-f", "lavfi", "-i", f"anullsrc=r=8000:cl=mono:d={seconds}",
                 *metadata(title=title, artist=artist, album=album, track=str(number)), "-c:a", "flac")
    environment = {**home.environment, "PATH": f"{binaries()}:/usr/bin:/bin", "TERM": "xterm-256color", "HOME": home.folder}
    with tempfile.TemporaryFile() as log:
        hub = subprocess.Popen([f"{binaries()}/batond", "--no-discovery", "--name", "Living room", "--listen", "127.0.0.1:0", "--audio", "null"],
                               env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            wait("the hub answers", lambda: home.run(f"{binaries()}/baton", "status").returncode == 0)
            home.baton("library", "add", home.music)
            wait("its music is there", lambda: home.baton("search", "harbour").count("\n") >= 4)
            sessions = []
            for command in COMMANDS:
                sessions.append((command, run(command, environment)))
                time.sleep(1.5)
        finally:
            hub.terminate()
            hub.wait()
            home.close()
    # A path of this run means nothing to others.
    told = [(command, [line.replace(home.folder, "~") for line in lines]) for command, lines in sessions]
    lines, whole = film(told)
    with open(file, "w", encoding="utf-8") as out:
        out.write(picture(lines, whole))
    for command, said in told:
        print(f"$ {command}", *said, sep="\n")


if __name__ == "__main__":
    main()
