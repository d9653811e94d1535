# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws attacks on the built program and says which it did not withstand, each as simple as it could be made.

Every attack works in its own folder: a copy of one in which nothing was run yet (`new`), or of one with complete
runs (`kept`). Afterwards a person's next steps are taken, and must succeed: list the runs, run the scenario, prune.

usage: attack.py ASSAY [--minutes M] [--seed N] [--kind KIND] [ATTACK...] | ASSAY --self-test
       exits 1 when an attack was not withstood
"""

import argparse
import collections
import concurrent.futures
import gzip
import itertools
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SCENARIO = """name: Ranks hold
kind: properties.check
properties: [league.1]
cases: 2000
thresholds:
  - properties.failing == 0
"""
# Long enough to write several checkpoints.
LONG = """name: Seasons
kind: league.seasons
seasons: 60k
"""
OTHER = SCENARIO.replace("Ranks hold", "Another").replace("2000", "1000")
PAGE = [{"athlete": {"id": 1, "firstname": "Ada", "lastname": "L."}, "name": "Ride", "distance": 20123.4,
         "moving_time": 3600, "elapsed_time": 3700, "total_elevation_gain": 210.5, "sport_type": "Ride", "id": 11,
         "start_date": "2026-11-16T08:00:00Z"}]
# Files that come from outside, with a command that reads each.
READERS = {
    "scenario.yaml": ["run", "scenario.yaml"],
    "page.json": ["club", "report", "page.json"],
    "page.json.gz": ["club", "report", "page.json.gz"],
    "chart.csv": ["blackjack", "play", "--chart", "chart.csv", "--rounds", "1000"],
    "Results/runs/*/result.json": ["results", "show", "latest"],
    "Results/runs/*/run.json": ["results", "rebuild"],
    "Results/history.sqlite": ["results", "compare", "latest~1", "latest"],
}
CALLS = ["openat", "write", "rename", "fsync", "pwrite64", "unlink", "mkdir", "ftruncate", "flock", "read", "mmap"]
ERRORS = ["ENOSPC", "EIO", "EMFILE", "EACCES", "EINTR", "ENOMEM"]
# What ends well: everything holds, something fails, bad input, undecided, usage, and the two requests to end early.
ENDINGS = {0, 1, 2, 3, 64, 130, 143}
SECONDS, MEBIBYTES = 60, 512


def crash(run):
    """What is wrong with how a process ended; None where it ended as its exit codes say."""
    if run.code in ENDINGS:
        return None
    how = f"signal {signal.Signals(-run.code).name}" if run.code < 0 else f"exit {run.code}"
    return f"{' '.join(run.arguments)}: {how}: {run.errors[-300:].strip()}"


class Run:
    """A process of the program, begun at once."""

    def __init__(self, place, arguments, before=(), limits=()):
        def limit():
            os.setsid()
            for what, value in limits:
                resource.setrlimit(what, (value, value))

        self.arguments = arguments
        # Nothing on the path: a run starts no other program.
        environment = {"PATH": "", "HOME": place.folder, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
        self.process = subprocess.Popen(
            [*before, place.program, *arguments], cwd=place.folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
        self.code, self.output, self.errors = None, "", ""

    def end(self):
        try:
            output, errors = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            output, errors = self.process.communicate()
            errors += f"no end after {SECONDS} s".encode()
        self.code = self.process.returncode
        self.output, self.errors = output.decode(errors="replace"), errors.decode(errors="replace")
        return self

    def __str__(self):
        return f"{' '.join(self.arguments)}: exit {self.code}: {self.errors.strip()[-300:]}"


class Place:
    """A folder with what a person would have in it."""

    def __init__(self, program, folder):
        self.program, self.folder = program, str(folder)
        self.outside = pathlib.Path(f"{folder}.user")

    def path(self, pattern):
        return next(iter(sorted(pathlib.Path(self.folder).glob(pattern))), None)

    def run(self, *arguments, **how):
        return Run(self, list(arguments), **how).end()

    def results(self):
        """The bytes of every complete result, by its folder."""
        found = pathlib.Path(self.folder).glob("Results/runs/*/result.json")
        return {one.parent.name: one.read_bytes() for one in found}

    def names(self):
        return {str(one.relative_to(self.folder)) for one in pathlib.Path(self.folder).rglob("*")}


class Field:
    """The places that attacks begin with, and what is true of them afterwards."""

    def __init__(self, program, folder):
        self.program, self.folder, self.numbers = program, pathlib.Path(folder), itertools.count(1)
        self.kept = self.made("kept")
        for scenario in ("scenario.yaml", "other.yaml", "scenario.yaml"):
            self.undisturbed(self.kept, scenario)
        self.wanted, self.names = self.kept.results(), self.kept.names()
        place = self.place("new")
        pathlib.Path(place.folder, "long.yaml").write_text(LONG)
        self.undisturbed(place, "long.yaml")
        self.long = place.results()
        trace = self.folder / "calls"
        self.kept.run("run", "scenario.yaml", before=self.strace(f"-c -S calls -U calls,name -o {trace}"))
        rows = [line.split() for line in trace.read_text().splitlines()]
        self.calls = {row[1]: int(row[0]) for row in rows if len(row) == 2 and row[1] in CALLS}

    @staticmethod
    def undisturbed(place, scenario):
        if (done := place.run("run", scenario)).code != 0:
            sys.exit(f"attack: {crash(done) or done.errors}")

    @staticmethod
    def strace(options):
        return [shutil.which("strace"), "-f", "--seccomp-bpf", *options.split()]

    def made(self, name):
        folder = self.folder / name
        folder.mkdir()
        (folder / "scenario.yaml").write_text(SCENARIO)
        (folder / "other.yaml").write_text(OTHER)
        (folder / "page.json").write_text(json.dumps(PAGE))
        (folder / "page.json.gz").write_bytes(gzip.compress(json.dumps(PAGE).encode() * 20))
        place = Place(self.program, folder)
        chart = place.run("blackjack", "chart", "--method", "exact", "--format", "csv", "--quiet")
        (folder / "chart.csv").write_text(chart.output)
        place.outside.write_text("a file of the user")
        return place

    def place(self, start, on=None):
        """A new place like the one that `start` names."""
        place = Place(self.program, (on or self.folder) / f"{next(self.numbers)}")
        shutil.copytree(self.kept.folder, place.folder, symlinks=True)
        if start == "new":
            shutil.rmtree(f"{place.folder}/Results")
        place.outside.write_text("a file of the user")
        return place

    def judge(self, place, start):
        """What is not as it must be after an attack; None where all is."""
        if place.outside.read_text() != "a file of the user":
            return "a file outside of the folder was changed"
        if start == "kept" and (lost := [one for one in self.wanted if place.results().get(one) != self.wanted[one]]):
            return f"the complete result in {lost} was lost or changed"
        listed = place.run("results", "list", "--format", "json")
        if listed.code != 0 and (start == "kept" or "no run is recorded" not in listed.errors):
            return crash(listed) or f"results list: exit {listed.code}: {listed.errors.strip()}"
        if start == "kept" and len(json.loads(listed.output)["runs"]) < 3:
            return f"results list: rows are missing: {listed.output[:300]}"
        for checkpoint in pathlib.Path(place.folder).glob("Results/runs/*/checkpoint"):
            if (run := place.run("resume", str(checkpoint.parent))).code not in (0, 2):
                return f"afterwards, resume: exit {run.code}: {run.errors.strip()[-300:]}"
            if run.code == 0 and any(self.wanted[name] != bytes_ for name, bytes_ in place.results().items()):
                return "a run that was continued gives other bytes"
        for arguments in (["run", "scenario.yaml"], ["results", "show", "latest"]):
            if (run := place.run(*arguments)).code != 0:
                return f"afterwards, {run}"
        if any(self.wanted[name] != bytes_ for name, bytes_ in place.results().items()):
            return "afterwards, the same scenario gives other bytes"
        place.run("results", "prune", "--keep", "100", "--yes")
        if strays := {name for name in place.names() - self.names if "damaged" not in name}:
            return f"afterwards, files are left over: {sorted(strays)}"
        return None


# An attack is a line of words, which it is drawn as, printed as and repeated from. Each kind draws one, and carries one
# out, saying what it did not withstand.


class Kill:
    """The process ends at its n-th call of a kind in a thread, as by `kill -9` or the lack of memory."""

    def draw(self, field, chance):
        call = chance.choice(sorted(field.calls))
        return f"kill {call} {chance.randint(1, field.calls[call])} {chance.choice(['new', 'kept'])}"

    def strike(self, field, call, number, start):
        place = field.place(start)
        place.run("run", "scenario.yaml", before=field.strace(
            f"-o /dev/null -e trace={call} -e inject={call}:signal=KILL:when={number}"))
        return field.judge(place, start)


class Resume:
    """A longer run is ended by `kill -9` again and again, and continued each time."""

    def draw(self, field, chance):
        return f"resume {','.join(str(chance.randint(20, 1800)) for _ in range(chance.randint(1, 8)))}"

    def strike(self, field, moments):
        place = field.place("new")
        pathlib.Path(place.folder, "long.yaml").write_text(LONG)
        command = ["run", "long.yaml"]
        for milliseconds in moments.split(","):
            run = Run(place, command)
            time.sleep(int(milliseconds) / 1000)
            run.process.kill()
            if run.end().code not in (0, -signal.SIGKILL):
                return crash(run) or str(run)
            if checkpoint := place.path("Results/runs/*/checkpoint"):
                command = ["resume", str(checkpoint.parent)]
            elif place.results():
                break
        else:
            if (run := place.run(*command)).code != 0:
                return str(run)
        if place.results() != field.long:
            return "a run that was killed and continued gives other bytes"
        if place.path("Results/runs/*/checkpoint"):
            return "the checkpoint is left over"
        return None


class Fault:
    """The system refuses a call of the process, once or from then on."""

    def draw(self, field, chance):
        call, error = chance.choice(sorted(field.calls)), chance.choice(ERRORS)
        number = f"{chance.randint(1, field.calls[call])}{chance.choice(['', '+'])}"
        return f"fault {call} {error} {number} {chance.choice(['new', 'kept'])}"

    def strike(self, field, call, error, number, start):
        if (error, number[-1]) == ("EINTR", "+"):
            return None  # A call that is interrupted for ever is to be repeated for ever.
        place = field.place(start)
        run = place.run("run", "scenario.yaml", before=field.strace(
            f"-o /dev/null -e trace={call} -e inject={call}:error={error}:when={number}"))
        # Without libraries, threads or memory the runtime itself ends the process before it has begun; and Dispatch
        # waits for ever where it cannot write to itself, which no true system refuses.
        is_own = call not in ("read", "mmap") and not (call == "openat" and "error while loading" in run.errors)
        is_own = is_own and not (call == "write" and "no end after" in run.errors)
        return (crash(run) if is_own else None) or field.judge(place, start)


class Signal:
    """A signal, or the same one twice as GNU timeout sends it, some time after the start."""

    def draw(self, field, chance):
        name = chance.choice(["KILL", "TERM", "INT", "HUP", "TERM+TERM"])
        return f"signal {name} {chance.randint(1, 250)} {chance.choice(['new', 'kept'])}"

    def strike(self, field, names, milliseconds, start):
        place = field.place(start)
        run = Run(place, ["run", "scenario.yaml"])
        time.sleep(int(milliseconds) / 1000)
        for name in names.split("+"):
            run.process.send_signal(getattr(signal, f"SIG{name}"))
        run.end()
        expected = run.code in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)
        return (None if expected else crash(run)) or field.judge(place, start)


class Limit:
    """Little room for files, few descriptors, little memory or time."""

    KINDS = {"FSIZE": (0, 80_000), "NOFILE": (3, 40), "AS": (60_000_000, 600_000_000), "NPROC": (1, 12)}

    def draw(self, field, chance):
        kind = chance.choice(sorted(self.KINDS))
        return f"limit {kind} {chance.randint(*self.KINDS[kind])} {chance.choice(['new', 'kept'])}"

    def strike(self, field, kind, value, start):
        place = field.place(start)
        before = []
        if kind == "NPROC" and os.geteuid() == 0:  # It does not hold for root.
            subprocess.run(["chown", "-R", "65534:65534", place.folder], check=True)
            before = [shutil.which("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
        run = place.run(
            "run", "scenario.yaml", before=before, limits=[(getattr(resource, f"RLIMIT_{kind}"), int(value))])
        subprocess.run(["chown", "-R", f"{os.geteuid()}:{os.getegid()}", place.folder], check=True)
        is_own = "error while loading" not in run.errors and "setpriv" not in run.errors
        return (crash(run) if is_own else None) or field.judge(place, start)


class Full:
    """A disk that fills up, and then has room again."""

    def draw(self, field, chance):
        return f"full {chance.randint(0, 260)} {chance.choice(['new', 'kept'])}"

    def strike(self, field, kibibytes, start):
        if os.geteuid() != 0:
            return None
        disk = pathlib.Path(tempfile.mkdtemp(dir=field.folder))
        mount = ["mount", "-t", "tmpfs", "-o"]
        subprocess.run([*mount, "size=8m", "disk", disk], check=True)
        try:
            place = field.place(start, on=disk)
            used = shutil.disk_usage(disk).used // 1024
            subprocess.run([*mount, f"remount,size={used + 4 + int(kibibytes)}k", disk], check=True)
            run = place.run("run", "scenario.yaml")
            subprocess.run([*mount, "remount,size=8m", disk], check=True)
            return crash(run) or field.judge(place, start)
        finally:
            subprocess.run(["umount", disk], check=True)


class Beside:
    """Several processes in one folder at once."""

    COMMANDS = [["run", "scenario.yaml"], ["run", "other.yaml"], ["results", "list"], ["results", "rebuild"],
                ["results", "prune", "--keep", "100", "--yes"], ["results", "show", "scenario"]]

    def draw(self, field, chance):
        numbers = [str(chance.randrange(len(self.COMMANDS))) for _ in range(chance.randint(2, 8))]
        return f"beside {','.join(numbers)} {chance.choice(['new', 'kept'])}"

    def strike(self, field, numbers, start):
        place = field.place(start)
        runs = [Run(place, self.COMMANDS[int(number)]) for number in numbers.split(",")]
        ended = [run.end() for run in runs]
        return next(filter(None, map(crash, ended)), None) or field.judge(place, start)


class Mutant:
    """A file with changes: bytes, pieces repeated or left out, numbers and words at the ends of what they may be."""

    WORDS = [b"-1", b"0", b"1e999", b"NaN", b"null", b"[]", b"{}", b"9223372036854775807", b"18446744073709551616",
             b'""', b"\x00", b"\x1b[2J", b"\n::error::x\n", b"\xff\xfe", b"=1+1", b"&a [*a,*a]", b"'", b"\xe2\x80\xae"]

    def draw(self, field, chance):
        pattern = chance.choice(sorted(READERS))
        size = field.kept.path(pattern).stat().st_size
        edits = []
        for _ in range(chance.randint(1, 4)):
            at, kind = chance.randrange(size), chance.choice("fcrwt")
            what = {"f": chance.randrange(1, 256), "c": chance.randint(1, 40), "r": chance.randint(1, 400),
                    "w": chance.randrange(len(self.WORDS)), "t": 0}[kind]
            edits.append(f"{kind}{at}:{what}")
        return f"mutant {pattern} {','.join(edits)}"

    def edited(self, data, edits):
        for edit in edits.split(","):
            kind, at, what = edit[0], int(edit[1:].split(":")[0]), int(edit.split(":")[1])
            if kind == "f" and at < len(data):
                data = data[:at] + bytes([data[at] ^ what]) + data[at + 1:]
            elif kind == "c":
                data = data[:at] + data[at + what:]
            elif kind == "r":
                data = data[:at] + data[at:at + what] * 40 + data[at + what:]
            elif kind == "t":
                data = data[:at]
            elif kind == "w":  # In place of the word that stands there.
                end = at
                while end < len(data) and bytes([data[end]]).isalnum():
                    end += 1
                data = data[:at] + self.WORDS[what] + data[end:]
        return data

    def strike(self, field, pattern, edits):
        place = field.place("kept")
        path = place.path(pattern)
        path.write_bytes(self.edited(path.read_bytes(), edits))
        command = Run(place, [*READERS[pattern]])
        run = command.end()
        if (found := crash(run)) or run.code in (64, 130, 143):
            return found or f"exit {run.code}: {run.errors}"
        shown = run.output + run.errors
        if any(ord(character) < 32 and character not in "\n\t" or 0x202A <= ord(character) <= 0x202E
               for character in shown) or "\n::error::x" in shown:
            return f"what stands in the file reaches the terminal unescaped: {shown[:300]!r}"
        if run.code == 2 and path.name.split(".")[0] not in run.errors and "history" not in run.errors:
            return f"the error does not name the file: {run.errors}"
        return None


class Twice:
    """Two options of a command name one file, spelt in two ways: a result over another one, or over the input."""

    CHECK = ["contrast", "check", "t.tokens.json", "--pairs", "p.pairs", "--no-history", "--quiet"]
    EDIT = ["profile", "edit", "--samples", "20", "--events", "3", "--quiet"]
    COMMANDS = {
        "fix-output": (CHECK, ["--fix", "--output"], "new.csv"), "fix-pairs": (CHECK, ["--fix"], "p.pairs"),
        "fix-tokens": (CHECK, ["--fix"], "t.tokens.json"), "output-pairs": (CHECK, ["--output"], "p.pairs"),
        "samples-output": ([*EDIT, "--no-history"], ["--samples-to", "--output"], "new.csv"),
        "save-output": ([*EDIT, "--no-history"], ["--save", "--output"], "new.csv"),
        "history-output": ([*EDIT, "--report"], ["--history", "--output"], "Results/new.csv"),
    }
    SPELLINGS = ["{}", "./{}", "sub/../{}", "{folder}/{}", "here/{}"]

    def draw(self, field, chance):
        spellings = [str(chance.randrange(len(self.SPELLINGS))) for _ in range(2)]
        return f"twice {chance.choice(sorted(self.COMMANDS))} {'/'.join(spellings)}"

    def strike(self, field, name, spellings):
        place = with_tokens(field.place("kept"))
        command, options, file = self.COMMANDS[name]
        paths = [self.SPELLINGS[int(one)].format(file, folder=place.folder) for one in spellings.split("/")]
        before = {one: one.read_bytes() for one in pathlib.Path(place.folder).rglob("*") if one.is_file()}
        run = place.run(*command, *(word for pair in zip(options, paths) for word in pair), "--format", "csv")
        after = {one: one.read_bytes() for one in pathlib.Path(place.folder).rglob("*") if one.is_file()}
        if run.code != 2 or "another file" not in run.errors:
            return crash(run) or f"not refused: {run}"
        return None if before == after else "refused, but files were changed"


class Wait:
    """A signal while the command waits for another process: for a pipe's reader, or for its input."""

    COMMANDS = [[*Twice.CHECK, "--fix", "pipe"], [*Twice.CHECK, "--output", "pipe", "--format", "csv"],
                ["contrast", "check", "t.tokens.json", "--pairs", "pipe", "--no-history"],
                ["fantasy", "calibration", "pipe", "--no-history"],
                [*Twice.EDIT, "--no-history", "-o", "pipe", "-fcsv"]]
    LONGEST = 2

    def draw(self, field, chance):
        number = chance.randrange(len(self.COMMANDS))
        return f"wait {number} {chance.choice(['TERM', 'INT', 'TERM+TERM'])} {chance.randint(1, 1500)}"

    def strike(self, field, number, names, milliseconds):
        place = with_tokens(field.place("new"))
        os.mkfifo(f"{place.folder}/pipe")
        run = Run(place, self.COMMANDS[int(number)])
        time.sleep(int(milliseconds) / 1000)
        for name in names.split("+"):
            run.process.send_signal(getattr(signal, f"SIG{name}"))
        try:
            run.process.wait(self.LONGEST)
        except subprocess.TimeoutExpired:
            run.process.kill()
            return f"{run.end()}: it still waits {self.LONGEST} s after the signal"
        run.end()
        return None if run.code in (130, 143, -signal.SIGTERM, -signal.SIGINT) else str(run)


