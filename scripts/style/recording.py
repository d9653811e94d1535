# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays the trainer in a terminal of 44 columns and draws what it shows: a question, an answer, and the chart.

usage: recording.py ASSAY FILE.svg"""

import fcntl
import html
import os
import pty
import re
import select
import struct
import sys
import termios

COLUMNS, LINES, WIDTH, HEIGHT, MARGIN = 44, 22, 7.8, 16, 16
COMMAND = ["blackjack", "train", "--mode", "quick", "--rules", "6d-s17-das", "--seed", "5"]
# What is typed, what the screen shows then that it did not before, and whether it is drawn.
STEPS = [("", "1/50", True), ("s", "any key: on", True), ("?", "is marked", True), ("q", None, False)]
COLOURS = {"31": "#c0392b", "32": "#1e7d46"}


def screens(assay):
    """The lines of each screen that is drawn, with their escapes."""
    process, master = pty.fork()
    if process == 0:
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        os.execve(assay, ["assay", *COMMAND], environment)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    found = []
    for typed, sign, is_drawn in STEPS:
        os.write(master, typed.encode())
        shown = ""
        while sign is not None and not (sign in shown and shown.endswith("\x1b[J")):
            if not select.select([master], [], [], 60)[0]:
                sys.exit(f"the screen does not show '{sign}': {shown!r}")
            shown += os.read(master, 65536).decode()
        if is_drawn:
            found.append(shown.split("\x1b[H")[-1].replace("\x1b[K", "").replace("\x1b[J", "").split("\r\n"))
    try:
        while os.read(master, 65536):
            pass
    except OSError:  # Linux reports so that nobody has the terminal open any more.
        pass
    if (status := os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])) != 0:
        sys.exit(f"assay ended with {status}")
    return found


def spans(line):
    """A line as tspans."""
    parts, style = [], ""
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if code := re.fullmatch(r"\x1b\[([0-9;]*)m", piece):
            style = {"1": ' font-weight="bold"', "7": ' font-weight="bold" fill="#1f6fb2"'}.get(
                code[1], f' fill="{COLOURS[code[1]]}"' if code[1] in COLOURS else "")
        elif piece:
            parts.append(f"<tspan{style}>{html.escape(piece)}</tspan>")
    return "".join(parts)


def main(assay, path):
    all_screens = screens(assay)
    pane = COLUMNS * WIDTH + 2 * MARGIN
    width, height = round(len(all_screens) * pane), LINES * HEIGHT + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'role="img" font-family="\'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="13" fill="#14181d">',
        "<title>The trainer in a terminal: a question, the answer to it, and the chart</title>",
        f'<rect width="{width}" height="{height}" rx="12" fill="#fbfaf6"/>',
    ]
    for place, screen in enumerate(all_screens):
        for number, line in enumerate(screen):
            x, y = round(place * pane + MARGIN), MARGIN + (number + 1) * HEIGHT - 4
            if line.strip():
                lines.append(f'<text x="{x}" y="{y}" xml:space="preserve">{spans(line)}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "</svg>"]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