class Shards:
    """A run that may end early is played in shards, round by round; one of them may come late."""

    def draw(self, field, chance):
        count = chance.randint(1, 5)
        kind = chance.choice(["plain", "find", "sweep"])
        return f"shards {kind} {chance.randint(1, 24)}k {count} {chance.randint(0, count)}"

    def strike(self, field, kind, samples, count, late):
        place = field.place("new")
        threshold = "edit.kills <= 0.9 at 0.999"
        lines = {"plain": f"thresholds: ['{threshold}']", "find": f"find: events=2..9\nuntil: {threshold}",
                 "sweep": "sweep: 'trouble=0.2,0.4'\nthresholds: ['edit.kills[trouble=0.4] <= 0.9 at 0.999']"}
        pathlib.Path(place.folder, "edit.yaml").write_text(
            f"name: Edit\nkind: profile.edit\nsamples: {samples}\n{lines[kind]}\n"
            + ("" if kind == "find" else "events: 6\n"))
        if (whole := place.run("run", "edit.yaml", "--no-history", "--runs", "whole")).code not in (0, 1, 3):
            return str(whole)
        expected, after = place.path("whole/*/result.json").read_bytes(), []
        for number in range(1, 60):
            folder = f"round-{number}"
            for shard in range(1, int(count) + 1):
                if shard == int(late) and int(count) > 1 and number == 1:
                    continue
                run = place.run(
                    "run", "edit.yaml", "--shard", f"{shard}/{count}", "--no-history", "--runs", folder, *after)
                if run.code != 0:
                    return crash(run) or str(run)
            shards = sorted(str(one) for one in pathlib.Path(place.folder, folder).iterdir())
            merged = place.run("merge", *shards, "--no-history", "--runs", "merged")
            if (result := place.path("merged/*/result.json")) and not place.path("merged/*/checkpoint"):
                return None if result.read_bytes() == expected else "the merged run has other bytes"
            missing = merged.code == 2 and "lacks blocks" in merged.errors and number == 1 and int(late)
            if merged.code != 3 and not missing:
                return f"round {number}: {merged}"
            after = ["--after", str(place.path("merged/*/checkpoint").parent)]
        return "the rounds do not come to an end"


def with_tokens(place):
    """The place with a file of tokens and one of pairs, of which one fails, and a link to the folder itself."""
    folder = pathlib.Path(place.folder)
    (folder / "t.tokens.json").write_text(
        '{"$type": "color", "a": {"$value": "#fff"}, "on-a": {"$value": "#777"}}')
    (folder / "p.pairs").write_text("on-a on a\n")
    (folder / "sub").mkdir()
    (folder / "here").symlink_to(".")
    return place


KINDS = {kind.__name__.lower(): kind()
         for kind in (Kill, Resume, Fault, Signal, Limit, Full, Beside, Mutant, Twice, Wait, Shards)}


def strike(field, attack):
    kind, *words = attack.split()
    return KINDS[kind].strike(field, *words)


def simpler(attack):
    """The attack without each part in turn of a list in it, such as `20,300` or `TERM+TERM`; `3+` is none."""
    words = attack.split()
    for place, word in enumerate(words):
        mark = "," if "," in word else "+"
        parts = word.split(mark)
        for left_out in range(len(parts) if len(parts) > 1 and all(parts) else 0):
            shorter = mark.join(parts[:left_out] + parts[left_out + 1:])
            yield " ".join([*words[:place], shorter, *words[place + 1:]])


def simplest(field, attack, found):
    """The attack without what it does not need."""
    for one in simpler(attack):
        if again := strike(field, one):
            return simplest(field, one, again)
    return attack, found


def drawn(field, kinds, seed, minutes):
    """Attacks of each kind in turn, until the time is over."""
    chance, end, number = random.Random(seed), time.monotonic() + 60 * minutes, 0
    while time.monotonic() < end:
        yield KINDS[kinds[number % len(kinds)]].draw(field, chance)
        number += 1


def carried_out(field, attacks):
    """What was not withstood, by attack; and how many were made of each kind."""
    made, findings, lock = collections.Counter(), {}, threading.Lock()

    def work():
        while True:
            with lock:
                if (attack := next(attacks, None)) is None:
                    return
            found = strike(field, attack)
            with lock:
                made[attack.split()[0]] += 1
                if found:
                    findings[attack] = found

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for worker in [pool.submit(work) for _ in range(2)]:
            worker.result()
    return made, dict(simplest(field, *finding) for finding in findings.items())


# Programs with a fault, in sh behind the true one, and an attack that finds each.
SPOILT = {
    "": "kill rename 1 kept",
    "for one in Results/runs/*/result.json; do printf . >>\"$one\"; done": "kill rename 1 kept",
    "rm -rf Results/history.sqlite": "signal KILL 1 kept",
    "touch Results/runs/stray": "beside 2,0 new",
    "for one in ../*.user; do : >\"$one\"; done": "full 40 kept",
    "kill -SEGV $$": "mutant scenario.yaml f3:1",
}


def self_test(program):
    wrong = 0
    for fault, attack in SPOILT.items():
        with tempfile.TemporaryDirectory() as folder:
            field = Field(program, folder)
            spoilt = field.folder / "spoilt"
            spoilt.write_text(
                f"#!/bin/sh\nPATH=/usr/bin:/bin\n{program} \"$@\"\nstatus=$?\n{fault}\nexit $status\n")
            spoilt.chmod(0o755)
            field.program = str(spoilt)
            if bool(found := strike(field, attack)) != bool(fault):
                wrong += 1
                print(f"attack: '{attack}' found {found!r} in a program that does '{fault}'")
    print(f"attack: {len(SPOILT)} programs attacked, {wrong} classified wrongly")
    return wrong


def main():
    parser = argparse.ArgumentParser(prog="scripts/attack")
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS))
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("attacks", nargs="*")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    if options.self_test:
        return 1 if self_test(options.program) else 0
    with tempfile.TemporaryDirectory(prefix="assay-attack.") as folder:
        field = Field(options.program, folder)
        kinds = [options.kind] if options.kind else list(KINDS)
        attacks = iter(options.attacks or drawn(field, kinds, options.seed, options.minutes))
        made, findings = carried_out(field, attacks)
    for attack, found in findings.items():
        print(f"not withstood: scripts/attack '{attack}'\n  {found}")
    counts = ", ".join(f"{made[kind]} {kind}" for kind in KINDS if made[kind])
    print(f"attack: {sum(made.values())} attacks ({counts}), {len(findings)} not withstood")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
